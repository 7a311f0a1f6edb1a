// Tries to reach this machine by WebRTC, by way of a relay over TCP.
try {
  const address = LISTENER.replace("http://", "").replace("/", "");
  const peer = new RTCPeerConnection({
    iceServers: [{ urls: `turn:${address}?transport=tcp`, username: "x", credential: "x" }, { urls: `stun:${address}` }],
  });
  peer.createDataChannel("x");
  peer.createOffer().then((offer) => peer.setLocalDescription(offer)).catch(() => {});
} catch {}
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
