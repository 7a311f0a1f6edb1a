// Presses on their way to the disk: kept in this browser until the server says that they are there, sent in their order.

const RETRY_MS = 1000;
export const MOST_UNSAVED = 20;

export class Saver {
  // `place` names the folder, rater and mode. `onAnswer(state, press, isTaken)` and `onChange()` are told what happens.
  constructor(place, { onAnswer, onChange, revision }) {
    this.prefix = `watercolour/${place}/`;
    this.onAnswer = onAnswer;
    this.onChange = onChange;
    this.revision = revision;
    this.queue = this.#left();
    this.trouble = "";
    this.isSending = false;
    if (this.queue.length) this.#send();
  }

  add(press) {
    const whole = { ...press, press: crypto.randomUUID().replaceAll("-", ""), order: Date.now() + performance.now() % 1 };
    try {
      localStorage.setItem(this.prefix + whole.press, JSON.stringify(whole));
    } catch { /* a full or closed store: the press is still in memory and on its way */ }
    this.queue.push(whole);
    this.onChange();
    if (!this.isSending) this.#send();
  }

  isPending(key) {
    return this.queue.some((press) => press.keys.includes(key));
  }

  async #send() {
    this.isSending = true;
    while (this.queue.length) {
      const press = this.queue[0];
      const answer = await this.#post(press);
      if (!answer) {
        this.onChange();
        await new Promise((done) => setTimeout(done, RETRY_MS));
        continue;
      }
      this.trouble = "";
      this.#drop(press);
      // What another tab overtook takes later presses about the same painting with it.
      if (answer.status === 409) this.queue.filter((other) => other.keys.join() === press.keys.join()).forEach((other) => this.#drop(other));
      this.onAnswer(answer.state, press, answer.status);
      this.onChange();
    }
    this.isSending = false;
  }

  // The server's answer, or null where it is to be tried again.
  async #post(press) {
    const { order, ...body } = press;
    try {
      const response = await fetch("press", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ ...body, since: this.revision() }),
        signal: AbortSignal.timeout(15000),
      });
      if (![200, 400, 409].includes(response.status)) {
        const told = await response.text();
        this.trouble = response.status === 507 ? JSON.parse(told).error : `the server answers ${response.status}`;
        return null;
      }
      return { status: response.status, state: await response.json() };
    } catch {
      this.trouble = "the server does not answer";
      return null;
    }
  }

  #drop(press) {
    this.queue = this.queue.filter((other) => other.press !== press.press);
    try {
      localStorage.removeItem(this.prefix + press.press);
    } catch { /* nothing was kept there then */ }
  }

  // What an earlier page left unsaved. Sending a press twice does no harm: the server knows it by its name.
  #left() {
    const found = [];
    try {
      for (const name of Object.keys(localStorage)) {
        if (name.startsWith(this.prefix)) found.push(JSON.parse(localStorage.getItem(name)));
      }
    } catch { /* as above */ }
    return found.filter(Boolean).sort((one, other) => one.order - other.order);
  }
}
