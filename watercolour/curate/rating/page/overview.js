// The grid by tier, and the page at the end.

const HEADINGS = { love: "Love", okay: "Okay", nope: "Nope", skip: "Skipped" };

export function element(name, attributes = {}, ...children) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
}

export function showGrid(grid, paintings, onChoose) {
  grid.replaceChildren();
  for (const [answer, heading] of Object.entries(HEADINGS)) {
    const members = paintings.filter((painting) => painting.answer === answer);
    if (!members.length && answer === "skip") continue;
    const list = element("ul");
    for (const painting of members) {
      const number = paintings.indexOf(painting) + 1;
      const image = element("img", { src: `picture/${painting.key}?small`, loading: "lazy", alt: `painting ${number}, ${answer}` });
      const button = element("button", { type: "button", title: "Look at it again" }, image);
      button.addEventListener("click", () => onChoose(painting.key));
      list.append(element("li", {}, button));
    }
    grid.append(element("h2", {}, heading, element("span", { textContent: members.length })), list);
  }
  const open = paintings.filter((painting) => painting.answer === null).length;
  grid.append(element("h2", {}, "Not rated yet", element("span", { textContent: open })));
}

export function showEnd(end, { mode, work, onReopen }) {
  end.replaceChildren();
  if (mode === "pair") {
    end.append(element("h2", { textContent: "Every pair is compared" }));
    end.append(element("p", { textContent: `${work.done} comparisons. Stop the server with Ctrl-C: it prints the ranking.` }));
    return;
  }
  const counts = element("dl");
  for (const [answer, heading] of Object.entries(HEADINGS)) {
    const count = work.paintings.filter((painting) => painting.answer === answer).length;
    counts.append(element("div", {}, element("dt", { textContent: heading.toLowerCase() }), element("dd", { textContent: count })));
  }
  const again = mode === "rerate" ? "Everything is rated again" : "Everything is rated";
  const told = mode === "rerate"
    ? "Stop the server with Ctrl-C: it prints how far you agree with yourself."
    : "It is all saved. Close the page, and stop the server with Ctrl-C.";
  end.append(element("h2", { textContent: again }), counts, element("p", { textContent: told }));
  if (work.paintings.some((painting) => painting.answer === "skip")) {
    const button = element("button", { type: "button", textContent: "See the skipped ones once more" });
    button.addEventListener("click", onReopen);
    end.append(button);
  }
}
