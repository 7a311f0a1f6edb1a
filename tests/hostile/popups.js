// Opens windows, by call and by link.
const opened = open("about:blank");
const link = document.createElement("a");
link.href = "about:blank";
link.target = "_blank";
for (let i = 0; i < 5; i++) link.click();
if (opened) throw new Error("escaped");
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
