// Replaces the methods of Array, Map, Set and WeakMap by which hooks might be caught.
const nothing = () => undefined;
let leaked = 0;
for (const type of [Map, Set, WeakMap, WeakSet]) {
  for (const name of ["get", "set", "add", "has", "delete", "forEach"]) {
    const method = type.prototype[name];
    if (!method) continue;
    type.prototype[name] = function (...args) {
      for (const arg of args) if (arg?.machine) leaked = arg.machine;
      return method.apply(this, args);
    };
  }
}
for (const name of ["gl", "machine", "exports", "memory", "scratch"]) {
  Object.defineProperty(Object.prototype, name, {
    configurable: true,
    set(value) {
      leaked = value;
      Object.defineProperty(this, name, { value, configurable: true, writable: true, enumerable: true });
    },
  });
}
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  brush.noStroke();
  brush.fillTexture(0.2, 0.4);
  brush.fill("#2040c0", 200);
  brush.circle(0, 0, 150);
  if (leaked) throw new Error("escaped");
  noLoop();
}
