// Controls, keys, and a page that keeps up with a run that goes on.
const by = (id) => document.getElementById(id);
const POLL_MS = 2000;

function options(select, entries, chosen) {
  select.replaceChildren(...entries.map(([value, text]) => {
    const option = make('option', { value }, text);
    option.selected = value === chosen;
    return option;
  }));
}

function showControls() {
  const known = sorts();
  if (!known.some(([value]) => value === choice.sort)) choice.sort = known[0][0];
  options(by('sort'), known, choice.sort);
  by('direction').textContent = choice.descending ? '↓' : '↑';
  by('direction').setAttribute('aria-label', choice.descending ? 'Highest first; turn round' : 'Lowest first; turn round');
  for (const label of document.querySelectorAll('[data-filter]')) {
    const kind = label.dataset.filter;
    const entries = kind === 'collection' ? facts.collections.map((each, place) => [String(place), each.name])
      : facts.words[kind].filter((each) => each).map((each) => [each, each.replaceAll('_', ' ')]);
    label.hidden = entries.length < 2;
    options(label.querySelector('select'), [['', 'all'], ...entries], choice[kind]);
  }
}

function showSign() {
  const names = facts.collections.map((each) => each.name);
  document.title = names.join(', ');
  by('title').textContent = names.join(', ');
  const { works } = facts;
  const steps = new Set(works.step.filter((each) => each !== null)).size;
  const told = [`${facts.count.toLocaleString('en-GB')} ${facts.collections.every((each) => each.kind === 'pool') ? 'paintings' : 'rollouts'}`];
  const [first] = facts.collections;
  if (steps) told.push(facts.collections.length === 1 && first.steps ? `step ${Math.max(...works.step)} of ${first.steps}` : `${steps} steps`);
  if (facts.live) told.push('going on');
  else if (facts.collections.length === 1 && first.status && first.status !== 'finished') told.push(first.status);
  by('about').textContent = told.join(' · ');
  const notes = by('notes');
  notes.hidden = !facts.notes.length;
  notes.querySelector('summary').textContent = `${facts.notes.length} lines could not be read`;
  notes.querySelector('ul').replaceChildren(...facts.notes.map((note) => make('li', {}, note)));
}

function say(text) {
  by('status').textContent = text;
}

function sayCount() {
  say(order.length === facts.count ? '' : `${order.length.toLocaleString('en-GB')} of ${facts.count.toLocaleString('en-GB')}`);
}

function choose(changes) {
  Object.assign(choice, changes);
  current = 0;
  arrange();
  showControls();
  rehang();
  sayCount();
  scrollTo({ top: 0 });
}

let typing = 0;
function search(text) {
  clearTimeout(typing);
  typing = setTimeout(() => {
    searches += 1;
    choose({ query: text.trim() });
    if (!choice.query) return;
    if (details.size < facts.chunks.length) say('searching …');
    readTexts((share) => {
      arrange();
      rehang();
      if (share < 1) say(`${order.length} found, ${Math.round(100 * share)} % searched`);
      else sayCount();
    });
  }, 150);
}

by('query').addEventListener('input', (event) => search(event.target.value));
by('sort').addEventListener('change', (event) => {
  const best = /^(reward|term |coverage|tokens)/.test(event.target.value);
  choose({ sort: event.target.value, descending: best });
});
by('direction').addEventListener('click', () => choose({ descending: !choice.descending }));
by('size').addEventListener('change', () => {
  const work = order[current];
  rehang();
  if (work !== undefined) walkTo(current);
  by('size').focus();
});
for (const label of document.querySelectorAll('[data-filter]')) {
  label.querySelector('select').addEventListener('change', (event) => choose({ [label.dataset.filter]: event.target.value }));
}
by('clear').addEventListener('click', () => {
  by('query').value = '';
  searches += 1;
  choose({ query: '', collection: '', tier: '', outcome: '', subject: '' });
});
wall.addEventListener('click', (event) => {
  const link = event.target.closest('a');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  current = Number(link.dataset.place);
  open(order[current]);
});
by('previous').addEventListener('click', () => step(-1));
by('next').addEventListener('click', () => step(1));
by('close').addEventListener('click', () => dialog.close());
by('help-button').addEventListener('click', () => by('help').showModal());
by('help-close').addEventListener('click', () => by('help').close());

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !facts) return;
  const { key, target } = event;
  const types = target.matches('input, select, textarea');
  if (types) {
    if (key !== 'Escape' || target.id !== 'query') return;
    if (target.value) {
      target.value = '';
      search('');
    } else walkTo(current);
  } else if (by('help').open) {
    return;
  } else if (dialog.open) {
    if (target.matches('pre, video')) return;
    if (key === 'ArrowLeft') step(-1);
    else if (key === 'ArrowRight') step(1);
    else if (key === '?') by('help').showModal();
    else return;
  } else if (key === '/') {
    by('query').focus();
    by('query').select();
  } else if (key === '?') {
    by('help').showModal();
  } else if (target.matches('button, summary')) {
    return;
  } else {
    const moves = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -shape.columns, ArrowDown: shape.columns };
    if (key in moves) {
      // The first key only takes hold of the wall where it is.
      if (wall.contains(target)) walkTo(current + moves[key]);
      else walkTo(firstInView());
    } else if (key === 'Home') walkTo(0);
    else if (key === 'End') walkTo(order.length - 1);
    else return;
  }
  event.preventDefault();
});

function firstInView() {
  const below = Math.max(0, document.querySelector('header').offsetHeight - wall.getBoundingClientRect().top);
  return Math.min(order.length - 1, Math.ceil(below / shape.row) * shape.columns);
}

// New data under the eyes of somebody who looks: what is in view stays where it is.
function renew(data) {
  const held = scrollY > 0 && order.length ? firstInView() : null;
  const anchor = held === null ? null : { id: idOf(order[held]), top: hung.get(held)?.getBoundingClientRect().top };
  const focused = wall.contains(document.activeElement);
  const here = order.length ? idOf(order[current]) : null;
  const before = facts.count;
  adopt(data);
  arrange();
  showControls();
  showSign();
  const place = places.get(find(here));
  if (place !== undefined) current = place;
  rehang();
  if (anchor && anchor.top !== undefined) {
    const now = places.get(find(anchor.id));
    if (now !== undefined) {
      const top = wall.getBoundingClientRect().top + Math.floor(now / shape.columns) * shape.row;
      scrollBy({ top: top - anchor.top });
      draw();
    }
  }
  if (focused && !dialog.open) hung.get(current)?.firstChild.focus({ preventScroll: true });
  if (opened !== null) showPlace(find(opened));
  if (facts.count > before) say(`${facts.count - before} new`);
  if (choice.query) readTexts(() => {
    arrange();
    rehang();
  });
}

async function keepUp() {
  while (facts.live) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (document.hidden) continue;
    try {
      const { revision } = await load('revision', Date.now());
      if (revision !== facts.revision) renew(await load('works', revision));
    } catch { /* just being replaced, or gone: the next look will tell */ }
  }
}

async function begin() {
  try {
    adopt(await load('works', Date.now()));
  } catch (error) {
    say(`${error.message}: keep index.html beside its folders.`);
    return;
  }
  // Loved ones first, the newest step last, as they were made.
  choice.sort = sorts()[0][0];
  arrange();
  showControls();
  showSign();
  shape.room = wall.clientWidth;
  by('choices').open = innerWidth > 900;
  rehang();
  sayCount();
  let asked = '';
  try {
    asked = decodeURIComponent(location.hash.slice(1));
  } catch { /* not an address of ours */ }
  const work = asked ? find(asked) : -1;
  if (work >= 0) {
    current = places.get(work) ?? 0;
    open(work);
  }
  document.documentElement.dataset.ready = 'true';
  keepUp();
}
begin();
