// Its setup() never resolves and uses no time.
async function setup() {
  createCanvas(600, 600, WEBGL);
  await new Promise(() => {});
}
