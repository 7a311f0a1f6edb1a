// Reads the optical constants that the blend needs from the text of p5.brush's own shader, so that both use the same.

const NUMBER = "(-?[0-9.]+)";
const HUES = ["w", "c", "m", "y", "r", "g", "b"];
const BAND = "R\\[\\s*(\\d+)\\]\\s*";
const VECTOR = `vec3\\(\\s*${[NUMBER, NUMBER, NUMBER].join(",\\s*")}\\)`;
const HUE_SUM = HUES.map((hue) => `\\s*${hue}\\s*\\*\\s*${NUMBER}`).join("\\s*\\+");
const REFLECTANCE = new RegExp(`${BAND}=\\s*max\\(SPECTRAL_EPSILON,${HUE_SUM}`, "g");
const OBSERVER = new RegExp(`xyz\\s*\\+=\\s*${BAND}\\*\\s*${VECTOR}`, "g");
const TO_RGB = new RegExp(`XYZ_RGB\\[(\\d)\\]\\s*=\\s*${VECTOR}`, "g");
const BANDS = 38;
const BANDS_IN_MEMORY = 40;

// { curves: ten curves of 40 bands, toRgb: 3 x 3 }, or null when this is not the shader that we know.
function spectrumOf(source) {
  const reflectance = [...source.matchAll(REFLECTANCE)];
  const observer = [...source.matchAll(OBSERVER)];
  const rows = [...source.matchAll(TO_RGB)];
  if (reflectance.length !== BANDS || observer.length !== BANDS || rows.length !== 3) return null;
  const curves = new Float32Array(10 * BANDS_IN_MEMORY);
  const put = (matches, first) => {
    for (const [, band, ...values] of matches) {
      values.forEach((value, i) => (curves[(first + i) * BANDS_IN_MEMORY + +band] = +value));
    }
  };
  put(reflectance, 0);
  put(observer, HUES.length);
  return { curves, toRgb: new Float32Array(rows.flatMap(([, , ...values]) => values.map(Number))) };
}
