// The whole run in a strip, with a frame around what the window shows.

class Overview {
  constructor(canvas, log, camera) {
    Object.assign(this, { canvas, log, camera });
    this.pen = canvas.getContext("2d");
  }

  draw(colours) {
    const { camera, canvas, pen } = this;
    const scale = fitCanvas(canvas);
    const [width, height] = [canvas.width / scale, canvas.height / scale];
    const bins = this.binsFor(Math.max(1, Math.floor(width / 3)));
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.fillStyle = colours.muted;
    const most = Math.max(...bins, 1);
    bins.forEach((count, bin) => {
      const bar = count && 2 + (height - 8) * Math.sqrt(count / most);
      pen.fillRect((bin * width) / bins.length, height - bar, width / bins.length - 0.5, bar);
    });
    const [left, right] = [this.x(camera.start), this.x(camera.end)].map((x) => Math.min(width - 1, Math.max(1, x)));
    pen.fillStyle = pen.strokeStyle = colours.effect;
    pen.lineWidth = 2;
    pen.globalAlpha = 0.12;
    pen.fillRect(left, 1, right - left, height - 2);
    pen.globalAlpha = 1;
    pen.strokeRect(Math.min(left, width - 4), 1, Math.max(3, right - left), height - 2);
  }

  x(time) {
    const [first, last] = this.camera.home;
    return ((time - first) / (last - first)) * this.canvas.clientWidth;
  }

  timeAt(x) {
    const [first, last] = this.camera.home;
    return first + (x / this.canvas.clientWidth) * (last - first);
  }

  /** How many events ran in each of so many parts of the run. */
  binsFor(count) {
    if (this.bins?.length === count) return this.bins;
    const [first, last] = this.camera.home;
    this.bins = new Array(count).fill(0);
    for (const place of this.log.ran) {
      this.bins[Math.min(count - 1, Math.floor(((this.log.times[place] - first) / (last - first)) * count))]++;
    }
    return this.bins;
  }
}

/** Gives a canvas as many pixels as its place on the screen has, and returns how many make one of CSS. */
function fitCanvas(canvas) {
  const scale = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((length) => Math.round(length * scale));
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  return scale;
}
