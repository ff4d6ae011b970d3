'use strict';

// The same discs under three clocks. The first film is the truth; the others are held against it.

/** How long a mark stays, in seconds at speed 1. */
const MARK = 1.5;

const data = JSON.parse(document.getElementById('data').textContent);
const cast = new Cast(data.cast);
const smallest = cast.radius.reduce((a, b) => Math.min(a, b), Infinity);
const takes = data.takes.map((take) => ({ ...take, film: new Film(take.film, cast) }));
const player = new Player(
  takes.map((take) => take.film),
  drawSides,
);

/** What a clock does, in words. */
function explain(take) {
  if (take.clock === 'time wheel') {
    return `all in a slot of ${take.dt} happens at its end`;
  }
  return take.dt > 0 ? `looks every ${take.dt}` : 'leaps to each collision';
}

/** The place of one clock's film on the page. */
class Side {
  constructor(take, which) {
    this.take = take;
    this.which = which;
    const template = document.querySelector('.stages template');
    const figure = template.content.firstElementChild.cloneNode(true);
    template.parentElement.insertBefore(figure, document.querySelector('.countdown'));
    this.find = (selector) => figure.querySelector(selector);
    this.find('h2').textContent = take.clock;
    this.find('figcaption p').textContent = explain(take);
    this.find('.stage').setAttribute('aria-label', `the discs under this clock: ${take.clock}`);
    this.stage = new Stage(this.find('.stage'), take.film);
    this.lane = new Lane(this.find('.lane'), take, player.end);
    take.deepestUpTo = take.overlaps.map(((deepest) => (overlap) => (deepest = Math.max(deepest, overlap.depth)))(0));
  }

  /** What has gone wrong so far, and how far the discs are from the truth, on average. */
  state() {
    const { take } = this;
    const { time } = player;
    const moment = player.moments[this.which];
    const truth = player.moments[0];
    const begun = take.overlaps.filter((overlap) => overlap.from <= time).length;
    let astray = 0;
    for (let disc = 0; disc < cast.size; disc++) {
      const [x, y] = [0, 1].map((axis) => moment.coordinate(disc, axis) - truth.coordinate(disc, axis));
      astray += Math.hypot(x, y) / cast.size;
    }
    return {
      collisions: moment.pairs + moment.walls,
      missed: take.missed.filter((mark) => mark.time <= time).length,
      spurious: take.spurious.filter((mark) => mark.time <= time).length,
      overlaps: begun,
      deepest: begun > 0 ? take.deepestUpTo[begun - 1] : 0,
      astray,
    };
  }

  draw() {
    const { stage, take, which } = this;
    const moment = player.moments[which];
    stage.open();
    if (controls.trails.checked) {
      stage.trails(moment, 2 * player.pace);
    }
    stage.discs(moment, colouring('input', cast, 1));
    for (const { discs, strength } of player.flashesOf(which)) {
      discs.forEach((disc) => stage.flash(moment, disc, strength));
    }
    if (which > 0) {
      this.drawTruth();
    }
    this.drawMarks('missed');
    this.drawMarks('spurious');
    for (const overlap of take.overlaps) {
      if (overlap.from < player.time && player.time <= overlap.to) {
        this.drawOverlap(moment, ...overlap.discs);
      }
    }
    this.drawNumbers();
    this.drawLook();
    this.lane.draw(player.time);
  }

  /** Rings where the discs should be, if that is not where they are. */
  drawTruth() {
    const { context, pixel } = this.stage;
    const moment = player.moments[this.which];
    const truth = player.moments[0];
    context.lineWidth = 1.5 * pixel;
    context.strokeStyle = themeColour('ink');
    context.setLineDash([4 * pixel, 3 * pixel]);
    context.beginPath();
    for (let disc = 0; disc < cast.size; disc++) {
      const [x, y] = [0, 1].map((axis) => truth.coordinate(disc, axis));
      const way = Math.hypot(x - moment.coordinate(disc, 0), y - moment.coordinate(disc, 1));
      if (way > 2 * pixel) {
        context.moveTo(x + cast.radius[disc], y);
        context.arc(x, y, cast.radius[disc], 0, 2 * Math.PI);
      }
    }
    context.stroke();
    context.setLineDash([]);
  }

  /** What two discs share, and a ring around it. */
  drawOverlap(moment, a, b) {
    const { context, pixel } = this.stage;
    const [p, q] = [a, b].map((disc) => [0, 1].map((axis) => moment.coordinate(disc, axis)));
    const circle = (centre, radius) => {
      context.beginPath();
      context.arc(...centre, radius, 0, 2 * Math.PI);
    };
    context.save();
    circle(p, cast.radius[a]);
    context.clip();
    circle(q, cast.radius[b]);
    context.fillStyle = themeColour('alarm');
    context.fill();
    context.restore();
    const share = cast.radius[a] / (cast.radius[a] + cast.radius[b]);
    const middle = [0, 1].map((axis) => p[axis] + share * (q[axis] - p[axis]));
    context.strokeStyle = themeColour('alarm');
    context.lineWidth = Math.min(3 * pixel, 0.35 * smallest);
    circle(middle, Math.max(Math.min(cast.radius[a], cast.radius[b]), 5 * pixel));
    context.stroke();
  }

  /** What has been missed, or found and never was, a short while ago. */
  drawMarks(kind) {
    const { context, pixel } = this.stage;
    const size = Math.min(Math.max(0.7 * smallest, 4 * pixel), 10 * pixel);
    const thick = 0.35 * size;
    for (const mark of this.take[kind]) {
      const age = (player.time - mark.time) / (MARK * player.pace);
      if (age < 0 || age >= 1) {
        continue;
      }
      context.globalAlpha = 1 - age * age;
      for (const [width, colour] of [[2 * thick, 'paper'], [thick, 'alarm']]) {
        markPath(context, kind, ...mark.place, size);
        context.lineWidth = width;
        context.strokeStyle = themeColour(colour);
        context.stroke();
      }
      context.globalAlpha = 1;
    }
  }

  drawNumbers() {
    const { collisions, missed, spurious, deepest, astray } = this.state();
    const show = (name, text, isWrong) => {
      const element = this.find(`dd.${name}`);
      element.textContent = text;
      element.classList.toggle('wrong', isWrong);
    };
    show('collisions', collisions, false);
    show('missed', missed, missed > 0);
    show('spurious', spurious, spurious > 0);
    show('deepest', `${(100 * deepest).toFixed(deepest > 0 && deepest < 0.1 ? 1 : 0)} %`, deepest > 0);
    show('astray', astray.toFixed(3), astray >= 0.0005);
  }

  /** How much of the present slot or step is over; for the event-driven clock, of the leap. */
  drawLook() {
    const { dt, film } = this.take;
    let part = (player.time / dt) % 1;
    if (dt === 0) {
      const { events } = player.moments[0];
      const last = events > 0 ? film.time[events - 1] : 0;
      const next = events < film.time.length ? film.time[events] : film.end;
      part = next > last ? (player.time - last) / (next - last) : 0;
    }
    this.find('.look div').style.width = `${100 * part}%`;
  }
}

document.querySelector('h1').textContent = data.title;
const sides = takes.map((take, which) => new Side(take, which));
const controls = new Controls(player);

function drawSides() {
  sides.forEach((side) => side.draw());
  controls.draw();
}
