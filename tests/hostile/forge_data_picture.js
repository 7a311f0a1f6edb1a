// Shows a picture that it carries in a data: address.
const PICTURE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAIAAABvFaqvAAAAZElEQVR42mN89+4dAzUAEwOVwOAziAWP3AWrHGSuwbEpeBQzYg1sNCOIMY6JJFPwyDKRZAoeNbSJNWKcg0vlME6QtDEIf9rFr5JmXiPGUVjVMBGfm/DLMuIpIamQ+0cTJE0MAgDrEyZXP8fnEwAAAABJRU5ErkJggg==";
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  const picture = new Image();
  picture.src = PICTURE;
  await picture.decode();
  const sheet = createGraphics(24, 24);
  sheet.drawingContext.drawImage(picture, 0, 0, 24, 24);
  image(sheet, -300, -300, 600, 600);
  noLoop();
}
