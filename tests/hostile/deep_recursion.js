// Runs out of stack.
function setup() {
  createCanvas(600, 600, WEBGL);
  const down = () => down() + 1;
  down();
}
