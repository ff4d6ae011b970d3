//! A log of any size: entities that meet, which voids what they had in mind before.

use saltus::log::LogHeader;
use saltus::observe::Recorder;
use saltus::{Context, Entity, Model, Outcome, Settings, Simulation, Stamps, When};

/// Each meeting, and each moment alone, is followed by the next of everybody who took part.
struct Rally {
    entities: Vec<Entity>,
    noise: u64,
}

#[derive(Clone, Copy)]
enum Event {
    Meet(usize, usize),
    Solo(usize),
}

impl Rally {
    fn random(&mut self, below: usize) -> usize {
        self.noise = self.noise.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.noise >> 33) as usize % below
    }

    fn plan(&mut self, who: usize, cx: &mut impl Context<Self>) -> Outcome {
        let after = When::after(0.001 + self.random(100_000) as f64 / 1e4).stamp(self.entities[who]);
        let other = self.random(self.entities.len());
        if other == who {
            cx.schedule(after, Event::Solo(who))?;
        } else {
            cx.schedule(after.stamp(self.entities[other]), Event::Meet(who, other))?;
        }
        Ok(())
    }
}

impl Model for Rally {
    type Time = f64;
    type Event = Event;
    type Refs = Stamps<2>;

    fn handle(&mut self, event: Event, cx: &mut impl Context<Self>) -> Outcome {
        let who = match event {
            Event::Meet(a, b) => vec![a, b],
            Event::Solo(a) => vec![a],
        };
        for &who in &who {
            cx.touch(self.entities[who]);
        }
        who.iter().try_for_each(|&who| self.plan(who, cx))
    }

    fn kind(event: &Event) -> &'static str {
        match event {
            Event::Meet(..) => "meet",
            Event::Solo(_) => "solo",
        }
    }
}

/// The log of so many entities and executed events.
pub(crate) fn rally(entities: usize, events: u64) -> Vec<u8> {
    let settings = Settings::default();
    let recorder = Recorder::streaming(Vec::new(), &LogHeader::new("rally", &settings)).unwrap();
    let mut simulation = Simulation::<_, _>::with(Rally { entities: Vec::new(), noise: 7 }, settings, recorder);
    let (rally, cx) = simulation.parts();
    rally.entities.extend((0..entities).map(|_| cx.spawn()));
    (0..entities).for_each(|who| rally.plan(who, cx).unwrap());
    let result = simulation.run_events(events);
    simulation.into_parts().1.finish(&result).unwrap()
}
