'use strict';

// One clock's strip: collisions as thin lines, overlaps as blocks, what was missed as crosses, what never was as diamonds.

/** A cross or a diamond around a point, to be stroked. */
function markPath(context, kind, x, y, size) {
  context.beginPath();
  if (kind === 'missed') {
    context.moveTo(x - size, y - size);
    context.lineTo(x + size, y + size);
    context.moveTo(x + size, y - size);
    context.lineTo(x - size, y + size);
  } else {
    context.moveTo(x, y - size);
    context.lineTo(x + size, y);
    context.lineTo(x, y + size);
    context.lineTo(x - size, y);
    context.closePath();
  }
}

class Lane {
  constructor(canvas, take, end) {
    this.canvas = canvas;
    this.take = take;
    this.end = end;
  }

  draw(time) {
    const { context, width, height } = fitCanvas(this.canvas);
    const x = (time) => (time / this.end) * width;
    const { film, overlaps } = this.take;
    context.fillStyle = themeColour('quiet');
    for (const event of film.time.subarray(0, countUpTo(film.time, time))) {
      context.fillRect(x(event) - 0.5, height / 2, 1, height / 2);
    }
    context.fillStyle = themeColour('alarm');
    for (const overlap of overlaps) {
      if (overlap.from <= time) {
        const left = x(overlap.from);
        context.fillRect(left, height - 8, Math.max(x(Math.min(overlap.to, time)) - left, 2), 8);
      }
    }
    context.strokeStyle = themeColour('alarm');
    context.lineWidth = 2;
    for (const kind of ['missed', 'spurious']) {
      for (const mark of this.take[kind]) {
        if (mark.time <= time) {
          markPath(context, kind, Math.min(Math.max(x(mark.time), 5), width - 5), 8, 4);
          context.stroke();
        }
      }
    }
    context.fillStyle = themeColour('ink');
    context.fillRect(Math.min(x(time), width - 2), 0, 2, height);
  }
}
