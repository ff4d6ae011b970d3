//! M, a player who is small but whole: a global cooldown, a damage-over-time effect, a spell with a cooldown, and a filler,
//! chosen by a priority list.
//!
//! The list, looked at whenever the player is ready: the effect if it is not running, the nuke if it is ready, else a bolt. At
//! the same due time a cast ends first, then the effect ticks, then it expires, and then the player is ready. (That is a rule
//! that matters: were the player ready before the effect expires, damage without haste would be 81.161111 a second instead of
//! 81.211111.)

use saltus::{Context, Entity, Model, Outcome, Stamps, When};

use super::{Damage, Latency, ticks};
use crate::drivers::Workload;

/// The global cooldown in seconds without haste, and at least.
const GLOBAL_COOLDOWN: (f64, f64) = (1.5, 0.75);
/// The effect: it lasts that long whatever the haste, ticks that often without haste, and a whole tick deals so much.
const EFFECT: (f64, f64, f64) = (15.0, 3.0, 40.0);
/// The nuke is instant and deals so much; its cooldown knows no haste.
const NUKE: (f64, f64) = (8.0, 300.0);
/// The bolt takes that long without haste, and deals so much.
const BOLT: (f64, f64) = (2.0, 100.0);

/// What happens to the player, in the order in which it happens at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerEvent {
    /// A bolt has been cast.
    CastEnd,
    /// The effect ticks.
    Tick,
    /// The effect is over.
    Expire,
    /// The player is ready after some latency.
    Wake,
    /// The player is ready for the next action.
    Ready,
}

/// A player with a priority list of three actions.
#[derive(Clone, Debug)]
pub struct Player {
    gcd: u64,
    bolt: u64,
    tick: u64,
    latency: Latency,
    ready_before_expiry: bool,
    effect: Option<Entity>,
    effect_runs: bool,
    last_tick: u64,
    nuke_ready: u64,
    damage: f64,
}

impl Player {
    /// A player with that much haste, 0.2 for 20 %.
    pub fn new(haste: f64, latency: Latency) -> Player {
        let hasted = |seconds: f64| ticks(seconds / (1.0 + haste));
        Player {
            gcd: hasted(GLOBAL_COOLDOWN.0).max(ticks(GLOBAL_COOLDOWN.1)),
            bolt: hasted(BOLT.0),
            tick: hasted(EFFECT.1),
            latency,
            ready_before_expiry: false,
            effect: None,
            effect_runs: false,
            last_tick: 0,
            nuke_ready: 0,
            damage: 0.0,
        }
    }

    /// The same player with the other order of two events: to see that the order of equals matters.
    pub fn ready_before_expiry(self) -> Player {
        Player { ready_before_expiry: true, ..self }
    }

    fn when(&self, event: PlayerEvent, delay: u64) -> When<u64> {
        When::after(delay).priority(match event {
            PlayerEvent::Expire if self.ready_before_expiry => PlayerEvent::Ready as i16 + 1,
            event => event as i16,
        })
    }

    fn act(&mut self, cx: &mut impl Context<Self>) -> Outcome {
        let mut busy = self.gcd;
        if !self.effect_runs {
            self.effect_runs = true;
            self.last_tick = cx.now();
            cx.schedule(self.when(PlayerEvent::Expire, ticks(EFFECT.0)), PlayerEvent::Expire)?;
            self.schedule_tick(cx)?;
        } else if cx.now() >= self.nuke_ready {
            self.nuke_ready = cx.now() + ticks(NUKE.0);
            self.damage += NUKE.1;
        } else {
            busy = busy.max(self.bolt);
            cx.schedule(self.when(PlayerEvent::CastEnd, self.bolt), PlayerEvent::CastEnd)?;
        }
        let latency = cx.stream(super::LATENCY);
        let (event, delay) = if self.latency.place == super::Place::After && !self.latency.is_none() {
            (PlayerEvent::Wake, busy)
        } else {
            (PlayerEvent::Ready, busy + self.latency.inside(latency))
        };
        cx.schedule(self.when(event, delay), event)?;
        Ok(())
    }

    fn schedule_tick(&self, cx: &mut impl Context<Self>) -> Outcome {
        let when = self.when(PlayerEvent::Tick, self.tick);
        cx.schedule(self.effect.into_iter().fold(when, When::stamp), PlayerEvent::Tick)?;
        Ok(())
    }
}

impl Damage for Player {
    fn damage(&self) -> f64 {
        self.damage
    }
}

impl Workload for Player {
    fn start(&mut self, cx: &mut impl Context<Self>) -> Outcome {
        self.effect = Some(cx.spawn());
        cx.schedule(self.when(PlayerEvent::Ready, 0), PlayerEvent::Ready)?;
        Ok(())
    }
}

impl Model for Player {
    type Time = u64;
    type Event = PlayerEvent;
    type Refs = Stamps<1>;

    fn handle(&mut self, event: PlayerEvent, cx: &mut impl Context<Self>) -> Outcome {
        match event {
            PlayerEvent::CastEnd => self.damage += BOLT.1,
            PlayerEvent::Tick => {
                self.damage += EFFECT.2;
                self.last_tick = cx.now();
                self.schedule_tick(cx)?;
            }
            PlayerEvent::Expire => {
                self.effect_runs = false;
                // The part of a tick that had gone by is dealt; the tick itself is void.
                let part = (cx.now() - self.last_tick) as f64 / self.tick as f64;
                self.damage += EFFECT.2 * part.min(1.0);
                self.effect.map(|effect| cx.touch(effect));
            }
            PlayerEvent::Wake => {
                let latency = self.latency.draw(cx.stream(super::LATENCY));
                cx.schedule(self.when(PlayerEvent::Ready, latency), PlayerEvent::Ready)?;
            }
            PlayerEvent::Ready => self.act(cx)?,
        }
        Ok(())
    }

    fn kind(event: &PlayerEvent) -> &'static str {
        match event {
            PlayerEvent::CastEnd => "cast ends",
            PlayerEvent::Tick => "tick",
            PlayerEvent::Expire => "effect expires",
            PlayerEvent::Wake => "cooldown over",
            PlayerEvent::Ready => "player ready",
        }
    }
}
