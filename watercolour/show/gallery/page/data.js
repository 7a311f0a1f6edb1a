// Data: scripts in data/ that call gallery(name, json). A page opened from disk may not fetch its neighbours.
const waiting = new Map();
window.gallery = (name, json) => {
  const resolve = waiting.get(name);
  if (resolve) resolve(JSON.parse(json));
};

// One at a time for each name: a second request for what is under way waits for the same answer.
const underWay = new Map();
function load(name, revision) {
  if (underWay.has(name)) return underWay.get(name);
  const promise = new Promise((resolve, reject) => {
    const tag = document.createElement('script');
    const end = (settle, value) => {
      waiting.delete(name);
      underWay.delete(name);
      tag.remove();
      settle(value);
    };
    waiting.set(name, (data) => end(resolve, data));
    tag.onerror = () => end(reject, new Error(`data/${name}.js cannot be read`));
    tag.src = `data/${encodeURIComponent(name)}.js?${encodeURIComponent(revision)}`;
    document.head.append(tag);
  });
  underWay.set(name, promise);
  return promise;
}

// What the wall shows of every work, as columns; a work is a number, its row in them.
let facts = null;
// Details by the place of their chunk, and the revision they are of.
const details = new Map();

function adopt(data) {
  for (const [place, [name, revision]] of data.chunks.entries()) {
    const known = details.get(place);
    if (known && (known.name !== name || known.revision !== revision)) details.delete(place);
  }
  for (const place of details.keys()) if (place >= data.chunks.length) details.delete(place);
  facts = data;
  facts.count = data.works.step.length;
  facts.filmed = new Set(data.films);
  facts.painted = new Set(data.paintings);
}

async function loadChunk(place) {
  const [name, revision] = facts.chunks[place];
  const known = details.get(place);
  if (known) return known;
  const data = await load(name, revision);
  const chunk = { name, revision, works: data.works, texts: null };
  details.set(place, chunk);
  return chunk;
}

async function detailOf(work) {
  const row = facts.works.row[work];
  const chunk = await loadChunk(facts.works.chunk[work]);
  return chunk.works[row];
}

function pictureOf(name, kind) {
  return /^[0-9a-f]{20}$/.test(name || '') ? `${kind}/${name.slice(0, 2)}/${name}.webp` : null;
}
function paintingOf(work) {
  return facts.works.painting[work] < 0 ? null : facts.paintings[facts.works.painting[work]];
}
function word(kind, work) {
  return facts.words[kind][facts.works[kind][work]];
}
function titleOf(work) {
  if (facts.works.name && facts.works.name[work]) return facts.works.name[work].replaceAll('-', ' ');
  return `Step ${facts.works.step[work]}, no. ${facts.works.index[work] + 1}`;
}
// A name that stays the same when the gallery grows.
function idOf(work) {
  const { collection, step, index, name } = facts.works;
  const run = facts.collections[collection[work]].name;
  return `${run}/${name && name[work] ? name[work] : `${step[work]}/${index[work]}`}`;
}
function percent(value) {
  return value === null || value === undefined ? '' : `${(100 * value).toFixed(1)} %`;
}
function number(value, digits = 2) {
  return value === null || value === undefined ? '' : value.toFixed(digits);
}

// An element with attributes and children; text goes in as text, never as markup.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) element.append(child);
  return element;
}
