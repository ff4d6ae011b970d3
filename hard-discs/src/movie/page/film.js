'use strict';

// A film: where every disc is at every time. It holds the initial state and, for each event, the discs whose flight it has
// changed. Between two changes a disc flies straight, so its place is computed, with the same operations in the same order as the
// simulation's: the numbers are the same to the last bit.

/** A column of numbers: base64 of their bytes, the lowest first. */
function column(text, Type) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) {
    bytes[i] = binary.charCodeAt(i);
  }
  return new Type(bytes.buffer);
}

/** How many numbers of a sorted column are at most `value`. */
function countUpTo(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** The discs and their box: what does not change. */
class Cast {
  constructor(data) {
    this.radius = column(data.radius, Float64Array);
    this.mass = column(data.mass, Float64Array);
    this.colour = column(data.colour, Uint32Array);
    this.size = this.radius.length;
    this.dimensions = data.low.length;
    this.low = data.low;
    this.high = data.high;
    this.periodic = data.periodic;
  }

  /** Whether a disc is more than a fixed obstacle, whose mass is infinite. */
  isMovable(disc) {
    return Number.isFinite(this.mass[disc]);
  }

  /** The masses of all discs but fixed obstacles. */
  movableMasses() {
    return this.mass.filter(Number.isFinite);
  }

  /** Whether walls stand, or images repeat, across an axis. */
  isBounded(axis) {
    return this.low[axis] !== null && this.high[axis] !== null;
  }

  /** A coordinate, brought back into the box if that is periodic. */
  wrap(value, axis) {
    if (!this.periodic[axis]) {
      return value;
    }
    const width = this.high[axis] - this.low[axis];
    return value - width * Math.floor((value - this.low[axis]) / width);
  }
}

/** Changes of flight are numbered; the first ones, one for each disc, are the initial state. */
class Film {
  constructor(data, cast) {
    this.cast = cast;
    this.end = data.end;
    /** Of a thinned film, the time within which events were merged; otherwise zero. */
    this.interval = data.interval;
    this.time = column(data.time, Float64Array);
    this.pairs = column(data.pairs, Uint32Array);
    this.walls = column(data.walls, Uint32Array);
    this.changeEnd = column(data.change_end, Uint32Array);
    this.disc = column(data.disc, Uint32Array);
    this.position = column(data.position, Float64Array);
    this.velocity = column(data.velocity, Float64Array);
    this.link();
  }

  /** For each change its time, and the changes of the same disc before and after it (-1 if there is none). */
  link() {
    const changes = this.disc.length;
    this.changeTime = new Float64Array(changes);
    this.before = new Int32Array(changes).fill(-1);
    this.after = new Int32Array(changes).fill(-1);
    const last = Int32Array.from({ length: this.cast.size }, (_, disc) => disc);
    for (let event = 0; event < this.time.length; event++) {
      for (let change = this.firstChange(event); change < this.changeEnd[event]; change++) {
        const disc = this.disc[change];
        this.changeTime[change] = this.time[event];
        this.before[change] = last[disc];
        this.after[last[disc]] = change;
        last[disc] = change;
      }
    }
  }

  firstChange(event) {
    return event > 0 ? this.changeEnd[event - 1] : this.cast.size;
  }

  /** The discs that an event has changed. */
  discsOf(event) {
    return Array.from(this.disc.subarray(this.firstChange(event), this.changeEnd[event]));
  }

  /** A coordinate of the disc of a change at a time before the disc's next change. */
  coordinate(change, axis, time) {
    const dimensions = this.cast.dimensions;
    const place = this.position[change * dimensions + axis];
    const since = time - this.changeTime[change];
    const next = this.interval > 0 ? this.after[change] : -1;
    if (next < 0) {
      return place + since * this.velocity[change * dimensions + axis];
    }
    // A thinned film has lost what made the disc turn on the way to its next known place.
    let way = this.position[next * dimensions + axis] - place;
    if (this.cast.periodic[axis]) {
      const width = this.cast.high[axis] - this.cast.low[axis];
      way -= width * Math.round(way / width);
    }
    return place + (since / (this.changeTime[next] - this.changeTime[change])) * way;
  }

  speed(change) {
    const dimensions = this.cast.dimensions;
    let square = 0;
    for (let axis = 0; axis < dimensions; axis++) {
      square += this.velocity[change * dimensions + axis] ** 2;
    }
    return Math.sqrt(square);
  }
}

/** A film at a time: for each disc the change since which it flies straight. */
class Moment {
  constructor(film) {
    this.film = film;
    this.time = 0;
    /** Events that have happened. */
    this.events = 0;
    this.change = Int32Array.from({ length: film.cast.size }, (_, disc) => disc);
  }

  /**
   * Goes to a time, forwards or backwards, but not beyond the film's end. At an event's own time the event has happened, unless
   * `events` says otherwise.
   */
  goTo(time, events = countUpTo(this.film.time, time)) {
    const film = this.film;
    for (; this.events < events; this.events++) {
      for (let change = film.firstChange(this.events); change < film.changeEnd[this.events]; change++) {
        this.change[film.disc[change]] = change;
      }
    }
    for (; this.events > events; this.events--) {
      for (let change = film.changeEnd[this.events - 1] - 1; change >= film.firstChange(this.events - 1); change--) {
        this.change[film.disc[change]] = film.before[change];
      }
    }
    this.time = Math.min(time, film.end);
  }

  coordinate(disc, axis) {
    return this.film.coordinate(this.change[disc], axis, this.time);
  }

  /** The place of a disc, not wrapped. */
  position(disc) {
    return Array.from({ length: this.film.cast.dimensions }, (_, axis) => this.coordinate(disc, axis));
  }

  speed(disc) {
    return this.film.speed(this.change[disc]);
  }

  get pairs() {
    return this.events > 0 ? this.film.pairs[this.events - 1] : 0;
  }

  get walls() {
    return this.events > 0 ? this.film.walls[this.events - 1] : 0;
  }

  /** Kinetic energy of all discs. */
  energy() {
    const { cast } = this.film;
    let sum = 0;
    for (let disc = 0; disc < this.change.length; disc++) {
      sum += cast.isMovable(disc) ? 0.5 * cast.mass[disc] * this.speed(disc) ** 2 : 0;
    }
    return sum;
  }

  /** Momentum of all discs along an axis. */
  momentum(axis) {
    const { cast, velocity } = this.film;
    let sum = 0;
    for (let disc = 0; disc < this.change.length; disc++) {
      const v = velocity[this.change[disc] * cast.dimensions + axis];
      sum += cast.isMovable(disc) ? cast.mass[disc] * v : 0;
    }
    return sum;
  }
}
