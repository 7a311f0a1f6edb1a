// Looking closely: all figures of a stage zoom and move together, so that two paintings are seen at the same place.

const CLOSE = 2.5;
const CLOSEST = 12;

export class Zoom {
  constructor(stage) {
    this.stage = stage;
    this.reset();
    stage.addEventListener("click", (event) => {
      if (!this.dragged) this.toggle(event);
    });
    stage.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.to(this.scale * Math.exp(-event.deltaY / 400), event);
    }, { passive: false });
    stage.addEventListener("pointerdown", (event) => {
      this.dragged = false;
      this.from = this.scale > 1 ? { x: event.clientX - this.x, y: event.clientY - this.y } : null;
    });
    window.addEventListener("pointermove", (event) => {
      if (!this.from || event.buttons === 0) return;
      const x = event.clientX - this.from.x;
      const y = event.clientY - this.from.y;
      this.dragged ||= Math.hypot(x - this.x, y - this.y) > 4;
      if (this.dragged) this.#show(this.scale, x, y);
    });
    window.addEventListener("pointerup", () => { this.from = null; });
  }

  reset() {
    this.#show(1, 0, 0);
  }

  // In to where the pointer is, or to the middle; and out.
  toggle(event) {
    if (this.scale > 1) this.reset();
    else this.to(CLOSE, event);
  }

  to(scale, event) {
    const figure = event?.target?.closest?.("figure") ?? this.stage.querySelector("figure");
    if (!figure) return;
    const box = figure.getBoundingClientRect();
    const x = event ? event.clientX - box.left : box.width / 2;
    const y = event ? event.clientY - box.top : box.height / 2;
    const next = Math.min(CLOSEST, Math.max(1, scale));
    const ratio = next / this.scale;
    if (next === 1) this.reset();
    else this.#show(next, x - (x - this.x) * ratio, y - (y - this.y) * ratio);
  }

  #show(scale, x, y) {
    const box = this.stage.querySelector("figure")?.getBoundingClientRect();
    const within = (value, size) => Math.min(0, Math.max(size * (1 - scale), value));
    Object.assign(this, { scale, x: box ? within(x, box.width) : 0, y: box ? within(y, box.height) : 0 });
    for (const figure of this.stage.querySelectorAll("figure")) {
      figure.classList.toggle("zoomed", scale > 1);
      figure.firstElementChild.style.transform = scale > 1 ? `translate(${this.x}px, ${this.y}px) scale(${scale})` : "";
    }
  }
}
