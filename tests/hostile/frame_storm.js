// Asks for thousands of animation frames, each of which asks for more.
const storm = () => { for (let i = 0; i < 2; i++) requestAnimationFrame(storm); for (let i = 0; i < 1e7; i++); };
for (let i = 0; i < 1000; i++) requestAnimationFrame(storm);
async function setup() {
  createCanvas(600, 600, WEBGL);
  await new Promise(() => {});
}
