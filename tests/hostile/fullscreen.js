// Asks for the whole screen, the pointer, the clipboard and the camera.
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  const canvas = document.querySelector("canvas");
  for (const ask of [
    () => canvas.requestFullscreen(),
    () => canvas.requestPointerLock(),
    () => navigator.clipboard.readText(),
    () => navigator.mediaDevices.getUserMedia({ video: true }),
    () => Notification.requestPermission(),
  ]) {
    try { Promise.resolve(ask()).catch(() => {}); } catch {}
  }
  noLoop();
}
