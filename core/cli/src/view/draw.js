// Draws what the window shows: a mark for an event, a bar for a crowded cell, arrows from cause to effect.

/** Where no cell has more than this, bars stay lower than their rows. */
const LOW = 10;
/** And never higher than this, in pixels. */
const HIGH = 90;
const MOST_ARROWS = 400;
const MOST_PAIRS = 1500;
/** Signs of a kind that names a lane. */
const LONG = 12;
const FONT = "12px system-ui, sans-serif";
/** How near to a mark a click must be, in pixels. */
const REACH = 12;

/** A shape for each kind, around the origin, about as large as a circle of radius 1. */
const SHAPES = [
  "M1 0A1 1 0 1 1-1 0A1 1 0 1 1 1 0Z",
  "M-.9-.9H.9V.9H-.9Z",
  "M0-1.15L1.1.8H-1.1Z",
  "M0-1.25L1.25 0L0 1.25L-1.25 0Z",
  "M-.4-1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z",
  "M0 1.15L-1.1-.8H1.1Z",
  "M-.5-1.2H.5V1.2H-.5Z",
  "M-1.1-.6L-.6-1.1L0-.5L.6-1.1L1.1-.6L.5 0L1.1.6L.6 1.1L0 .5L-.6 1.1L-1.1.6L-.5 0Z",
];

/** And in bars, for each colour, what is drawn over it on a tile of 6 pixels. */
const STROKES = [
  "",
  "M-1 4L4-1M2 7L7 2",
  "M2.5 1.5V3.5M5.5 4.5V6.5",
  "M1.5 0V6",
  "M-1 2L4 7M2-1L7 4",
  "M0 1.5H6",
  "M1.5 0V6M0 1.5H6",
  "M1.5 0V3M4.5 3V6",
];

/** Colour and shape of a kind: after eight kinds the colours come again with other shapes. */
const colourOf = (kind) => kind % SLOTS;
const shapeOf = (kind) => (kind + Math.floor(kind / SLOTS)) % SLOTS;

class Picture {
  constructor(canvas, log, camera, focus) {
    Object.assign(this, { canvas, log, camera, focus });
    this.pen = canvas.getContext("2d");
    this.shapes = SHAPES.map((shape) => new Path2D(shape));
    this.grid = new Grid(log, camera, focus);
    this.readColours();
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    const read = (name) => style.getPropertyValue(name).trim();
    this.colours = SHAPES.map((_, slot) => read(`--kind-${slot}`));
    this.patterns = this.colours.map((colour, slot) => this.pattern(colour, STROKES[slot], read("--paper")));
    for (const name of ["ink", "muted", "line", "stripe", "paper", "pair", "chain", "effect"]) this[name] = read(`--${name}`);
  }

  /** A ground of a colour with strokes over it, so that bars differ in more than colour. */
  pattern(colour, strokes, paper) {
    const tile = new OffscreenCanvas(6, 6);
    const pen = tile.getContext("2d");
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 6, 6);
    pen.strokeStyle = paper;
    pen.stroke(new Path2D(strokes));
    return this.pen.createPattern(tile, "repeat");
  }

  draw() {
    const { camera, focus, pen } = this;
    const scale = fitCanvas(this.canvas);
    this.scale = scale;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.drawn = { marks: 0, arrows: 0, events: 0 };
    this.spots = [];
    this.radius = Math.min(6.5, Math.max(3, camera.lane * 0.3));
    this.drawn.events = this.grid.fill();
    this.drawLanes();
    this.drawAxis();
    pen.save();
    pen.beginPath();
    pen.rect(camera.gutter, AXIS, camera.width, camera.height);
    pen.clip();
    const singles = this.grid.layers.map((cells, layer) => cells.singles(layer === LAYER.chain));
    const quiet = focus.isActive ? 0.3 : 1;
    this.drawLayer(LAYER.rest, singles, 0.5 * quiet);
    pen.globalAlpha = quiet;
    this.drawPairs(singles[LAYER.ran], this.pair);
    this.drawArrows(singles[LAYER.ran], this.muted, []);
    pen.globalAlpha = 1;
    this.drawLayer(LAYER.ran, singles, quiet);
    this.drawPairs(singles[LAYER.hit], this.pair);
    this.drawLayer(LAYER.hit, singles, 1);
    this.drawPairs(singles[LAYER.effect], this.pair);
    this.drawArrows(singles[LAYER.effect], this.effect, [5, 3]);
    this.drawLayer(LAYER.effect, singles, 1);
    this.drawPairs(singles[LAYER.chain], this.muted);
    this.drawChain();
    this.drawLayer(LAYER.chain, singles, 1);
    this.drawSelected();
    pen.restore();
  }

  drawLayer(layer, singles, alpha) {
    const { camera, grid, log } = this;
    const cells = grid.layers[layer];
    // What did not run is left out where much did.
    const ran = layer === LAYER.rest ? grid.layers[LAYER.ran] : null;
    const crowded = layer === LAYER.chain ? [] : cells.crowded().filter((cell) => !ran || ran.counts[cell] === 0);
    const most = crowded.reduce((most, cell) => Math.max(most, cells.counts[cell]), LOW);
    for (const cell of crowded) this.drawBar(cells, cell, layer, alpha, most);
    for (const { place, lane } of singles[layer]) {
      const [x, y] = [camera.x(log.times[place]), camera.y(lane)];
      this.drawMark(log.kind[place], log.fates[place], x, y, this.radius, alpha);
      this.spots.push({ place, x, y });
    }
  }

  drawMark(kind, fate, x, y, radius, alpha) {
    const { pen } = this;
    const size = this.scale * radius;
    this.drawn.marks++;
    pen.save();
    pen.globalAlpha = alpha;
    pen.setTransform(size, 0, 0, size, this.scale * x, this.scale * y);
    const shape = this.shapes[shapeOf(kind)];
    pen.lineWidth = 1.3 / radius;
    if (fate === "e") {
      pen.fillStyle = this.colours[colourOf(kind)];
      pen.fill(shape);
      pen.strokeStyle = this.paper;
      pen.lineWidth = 1 / radius;
      pen.stroke(shape);
    } else {
      pen.strokeStyle = this.colours[colourOf(kind)];
      pen.stroke(shape);
    }
    if (fate === "c" || fate === "m") {
      pen.beginPath();
      pen.moveTo(-1.3, 1.3);
      pen.lineTo(1.3, -1.3);
      pen.stroke();
    }
    pen.restore();
  }

  /** A crowded cell as a bar: its height tells how many events there are, its parts of which kinds. */
  drawBar(cells, cell, layer, alpha, most) {
    const { grid, pen } = this;
    const box = grid.box(cell);
    const count = cells.counts[cell];
    const height = Math.max(3, (Math.min(HIGH, box.height - 3) * count) / most);
    const [left, width] = [box.x + 0.5, box.width - 1];
    // In a row of one lane it lies around the middle, as marks do.
    let bottom = box.y + (grid.lanesInRow > 1 ? box.height - 1 : (box.height + height) / 2);
    this.spots.push({ ...box, cell, layer });
    pen.globalAlpha = alpha;
    pen.lineWidth = 1;
    for (let slot = 0; slot < SLOTS; slot++) {
      const part = (height * cells.slots[cell * SLOTS + slot]) / count;
      if (part === 0) continue;
      bottom -= part;
      this.drawn.marks++;
      pen.fillStyle = this.patterns[slot];
      pen.strokeStyle = this.colours[slot];
      if (layer === LAYER.rest) pen.strokeRect(left + 0.5, bottom + 0.5, width - 1, Math.max(0, part - 1));
      else pen.fillRect(left, bottom, width, part);
    }
    if (layer === LAYER.hit) {
      pen.strokeStyle = this.ink;
      pen.lineWidth = 1.5;
      pen.strokeRect(left, bottom, width, height);
    }
    pen.globalAlpha = 1;
  }

  /** What joins the two marks of events with two entities, while there are not too many. */
  drawPairs(singles, colour) {
    if (singles.length > MOST_PAIRS) return;
    const { camera, log, pen } = this;
    pen.strokeStyle = colour;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (const { place } of singles) {
      if (log.lane[1][place] < 0 || !log.executed[place]) continue;
      const x = camera.x(log.times[place]);
      pen.moveTo(x, camera.y(log.lane[0][place]));
      pen.lineTo(x, camera.y(log.lane[1][place]));
    }
    pen.stroke();
  }

  /** Arrows to events from their causes, while there are not too many. */
  drawArrows(singles, colour, dashes) {
    const { focus, log } = this;
    const effects = [...new Set(singles.map(({ place }) => place))].filter((place) => {
      const cause = log.causes[place];
      if (cause === NOWHERE || focus.layers[cause] === LAYER.hidden) return false;
      return log.executed[place] || cause === focus.selected;
    });
    if (effects.length > MOST_ARROWS) return;
    for (const place of effects) this.drawArrow(log.causes[place], place, colour, 1, dashes);
  }

  /** The arrows of the chain: of those that begin and end in the same cells, one. */
  drawChain() {
    const { camera, focus, grid, log } = this;
    let before = "";
    for (let link = 1; link < focus.chain.length; link++) {
      const [effect, cause] = [focus.chain[link - 1], focus.chain[link]];
      if (log.times[effect] < camera.start || log.times[cause] > camera.end) continue;
      const where = String([effect, cause].map((place) => [grid.column(log.times[place]), log.lane[0][place]]));
      if (where !== before) this.drawArrow(cause, effect, this.chain, 2.5, []);
      before = where;
    }
  }

  drawArrow(cause, effect, colour, width, dashes) {
    const { camera, log, pen } = this;
    const far = 4 * this.canvas.width;
    const x = (place) => Math.min(far, Math.max(-far, camera.x(log.times[place])));
    const [fromX, toX] = [x(cause), x(effect)];
    const [fromLane, toLane] = this.nearestLanes(cause, effect);
    const [fromY, toY] = [camera.y(fromLane), camera.y(toLane)];
    // Along one lane the arrow bulges, so that it is seen between the marks.
    const bulge = fromLane === toLane ? Math.min(camera.lane * 0.8, 6 + (toX - fromX) / 12) : 0;
    // Steep ones are straight.
    const bend = toX - fromX > Math.abs(toY - fromY) / 3 ? (toX - fromX) / 2 : 0;
    const [cx, cy, dx, dy] = [fromX + bend, fromY - bulge, toX - bend, toY - bulge];
    const angle = bend ? Math.atan2(toY - dy, toX - dx) : Math.atan2(toY - fromY, toX - fromX);
    const length = Math.hypot(toX - fromX, toY - fromY) - this.radius;
    this.drawn.arrows++;
    pen.save();
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = width;
    pen.setLineDash(dashes);
    pen.beginPath();
    pen.moveTo(fromX, fromY);
    pen.bezierCurveTo(cx, cy, dx, dy, toX, toY);
    pen.stroke();
    pen.setLineDash([]);
    pen.translate(toX - Math.cos(angle) * this.radius, toY - Math.sin(angle) * this.radius);
    pen.rotate(angle);
    pen.beginPath();
    pen.moveTo(0, 0);
    pen.lineTo(-5 - width, -2.5 - width / 2);
    pen.lineTo(-5 - width, 2.5 + width / 2);
    // Where the marks almost touch, a head would cover both.
    if (length > this.radius + 6) pen.fill();
    pen.restore();
  }

  /** The lane that both have or, of each, the one that is nearer to the other. */
  nearestLanes(cause, effect) {
    const lanes = (place) => this.log.lane.map((lane) => lane[place]).filter((lane) => lane >= 0);
    let best = [0, 0];
    let least = Infinity;
    for (const from of lanes(cause)) {
      for (const to of lanes(effect)) {
        if (Math.abs(from - to) >= least) continue;
        least = Math.abs(from - to);
        best = [from, to];
      }
    }
    return best;
  }

  drawSelected() {
    const { camera, focus, log, pen } = this;
    if (focus.selected === NOWHERE) return;
    const x = camera.x(log.times[focus.selected]);
    pen.strokeStyle = this.ink;
    pen.lineWidth = 2;
    for (const lane of log.lane.map((lanes) => lanes[focus.selected]).filter((lane) => lane >= 0)) {
      pen.beginPath();
      pen.arc(x, camera.y(lane), this.radius + 4.5, 0, 2 * Math.PI);
      pen.stroke();
    }
  }

  /** The number of an entity or, shortened, a kind. */
  laneName(lane) {
    const name = escapeText(String(this.log.lanes[lane]));
    return name.length > LONG ? `${name.slice(0, LONG)}…` : name;
  }

  /** How wide the names of the lanes are. */
  gutter() {
    this.pen.font = FONT;
    const widest = this.log.lanes.reduce((most, _, lane) => Math.max(most, this.pen.measureText(this.laneName(lane)).width), 0);
    return Math.max(46, Math.ceil(widest) + 24);
  }

  /** The ground: every second row in another shade, each with the name of its first entity. */
  drawLanes() {
    const { camera, grid, log, pen } = this;
    const height = grid.lanesInRow * camera.lane;
    pen.font = FONT;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    pen.save();
    pen.beginPath();
    pen.rect(0, AXIS, camera.gutter + camera.width, camera.height);
    pen.clip();
    for (let row = grid.firstRow; row < grid.firstRow + grid.rows; row++) {
      const top = camera.y(row * grid.lanesInRow - 0.5);
      pen.fillStyle = this.stripe;
      if (row % 2 === 1) pen.fillRect(0, top, camera.gutter + camera.width, height);
      pen.fillStyle = this.muted;
      const name = this.laneName(row * grid.lanesInRow);
      pen.fillText(grid.lanesInRow > 1 ? `${name}…` : name, camera.gutter - 8, top + height / 2);
    }
    pen.restore();
  }

  drawAxis() {
    const { camera, pen } = this;
    pen.textAlign = "center";
    const pixel = camera.span / camera.width;
    const least = this.log.ticks ? 1 : 0;
    let step = niceStep(Math.max(least, 90 * pixel));
    const label = (time) => axisLabel(time, step);
    // Long numbers need more room.
    step = niceStep(Math.max(step, (24 + pen.measureText(label(camera.end)).width) * pixel));
    pen.strokeStyle = this.line;
    pen.lineWidth = 1;
    for (let mark = Math.ceil(camera.start / step); mark * step <= camera.end; mark++) {
      const x = Math.round(camera.x(mark * step)) + 0.5;
      pen.beginPath();
      pen.moveTo(x, AXIS - 5);
      pen.lineTo(x, AXIS + camera.height);
      pen.stroke();
      const text = label(mark * step);
      pen.fillStyle = this.muted;
      const half = pen.measureText(text).width / 2;
      const isWhole = x - half > camera.gutter && x + half < camera.gutter + camera.width;
      if (isWhole) pen.fillText(text, x, AXIS / 2 - 1);
    }
    pen.beginPath();
    pen.moveTo(0, AXIS - 0.5);
    pen.lineTo(camera.gutter + camera.width, AXIS - 0.5);
    pen.stroke();
    pen.textAlign = "right";
    pen.fillText("entity", camera.gutter - 8, AXIS / 2 - 1);
  }

  /** What lies at a point: an event, all at the same spot, or those of a crowded cell; in the order of time. */
  at(x, y) {
    let [nearest, least] = [null, REACH];
    for (const spot of this.spots) {
      if (spot.place === undefined) continue;
      const distance = Math.hypot(spot.x - x, spot.y - y);
      // The last of equals lies on top.
      if (distance <= least) [nearest, least] = [spot, distance];
    }
    const bar = this.spots.findLast((spot) => spot.cell !== undefined && inside(spot, x, y));
    if (bar && (!nearest || least > this.radius)) return this.grid.members(bar.cell, bar.layer);
    if (!nearest) return [];
    const isHere = (spot) => spot.place !== undefined && Math.hypot(spot.x - nearest.x, spot.y - nearest.y) < 1.5;
    return [...new Set(this.spots.filter(isHere).map((spot) => spot.place))].sort((a, b) => a - b);
  }
}

/** 1, 2 or 5 times a power of ten, and not less than this. */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}

function axisLabel(time, step) {
  if (Math.abs(time) >= 1e15) return time.toExponential(6);
  const decimals = Math.min(20, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  return time.toFixed(decimals).replace(/^-(0(\.0*)?)$/, "$1");
}

function inside({ x, y, width, height }, px, py) {
  return px >= x && px <= x + width && py >= y && py <= y + height;
}
