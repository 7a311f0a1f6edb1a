// Leaves something for the next sketch, and throws if an earlier one has.
let found = false;
try {
  found = localStorage.getItem("x") !== null;
  localStorage.setItem("x", "1");
} catch {}
try {
  found ||= document.cookie.includes("x");
  document.cookie = "x=1";
} catch {}
if (found) throw new Error("escaped");
window.name ||= "mine";
if (window.name !== "mine") throw new Error("escaped");
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  noLoop();
}
