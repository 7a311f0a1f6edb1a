// Tries to reach this machine by hints to look up and to connect early.
for (const rel of ["dns-prefetch", "preconnect", "prefetch", "preload", "modulepreload"]) {
  const link = document.createElement("link");
  Object.assign(link, { rel, href: LISTENER, as: "script" });
  document.head.append(link);
}
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
