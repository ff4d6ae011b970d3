'use strict';

// The movie of one run.

const data = JSON.parse(document.getElementById('data').textContent);
const cast = new Cast(data.cast);
const film = new Film(data.film, cast);
const stage = new Stage(document.querySelector('.stage'), film);
const speeds = new Speeds(document.querySelector('.speeds canvas'), film);
const player = new Player([film], drawMovie);
const controls = new Controls(player);
const startEnergy = new Moment(film).energy();
const colours = [...document.querySelectorAll('[name=colour]')];

const show = (id, text) => {
  document.getElementById(id).textContent = text;
};

/** A number with so many digits that count. */
const brief = (value, digits) => String(Number(value.toPrecision(digits))).replaceAll('-', '\u2212');

function describe() {
  document.querySelector('h1').textContent = data.title;
  const last = film.time.length - 1;
  const [pairs, walls] = last < 0 ? [0, 0] : [film.pairs[last], film.walls[last]];
  const kind = cast.dimensions === 2 ? 'disc' : 'sphere';
  const count = (number, what) => `${number} ${what}${number === 1 ? '' : 's'}`;
  const about = `${count(cast.size, kind)}, ${count(pairs + walls, 'collision')} until ${brief(film.end, 6)}`;
  document.querySelector('.about').textContent = about;
  if (film.interval > 0) {
    const note = document.querySelector('.note');
    note.textContent =
      `Too many collisions for a page: those within ${film.interval.toPrecision(2)} of time are shown as one. ` +
      'Places and speeds are exact at its end; ways within are cut short.';
    note.hidden = false;
  }
  if (speeds.window > 0) {
    show('averaged', `, mean of the last ${Number(speeds.window.toPrecision(2))}`);
  }
}

/** What the discs' colours stand for. */
function chooseColour(kind) {
  colours.forEach((choice) => (choice.checked = choice.value === kind));
  const ramp = document.querySelector('.ramp');
  ramp.hidden = kind === 'input';
  const [low, high] = kind === 'mass' ? [speeds.masses[0], speeds.masses.at(-1)] : [0, speeds.fastest];
  ramp.firstElementChild.textContent = Number(low.toPrecision(2));
  ramp.lastElementChild.textContent = Number(high.toPrecision(2));
  player.refresh();
}

function prepareColours() {
  const given = cast.colour.some((bits) => bits !== 0xffffffff);
  const hide = (kind) => (colours.find((choice) => choice.value === kind).parentElement.hidden = true);
  if (!given) {
    hide('input');
  }
  // Equal masses have no colours to tell them apart.
  if (!(speeds.masses[0] < speeds.masses.at(-1))) {
    hide('mass');
  }
  document.querySelector('.ramp .bar').style.background = `linear-gradient(to right, ${SHADED.join(', ')})`;
  for (const choice of colours) {
    choice.addEventListener('change', () => chooseColour(choice.value));
  }
  document.addEventListener('keydown', (event) => {
    if (event.key === 'c' && event.target !== controls.clock && !event.ctrlKey && !event.metaKey) {
      const open = colours.filter((choice) => !choice.parentElement.hidden);
      chooseColour(open[(open.findIndex((choice) => choice.checked) + 1) % open.length].value);
    }
  });
  chooseColour(given ? 'input' : 'speed');
}

function drawReadings(moment) {
  show('pairs', moment.pairs);
  show('walls', moment.walls);
  const energy = moment.energy();
  show('energy', brief(energy, 6));
  show('drift', startEnergy > 0 ? brief((energy - startEnergy) / startEnergy, 2) : '0');
  const momentum = Array.from({ length: cast.dimensions }, (_, axis) => brief(moment.momentum(axis), 3));
  show('momentum', `(${momentum.join(', ')})`);
}

function drawMovie() {
  const moment = player.moments[0];
  stage.open();
  if (controls.trails.checked) {
    stage.trails(moment, (cast.size < 50 ? 8 : 3) * player.pace);
  }
  const kind = colours.find((choice) => choice.checked)?.value;
  stage.discs(moment, colouring(kind, cast, speeds.fastest));
  // In space, arrows of what is hidden would lie upon what hides it.
  if (!player.playing && cast.size < CROWD && cast.dimensions === 2) {
    stage.headings(moment, 1.5 * player.pace);
  }
  for (const { discs, strength } of player.flashesOf(0)) {
    discs.forEach((disc) => stage.flash(moment, disc, strength));
  }
  drawReadings(moment);
  speeds.draw(moment);
  controls.draw();
}

describe();
prepareColours();
