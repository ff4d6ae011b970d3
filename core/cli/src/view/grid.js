// The window as a grid of cells, so that no more is drawn than it has room for: a cell keeps its first few events and, of all,
// how many there are of each kind. Cells keep their place in the run while the window moves over it.

const CELL = 14;
/** Lanes that are lower than this share a row. */
const ROW = 20;
const FEW = 2;
/** Kinds are counted apart as far as their colours differ. */
const SLOTS = 8;

/** What falls into each cell of one layer. */
class Cells {
  reset(size) {
    if (this.size !== size) {
      this.size = size;
      this.counts = new Uint32Array(size);
      this.slots = new Uint32Array(size * SLOTS);
      this.places = new Uint32Array(size * FEW);
      this.lanes = new Uint32Array(size * FEW);
    }
    this.counts.fill(0);
    this.slots.fill(0);
    this.used = [];
  }

  add(cell, place, lane, slot) {
    const count = this.counts[cell]++;
    this.slots[cell * SLOTS + slot]++;
    if (count === 0) this.used.push(cell);
    if (count >= FEW) return;
    this.places[cell * FEW + count] = place;
    this.lanes[cell * FEW + count] = lane;
  }

  /** The cells with too many events for a mark each. */
  crowded() {
    return this.used.filter((cell) => this.counts[cell] > FEW);
  }

  /** The events, and their lanes, of the cells with few; with `all`, the first few of the others too. */
  singles(all) {
    const singles = [];
    for (const cell of this.used) {
      const count = Math.min(this.counts[cell], FEW);
      if (!all && this.counts[cell] > FEW) continue;
      for (let at = cell * FEW; at < cell * FEW + count; at++) {
        singles.push({ place: this.places[at], lane: this.lanes[at] });
      }
    }
    return singles;
  }
}

class Grid {
  constructor(log, camera, focus) {
    Object.assign(this, { log, camera, focus });
    this.layers = Object.values(LAYER).map(() => new Cells());
  }

  /** Sorts the events of the window into cells; returns how many entries that makes. */
  fill() {
    const { camera, focus, log, layers } = this;
    this.span = (CELL / camera.width) * camera.span;
    this.lanesInRow = Math.max(1, Math.ceil(ROW / camera.lane));
    this.firstColumn = Math.floor(camera.start / this.span) - 1;
    this.firstRow = Math.floor(camera.top / this.lanesInRow);
    this.columns = Math.ceil(camera.width / CELL) + 3;
    this.rows = Math.ceil((camera.top + camera.shown) / this.lanesInRow) - this.firstRow;
    layers.forEach((cells) => cells.reset(this.rows * this.columns));
    const [first, end] = log.between(camera.start - this.span, camera.end + this.span);
    let entries = 0;
    for (let next = first; next < end; next++) {
      const place = log.byTime[next];
      const cells = layers[focus.layers[place]];
      const column = this.column(log.times[place]);
      const slot = log.kind[place] % SLOTS;
      for (let which = 0; which < 2; which++) {
        const lane = log.lane[which][place];
        if (lane < 0) continue;
        const row = Math.floor(lane / this.lanesInRow) - this.firstRow;
        if (row < 0 || row >= this.rows) continue;
        cells.add(row * this.columns + column, place, lane, slot);
        entries++;
      }
    }
    return entries;
  }

  column(time) {
    const column = Math.floor(time / this.span) - this.firstColumn;
    return Math.min(this.columns - 1, Math.max(0, column));
  }

  /** Where a cell lies in the window. */
  box(cell) {
    const { camera } = this;
    const column = this.firstColumn + (cell % this.columns);
    const firstLane = (this.firstRow + Math.floor(cell / this.columns)) * this.lanesInRow;
    const height = camera.lane * this.lanesInRow;
    return { x: camera.x(column * this.span), y: camera.y(firstLane - 0.5), width: CELL, height };
  }

  /** All events in a cell of a layer, in the order of time. */
  members(cell, layer) {
    const { focus, log } = this;
    const [column, row] = [cell % this.columns, Math.floor(cell / this.columns)];
    const start = (this.firstColumn + column) * this.span;
    const [first, end] = log.between(start - this.span, start + 2 * this.span);
    const isInRow = (lane) => lane >= 0 && Math.floor(lane / this.lanesInRow) - this.firstRow === row;
    const isMember = (place) =>
      focus.layers[place] === layer &&
      this.column(log.times[place]) === column &&
      log.lane.some((lane) => isInRow(lane[place]));
    return Array.from(log.byTime.subarray(first, end).filter(isMember));
  }
}
