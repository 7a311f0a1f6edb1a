// A painting's own page: the picture, its group, its terms and its source.
const dialog = document.getElementById('work');
const body = document.getElementById('work-body');
const frameBox = dialog.querySelector('.frame');
let opened = null;  // the id of the work that is shown
let opening = 0;

function groupOf(work) {
  const { collection, step } = facts.works;
  if (step[work] === null) return [];
  const mates = [];
  // A step's works lie together.
  let first = work;
  while (first > 0 && step[first - 1] === step[work] && collection[first - 1] === collection[work]) first -= 1;
  for (let mate = first; mate < facts.count && step[mate] === step[work] && collection[mate] === collection[work]; mate++) mates.push(mate);
  return mates;
}

function find(id) {
  for (let work = 0; work < facts.count; work++) if (idOf(work) === id) return work;
  return -1;
}

async function open(work, focus = true) {
  const mine = ++opening;
  opened = idOf(work);
  remember(opened);
  document.getElementById('work-title').textContent = titleOf(work);
  showPlace(work);
  showPicture(work);
  body.replaceChildren(factsOf(work), stripOf(work));
  if (!dialog.open) dialog.showModal();
  if (focus) dialog.scrollTop = 0;
  let detail;
  try {
    detail = await detailOf(work);
  } catch (error) {
    if (mine === opening) body.append(make('p', { class: 'fault' }, error.message));
    return;
  }
  if (mine === opening) body.replaceChildren(...partsOfPage(work, detail).filter(Boolean));
}

function partsOfPage(work, detail) {
  return [factsOf(work), troubleOf(detail), stripOf(work), termsOf(work, detail), provenanceOf(detail), sourceOf(work, detail)];
}

function showPlace(work) {
  const place = places.get(work);
  document.getElementById('place').textContent = place === undefined ? '' : `${place + 1} of ${order.length}`;
  document.getElementById('previous').disabled = !(place > 0);
  document.getElementById('next').disabled = place === undefined || place >= order.length - 1;
}

function showPicture(work) {
  const name = paintingOf(work);
  const source = pictureOf(name, 'large');
  const subject = word('subject', work);
  const shown = source
    ? make('img', { src: source, alt: `${subject || 'a painting'}, as it was painted` })
    : make('p', { class: 'none' }, emptyOf(work));
  const film = name && facts.filmed.has(name)
    ? make('video', { src: `films/${name}.mp4`, controls: true, loop: true, muted: true, playsinline: true, preload: 'none', 'aria-label': 'How it was painted' })
    : null;
  frameBox.replaceChildren(shown, film ?? '');
  if (film) {
    const button = make('button', { type: 'button', class: 'replay' }, 'Replay its strokes');
    button.onclick = () => {
      button.hidden = true;
      film.hidden = false;
      shown.hidden = true;
      film.play().catch(() => {});  // its own controls are there
    };
    film.hidden = true;
    frameBox.append(button);
  }
}

function factsOf(work) {
  const { works } = facts;
  const run = facts.collections[works.collection[work]];
  const told = [word('subject', work), word('tier', work), facts.collections.length > 1 ? run.name : '',
    word('outcome', work) === 'ok' ? '' : word('outcome', work).replaceAll('_', ' '),
    works.coverage[work] === null ? '' : `${percent(works.coverage[work])} paint`,
    works.tokens[work] === null ? '' : `${works.tokens[work]} tokens`];
  const line = make('p', { class: 'facts' }, told.filter(Boolean).join(' · '));
  if (run.kind === 'pool') return line;
  const reward = works.reward[work];
  return make('div', { class: 'head' }, line, make('p', { class: 'total' }, reward === null ? 'unscored' : number(reward, 3)));
}

function troubleOf(detail) {
  const told = [...detail.errors];
  if (detail.truncated) told.push('The reply was cut at the token limit.');
  return told.length ? make('ul', { class: 'fault' }, told.map((each) => make('li', {}, each))) : null;
}

function stripOf(work) {
  const mates = groupOf(work);
  if (mates.length < 2) return null;
  const strip = make('ul', { class: 'strip' });
  for (const mate of mates) {
    const source = pictureOf(paintingOf(mate), 'small');
    const told = facts.works.reward[mate] === null ? 'unscored' : number(facts.works.reward[mate]);
    const button = make('button', { type: 'button', 'aria-current': mate === work ? 'true' : null, 'aria-label': `${titleOf(mate)}, ${told}` },
      source ? make('img', { src: source, alt: '', width: '96', height: '96' }) : make('span', { class: 'no-picture' }), make('span', {}, told));
    button.onclick = () => open(mate);
    strip.append(make('li', {}, button));
  }
  return make('section', { 'aria-label': 'Its group' }, make('h3', {}, 'Its group'), strip);
}

function provenanceOf(detail) {
  const entries = Object.entries(detail.facts ?? {});
  if (!entries.length) return null;
  return make('dl', { class: 'parts tall' }, entries.map(([name, value]) => make('div', {}, make('dt', {}, name.replaceAll('_', ' ')), make('dd', {}, spoken(value)))));
}

function sourceOf(work, detail) {
  const text = detail.source || detail.reply;
  if (!text) return null;
  const marked = new Set(Object.values(detail.terms).flatMap((term) => listOf(term.parts?.violations).map((each) => each.line)));
  const run = facts.collections[facts.works.collection[work]];
  const file = `${idOf(work).split('/').slice(1).join('-').replace(/[^\w.-]/g, '_')}.js`;
  const save = make('a', { class: 'save', download: file, href: `data:text/javascript;charset=utf-8,${encodeURIComponent(text.toWellFormed?.() ?? text)}` }, 'Save it');
  const command = `watercolour render ${file} --film --seed ${run.seed ?? 1}${run.medium && run.medium !== 'hibiscus' ? ` --medium ${run.medium}` : ''}`;
  return make('section', { 'aria-label': 'Source' },
    make('h3', {}, detail.source ? 'Source' : 'Reply (it holds no sketch)'), highlight(text, marked),
    detail.source ? make('p', { class: 'replay-command' }, save, ' and replay its strokes: ', make('code', {}, command)) : null);
}

function step(by) {
  const work = find(opened);
  const place = places.get(work);
  if (place === undefined || order[place + by] === undefined) return;
  current = place + by;
  open(order[current]);
}

function remember(id) {
  try {
    history.replaceState(null, '', id ? `#${encodeURIComponent(id)}` : '#');
  } catch { /* an address that cannot be changed is no loss */ }
}

dialog.addEventListener('close', () => {
  const place = places.get(find(opened));
  opened = null;
  opening += 1;
  remember('');
  frameBox.replaceChildren();
  if (place !== undefined) walkTo(place);
});
