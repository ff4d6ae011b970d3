'use strict';

// Buttons, fields and keys of the player.

class Controls {
  constructor(player) {
    this.player = player;
    const find = (selector) => document.querySelector(selector);
    this.slider = find('.timeline input');
    this.timeline = new Timeline(find('.timeline canvas'), player.eventTime, player.end);
    this.clock = find('#clock');
    this.speed = find('#speed');
    this.place = find('#place');
    this.curtain = find('.curtain');
    this.countdown = find('.countdown');
    this.trails = find('#trails');
    this.slow = find('#slow');
    this.slider.max = player.end;
    this.actions = {
      toggle: () => player.toggle(),
      previous: () => player.stepBack(),
      next: () => player.stepForward(),
      slower: () => player.changeSpeed(-1),
      faster: () => player.changeSpeed(1),
      start: () => player.seek(0),
      end: () => player.seek(player.end),
      back: () => player.seek(player.time - player.end / 50),
      ahead: () => player.seek(player.time + player.end / 50),
      trails: () => this.trails.click(),
      slow: () => this.slow.click(),
      clock: () => this.clock.select(),
    };
    this.listen();
    this.openAt();
  }

  listen() {
    const { player } = this;
    for (const button of document.querySelectorAll('[data-do]')) {
      button.addEventListener('click', () => this.act(button.dataset.do));
    }
    this.slider.addEventListener('input', () => {
      this.raiseCurtain();
      player.seek(Number(this.slider.value));
    });
    this.clock.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.jump();
    });
    this.clock.addEventListener('focus', () => this.clock.select());
    this.clock.addEventListener('blur', () => player.refresh());
    this.slow.addEventListener('change', () => {
      player.slowMotion = this.slow.checked;
      player.refresh();
    });
    this.trails.addEventListener('change', () => player.refresh());
    document.addEventListener('keydown', (event) => this.key(event));
    window.addEventListener('resize', () => player.refresh());
    window.addEventListener('hashchange', () => this.openAt());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => player.refresh());
  }

  act(action) {
    this.raiseCurtain();
    this.actions[action]();
  }

  /** A page whose address ends in #t=30 opens at that time. */
  openAt() {
    const time = Number(new URLSearchParams(location.hash.slice(1)).get('t') ?? NaN);
    if (Number.isFinite(time)) {
      this.raiseCurtain();
      this.player.seek(time);
    } else {
      this.player.refresh();
    }
  }

  /** Goes to the time that was typed. */
  jump() {
    const time = Number(this.clock.value.replace(',', '.'));
    const isTime = this.clock.value.trim() !== '' && Number.isFinite(time);
    this.clock.setCustomValidity(isTime ? '' : 'not a time');
    if (isTime) {
      this.raiseCurtain();
      this.clock.blur();
      this.player.seek(time);
    } else {
      this.clock.reportValidity();
    }
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.target === this.clock) {
      if (event.key === 'Escape') {
        this.clock.setCustomValidity('');
        this.clock.blur();
      }
      return;
    }
    const keys = {
      ' ': 'toggle',
      k: 'toggle',
      ArrowRight: event.shiftKey ? 'ahead' : 'next',
      ArrowLeft: event.shiftKey ? 'back' : 'previous',
      ArrowUp: 'faster',
      ArrowDown: 'slower',
      Home: 'start',
      End: 'end',
      t: 'trails',
      s: 'slow',
      g: 'clock',
    };
    const action = keys[event.key];
    if (action) {
      event.preventDefault();
      this.act(action);
    }
  }

  raiseCurtain() {
    this.curtain.hidden = true;
  }

  /** Shows the state of the player. */
  draw() {
    const { player } = this;
    document.body.classList.toggle('playing', player.playing);
    this.slider.value = player.time;
    this.slider.setAttribute('aria-valuetext', `time ${player.time}`);
    this.timeline.draw(player.time);
    if (document.activeElement !== this.clock) {
      const standing = player.done > 0 && player.time === player.eventTime[player.done - 1];
      this.clock.value = standing && !player.playing ? player.time : player.time.toFixed(this.decimals());
    }
    const speed = player.speed < 1 ? `1/${1 / player.speed}` : player.speed;
    this.speed.textContent = `× ${speed}`;
    this.place.textContent = `event ${player.done} of ${player.eventTime.length}`;
    this.drawCountdown();
  }

  /** Enough to see the clock move in every frame. */
  decimals() {
    return Math.min(Math.max(Math.ceil(2 - Math.log10(this.player.pace)), 0), 12);
  }

  drawCountdown() {
    const seconds = this.player.untilFirstEvent();
    const open = this.curtain.hidden && seconds !== null && seconds > 0;
    this.countdown.textContent = open && seconds <= 5 ? Math.ceil(seconds) : '';
    const caption = this.curtain.querySelector('.caption');
    caption.textContent = seconds === null ? '' : `first collision after ${Math.max(Math.round(seconds), 1)} s`;
  }
}
