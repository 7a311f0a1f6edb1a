// The wall: as long as all its paintings, with elements only for those in view.
const wall = document.getElementById('wall');
const GAP = 28, CAPTION = 54, SPARE_ROWS = 2;
const SCROLL_BUDGET_MS = 6;  // of a frame, for hanging what comes into view; the rest is hung in the next ones
const shape = { columns: 1, width: 0, row: 0 };
const hung = new Map();  // place -> element
const spare = [];
let current = 0;  // the place that the keyboard is at

function measure() {
  const room = wall.clientWidth;
  const gap = room < 500 ? 14 : GAP;
  const least = Math.min(Number(document.getElementById('size').value), (room - gap) / 2);
  shape.columns = Math.max(1, Math.floor((room + gap) / (least + gap)));
  shape.width = (room - gap * (shape.columns - 1)) / shape.columns;
  shape.gap = gap;
  shape.row = Math.ceil(shape.width) + CAPTION + (room < 500 ? 12 : 24);
  wall.style.height = `${Math.ceil(order.length / shape.columns) * shape.row}px`;
  wall.style.setProperty('--side', `${shape.width}px`);
}

function draw(budget = Infinity) {
  const until = performance.now() + budget;
  const top = -wall.getBoundingClientRect().top;
  const first = Math.max(0, Math.floor(top / shape.row) - SPARE_ROWS) * shape.columns;
  const end = Math.min(order.length, (Math.ceil((top + innerHeight) / shape.row) + SPARE_ROWS) * shape.columns);
  for (const [place, element] of hung) {
    // The one with the keyboard's focus stays, or the focus would be lost with it.
    if ((place < first || place >= end) && place !== current) {
      hung.delete(place);
      element.remove();
      if (spare.length < 40) spare.push(element);
    }
  }
  if (order.length && !hung.has(current)) hang(current);
  for (let place = first; place < end; place++) {
    if (hung.has(place)) continue;
    if (performance.now() > until) return drawSoon();
    hang(place);
  }
}

// In the order of the wall, so that the tab key and a screen reader go along it.
function hang(place) {
  const element = spare.pop() ?? frame();
  fill(element, place);
  hung.set(place, element);
  let next = null;
  for (const [other, sibling] of hung) if (other > place && (next === null || other < next[0])) next = [other, sibling];
  wall.insertBefore(element, next ? next[1] : null);
}

function frame() {
  const picture = make('img', { alt: '', decoding: 'async', width: '320', height: '320' });
  const link = make('a', {}, make('span', { class: 'mat' }, picture, make('span', { class: 'none' })),
    make('span', { class: 'caption' }, make('span', { class: 'what' }), make('span', { class: 'value' })));
  return make('li', {}, link);
}

function fill(element, place) {
  const work = order[place];
  const link = element.firstChild;
  const [mat, caption] = link.children;
  const [picture, none] = mat.children;
  const source = pictureOf(paintingOf(work), 'small');
  picture.hidden = !source;
  none.hidden = Boolean(source);
  mat.classList.toggle('empty', !source);
  if (source && picture.getAttribute('src') !== source) picture.src = source;
  if (!source) picture.removeAttribute('src');
  none.textContent = source ? '' : emptyOf(work);
  caption.children[0].textContent = titleOf(work);
  caption.children[1].textContent = captionOf(work);
  link.href = `#${encodeURIComponent(idOf(work))}`;
  link.tabIndex = place === current ? 0 : -1;
  link.dataset.place = place;
  element.setAttribute('aria-setsize', order.length);
  element.setAttribute('aria-posinset', place + 1);
  const column = place % shape.columns, row = Math.floor(place / shape.columns);
  element.style.transform = `translate(${column * (shape.width + shape.gap)}px, ${row * shape.row}px)`;
}

function emptyOf(work) {
  const outcome = word('outcome', work).replaceAll('_', ' ');
  return outcome === 'ok' || outcome === 'threw' || outcome === 'blank' ? `${outcome}: picture missing` : outcome;
}

function captionOf(work) {
  const { works } = facts;
  const tier = word('tier', work);
  if (choice.sort.startsWith('term ')) {
    const value = keys()[work];
    return value === null || value === undefined ? 'not scored' : `${choice.sort.slice(5)} ${number(value)}`;
  }
  if (choice.sort === 'coverage') return percent(works.coverage[work]);
  if (choice.sort === 'tokens') return works.tokens[work] === null ? '' : `${works.tokens[work]} tokens`;
  if (tier) return tier;
  return works.reward[work] === null ? 'unscored' : number(works.reward[work]);
}

// All anew: another order, another width, other data.
function rehang() {
  for (const [, element] of hung) element.remove();
  hung.clear();
  current = Math.min(current, Math.max(0, order.length - 1));
  measure();
  draw();
  document.getElementById('empty').hidden = order.length > 0;
}

function walkTo(place) {
  const before = hung.get(current);
  if (before) before.firstChild.tabIndex = -1;
  current = Math.max(0, Math.min(order.length - 1, place));
  const top = wall.getBoundingClientRect().top + scrollY + Math.floor(current / shape.columns) * shape.row;
  const head = document.querySelector('header').offsetHeight;
  if (top - head < scrollY) scrollTo({ top: top - head - 24 });
  else if (top + shape.row > scrollY + innerHeight) scrollTo({ top: top + shape.row - innerHeight });
  draw();
  const link = hung.get(current)?.firstChild;
  if (link) {
    link.tabIndex = 0;
    link.focus({ preventScroll: true });
  }
}

let drawing = 0;
function drawSoon() {
  drawing ||= requestAnimationFrame(() => {
    drawing = 0;
    draw(SCROLL_BUDGET_MS);
  });
}
addEventListener('scroll', drawSoon, { passive: true });
new ResizeObserver(() => {
  if (facts && Math.abs(wall.clientWidth - (shape.room ?? 0)) > 1) {
    shape.room = wall.clientWidth;
    rehang();
  }
}).observe(wall);
