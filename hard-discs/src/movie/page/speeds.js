'use strict';

// The histogram of speeds, beside the curve of Maxwell and Boltzmann for the same masses and energy.

const BINS = 24;

/** With fewer discs than this, speeds are averaged over a while: a handful of bars says nothing. */
const CROWD = 300;

class Speeds {
  constructor(canvas, film) {
    this.canvas = canvas;
    this.film = film;
    const { cast } = film;
    const start = new Moment(film);
    this.masses = cast.movableMasses().sort();
    /** Boltzmann's constant times the temperature: each direction of each disc carries half of it. */
    this.kT = (2 * start.energy()) / (this.masses.length * cast.dimensions);
    const lightest = this.masses[0];
    /** The right end of the axis. Hardly any disc is faster; those that are count in the last bin. */
    this.fastest = this.kT > 0 ? 4.2 * Math.sqrt(this.kT / lightest) : 1;
    this.window = cast.size < CROWD ? film.end / 8 : 0;
    this.curve = Array.from({ length: 97 }, (_, step) => this.density((step / 96) * this.fastest));
    this.highest = 1.5 * Math.max(...this.curve) || 1;
  }

  /** The density of speed `v` in equilibrium, averaged over the discs' masses. */
  density(v) {
    const { cast } = this.film;
    if (!(this.kT > 0)) {
      return 0;
    }
    let sum = 0;
    for (const mass of this.masses) {
      const m = mass / this.kT;
      const volume = cast.dimensions === 2 ? m * v : Math.sqrt(2 / Math.PI) * m ** 1.5 * v * v;
      sum += volume * Math.exp((-m * v * v) / 2);
    }
    return sum / this.masses.length;
  }

  /** The density in each bin: now, or on average since a while. */
  bins(moment) {
    const { film } = this;
    const bins = new Float64Array(BINS);
    const since = Math.max(moment.time - this.window, 0);
    const span = moment.time - since;
    const width = this.fastest / BINS;
    const weight = 1 / (this.masses.length * width);
    const add = (change, share) => {
      bins[Math.min(Math.floor(film.speed(change) / width), BINS - 1)] += weight * share;
    };
    moment.change.forEach((change, disc) => {
      if (!film.cast.isMovable(disc)) {
        return;
      }
      if (span === 0) {
        add(change, 1);
        return;
      }
      for (let until = moment.time; change >= 0 && until > since; change = film.before[change]) {
        const from = Math.max(film.changeTime[change], since);
        add(change, (until - from) / span);
        until = from;
      }
    });
    return bins;
  }

  draw(moment) {
    const { context, width, height } = fitCanvas(this.canvas);
    const floor = height - 18;
    const y = (density) => floor - Math.min(density / this.highest, 1) * (floor - 4);
    context.fillStyle = themeColour('bars');
    this.bins(moment).forEach((density, bin) => {
      context.fillRect((bin * width) / BINS + 0.5, y(density), width / BINS - 1, floor - y(density));
    });
    context.beginPath();
    this.curve.forEach((density, step) => context.lineTo((step / (this.curve.length - 1)) * width, y(density)));
    context.strokeStyle = themeColour('curve');
    context.lineWidth = 2.5;
    context.stroke();
    context.fillStyle = themeColour('muted');
    context.font = '12px system-ui, sans-serif';
    context.fillText('0', 0, height - 3);
    context.textAlign = 'right';
    context.fillText(this.fastest.toPrecision(2), width, height - 3);
    context.textAlign = 'center';
    context.fillText('speed', width / 2, height - 3);
    context.textAlign = 'left';
  }
}
