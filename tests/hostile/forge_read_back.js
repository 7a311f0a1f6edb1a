// Replaces everything by which a canvas is read.
HTMLCanvasElement.prototype.toDataURL = () => "data:,";
HTMLCanvasElement.prototype.toBlob = (done) => done(new Blob());
WebGL2RenderingContext.prototype.readPixels = (x, y, w, h, f, t, out) => out.fill(7);
CanvasRenderingContext2D.prototype.getImageData = (x, y, w, h) => new ImageData(new Uint8ClampedArray(4 * w * h).fill(7), w, h);
Uint8Array.prototype.toBase64 = () => "";
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  noLoop();
}
