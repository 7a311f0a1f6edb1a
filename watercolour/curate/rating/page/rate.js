// The rating page: keys in, presses out. What is shown moves on at once; "unsaved" stays in sight until it is on the disk.

import { OneByOne } from "./one.js";
import { element, showEnd, showGrid } from "./overview.js";
import { MOST_UNSAVED, Saver } from "./saver.js";
import { TwoByTwo } from "./two.js";
import { Zoom } from "./zoom.js";

const POLL_MS = 4000;
const PRELOADED = 6;
const LONGEST_PAUSE_S = 60;
const NOTICE_MS = 6000;

const by = (id) => document.getElementById(id);
const stage = by("stage");
const first = await start();
const { mode } = first;
const isPair = mode === "pair";
const work = isPair ? new TwoByTwo(first) : new OneByOne(first);
let revision = first.revision;
let pace = first.seconds;
let shownAt = 0;
let view = "work";
let isSourceOpen = false;
let noticeTimer = 0;
const startedAt = Date.now();
const ahead = new Map();
const zoom = new Zoom(stage);
const tabs = new BroadcastChannel(`watercolour/${first.place}`);
const saver = new Saver(first.place, { onAnswer, onChange: showSaved, revision: () => revision });

const KEYS = isPair
  ? { ArrowLeft: "left", 1: "left", ArrowRight: "right", 3: "right", 0: "tie", 2: "tie", t: "tie", ArrowUp: "tie", ArrowDown: "tie", " ": "skip" }
  : { 1: "love", 2: "okay", 3: "nope", " ": "skip" };
const HELP = isPair
  ? [["← 1", "the left one is better"], ["→ 3", "the right one is better"], ["0 2 t", "neither"], ["space", "skip this pair"],
    ["backspace", "undo"], ["z", "zoom, or click; wheel for more, drag to move"], ["?", "this help"]]
  : [["1", "love"], ["2", "okay"], ["3", "nope"], ["space", "skip"], ["backspace", "undo"], ["← →", "look back and forward"],
    ["g", "all, by tier"], ["s", "the source beside it"], ["z", "zoom, or click; wheel for more, drag to move"], ["?", "this help"]];

build();
if (saver.queue.length) notice("Presses of an earlier page were not saved yet; saving them now.");
show();
setInterval(poll, POLL_MS);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && poll());
tabs.addEventListener("message", poll);
document.addEventListener("keydown", onKey);

async function start() {
  for (;;) {
    try {
      const response = await fetch("state");
      if (response.ok) return await response.json();
      by("progress").textContent = await response.text();
    } catch {
      by("progress").textContent = "The server does not answer; trying again";
    }
    await new Promise((done) => setTimeout(done, 1000));
  }
}

function build() {
  for (const [name, label, key, stacked] of work.answers) {
    const labels = stacked
      ? [element("span", { className: "beside", textContent: label }), element("span", { className: "stacked", textContent: stacked })]
      : [label];
    const button = element("button", { type: "button" }, ...labels, " ", element("kbd", { textContent: key }));
    button.dataset.answer = name;
    button.addEventListener("click", (event) => { answer(name); letGo(event); });
    by("keys").append(button);
  }
  const undoing = element("button", { type: "button", id: "undo" }, "Undo ", element("kbd", { textContent: "⌫" }));
  undoing.addEventListener("click", (event) => { undo(); letGo(event); });
  by("keys").append(undoing);
  for (const [key, what] of HELP) {
    const keys = element("dt", {}, ...key.split(" ").flatMap((each) => [element("kbd", { textContent: each }), " "]));
    by("help-keys").append(keys, element("dd", { textContent: what }));
  }
  by("to-grid").hidden = by("to-source").hidden = isPair;
  by("to-grid").addEventListener("click", () => look(view === "grid" ? "work" : "grid"));
  by("to-source").addEventListener("click", (event) => { toggleSource(); letGo(event); });
  by("to-help").addEventListener("click", () => by("help").showModal());
}

// After a click the keys are for the painting again: space must not press the same button once more.
function letGo(event) {
  if (event.detail > 0) document.querySelector("main").focus();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || by("help").open) return;
  const { key, target } = event;
  const isTyped = key === " " && target.closest?.("button, pre");
  if (isTyped) return;
  if (key === "Escape" || key === "g" && !isPair) look(view === "grid" || key === "Escape" ? "work" : "grid");
  else if (key === "?") by("help").showModal();
  else if (key === "Backspace") undo();
  else if (view === "grid") return;
  else if (KEYS[key]) { if (!event.repeat) answer(KEYS[key]); }
  else if (key === "ArrowLeft" || key === "ArrowRight") {
    if (target.closest?.("pre")) return;
    if (key === "ArrowLeft") work.back();
    else work.forward();
    show();
  } else if (key === "z") zoom.toggle();
  else if (key === "s" && !isPair) toggleSource();
  else return;
  event.preventDefault();
}

function answer(name) {
  if (view === "grid" || saver.queue.length >= MOST_UNSAVED) {
    if (view !== "grid") notice(`${MOST_UNSAVED} presses are not saved. Wait until the server answers again.`);
    return;
  }
  const press = work.answer(name);
  if (press) {
    const seconds = shownAt ? (performance.now() - shownAt) / 1000 : null;
    if (seconds !== null) pace = [...pace, Math.min(LONGEST_PAUSE_S, seconds)].slice(-30);
    saver.add({ ...press, seconds });
  }
  show();
}

function undo() {
  if (view === "grid") look("work");
  const press = work.undo();
  if (!press) return notice("There is nothing to take back.");
  saver.add({ ...press, seconds: null });
  show();
}

function onAnswer(state, press, status) {
  if (status === 400) return notice(`Not taken: ${state.error}.`);
  const others = merge(state);
  if (status === 409) notice("This was answered in another tab. What that one said counts; this one has caught up.");
  else if (others.length && press.order >= startedAt) caughtUp();
  tabs.postMessage("saved");
}

function merge(state) {
  const before = work.shown.join();
  const others = work.merge(state, (key) => key === undefined ? saver.queue.length > 0 : saver.isPending(key));
  revision = state.revision;
  if (work.shown.join() !== before) show();
  else showProgress();
  return others;
}

async function poll() {
  if (saver.queue.length) return;
  try {
    const response = await fetch(`state?since=${revision}`, { signal: AbortSignal.timeout(10000) });
    const state = await response.json();
    if (saver.queue.length || state.revision === revision) return;
    if (merge(state).length) caughtUp();
  } catch { /* the next press will say that the server does not answer */ }
}

function caughtUp() {
  notice("Another tab is rating too. Nothing counts twice; this one has caught up.");
}

function show() {
  zoom.reset();
  const keys = work.shown;
  by("end").hidden = view !== "work" || keys.length > 0;
  by("work").hidden = view !== "work" || !keys.length;
  by("grid").hidden = view !== "grid";
  by("to-grid").setAttribute("aria-pressed", view === "grid");
  stage.classList.toggle("two", isPair);
  if (!keys.length) {
    showEnd(by("end"), { mode, work, onReopen: () => { work.reopen(); show(); } });
  } else if (stage.dataset.keys !== keys.join()) {
    stage.dataset.keys = keys.join();
    shownAt = 0;
    stage.replaceChildren(...keys.map(figure));
    if (isSourceOpen) showSource();
  }
  if (!keys.length) stage.dataset.keys = "";
  preload();
  showProgress();
}

function figure(key, place) {
  const name = isPair ? ["first painting", "second painting"][place] : "painting to rate";
  const image = element("img", { src: `picture/${key}`, alt: name, draggable: false });
  const isShown = () => { shownAt ||= performance.now(); };
  image.decode().then(isShown, isShown);
  return element("figure", {}, image);
}

function preload() {
  const wanted = work.upcoming(PRELOADED);
  for (const key of ahead.keys()) if (!wanted.includes(key)) ahead.delete(key);
  for (const key of wanted) if (!ahead.has(key)) ahead.set(key, element("img", { src: `picture/${key}` }));
}

function showProgress() {
  const { done, goal, current } = work;
  const share = goal ? Math.min(100, Math.round(100 * done / goal)) : 0;
  const what = isPair ? "compared" : mode === "rerate" ? "rated again" : "rated";
  by("progress").textContent = isPair ? `${done} ${what}, ${goal} are enough` : `${done} of ${goal} ${what}`;
  by("line").setAttribute("aria-valuenow", share);
  by("line").firstElementChild.style.width = `${share}%`;
  by("pace").replaceChildren(...paceText(goal - done));
  const said = current?.answer && current.answer !== "skip" ? current.answer : current?.answer === "skip" ? "skipped" : null;
  const caption = by("caption");
  const subjects = new Set(work.shown.map((key) => work.get(key).subject).filter(Boolean));
  caption.replaceChildren([...subjects].join(" / "));
  if (said) caption.append(subjects.size ? " · " : "", "you said ", element("b", { textContent: said }));
  for (const button of by("keys").children) {
    button.classList.toggle("now", Boolean(current?.answer) && button.dataset.answer === current.answer);
    button.disabled = button.id === "undo" ? !work.history.length : view === "grid" || !work.shown.length;
  }
  by("to-source").disabled = !current?.source;
  by("to-source").setAttribute("aria-pressed", isSourceOpen);
  document.title = `${done} of ${goal} · ${first.folder}`;
}

function paceText(left) {
  if (pace.length < 3) return [];
  const seconds = pace.reduce((sum, each) => sum + each, 0) / pace.length;
  if (!(seconds > 0)) return [];
  const minutes = Math.ceil(left * seconds / 60);
  const long = minutes >= 90 ? `${(minutes / 60).toFixed(1)} h left` : `${minutes} min left`;
  const rate = `${(60 / seconds).toFixed(60 / seconds < 10 ? 1 : 0)} a minute`;
  return left > 0 ? [rate, element("span", { className: "left", textContent: `, ${long}` })] : [rate];
}

function showSaved() {
  const count = saver.queue.length;
  const saved = by("saved");
  saved.className = saver.trouble ? "lost" : count ? "unsaved" : "quiet";
  saved.textContent = saver.trouble ? `Not saved: ${count}. ${saver.trouble[0].toUpperCase()}${saver.trouble.slice(1)}; trying again` : count ? "Saving" : "Saved";
  document.documentElement.dataset.unsaved = count;
}

function look(where) {
  if (isPair) return;
  view = where;
  if (view === "grid") {
    showGrid(by("grid"), work.paintings, (key) => { work.go(key); look("work"); });
    by("grid").scrollTop = 0;
  }
  show();
  document.querySelector("main").focus();
}

function toggleSource() {
  isSourceOpen = !isSourceOpen && Boolean(work.current?.source);
  by("work").classList.toggle("with-source", isSourceOpen);
  by("source").hidden = !isSourceOpen;
  zoom.reset();
  if (isSourceOpen) showSource();
  showProgress();
}

async function showSource() {
  const [key] = work.shown;
  const pre = by("source").firstElementChild;
  pre.textContent = "";
  pre.scrollTop = 0;
  try {
    const response = await fetch(`source/${key}`);
    const text = await response.text();
    if (work.shown[0] === key) pre.textContent = text;
  } catch {
    pre.textContent = "The server does not answer.";
  }
}

function notice(text) {
  clearTimeout(noticeTimer);
  by("notice").textContent = text;
  noticeTimer = setTimeout(() => { by("notice").textContent = ""; }, NOTICE_MS);
}
