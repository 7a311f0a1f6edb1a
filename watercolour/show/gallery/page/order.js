// Which works hang on the wall, and in which order.
const choice = { sort: 'step', descending: false, query: '', collection: '', tier: '', outcome: '', subject: '' };
const TIERS = { love: 0, okay: 1, nope: 2 };
let order = [];
let places = new Map();

function sorts() {
  const found = [];
  const { works } = facts;
  if (works.step.some((step) => step !== null)) found.push(['step', 'step']);
  if (works.name) found.push(['hung', 'as in the pool'], ['name', 'name']);
  if (works.tier.some((tier) => facts.words.tier[tier])) found.push(['tier', 'tier']);
  if (works.reward.some((reward) => reward !== null)) found.push(['reward', 'total reward']);
  for (const term of Object.keys(facts.terms)) found.push([`term ${term}`, term]);
  found.push(['coverage', 'paint on the paper']);
  if (works.tokens.some((tokens) => tokens !== null)) found.push(['tokens', 'length in tokens']);
  return found;
}

// A sort's value for each work; what has none comes last, whichever way round.
function keys() {
  const { works } = facts;
  if (choice.sort.startsWith('term ')) {
    const values = Object.entries(facts.terms).find(([term]) => `term ${term}` === choice.sort);
    return values ? values[1] : works.reward;
  }
  if (choice.sort === 'tier') return works.tier.map((tier) => TIERS[facts.words.tier[tier]] ?? null);
  if (choice.sort === 'hung') return works.index;
  return works[choice.sort] ?? works.step;
}

function arrange() {
  const values = keys();
  const wanted = matching();
  const sign = choice.descending ? -1 : 1;
  const found = [];
  for (let work = 0; work < facts.count; work++) if (wanted(work)) found.push(work);
  const compare = typeof values[found[0]] === 'string' ? (a, b) => a.localeCompare(b) : (a, b) => a - b;
  found.sort((a, b) => {
    const one = values[a] ?? null, other = values[b] ?? null;
    if (one === null || other === null) return (one === null) - (other === null) || a - b;
    // Within a step the order is the group's own, also when the newest step comes first.
    return sign * compare(one, other) || a - b;
  });
  order = found;
  places = new Map(found.map((work, place) => [work, place]));
}

function matching() {
  const tests = [];
  for (const kind of ['tier', 'outcome', 'subject']) {
    if (choice[kind] === '') continue;
    const wanted = facts.words[kind].indexOf(choice[kind]);
    tests.push((work) => facts.works[kind][work] === wanted);
  }
  if (choice.collection !== '') tests.push((work) => facts.works.collection[work] === Number(choice.collection));
  const query = choice.query.toLowerCase();
  if (query) {
    const subjects = facts.words.subject.map((subject) => subject.toLowerCase().includes(query));
    tests.push((work) => subjects[facts.works.subject[work]]
      || (facts.works.name !== null && facts.works.name[work].replaceAll('-', ' ').toLowerCase().includes(query))
      || textOf(work).includes(query));
  }
  return (work) => tests.every((test) => test(work));
}

// The text that is searched: the source and what went wrong with it. Empty as long as its chunk has not been read.
function textOf(work) {
  const chunk = details.get(facts.works.chunk[work]);
  if (!chunk) return '';
  chunk.texts ??= chunk.works.map((each) => [each.source, ...each.errors].join('\n').toLowerCase());
  return chunk.texts[facts.works.row[work]];
}

// Reads what a search needs and is not there yet; calls `onPart` now and then. A newer search ends it.
let searches = 0;
async function readTexts(onPart) {
  const mine = ++searches;
  let shown = performance.now();
  for (let place = 0; place < facts.chunks.length; place++) {
    if (details.has(place)) continue;
    try {
      await loadChunk(place);
    } catch {
      continue;  // a file that is gone hides its works from the search, not the others
    }
    if (mine !== searches) return;
    if (performance.now() - shown > 400) {
      onPart(place / facts.chunks.length);
      shown = performance.now();
    }
  }
  if (mine === searches) onPart(1);
}
