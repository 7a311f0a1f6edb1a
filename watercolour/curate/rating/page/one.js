// One painting at a time: which is shown, what was said of it, and where to go next.

export const ANSWERS = [["love", "Love", "1"], ["okay", "Okay", "2"], ["nope", "Nope", "3"], ["skip", "Skip", "space"]];

export class OneByOne {
  constructor(state) {
    this.paintings = state.paintings;
    this.place = new Map(this.paintings.map((painting, at) => [painting.key, at]));
    this.history = state.history;
    this.at = this.#next(-1);
  }

  get answers() {
    return ANSWERS;
  }

  // The keys of the paintings on show; none at the end.
  get shown() {
    return this.at === null ? [] : [this.paintings[this.at].key];
  }

  get current() {
    return this.at === null ? null : this.paintings[this.at];
  }

  get(key) {
    return this.paintings[this.place.get(key)];
  }

  get done() {
    return this.paintings.filter((painting) => painting.answer !== null).length;
  }

  get goal() {
    return this.paintings.length;
  }

  upcoming(count) {
    const open = this.paintings.filter((painting, at) => painting.answer === null && at !== this.at);
    const after = open.filter((painting) => this.place.get(painting.key) > (this.at ?? -1));
    return [...after, ...open].slice(0, count).map((painting) => painting.key);
  }

  // A press to be saved, or null where there is nothing to say.
  answer(name) {
    const painting = this.current;
    if (!painting) return null;
    if (name === "skip" && painting.answer !== null) {
      this.at = this.#next(this.at);
      return null;
    }
    const press = { keys: [painting.key], answer: name, seen: painting.seen };
    painting.seen += 1;
    painting.answer = name;
    painting.isReopened = false;
    this.history.push({ keys: press.keys, answer: name });
    this.at = this.#next(this.at);
    return press;
  }

  undo() {
    const last = this.history.pop();
    if (!last) return null;
    const painting = this.paintings[this.place.get(last.keys[0])];
    const press = { keys: last.keys, answer: "undo", seen: painting.seen };
    painting.seen += 1;
    painting.answer = this.history.findLast((entry) => entry.keys[0] === painting.key)?.answer ?? null;
    this.at = this.place.get(painting.key);
    return press;
  }

  back() {
    this.at = this.at === null ? this.paintings.length - 1 : Math.max(0, this.at - 1);
  }

  forward() {
    if (this.at === null || this.current.answer === null) return;
    this.at = this.at + 1 < this.paintings.length ? this.at + 1 : this.#next(-1);
  }

  go(key) {
    this.at = this.place.get(key);
  }

  // Skipped paintings once more.
  reopen() {
    const first = this.paintings.findIndex((painting) => painting.answer === "skip");
    for (const painting of this.paintings) {
      if (painting.answer === "skip") Object.assign(painting, { answer: null, isReopened: true });
    }
    this.at = first < 0 ? null : first;
  }

  // What the server says now. Returns the keys of paintings that somebody else rated meanwhile.
  merge(state, isPending) {
    const others = [];
    for (const told of state.paintings ?? []) {
      const painting = this.paintings[this.place.get(told.key)];
      if (!painting || isPending(told.key)) continue;
      if (told.seen !== painting.seen) others.push(told.key);
      if (told.seen !== painting.seen || !painting.isReopened) Object.assign(painting, told, { isReopened: false });
    }
    if (!isPending()) this.history = state.history;
    const lost = this.current && others.includes(this.current.key) && this.current.answer !== null;
    if (lost || this.at === null) this.at = this.#next(this.at ?? -1);
    return others;
  }

  // The first without an answer after `at`, else the first at all, else null.
  #next(at) {
    const open = (painting) => painting.answer === null;
    const after = this.paintings.findIndex((painting, place) => place > at && open(painting));
    const any = after >= 0 ? after : this.paintings.findIndex(open);
    return any >= 0 ? any : null;
  }
}
