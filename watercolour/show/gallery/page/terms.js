// Terms of the reward: a bar each, the reason, and what is behind it. Whom it faced is shown with the judge's words.
function termsOf(work, detail) {
  const entries = Object.entries(detail.terms);
  if (!entries.length && !(detail.skipped ?? []).length) return null;
  const list = make('ul', { class: 'terms' });
  for (const [name, term] of entries) list.append(termOf(work, name, term));
  for (const name of detail.skipped ?? []) {
    list.append(make('li', {}, make('div', { class: 'term' }, make('b', {}, name),
      make('span', { class: 'why' }, 'not asked: the gate had decided'))));
  }
  return make('section', { 'aria-label': 'Terms of the reward' }, make('h3', {}, 'Reward'), list);
}

function termOf(work, name, term) {
  const scored = typeof term.value === 'number';
  const bar = make('span', { class: scored ? 'track' : 'track unscored', 'aria-hidden': 'true' });
  if (scored) {
    const full = make('span');
    full.style.width = `${100 * Math.max(0, Math.min(1, term.value))}%`;
    bar.append(full);
  }
  const weight = typeof term.weight === 'number' ? `× ${number(term.weight)}` : '';
  return make('li', {},
    make('div', { class: 'term' }, make('b', {}, name), bar,
      make('span', { class: 'value' }, scored ? number(term.value, 3) : 'unscored'), make('span', { class: 'weight' }, weight)),
    make('p', { class: 'why' }, String(term.why ?? '')),
    facedBy(work, term.parts ?? {}), partsOf(term.parts ?? {}));
}

const SHOWN_APART = new Set(['references', 'rivals', 'violations', 'won', 'tied', 'lost', 'resolved', 'dropped']);

// The other numbers behind a value, as they were written down.
function partsOf(parts) {
  const rows = [];
  for (const [name, value] of Object.entries(parts)) {
    if (SHOWN_APART.has(name) || value === null || value === '' || (Array.isArray(value) && !value.length)) continue;
    rows.push(make('div', {}, make('dt', {}, name.replaceAll('_', ' ')), make('dd', {}, spoken(value))));
  }
  for (const each of listOf(parts.violations)) {
    const where = each.line === null || each.line === undefined ? '' : `, line ${each.line}`;
    rows.push(make('div', {}, make('dt', {}, `${each.code}${where}`), make('dd', {}, String(each.message ?? ''))));
  }
  return rows.length ? make('dl', { class: 'parts' }, rows) : null;
}

function spoken(value) {
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
  if (Array.isArray(value)) return value.map(spoken).join(', ');
  if (value && typeof value === 'object') return Object.entries(value).map(([name, each]) => `${name} ${spoken(each)}`).join(', ');
  return String(value);
}

function listOf(value) {
  return Array.isArray(value) ? value.filter((each) => each && typeof each === 'object') : [];
}

// Whom it was compared with: the opponent, the outcome, and the judge's reason in each order.
function facedBy(work, parts) {
  const collection = facts.works.collection[work];
  const cards = [];
  for (const each of listOf(parts.references)) {
    const key = `${each.tier}/${each.name}`;
    const name = facts.references[collection]?.[key];
    cards.push(card(String(each.name ?? '').replaceAll('-', ' '), String(each.tier ?? ''), name, each));
  }
  for (const each of listOf(parts.rivals)) {
    const name = typeof each.picture === 'string' ? each.picture.slice(0, 20) : null;
    const other = facts.painted.has(name) ? groupOf(work).find((mate) => paintingOf(mate) === name) : undefined;
    cards.push(card(other === undefined ? 'of its group' : titleOf(other), 'rival', facts.painted.has(name) ? name : null, each));
  }
  return cards.length ? make('ul', { class: 'faced' }, cards) : null;
}

function card(title, kind, picture, duel) {
  const source = pictureOf(picture, 'small');
  const verdict = duel.value === 1 ? 'won' : duel.value === 0 ? 'lost' : duel.value === 0.5 ? 'tied' : 'no verdict';
  const counted = duel.counted === false ? ', not counted' : '';
  return make('li', { class: `card ${verdict.replace(' ', '-')}` },
    source ? make('img', { src: source, alt: '', loading: 'lazy', width: '96', height: '96' }) : make('span', { class: 'no-picture' }),
    make('div', {}, make('p', {}, make('b', {}, verdict + counted), ` against ${title}${kind ? ` (${kind})` : ''}`),
      look('shown first', duel.as_first), look('shown second', duel.as_second)));
}

function look(order, told) {
  if (!told || typeof told !== 'object') return null;
  const outcome = told.won === true ? 'won' : told.won === false ? 'lost' : '';
  return make('p', { class: 'look' }, make('span', {}, `${order}${outcome ? `: ${outcome}` : ''}`), ` ${told.reason ?? ''}`);
}
