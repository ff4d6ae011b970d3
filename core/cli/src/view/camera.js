// What part of the run the window shows: a span of time from left to right, and lanes from top to bottom.

const AXIS = 26;

class Camera {
  constructor(log) {
    this.lanes = log.lanes.length;
    const all = [log.timesInOrder[0] ?? 0, log.timesInOrder[log.size - 1] ?? 1];
    let [first, last] = [Infinity, -Infinity];
    for (const place of log.ran) {
      first = Math.min(first, log.times[place]);
      last = Math.max(last, log.times[place]);
    }
    if (log.ran.length === 0) [first, last] = all;
    this.home = padded(first, last);
    this.all = padded(...all);
    [this.start, this.end] = this.home;
    [this.top, this.shown] = [0, this.lanes];
    [this.width, this.height, this.gutter] = [1, 1, 0];
  }

  /** The size of the window, and how much of it, on the left, the names of the lanes take. */
  resize(width, height, gutter) {
    this.gutter = gutter;
    this.width = Math.max(1, width - gutter);
    this.height = Math.max(1, height - AXIS);
    this.keepInside();
  }

  get span() {
    return this.end - this.start;
  }

  /** How high a lane is. */
  get lane() {
    return this.height / this.shown;
  }

  x(time) {
    return this.gutter + ((time - this.start) / this.span) * this.width;
  }

  /** The middle of a lane. */
  y(lane) {
    return AXIS + (lane + 0.5 - this.top) * this.lane;
  }

  timeAt(x) {
    return this.start + ((x - this.gutter) / this.width) * this.span;
  }

  laneAt(y) {
    return this.top + (y - AXIS) / this.lane;
  }

  zoom(factor, x) {
    const fixed = this.timeAt(x);
    this.start = fixed - (fixed - this.start) * factor;
    this.end = fixed + (this.end - fixed) * factor;
    this.keepInside();
  }

  zoomLanes(factor, y) {
    const fixed = this.laneAt(y);
    const part = (fixed - this.top) / this.shown;
    this.shown = Math.min(this.lanes, Math.max(1, this.shown * factor));
    this.top = fixed - part * this.shown;
    this.keepInside();
  }

  /** Moves what is shown by pixels. */
  pan(right, down) {
    const time = (right / this.width) * this.span;
    this.start -= time;
    this.end -= time;
    this.top -= down / this.lane;
    this.keepInside();
  }

  show(start, end) {
    [this.start, this.end] = padded(start, end);
    this.keepInside();
  }

  showAll() {
    [this.start, this.end] = this.home;
    [this.top, this.shown] = [0, this.lanes];
  }

  /** Moves as little as needed to have a point of time and a lane well inside. */
  reveal(time, lane) {
    const margin = this.span / 50;
    if (time < this.start + margin || time > this.end - margin) {
      const half = this.span / 2;
      [this.start, this.end] = [time - half, time + half];
    }
    if (lane < this.top || lane + 1 > this.top + this.shown) this.top = lane + 0.5 - this.shown / 2;
    this.keepInside();
  }

  keepInside() {
    const [first, last] = this.all;
    const middle = Math.min(last, Math.max(first, (this.start + this.end) / 2));
    // In a narrower window, neighbouring numbers would lie pixels apart.
    const least = Math.max(Math.abs(middle) * 1e-12, 1e-300);
    const half = Math.min(last - first, Math.max(least, this.span)) / 2;
    [this.start, this.end] = [middle - half, middle + half];
    this.top = Math.max(0, Math.min(this.lanes - this.shown, this.top));
  }
}

/** A span with a little room on both sides, and never empty. */
function padded(start, end) {
  const room = (end - start) * 0.04 || Math.max(Math.abs(end), 1) * 1e-3;
  return [start - room, end + room];
}
