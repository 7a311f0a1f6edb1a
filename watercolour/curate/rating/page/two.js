// Two paintings at a time: the server chooses pairs, and this holds a few of them.

export class TwoByTwo {
  constructor(state) {
    this.paintings = new Map(state.paintings.map((painting) => [painting.key, painting]));
    this.history = state.history;
    this.queue = state.pairs;
    this.done = state.done;
    this.goal = state.goal;
  }

  // The fourth: what it is called where one lies above the other.
  get answers() {
    return [["left", "Left", "←", "Upper"], ["tie", "Tie", "0"], ["right", "Right", "→", "Lower"], ["skip", "Skip", "space"]];
  }

  get shown() {
    return this.queue[0]?.keys ?? [];
  }

  get current() {
    return this.queue.length ? this.paintings.get(this.shown[0]) : null;
  }

  get(key) {
    return this.paintings.get(key);
  }

  upcoming(count) {
    return this.queue.slice(1).flatMap((pair) => pair.keys).slice(0, count);
  }

  answer(name) {
    const pair = this.queue.shift();
    if (!pair) return null;
    if (!pair.isAnswered) this.done += 1;
    this.history.push({ keys: pair.keys, answer: name, seen: pair.seen + 1 });
    return { keys: pair.keys, answer: name, seen: pair.seen };
  }

  undo() {
    const last = this.history.pop();
    if (!last) return null;
    this.done -= 1;
    this.queue.unshift({ keys: last.keys, seen: last.seen + 1 });
    return { keys: last.keys, answer: "undo", seen: last.seen };
  }

  back() {}
  forward() {}

  merge(state, isPending) {
    if (isPending()) return [];
    const isOthers = state.done !== undefined && state.done !== this.done;
    const first = this.queue[0];
    this.history = state.history;
    if (state.pairs) {
      const same = (pair) => first && [...pair.keys].sort().join() === [...first.keys].sort().join();
      const isTaken = state.history.some((entry) => same(entry));
      this.queue = [...(first && !isTaken ? [first] : []), ...state.pairs.filter((pair) => !same(pair))];
      Object.assign(this, { done: state.done, goal: state.goal });
    }
    return isOthers ? this.shown : [];
  }
}
