// Tries to reach this machine by WebTransport.
try { new WebTransport(LISTENER.replace("http", "https")).ready.catch(() => {}); } catch {}
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
