// Fills memory with long strings.
function setup() {
  createCanvas(600, 600, WEBGL);
  const kept = [];
  for (let i = 0; ; i++) kept.push(`${i}`.padEnd(1e7, "é") + i);
}
