// What the reader looks at: the selected event with its chain and effects, what the search has found, and what is hidden.

/** Later layers are drawn above earlier ones. */
const LAYER = { hidden: 0, rest: 1, ran: 2, hit: 3, effect: 4, chain: 5 };

class Focus {
  constructor(log) {
    this.log = log;
    this.layers = new Uint8Array(log.size);
    this.hiddenKinds = new Set();
    this.hidesRest = false;
    this.query = "";
    this.hits = [];
    this.select(NOWHERE);
  }

  get isActive() {
    return this.selected !== NOWHERE || this.hits.length > 0;
  }

  isHidden(place) {
    return this.hiddenKinds.has(this.log.kind[place]) || (this.hidesRest && !this.log.executed[place]);
  }

  select(place) {
    this.selected = place;
    this.chain = this.log.why(place);
    this.effects = place === NOWHERE ? null : this.log.effects(place);
    this.light();
  }

  search(query) {
    this.query = query.trim();
    const found = this.log.search(this.query);
    this.hits = found.length > 1 ? found.filter((place) => !this.isHidden(place)) : found;
    this.light();
  }

  /** Sorts the events into the layers in which they are drawn. */
  light() {
    const { layers, log } = this;
    for (let place = 0; place < log.size; place++) {
      layers[place] = this.isHidden(place) ? LAYER.hidden : log.executed[place] ? LAYER.ran : LAYER.rest;
    }
    for (const place of this.hits) layers[place] = LAYER.hit;
    for (const place of this.effects?.places ?? []) if (layers[place] !== LAYER.hidden) layers[place] = LAYER.effect;
    for (const place of this.chain) layers[place] = LAYER.chain;
  }

  toggleKind(kind) {
    if (!this.hiddenKinds.delete(kind)) this.hiddenKinds.add(kind);
    this.search(this.query);
  }

  toggleRest() {
    this.hidesRest = !this.hidesRest;
    this.search(this.query);
  }

  /** The hit after the selected event, or before it; at the ends it begins again. */
  nextHit(step) {
    const { hits, log, selected } = this;
    const at = hits.indexOf(selected);
    if (at >= 0) return hits[(at + step + hits.length) % hits.length];
    const later = selected === NOWHERE ? 0 : hits.findIndex((place) => log.times[place] >= log.times[selected]);
    return hits[step > 0 ? Math.max(0, later) : (later + hits.length - 1) % hits.length] ?? NOWHERE;
  }
}
