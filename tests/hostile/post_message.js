// Posts messages to every window it can name, and listens for others' sketches.
let heard = false;
const channel = (() => { try { return new BroadcastChannel("x"); } catch { return { postMessage() {} }; } })();
channel.onmessage = () => (heard = true);
channel.postMessage("hello");
for (const other of [parent, top]) other.postMessage("hello", "*");
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  if (heard) throw new Error("escaped");
  noLoop();
}
