// Reads a file of this machine, in several spellings of its address.
let read = false;
const seen = (text) => { if (`${text}`.includes("root:")) read = true; };
for (const url of ["file:///etc/passwd", "FILE:/etc/passwd", "file://localhost/etc/passwd", "file:////etc/passwd", "view-source:file:///etc/passwd"]) {
  fetch(url).then((answer) => answer.text()).then(seen, () => {});
  try {
    const request = new XMLHttpRequest();
    request.onload = () => seen(request.responseText);
    request.open("GET", url);
    request.send();
  } catch {}
  const frame = document.createElement("iframe");
  frame.onload = () => { try { seen(frame.contentDocument.documentElement.textContent); } catch {} };
  frame.src = url;
  document.documentElement.append(frame);
}
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  if (read) throw new Error("escaped");
  noLoop();
}
