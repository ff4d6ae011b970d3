'use strict';

// The box with the discs, drawn on a canvas at one moment.

/** The colours of the style sheet that have been asked for. */
const theme = new Map();

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => theme.clear());

/** A colour of the style sheet. */
function themeColour(name) {
  if (!theme.has(name)) {
    theme.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
  }
  return theme.get(name);
}

/** Fits a canvas to its place on the page; returns its context, in which a unit is a pixel of the page, and its size. */
function fitCanvas(canvas) {
  const { width, height } = canvas.getBoundingClientRect();
  const scale = window.devicePixelRatio || 1;
  const pixels = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== pixels[0] || canvas.height !== pixels[1]) {
    [canvas.width, canvas.height] = pixels;
  }
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

/** From blue over grey to yellow: told apart with any kind of colour vision, and by lightness alone. */
const SHADES = 32;
const RAMP = [
  [43, 88, 190],
  [110, 130, 170],
  [168, 160, 140],
  [224, 190, 84],
  [255, 224, 70],
];

function shade(share) {
  const place = Math.min(Math.max(share, 0), 1) * (RAMP.length - 1);
  const below = Math.min(Math.floor(place), RAMP.length - 2);
  const mixed = RAMP[below].map((part, i) => Math.round(part + (place - below) * (RAMP[below + 1][i] - part)));
  return `rgb(${mixed.join(' ')})`;
}

const SHADED = Array.from({ length: SHADES }, (_, step) => shade(step / (SHADES - 1)));

/** How a disc is coloured: a function from a moment and a disc to a colour. */
function colouring(kind, cast, fastest) {
  if (kind === 'speed') {
    const step = (speed) => Math.min(Math.floor((speed / fastest) * SHADES), SHADES - 1);
    return (moment, disc) => SHADED[step(moment.speed(disc))];
  }
  if (kind === 'mass') {
    const masses = cast.movableMasses().sort();
    const [least, most] = [masses[0], masses[masses.length - 1]].map(Math.log);
    const share = (disc) => (most > least ? Math.min((Math.log(cast.mass[disc]) - least) / (most - least), 1) : 0);
    const colours = Array.from({ length: cast.size }, (_, disc) => SHADED[Math.round(share(disc) * (SHADES - 1))]);
    return (_, disc) => colours[disc];
  }
  const plain = themeColour('disc');
  const colours = Array.from(cast.colour, (bits) =>
    bits === 0xffffffff ? plain : `rgb(${bits >> 16} ${(bits >> 8) & 255} ${bits & 255})`,
  );
  return (_, disc) => colours[disc];
}

/** Far spheres fade into the ground: how much of its colour the farthest loses. */
const FARTHEST_VEIL = 0.75;

class Stage {
  constructor(canvas, film) {
    this.canvas = canvas;
    this.film = film;
    this.cast = film.cast;
    [this.low, this.high] = this.extent();
    canvas.style.setProperty('--ratio', (this.high[0] - this.low[0]) / (this.high[1] - this.low[1]));
  }

  /** The box, or where the discs ever turn if there is none. */
  extent() {
    const { cast, film } = this;
    const widest = cast.radius.reduce((a, b) => Math.max(a, b), 0);
    const sides = [0, 1].map((axis) => {
      if (cast.isBounded(axis)) {
        return [cast.low[axis], cast.high[axis]];
      }
      let [low, high] = [Infinity, -Infinity];
      for (let place = axis; place < film.position.length; place += cast.dimensions) {
        low = Math.min(low, film.position[place] - widest);
        high = Math.max(high, film.position[place] + widest);
      }
      return [low, high];
    });
    return [sides.map((side) => side[0]), sides.map((side) => side[1])];
  }

  /** Prepares to draw. Afterwards the context's unit is that of the simulation, and y points up. */
  open() {
    const { context, width, height } = fitCanvas(this.canvas);
    const margin = 2;
    const span = [this.high[0] - this.low[0], this.high[1] - this.low[1]];
    const scale = Math.min((width - 2 * margin) / span[0], (height - 2 * margin) / span[1]);
    context.translate((width - scale * span[0]) / 2, (height + scale * span[1]) / 2);
    context.scale(scale, -scale);
    context.translate(-this.low[0], -this.low[1]);
    this.context = context;
    /** A pixel, in units of the simulation. */
    this.pixel = 1 / scale;
  }

  /** Calls `draw(x, y)` for a disc, and for its images across periodic sides that show. */
  images(moment, disc, draw) {
    const { cast, low, high } = this;
    const place = [0, 1].map((axis) => cast.wrap(moment.coordinate(disc, axis), axis));
    const shifts = [0, 1].map((axis) => {
      const width = high[axis] - low[axis];
      const reach = cast.radius[disc];
      const left = cast.periodic[axis] && place[axis] + reach > high[axis];
      const right = cast.periodic[axis] && place[axis] - reach < low[axis];
      return left ? [0, -width] : right ? [0, width] : [0];
    });
    for (const dx of shifts[0]) {
      for (const dy of shifts[1]) {
        draw(place[0] + dx, place[1] + dy);
      }
    }
  }

  /** Discs of three dimensions are drawn from the farthest to the nearest, others as they come. */
  order(moment) {
    const discs = Array.from({ length: this.cast.size }, (_, disc) => disc);
    if (this.cast.dimensions < 3) {
      return discs;
    }
    const depth = discs.map((disc) => this.cast.wrap(moment.coordinate(disc, 2), 2));
    return discs.sort((a, b) => depth[a] - depth[b]);
  }

  clipToBox() {
    const { context, low, high } = this;
    context.beginPath();
    context.rect(low[0], low[1], high[0] - low[0], high[1] - low[1]);
    context.clip();
  }

  /** All discs, one path for each run of equal colours. */
  discs(moment, colourOf) {
    const { context, cast } = this;
    context.save();
    if (cast.periodic.some(Boolean)) {
      this.clipToBox();
    }
    const groups = new Map();
    for (const disc of this.order(moment)) {
      // What overlaps in depth must keep its order; what cannot overlap is gathered by colour.
      const key = cast.dimensions < 3 ? colourOf(moment, disc) : disc;
      if (!groups.has(key)) {
        groups.set(key, { colour: colourOf(moment, disc), path: new Path2D() });
      }
      const { path } = groups.get(key);
      this.images(moment, disc, (x, y) => {
        path.moveTo(x + cast.radius[disc], y);
        path.arc(x, y, cast.radius[disc], 0, 2 * Math.PI);
      });
    }
    context.lineWidth = this.pixel;
    context.strokeStyle = themeColour('disc-edge');
    const inSpace = cast.dimensions > 2;
    let drawn = 0;
    for (const { colour, path } of groups.values()) {
      context.fillStyle = colour;
      context.fill(path);
      if (inSpace) {
        context.globalAlpha = FARTHEST_VEIL * (1 - drawn++ / groups.size);
        context.fillStyle = themeColour('paper');
        context.fill(path);
        context.globalAlpha = 1;
      }
      context.stroke(path);
    }
    context.restore();
  }

  /** Where all discs have been in the last `span` of time, in bands that fade. */
  trails(moment, span) {
    // Fewer for a crowd, in which nobody follows one trail.
    const bands = this.cast.size < 500 ? 8 : 3;
    const { context } = this;
    context.lineWidth = 2 * this.pixel;
    context.lineJoin = 'round';
    context.strokeStyle = themeColour('trail');
    for (let band = 0; band < bands; band++) {
      const from = moment.time - (span * (bands - band)) / bands;
      const to = moment.time - (span * (bands - band - 1)) / bands;
      if (to <= 0) {
        continue;
      }
      context.globalAlpha = (band + 1) / bands;
      context.beginPath();
      for (let disc = 0; disc < this.cast.size; disc++) {
        this.trail(moment.change[disc], Math.max(from, 0), to);
      }
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  /** The way of a disc from one time to another, which lies after its present change or before it. */
  trail(change, from, to) {
    const { film, cast, context } = this;
    const at = (change, time, axis) => film.coordinate(change, axis, time);
    while (change >= 0 && film.changeTime[change] > to) {
      change = film.before[change];
    }
    for (let end = to; change >= 0; change = film.before[change]) {
      const begin = Math.max(from, film.changeTime[change]);
      const resting = film.speed(change) === 0 && film.interval === 0;
      if (!resting) {
        // Of a piece that crosses a periodic side the image that ends in the box is drawn.
        const shift = [0, 1].map((axis) => cast.wrap(at(change, end, axis), axis) - at(change, end, axis));
        context.moveTo(at(change, end, 0) + shift[0], at(change, end, 1) + shift[1]);
        context.lineTo(at(change, begin, 0) + shift[0], at(change, begin, 1) + shift[1]);
      }
      if (film.changeTime[change] <= from) {
        break;
      }
      end = begin;
    }
  }

  /** Where all discs are heading: how far they will fly in a `span` of time if nothing happens. */
  headings(moment, span) {
    const { context, cast, film } = this;
    context.lineWidth = 2 * this.pixel;
    context.strokeStyle = themeColour('ink');
    context.beginPath();
    for (let disc = 0; disc < cast.size; disc++) {
      const change = moment.change[disc];
      const way = [0, 1].map((axis) => span * film.velocity[change * cast.dimensions + axis]);
      const length = Math.hypot(...way);
      if (length > 2 * this.pixel) {
        const [x, y] = [0, 1].map((axis) => cast.wrap(moment.coordinate(disc, axis), axis));
        const barb = Math.min(6 * this.pixel, length) / length;
        const [dx, dy] = [barb * way[0], barb * way[1]];
        const tip = [x + way[0], y + way[1]];
        context.moveTo(x, y);
        context.lineTo(...tip);
        context.moveTo(tip[0] - dx + 0.6 * dy, tip[1] - dy - 0.6 * dx);
        context.lineTo(...tip);
        context.lineTo(tip[0] - dx - 0.6 * dy, tip[1] - dy + 0.6 * dx);
      }
    }
    context.stroke();
  }

  /** A ring around a disc; `strength` is from 1, just now, to 0. */
  flash(moment, disc, strength) {
    const { context, cast, pixel } = this;
    this.images(moment, disc, (x, y) => {
      context.beginPath();
      context.arc(x, y, cast.radius[disc] + (2 + 7 * (1 - strength)) * pixel, 0, 2 * Math.PI);
      context.globalAlpha = strength;
      context.lineWidth = (1 + 3 * strength) * pixel;
      context.strokeStyle = themeColour('flash');
      context.stroke();
      context.globalAlpha = 0.85 * strength;
      context.beginPath();
      context.arc(x, y, cast.radius[disc], 0, 2 * Math.PI);
      context.fillStyle = themeColour('flash-fill');
      context.fill();
    });
    context.globalAlpha = 1;
  }
}
