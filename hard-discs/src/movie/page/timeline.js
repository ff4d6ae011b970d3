'use strict';

// The strip behind the slider: how many events there are at each time, and what has been played.

class Timeline {
  constructor(canvas, eventTime, end) {
    this.canvas = canvas;
    this.eventTime = eventTime;
    this.end = end;
  }

  /** Events by pixel. */
  counts(width) {
    const counts = new Uint32Array(width);
    for (const time of this.eventTime) {
      counts[Math.min(Math.floor((time / this.end) * width), width - 1)]++;
    }
    return counts;
  }

  draw(time) {
    const { context, width, height } = fitCanvas(this.canvas);
    const bars = Math.max(Math.floor(width / 2), 1);
    if (!this.bars || this.bars.length !== bars) {
      this.bars = this.counts(bars);
      this.highest = this.bars.reduce((a, b) => Math.max(a, b), 1);
    }
    const played = this.end > 0 ? (time / this.end) * width : 0;
    this.bars.forEach((count, bar) => {
      if (count > 0) {
        // The root, so that a single event still shows beside a crowd.
        const tall = Math.max(Math.sqrt(count / this.highest) * height, 3);
        const x = (bar * width) / bars;
        context.fillStyle = themeColour(x <= played ? 'accent' : 'quiet');
        context.fillRect(x, height - tall, width / bars - 0.5, tall);
      }
    });
  }
}
