// The panel: the record of the selected event, why it happened and what it led to; or a list; or what there is to say of the run.

const MOST_LINES = 40;

class Panel {
  constructor(root, log, focus, show, showChain) {
    Object.assign(this, { root, log, focus, show, showChain });
  }

  /** Shows what is selected. */
  draw() {
    const { focus, root } = this;
    const idle = focus.selected === NOWHERE;
    root.classList.toggle("idle", idle);
    root.replaceChildren(...(idle ? this.run() : this.record(focus.selected)));
    root.scrollTop = 0;
  }

  /** Shows many events to choose from. */
  list(places, zoom) {
    this.root.classList.remove("idle");
    this.root.replaceChildren(
      element("h2", {}, `${formatCount(places.length)} events here`),
      element("p", { className: "steps" }, element("button", { id: "zoom-here", onclick: zoom }, "Zoom in on them")),
      ...this.lines(places, (place) => [this.link(place)]),
    );
    this.root.scrollTop = 0;
  }

  run() {
    const { log } = this;
    const rows = log.facts.map(([name, value]) => [name, element("span", { className: name === "warning" ? name : "" }, value)]);
    const hint = "Click an event to see why it happened and what it led to. Drag to move, turn the wheel to zoom.";
    return [
      element("p", { className: "quiet" }, log.size === 0 ? "There are no events in this log." : hint),
      element("h3", {}, "This run"),
      table(rows),
    ];
  }

  record(place) {
    const { focus, log } = this;
    return [
      element("h2", {}, shapeIcon(log.kind[place], log.fates[place]), log.what(place)),
      table(this.rows(place)),
      this.steps(),
      element("h3", {}, "Why"),
      element("div", { id: "why" }, ...this.why(focus.chain)),
      element("h3", {}, "Led to"),
      element("div", { id: "effects" }, ...this.effects(focus.effects)),
    ];
  }

  rows(place) {
    const { log } = this;
    const rows = [["time", log.time(log.exact[place])]];
    if (log.due.has(place)) rows.push(["due", log.time(log.due.get(place))]);
    rows.push(["fate", this.fate(place)]);
    const cause = log.cause[place];
    rows.push(["cause", cause ? this.named(log.ids[place] - cause) : quiet("none: scheduled from outside")]);
    log.entities(place).forEach((entity, index) => {
      const back = log.parents[index][place];
      const origin = back ? ["set by ", this.named(log.ids[place] - back)] : [quiet("set from outside")];
      rows.push([`entity ${entity}`, element("span", {}, ...origin)]);
    });
    for (const [at, stateEvent, priority] of log.order) {
      if (at === place) rows.push(["order", `${stateEvent ? "state event, " : ""}priority ${priority}`]);
    }
    if (log.labels.has(place)) rows.push(["label", element("div", { className: "label" }, log.labels.get(place))]);
    return rows;
  }

  /** What became of an event, in words. */
  fate(place) {
    const { log } = this;
    const word = FATES[log.fates[place]];
    const parts = [word];
    const voided = log.voids.get(place);
    const cancelled = log.cancelled.find(([at]) => at === place);
    const moved = log.moved.find(([at]) => at === place);
    if (voided) {
      parts.push(`: ${voided.entity} was touched at ${log.time(voided.at)} `, ...this.by(voided.by));
    } else if (cancelled) {
      parts.push(` at ${log.time(cancelled[2])} `, ...this.by(cancelled[1]));
    } else if (moved) {
      parts.push(": goes on as ", this.named(moved[1]));
    } else if (word === "stale" || word === "swept") {
      parts.push(": voided before this log begins");
    }
    return element("span", {}, ...parts);
  }

  by(id) {
    return id ? ["by ", this.named(id)] : ["from outside"];
  }

  named(id) {
    const place = this.log.place(id);
    return place === NOWHERE ? element("span", {}, `#${id}, which is not in this log`) : this.link(place, this.log.what(place));
  }

  steps() {
    const { focus, log, show } = this;
    const button = (id, text, title, place) =>
      element("button", { id, title, disabled: place === NOWHERE, onclick: () => show(place) }, text);
    const { selected } = focus;
    return element(
      "div",
      { className: "steps" },
      button("before", "← before", "The event that ran before (←)", neighbour(log, selected, -1)),
      button("after", "after →", "The event that ran after (→)", neighbour(log, selected, 1)),
      button("cause", "↑ cause", "Its cause (↑)", log.causes[selected]),
      button("effect", "↓ effect", "Its first effect (↓)", firstEffect(log, focus.effects)),
      element("button", { id: "chain", title: "All of the chain (C)", onclick: this.showChain }, "all of the chain"),
    );
  }

  /** What `saltus why` prints. */
  why(chain) {
    const { log } = this;
    const gap = (index) => log.times[chain[index]] - log.times[chain[index + 1]];
    const lines = this.lines(chain, (place, index) => [
      quiet(index === 0 ? "" : "because of "),
      this.link(place),
      quiet(index + 1 < chain.length ? `  (${formatSpan(gap(index))} after)` : ""),
    ]);
    const root = chain.at(-1);
    const external = log.cause[root] && log.ids[root] - log.cause[root];
    const origin = external ? `because of #${external}, which is not in this log` : "no cause: scheduled from outside";
    const span = formatSpan(log.times[chain[0]] - log.times[root]);
    return [...lines, line([origin], "quiet"), line([`${chain.length} events, ${span} of simulated time`], "quiet")];
  }

  effects({ direct, ran, nothing, pending, depth, voided }) {
    const { log } = this;
    const shown = direct.filter((place) => log.executed[place]);
    return [
      ...this.lines(shown, (place) => [this.link(place)]),
      line([`led to ${ran} events that ran, ${nothing} that came to nothing, ${pending} pending; ${depth} deep`], "quiet"),
      line([`voided ${voided} predictions`], "quiet"),
    ];
  }

  /** A line for each event; of many, those at both ends. */
  lines(places, parts) {
    const few = places.length <= MOST_LINES;
    const head = few ? places.length : MOST_LINES / 2;
    const tail = few ? 0 : MOST_LINES / 2;
    const lines = [];
    places.forEach((place, index) => {
      if (index === head) lines.push(line([`  ... ${places.length - head - tail} more ...`], "quiet"));
      if (index < head || index >= places.length - tail) lines.push(line(parts(place, index)));
    });
    return lines;
  }

  link(place, text = this.log.name(place)) {
    const onclick = (event) => {
      event.preventDefault();
      this.show(place);
    };
    return element("a", { href: `#${this.log.ids[place]}`, onclick }, text);
  }
}

/** The event that ran before or after another; of one that did not run, the next in time that did. */
function neighbour(log, place, step) {
  if (place === NOWHERE) return NOWHERE;
  if (log.rank[place] !== NOWHERE) return log.ran[log.rank[place] + step] ?? NOWHERE;
  for (let next = log.byTime.indexOf(place) + step; next >= 0 && next < log.size; next += step) {
    if (log.executed[log.byTime[next]]) return log.byTime[next];
  }
  return NOWHERE;
}

function firstEffect(log, effects) {
  const direct = effects?.direct ?? [];
  return direct.find((place) => log.executed[place]) ?? direct[0] ?? NOWHERE;
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const quiet = (text) => element("span", { className: "quiet" }, text);
const line = (parts, className = "") => element("div", { className: `line ${className}` }, ...parts);

function table(rows) {
  return element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

/** The mark of a kind, as the lanes show it. */
function shapeIcon(kind, fate) {
  const space = "http://www.w3.org/2000/svg";
  const icon = document.createElementNS(space, "svg");
  const path = icon.appendChild(document.createElementNS(space, "path"));
  const colour = `var(--kind-${colourOf(kind)})`;
  icon.setAttribute("viewBox", "-1.3 -1.3 2.6 2.6");
  icon.setAttribute("class", "shape");
  icon.setAttribute("aria-hidden", "true");
  path.setAttribute("d", SHAPES[shapeOf(kind)]);
  path.style.cssText = fate === "e" ? `fill: ${colour}` : `fill: none; stroke: ${colour}; stroke-width: .25`;
  return icon;
}
