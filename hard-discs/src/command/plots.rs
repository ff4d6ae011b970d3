//! `hard-discs run --plot`: how fast the discs were, and how often they collided.

use std::path::{Path, PathBuf};

use hard_discs::{HardSpheres, Hit, Particle, Schedule};
use pictures::{Axis, Chart, Corner, Look, Series, WholeFile};
use saltus::observe::{GO_ON, Verdict};
use saltus::{BoxError, Header, Observer};

const BINS: usize = 48;

/// What is written into the folder.
pub(crate) const FILES: [&str; 2] = ["speeds.svg", "events.svg"];

/// Collects what the plots show: an observer.
pub(crate) struct Plots {
    folder: PathBuf,
    speeds: Speeds,
    pairs: Counts,
    walls: Counts,
    hit: Hit,
    end: f64,
}

impl Plots {
    /// Makes the folder.
    pub(crate) fn new<const D: usize, S: Schedule>(
        folder: &Path,
        model: &HardSpheres<D, S>,
        until: f64,
    ) -> Result<Plots, BoxError> {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: cannot be made: {error}", folder.display()))?;
        Ok(Plots {
            folder: folder.to_owned(),
            speeds: Speeds::new(model),
            pairs: Counts::new(until),
            walls: Counts::new(until),
            hit: Hit::Sample,
            end: 0.0,
        })
    }

    /// The run has ended.
    pub(crate) fn end(&mut self, now: f64) {
        self.end = now;
        for disc in 0..self.speeds.since.len() {
            self.speeds.leave(disc, now);
        }
    }

    /// Writes `speeds.svg` and `events.svg`.
    pub(crate) fn finish(self) -> Result<(), BoxError> {
        for (name, chart) in FILES.into_iter().zip([self.speeds.chart(self.end), self.events()]) {
            WholeFile::write(&self.folder.join(name), &chart.svg()?)?;
        }
        Ok(())
    }

    fn events(&self) -> Chart {
        let (pairs, walls) = (self.pairs.rates(self.end), self.walls.rates(self.end));
        let highest = pairs.iter().chain(&walls).map(|point| point.1).fold(0.0, f64::max);
        Chart {
            title: "Collisions".to_owned(),
            x: Axis::linear("time", 0.0, positive(self.end)),
            y: Axis::linear("collisions per unit of time", 0.0, 1.2 * positive(highest)),
            series: vec![Series::new("of two", Look::Thin, pairs), Series::new("with a wall", Look::Grey, walls)],
            legend: Corner::UpperRight,
        }
    }
}

impl<const D: usize, S: Schedule> Observer<HardSpheres<D, S>> for Plots {
    type Cause = ();

    fn before(&mut self, event: &Header<f64>, hit: &Hit, model: &HardSpheres<D, S>) -> Verdict {
        self.hit = *hit;
        let time = model.elapsed() + event.time;
        match hit {
            Hit::Pair(..) => self.pairs.add(time),
            Hit::Wall(..) => self.walls.add(time),
            Hit::Sample | Hit::Look(..) => {}
        }
        GO_ON
    }

    fn after(&mut self, event: &Header<f64>, model: &HardSpheres<D, S>) -> Verdict {
        for disc in self.hit.discs() {
            self.speeds.change(disc, model.elapsed() + event.time, speed(&model.disc(disc)));
        }
        GO_ON
    }
}

/// For how long discs had which speed.
struct Speeds {
    /// By disc: since when it has had its present speed, and that. A fixed obstacle has none that counts.
    since: Vec<Option<(f64, f64)>>,
    /// By range of speed: disc-time spent in it.
    spent: [f64; BINS],
    fastest: f64,
    /// Mass in units of temperature and number of discs, for each mass but that of fixed obstacles.
    masses: Vec<(f64, usize)>,
    /// Discs that are no fixed obstacles.
    movable: usize,
    dimensions: usize,
}

impl Speeds {
    fn new<const D: usize, S: Schedule>(model: &HardSpheres<D, S>) -> Speeds {
        let discs = model.discs();
        let movable = discs.iter().filter(|disc| disc.mass.is_finite()).count();
        let kt = positive(2.0 * model.energy() / (movable * D) as f64);
        let mut masses: Vec<f64> = discs.iter().map(|disc| disc.mass / kt).filter(|mass| mass.is_finite()).collect();
        masses.sort_by(f64::total_cmp);
        Speeds {
            since: discs.iter().map(|disc| disc.mass.is_finite().then(|| (0.0, speed(disc)))).collect(),
            spent: [0.0; BINS],
            // Of the lightest discs in equilibrium one in seven thousand is faster.
            fastest: masses.first().map_or(1.0, |lightest| 4.2 / lightest.sqrt()),
            masses: masses.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len())).collect(),
            movable,
            dimensions: D,
        }
    }

    fn change(&mut self, disc: usize, time: f64, speed: f64) {
        self.leave(disc, time);
        self.since[disc] = self.since[disc].map(|_| (time, speed));
    }

    /// Accounts for the speed that a disc has had up to now.
    fn leave(&mut self, disc: usize, time: f64) {
        let Some((since, speed)) = self.since[disc] else { return };
        let bin = (speed / self.fastest * BINS as f64) as usize;
        self.spent[bin.min(BINS - 1)] += time - since;
    }

    /// The density of speed in equilibrium, averaged over the discs: with m in units of kT, m v exp(-m v² / 2) in the plane and
    /// √(2/π) m^(3/2) v² exp(-m v² / 2) in space.
    fn maxwell_boltzmann(&self, v: f64) -> f64 {
        let ways = |m: f64| match self.dimensions {
            2 => m * v,
            _ => (2.0 / std::f64::consts::PI).sqrt() * m.powf(1.5) * v * v,
        };
        let density = |&(m, count): &(f64, usize)| count as f64 * ways(m) * (-0.5 * m * v * v).exp();
        self.masses.iter().map(density).sum::<f64>() / self.movable.max(1) as f64
    }

    fn chart(&self, end: f64) -> Chart {
        let width = self.fastest / BINS as f64;
        let whole = positive(end * self.movable as f64) * width;
        let heights: Vec<f64> = self.spent.iter().map(|time| time / whole).collect();
        let curve: Vec<(f64, f64)> =
            (0..=4 * BINS).map(|step| 0.25 * step as f64 * width).map(|v| (v, self.maxwell_boltzmann(v))).collect();
        let top = curve.iter().map(|point| point.1).fold(0.0, f64::max);
        Chart {
            title: "Speeds, averaged over the run".to_owned(),
            x: Axis::linear("speed", 0.0, self.fastest),
            // Discs that rest before the first collision may fill the first bin to any height.
            y: Axis::linear("density", 0.0, 1.6 * positive(top)),
            series: vec![
                Series::new("measured", Look::Thin, steps(&heights, width, 1.6 * positive(top))),
                Series::new("Maxwell-Boltzmann", Look::Dashed, curve),
            ],
            legend: Corner::UpperRight,
        }
    }
}

/// How often something happens, in intervals that double as the run goes on.
struct Counts {
    width: f64,
    counts: Vec<u64>,
}

impl Counts {
    const MOST: usize = 256;

    fn new(until: f64) -> Counts {
        // A run without an end in time has no scale of its own, and the intervals find it.
        let span = if until.is_finite() { positive(until) } else { 1.0 };
        Counts { width: span / f64::from(1u32 << 30), counts: Vec::new() }
    }

    fn add(&mut self, time: f64) {
        while time / self.width >= Counts::MOST as f64 {
            self.counts = self.counts.chunks(2).map(|pair| pair.iter().sum()).collect();
            self.width *= 2.0;
        }
        let bin = (time / self.width) as usize;
        if self.counts.len() <= bin {
            self.counts.resize(bin + 1, 0);
        }
        self.counts[bin] += 1;
    }

    /// Steps up to the end, which cuts the last interval short.
    fn rates(&self, end: f64) -> Vec<(f64, f64)> {
        let mut rates = self.counts.clone();
        rates.resize(((end / self.width).ceil() as usize).clamp(rates.len(), Counts::MOST), 0);
        let span = |bin: usize| positive((end - bin as f64 * self.width).min(self.width));
        let rates: Vec<f64> = rates.iter().enumerate().map(|(bin, &count)| count as f64 / span(bin)).collect();
        let mut points = steps(&rates, self.width, f64::INFINITY);
        points.iter_mut().for_each(|point| point.0 = point.0.min(end));
        points
    }
}

/// The upper edge of a histogram.
fn steps(heights: &[f64], width: f64, highest: f64) -> Vec<(f64, f64)> {
    let step = |(bin, height): (usize, &f64)| [bin, bin + 1].map(|side| (side as f64 * width, height.min(highest)));
    heights.iter().enumerate().flat_map(step).collect()
}

fn speed<const D: usize>(disc: &Particle<D>) -> f64 {
    disc.velocity.iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// A length of an axis where there may be none to show.
fn positive(value: f64) -> f64 {
    if value > 0.0 { value } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_intervals_that_double_lose_nothing() {
        let mut counts = Counts::new(100.0);
        (0..5000).for_each(|i| counts.add(f64::from(i) * 0.02));
        assert_eq!(counts.counts.iter().sum::<u64>(), 5000);
        assert!((128..=256).contains(&counts.counts.len()), "{}", counts.counts.len());
        let rates = counts.rates(100.0);
        assert!(rates.iter().all(|rate| (rate.1 - 50.0).abs() < 3.0), "{rates:?}");
        assert_eq!(rates.last().map(|rate| rate.0), Some(100.0));
    }

    #[test]
    fn the_curve_has_area_one_and_the_energy_of_the_discs() {
        let mut model = hard_discs::starts::make(hard_discs::starts::Start::Brownian, None, None, 1).expect("discs");
        let speeds = Speeds::new(&model);
        let step = speeds.fastest / 4800.0;
        let area: f64 = (0..4800).map(|i| step * speeds.maxwell_boltzmann((f64::from(i) + 0.5) * step)).sum();
        assert!((area - 1.0).abs() < 3e-4, "{area}");
        // All energy in units of temperature is one for each disc of a plane.
        model = model.at(0.0);
        let masses: usize = speeds.masses.iter().map(|mass| mass.1).sum();
        assert_eq!(masses, model.discs().len());
    }
}
