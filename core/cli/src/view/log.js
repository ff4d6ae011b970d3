// The log: its columns, and the questions that the command answers too. Events are known by their place in the order of ids.

const FATES = { e: "executed", s: "stale", w: "swept", c: "cancelled", m: "moved", p: "pending" };
const NOWHERE = -1;

class Log {
  constructor(data) {
    Object.assign(this, data);
    this.size = data.ids.length;
    this.ids = running(Float64Array, data.ids);
    this.ran = running(Uint32Array, data.ran);
    this.exact = data.times;
    this.times = Float64Array.from(data.times, Number);
    this.kind = Uint32Array.from(data.kind);
    this.lane = data.lane.map((lane) => Int32Array.from(lane));
    this.executed = Uint8Array.from(data.fates, (letter) => letter === "e");
    this.causes = Int32Array.from(data.cause, (back, place) => (back ? this.place(this.ids[place] - back) : NOWHERE));
    this.labels = new Map(data.labels);
    this.due = new Map(data.due);
    this.voids = this.readVoids();
    this.byTime = Uint32Array.from(this.times.keys()).sort((a, b) => this.times[a] - this.times[b] || a - b);
    this.timesInOrder = Float64Array.from(this.byTime, (place) => this.times[place]);
    this.rank = new Int32Array(this.size).fill(NOWHERE);
    this.ran.forEach((place, rank) => (this.rank[place] = rank));
  }

  /** For each event that an entity's touch made void: the entity, the event that touched it, and when. */
  readVoids() {
    const at = new Map(this.void_at);
    const voids = new Map();
    let next = 0;
    for (let place = 0; place < this.size; place++) {
      if (this.fates[place] !== "s" && this.fates[place] !== "w") continue;
      const [entity, by] = [this.void[0][next], this.void[1][next++]];
      if (entity >= 0) voids.set(place, { entity, by, at: at.get(place) ?? this.exact[this.place(by)] });
    }
    return voids;
  }

  /** The place of an id, or `NOWHERE`. */
  place(id) {
    const guess = id - this.ids[0];
    if (this.ids[guess] === id) return guess;
    const place = firstFrom(this.ids, id);
    return this.ids[place] === id ? place : NOWHERE;
  }

  /** The places, in the order of time, from `byTime[first]` to before `byTime[end]`, of the events of a span. */
  between(start, end) {
    return [firstFrom(this.timesInOrder, start), firstAfter(this.timesInOrder, end)];
  }

  /** The chain of causes from an event back to its root. */
  why(place) {
    const chain = [];
    for (; place !== NOWHERE; place = this.causes[place]) chain.push(place);
    return chain;
  }

  /** Everything that an event led to, and how deep. */
  effects(place) {
    const depth = new Map([[place, 0]]);
    const found = { places: [], direct: [], ran: 0, nothing: 0, pending: 0, depth: 0, voided: 0 };
    // A cause comes before its effects.
    for (let later = place + 1; later < this.size; later++) {
      const cause = this.causes[later];
      if (cause < place || !depth.has(cause)) continue;
      depth.set(later, depth.get(cause) + 1);
      found.places.push(later);
      if (cause === place) found.direct.push(later);
      found.depth = Math.max(found.depth, depth.get(later));
      if (this.executed[later]) found.ran++;
      else if (this.fates[later] === "p") found.pending++;
      else found.nothing++;
    }
    for (const { by } of this.voids.values()) if (by === this.ids[place]) found.voided++;
    return found;
  }

  /** The event that a text names as it does for the command: `12`, `#12`, `@3`, `pair@3`, `last`, `pair@last`. */
  find(text) {
    if (/^#?\d+$/.test(text)) return this.place(Number(text.replace("#", "")));
    const [, kind, number] = /^(.*)@(\d+|last)$/s.exec(text) ?? (text === "last" ? ["", "", "last"] : []);
    if (number === undefined) return NOWHERE;
    const ran = kind === "" ? this.ran : this.ran.filter((place) => this.kinds[this.kind[place]] === kind);
    return ran[number === "last" ? ran.length - 1 : Number(number) - 1] ?? NOWHERE;
  }

  /** The events that a text finds, in the order of time: one event by name, or by kind, label and entities. */
  search(text) {
    const one = this.find(text);
    if (one !== NOWHERE) return [one];
    const [, words, first, second] = /^(.*?)(?:\b(?:of|entity)\s+(\d+)(?:\s+and\s+(\d+))?)?$/is.exec(text);
    const lanes = [first, second].filter(Boolean).map((entity) => this.lanes.indexOf(Number(entity)));
    const word = words.trim().toLowerCase();
    if (word === "" && lanes.length === 0) return [];
    const kinds = this.kinds.map((kind) => kind.toLowerCase().includes(word));
    const fits = (place) =>
      lanes.every((lane) => lane !== NOWHERE && (this.lane[0][place] === lane || this.lane[1][place] === lane)) &&
      (kinds[this.kind[place]] || (this.labels.get(place)?.toLowerCase().includes(word) ?? false));
    return Array.from(this.byTime.filter(fits));
  }

  /** The entities that an event is stamped with. */
  entities(place) {
    return this.lane.map((lane) => this.lanes[lane[place]]).filter((entity) => typeof entity === "number");
  }

  time(exact) {
    return this.ticks ? String(exact) : formatTime(exact);
  }

  /** `#12 pair of 0 and 3` */
  what(place) {
    const entities = this.entities(place).join(" and ");
    return `#${this.ids[place]} ${escapeText(this.kinds[this.kind[place]])}${entities && ` of ${entities}`}`;
  }

  /** `#12 pair of 0 and 3 at 30.167197630926`, and the label if there is one. */
  name(place) {
    const fate = this.executed[place] ? "" : `, ${FATES[this.fates[place]]}`;
    const label = this.labels.get(place);
    const quoted = label === undefined ? "" : `  "${shortText(label)}"`;
    return `${this.what(place)} at ${this.time(this.exact[place])}${fate}${quoted}`;
  }
}

/** The numbers whose steps these are. */
function running(Numbers, steps) {
  let sum = 0;
  return Numbers.from(steps, (step) => (sum += step));
}

/** The first index of a sorted list at which `isThere` holds. */
function firstWhere(list, isThere) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isThere(list[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

const firstFrom = (list, value) => firstWhere(list, (element) => element >= value);
const firstAfter = (list, value) => firstWhere(list, (element) => element > value);
