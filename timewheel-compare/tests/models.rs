//! The models F, P and M have the values that they should under the event-driven driver.

use saltus::Model;
use timewheel_compare::drivers::{Driver, Job, Workload};
use timewheel_compare::models::{Damage, Filler, Latency, Player, SECOND, Streams};
use timewheel_compare::settings::Settings;

const HOUR: u64 = 3600 * SECOND;

fn dps<M: Workload + Damage + Model<Time = u64>>(driver: Driver, model: M) -> (f64, u64) {
    let wheel = Settings::default().wheel(SECOND).expect("good settings");
    let ran = driver.run(Job::new(model, wheel, HOUR - 1)).expect("no errors");
    (ran.model.damage() / 3600.0, ran.counters.executed)
}

#[test]
fn m() {
    for h in [0.0, 0.2, 0.3] {
        println!("{h} {:?}", dps(Driver::EventDriven, Player::new(h, Latency::NONE)));
        println!("{h} {:?}", dps(Driver::EventDriven, Player::new(h, Latency::NONE).ready_before_expiry()));
        println!("{h} {:?}", dps(Driver::SkippingWheel, Player::new(h, Latency::NONE)));
    }
    let all: Vec<_> =
        (0..=400).map(|i| dps(Driver::EventDriven, Player::new(f64::from(i) / 1000.0, Latency::NONE))).collect();
    let mean = all.iter().map(|d| d.0).sum::<f64>() / 401.0;
    let events = all.iter().map(|d| d.1).sum::<u64>() as f64 / 401.0;
    println!("{mean} {events} {}", (all[400].0 - all[0].0) / 40.0);
    let rel: Vec<_> = (0..=400)
        .map(|i| {
            dps(Driver::SkippingWheel, Player::new(f64::from(i) / 1000.0, Latency::NONE)).0 / all[i as usize].0 - 1.0
        })
        .collect();
    let m = rel.iter().sum::<f64>() / 401.0;
    let sd = (rel.iter().map(|r| (r - m).powi(2)).sum::<f64>() / 401.0).sqrt();
    println!(
        "wheel {m} {sd} {}",
        rel.iter().cloned().fold(f64::MIN, f64::max) - rel.iter().cloned().fold(f64::MAX, f64::min)
    );
    println!(
        "{:?} {:?}",
        dps(Driver::EventDriven, Filler::new(0.2, Latency::NONE)),
        dps(Driver::EventDriven, Streams::new(0.2))
    );
}
