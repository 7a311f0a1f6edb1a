// Backtracks in a regular expression, where no statement ends.
function setup() {
  createCanvas(600, 600, WEBGL);
  /^(a+)+$/.test("a".repeat(60) + "b");
}
