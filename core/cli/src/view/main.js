// Puts the parts together and turns what the reader does into what is shown.

const log = new Log(JSON.parse(document.getElementById("data").textContent));
const camera = new Camera(log);
const focus = new Focus(log);
const byId = (id) => document.getElementById(id);
const [canvas, strip, query, tip] = ["lanes", "overview", "query", "tip"].map(byId);
const picture = new Picture(canvas, log, camera, focus);
const overview = new Overview(strip, log, camera);
const panel = new Panel(byId("panel"), log, focus, goTo, showChain);

let asked = 0;
let journey = null;

/** Draws once before the next frame, however often it is asked for. */
function redraw() {
  asked ||= requestAnimationFrame((now) => {
    asked = 0;
    if (journey) travel(now);
    picture.draw();
    overview.draw(picture);
    document.body.dataset.ready = "";
  });
}

/** Moves the camera to where `change` puts it, in a short glide; if it glides already, from where that ends. */
function glide(change) {
  const from = camera.view;
  if (journey) Object.assign(camera, journey.to);
  change();
  const to = camera.view;
  journey = matchMedia("(prefers-reduced-motion: reduce)").matches ? null : { from, to, begin: performance.now() };
  if (journey) Object.assign(camera, from);
  redraw();
}

function travel(now) {
  const { from, to, begin } = journey;
  const way = Math.min(1, Math.max(0, now - begin) / 180);
  const eased = 1 - (1 - way) ** 3;
  for (const name of Object.keys(to)) {
    camera[name] = way === 1 ? to[name] : from[name] + (to[name] - from[name]) * eased;
  }
  if (way === 1) journey = null;
  else redraw();
}

/** Whatever the reader does ends a glide. */
function move(change) {
  if (journey) Object.assign(camera, journey.to);
  journey = null;
  change();
  redraw();
}

function select(place) {
  focus.select(place);
  panel.draw();
  showFound();
  redraw();
}

/** Selects an event and brings it into sight. */
function goTo(place) {
  if (place === NOWHERE || place === undefined) return;
  select(place);
  glide(() => camera.reveal(log.times[place], log.lane[0][place]));
}

function showChain() {
  if (focus.selected === NOWHERE) return;
  const times = focus.chain.map((place) => log.times[place]);
  glide(() => camera.show(times.at(-1), times[0]));
}

function showFound() {
  const { hits, selected } = focus;
  const at = hits.indexOf(selected) + 1;
  const count = at ? `${formatCount(at)} of ${formatCount(hits.length)}` : `${formatCount(hits.length)} found`;
  byId("found").textContent = focus.query && count;
  for (const id of ["hit-before", "hit-next"]) byId(id).disabled = hits.length === 0;
}

function search() {
  focus.search(query.value);
  showFound();
  redraw();
}

function choose(x, y) {
  const found = picture.at(x, y);
  if (found.length <= 1) return select(found[0] ?? NOWHERE);
  panel.list(found, () => glide(() => camera.show(log.times[found[0]], log.times[found.at(-1)])));
}

function point(x, y) {
  const found = picture.at(x, y);
  canvas.classList.toggle("pointing", found.length > 0);
  tip.hidden = found.length === 0;
  if (tip.hidden) return;
  tip.textContent = found.length === 1 ? log.name(found[0]) : `${countKinds(found)}: click to list`;
  tip.style.left = `${Math.max(4, Math.min(x + 14, canvas.clientWidth - tip.offsetWidth - 4))}px`;
  tip.style.top = `${y + 18 + tip.offsetHeight > canvas.clientHeight ? y - tip.offsetHeight - 12 : y + 18}px`;
}

/** `12 pair, 3 wall-x` */
function countKinds(places) {
  const counts = new Map();
  for (const place of places) counts.set(log.kind[place], (counts.get(log.kind[place]) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${formatCount(count)} ${escapeText(log.kinds[kind])}`).join(", ");
}

// The mouse and fingers.

const pointers = new Map();
let dragged = 0;

function positionOf(event) {
  const box = event.currentTarget.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

canvas.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, positionOf(event));
  if (pointers.size === 1) dragged = 0;
});

canvas.addEventListener("pointermove", (event) => {
  const now = positionOf(event);
  const before = pointers.get(event.pointerId);
  if (!before) return event.pointerType === "mouse" && point(now.x, now.y);
  dragged += Math.hypot(now.x - before.x, now.y - before.y);
  if (dragged < 4) return;
  canvas.classList.add("dragging");
  tip.hidden = true;
  const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
  move(() => (other ? pinch(other, before, now) : camera.pan(now.x - before.x, now.y - before.y)));
  pointers.set(event.pointerId, now);
});

for (const name of ["pointerup", "pointercancel"]) {
  canvas.addEventListener(name, (event) => {
    const { x, y } = positionOf(event);
    const wasClick = pointers.delete(event.pointerId) && pointers.size === 0 && dragged < 4;
    canvas.classList.remove("dragging");
    if (name === "pointerup" && wasClick) choose(x, y);
  });
}

canvas.addEventListener("pointerleave", () => (tip.hidden = true));

/** Two fingers: apart from each other sideways zooms the time, upright the lanes. */
function pinch(other, before, now) {
  const factor = (from, to) => Math.min(2, Math.max(0.5, Math.max(40, Math.abs(from)) / Math.max(40, Math.abs(to))));
  camera.zoom(factor(before.x - other.x, now.x - other.x), (other.x + now.x) / 2);
  camera.zoomLanes(factor(before.y - other.y, now.y - other.y), (other.y + now.y) / 2);
}

canvas.addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    const { x, y } = positionOf(event);
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
    const [right, down] = [event.deltaX * pixels, event.deltaY * pixels];
    const factor = Math.exp(Math.min(200, Math.max(-200, down)) * (event.ctrlKey ? 0.01 : 0.002));
    move(() => {
      if (event.altKey) camera.zoomLanes(factor, y);
      else if (x < camera.gutter) camera.pan(0, -down);
      else if (event.shiftKey || Math.abs(right) > Math.abs(down)) camera.pan(-(right || down), 0);
      else camera.zoom(factor, x);
    });
    tip.hidden = true;
  },
  { passive: false },
);

for (const name of ["pointerdown", "pointermove"]) {
  strip.addEventListener(name, (event) => {
    if (!(event.buttons & 1)) return;
    strip.setPointerCapture(event.pointerId);
    const half = camera.span / 2;
    const time = overview.timeAt(positionOf(event).x);
    move(() => {
      [camera.start, camera.end] = [time - half, time + half];
      camera.keepInside();
    });
  });
}

// The keyboard.

const middle = () => camera.gutter + camera.width / 2;
const zoomBy = (factor) => glide(() => camera.zoom(factor, middle()));
const showWhole = () => glide(() => camera.showAll());
const lanesBy = (factor) => glide(() => camera.zoomLanes(factor, AXIS + camera.height / 2));

function step(by) {
  if (focus.selected !== NOWHERE) return goTo(neighbour(log, focus.selected, by));
  const seen = log.ran.filter((place) => log.times[place] >= camera.start && log.times[place] <= camera.end);
  goTo(by > 0 ? seen[0] : seen.at(-1));
}

function toggleRest() {
  focus.toggleRest();
  drawLegend();
  showFound();
  redraw();
}

function clear() {
  query.value = "";
  focus.search("");
  select(NOWHERE);
}

const KEYS = {
  ArrowRight: () => step(1),
  ArrowLeft: () => step(-1),
  ArrowUp: () => goTo(log.causes[focus.selected]),
  ArrowDown: () => goTo(firstEffect(log, focus.effects)),
  "Shift+ArrowRight": () => move(() => camera.pan(-camera.width / 8, 0)),
  "Shift+ArrowLeft": () => move(() => camera.pan(camera.width / 8, 0)),
  "Shift+ArrowUp": () => move(() => camera.pan(0, camera.height / 8)),
  "Shift+ArrowDown": () => move(() => camera.pan(0, -camera.height / 8)),
  "+": () => zoomBy(0.5),
  "=": () => zoomBy(0.5),
  "-": () => zoomBy(2),
  "[": () => lanesBy(1.5),
  "]": () => lanesBy(1 / 1.5),
  0: showWhole,
  c: showChain,
  s: toggleRest,
  "/": () => query.focus(),
  "?": () => byId("keys").showModal(),
  Escape: clear,
};

addEventListener("keydown", (event) => {
  const inText = event.target === query;
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
  if (inText && event.key === "Escape") query.blur();
  else if (inText) return;
  const arrow = event.shiftKey && event.key.startsWith("Arrow");
  const action = KEYS[arrow ? `Shift+${event.key}` : event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

query.addEventListener("input", search);
query.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  goTo(focus.nextHit(event.shiftKey ? -1 : 1));
});

// The buttons.

function drawLegend() {
  const counts = log.kinds.map(() => 0);
  for (const place of log.ran) counts[log.kind[place]]++;
  const chip = (id, icon, text, count, shown, toggle) => {
    const words = [icon, element("span", {}, text), element("span", { className: "count" }, formatCount(count))];
    const button = element("button", { id, onclick: toggle }, ...words);
    button.setAttribute("aria-pressed", shown);
    return button;
  };
  const toggleKind = (kind) => () => {
    focus.toggleKind(kind);
    drawLegend();
    showFound();
    redraw();
  };
  const kinds = log.kinds.map((name, kind) => {
    const shown = !focus.hiddenKinds.has(kind);
    return chip(`kind-${kind}`, shapeIcon(kind, "e"), shortText(name), counts[kind], shown, toggleKind(kind));
  });
  const rest = log.size - log.ran.length;
  const focused = document.activeElement.id;
  const others = chip("rest", shapeIcon(0, "s"), "did not run", rest, !focus.hidesRest, toggleRest);
  byId("legend").replaceChildren(...kinds, others);
  if (focused) byId(focused).focus();
}

const BUTTONS = {
  "zoom-in": KEYS["+"],
  "zoom-out": KEYS["-"],
  whole: showWhole,
  help: KEYS["?"],
  "hit-before": () => goTo(focus.nextHit(-1)),
};
for (const [id, action] of Object.entries(BUTTONS)) byId(id).addEventListener("click", action);
byId("search").addEventListener("submit", (event) => {
  event.preventDefault();
  goTo(focus.nextHit(1));
});

new ResizeObserver(() => {
  camera.resize(canvas.clientWidth, canvas.clientHeight, picture.gutter());
  redraw();
}).observe(canvas);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  picture.readColours();
  redraw();
});

const example = shortText(log.kinds[0] ?? "kind");
query.placeholder = `Search: 12, ${example}, of 4, ${example}@3, last`;
byId("model").textContent = log.model;
drawLegend();
panel.draw();
showFound();
