// Clocks what the machine and WebGL take of a sketch's time, for `watercolour render --trace`. Left out otherwise.
//
// The page's clock ticks in tenths of a millisecond and most calls are shorter. Where in a tick a call begins is chance,
// so that the sum over many calls comes out right all the same; one call's time means nothing.

const clock = performance.now.bind(performance);
const spent = { raster: 0, composite: 0, gl: 0 }; // milliseconds
const STAGE_OF = { __proto__: null };
for (const name of ["fill_path", "stroke_path", "fill_disc", "clear_mask", "resolve"]) STAGE_OF[name] = "raster";
for (const name of ["lay", "fill_painting", "keep_alpha", "copy_flipped", "is_opaque"]) STAGE_OF[name] = "composite";

function timed(stage, call) {
  return (...args) => {
    const from = clock();
    const result = call(...args);
    spent[stage] += clock() - from;
    return result;
  };
}

function timedExports(exports) {
  const watched = { __proto__: null };
  for (const name of ownKeys(exports)) {
    watched[name] = STAGE_OF[name] ? timed(STAGE_OF[name], exports[name]) : exports[name];
  }
  return watched;
}

for (const name of ownKeys(gpu)) gpu[name] = timed("gl", gpu[name]);

// For harness.js, which takes it away before the sketch runs.
globalThis.watercolourStages = () => ({ ...spent });
