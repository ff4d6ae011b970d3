'use strict';

// The clock: it plays films in one time, steps from event to event, and goes to any time.

/** At speed 1 a movie takes no less than this, in seconds. */
const SHORTEST_MOVIE = 40;

/** At speed 1 discs cross no more than this of the box in a second, on average. */
const FASTEST_LOOK = 0.5;

const SPEEDS = [1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32];

/** In slow motion there are no more than so many seconds between events, unless they are that far apart anyway. */
const DWELL = 0.16;

/** At speed 1 nobody waits longer than this for the next event, in seconds. */
const LONGEST_WAIT = 6;

/** How long a flash lasts, in seconds. */
const FLASH = 0.45;

/** More flashes than this at a time show nothing more. */
const MOST_FLASHES = 60;

class Player {
  /** `draw` is called whenever there is something new to see. */
  constructor(films, draw) {
    this.films = films;
    this.draw = draw;
    this.moments = films.map((film) => new Moment(film));
    this.end = Math.max(...films.map((film) => film.end));
    this.merge();
    this.time = 0;
    /** Events of all films that have happened. */
    this.done = 0;
    this.playing = false;
    this.speed = 1;
    this.slowMotion = true;
    this.flashes = [];
    this.pace = this.naturalPace();
    this.dwell = Math.min(DWELL, (0.5 * SHORTEST_MOVIE) / Math.max(this.eventTime.length, 1));
    this.lastFrame = null;
  }

  /** The events of all films in one order. */
  merge() {
    const events = this.films.flatMap((film, which) => Array.from(film.time, (time) => ({ time, which })));
    events.sort((a, b) => a.time - b.time || a.which - b.which);
    this.eventTime = Float64Array.from(events, (event) => event.time);
    this.eventFilm = Uint8Array.from(events, (event) => event.which);
  }

  /** Simulated time a second at speed 1. */
  naturalPace() {
    const film = this.films[0];
    const { cast } = film;
    let squares = 0;
    for (let disc = 0; disc < cast.size; disc++) {
      squares += film.speed(disc) ** 2;
    }
    const usual = Math.sqrt(squares / Math.max(cast.size, 1));
    const width = cast.isBounded(0) ? cast.high[0] - cast.low[0] : Infinity;
    const pace = Math.min(this.end / SHORTEST_MOVIE, usual > 0 ? (FASTEST_LOOK * width) / usual : Infinity);
    return pace > 0 ? pace : 1;
  }

  play() {
    if (this.time >= this.end) {
      this.seek(0);
    }
    this.playing = true;
    this.lastFrame = null;
    this.refresh();
  }

  pause() {
    this.playing = false;
    this.refresh();
  }

  toggle() {
    if (this.playing) {
      this.pause();
    } else {
      this.play();
    }
  }

  setSpeed(speed) {
    this.speed = speed;
    this.refresh();
  }

  /** One of the set speeds up or down. */
  changeSpeed(by) {
    const place = SPEEDS.indexOf(this.speed) + by;
    this.setSpeed(SPEEDS[Math.min(Math.max(place, 0), SPEEDS.length - 1)]);
  }

  /** Goes to a time, at which all events up to it have happened. */
  seek(time) {
    this.time = Math.min(Math.max(time, 0), this.end);
    this.done = countUpTo(this.eventTime, this.time);
    this.moments.forEach((moment) => moment.goTo(this.time));
    this.flashes = [];
    this.refresh();
  }

  /** Pauses, and goes to the time of the next event, which happens. */
  stepForward() {
    this.playing = false;
    if (this.done === this.eventTime.length) {
      this.seek(this.end);
      return;
    }
    this.flashes = [];
    this.happen();
    this.refresh();
  }

  /** Pauses, and goes back to the time of the last event; if it is just that time, to the one before, undoing the event. */
  stepBack() {
    this.playing = false;
    const undo = this.done > 0 && this.time <= this.eventTime[this.done - 1];
    const undone = undo ? this.eventFilm[--this.done] : -1;
    this.time = this.done > 0 ? this.eventTime[this.done - 1] : 0;
    this.moments.forEach((moment, which) => moment.goTo(this.time, moment.events - (which === undone ? 1 : 0)));
    this.flashes = [];
    if (this.done > 0) {
      this.flash(this.eventFilm[this.done - 1]);
    }
    this.refresh();
  }

  /** The next event happens, at its time. */
  happen() {
    const which = this.eventFilm[this.done];
    this.time = this.eventTime[this.done];
    this.done++;
    const moment = this.moments[which];
    moment.goTo(this.time, moment.events + 1);
    this.moments.forEach((other) => other.goTo(this.time, other.events));
    this.flash(which);
  }

  /** The discs of the event that was the last to happen in a film flash. */
  flash(which) {
    const { film, events } = this.moments[which];
    if (film.interval > 0) {
      return;
    }
    this.flashes.push({ which, discs: film.discsOf(events - 1), since: performance.now() });
    if (this.flashes.length > MOST_FLASHES) {
      this.flashes.shift();
    }
  }

  /** Flashes of a film with their strengths. While the clock stands at an event, its discs stay marked. */
  flashesOf(which) {
    const now = performance.now();
    const standing = !this.playing && this.done > 0 && this.time === this.eventTime[this.done - 1];
    return this.flashes
      .map((flash, place) => {
        const least = standing && place === this.flashes.length - 1 ? 0.5 : 0;
        return { ...flash, strength: Math.max(1 - (now - flash.since) / (1000 * FLASH), least) };
      })
      .filter((flash) => flash.which === which && flash.strength > 0);
  }

  /** Simulated time a second between two events that are `gap` apart. */
  paceWithin(gap) {
    const slowest = gap / LONGEST_WAIT;
    const fastest = this.slowMotion ? gap / this.dwell : Infinity;
    return Math.min(Math.max(this.pace, slowest), fastest) * this.speed;
  }

  /** Lets a time on the wall clock pass. */
  advance(seconds) {
    for (let left = seconds; left > 0 && this.time < this.end; ) {
      const last = this.done > 0 ? this.eventTime[this.done - 1] : 0;
      const isEvent = this.done < this.eventTime.length;
      const next = isEvent ? this.eventTime[this.done] : this.end;
      const pace = this.paceWithin(next - last);
      const wait = next > this.time ? (next - this.time) / pace : 0;
      if (wait > left) {
        this.time = Math.min(this.time + left * pace, next);
        break;
      }
      left -= wait;
      this.time = next;
      if (isEvent) {
        this.happen();
      }
    }
    this.moments.forEach((moment) => moment.goTo(this.time, moment.events));
    if (this.time >= this.end) {
      this.playing = false;
    }
  }

  /** Seconds on the wall clock until the first event, if that is still to come. */
  untilFirstEvent() {
    if (this.done > 0 || this.eventTime.length === 0) {
      return null;
    }
    const left = this.eventTime[0] - this.time;
    return left > 0 ? left / this.paceWithin(this.eventTime[0]) : 0;
  }

  /** Has the present moment drawn, and what follows. */
  refresh() {
    if (this.waiting === undefined) {
      this.waiting = requestAnimationFrame((now) => this.frame(now));
    }
  }

  frame(now) {
    this.waiting = undefined;
    if (this.playing) {
      // After a pause of the browser itself, such as a hidden page, the movie goes on where it was.
      this.advance(this.lastFrame === null ? 0 : Math.min((now - this.lastFrame) / 1000, 0.1));
    }
    this.lastFrame = now;
    this.flashes = this.flashes.filter(
      (flash, place) => place === this.flashes.length - 1 || performance.now() - flash.since < 1000 * FLASH,
    );
    this.draw();
    const fading = this.flashes.some((flash) => performance.now() - flash.since < 1000 * FLASH);
    if (this.playing || fading) {
      this.refresh();
    }
  }
}
