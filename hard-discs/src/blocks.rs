//! Means of correlated series, with error bars from block averages.
//!
//! Values that follow each other in a simulation are alike, so that the spread of single values tells too small an error of
//! their mean. The means of long blocks are nearly independent. Blocks of 1, 2, 4, ... values are kept at once, and as the blocks
//! get longer the error found from them grows until it is right (Flyvbjerg and Petersen, J. Chem. Phys. 91, 461, 1989).

/// An estimate: a value and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "command", derive(serde::Serialize))]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its standard error; `None` from fewer than two values.
    pub error: Option<f64>,
}

impl Estimate {
    /// The same estimate in other units.
    pub fn map(self, factor: f64, offset: f64) -> Estimate {
        Estimate { value: offset + factor * self.value, error: self.error.map(|error| error * factor.abs()) }
    }
}

/// Blocks from which an error is believed. Fewer would know it to no better than one part in six.
const ENOUGH: u64 = 32;

/// A series as block averages: O(log n) memory, O(1) a value on average.
#[derive(Clone, Debug, Default)]
pub struct BlockAverages {
    levels: Vec<Level>,
}

/// Blocks of one length.
#[derive(Clone, Debug, Default)]
struct Level {
    count: u64,
    mean: f64,
    /// Sum of squared distances from the mean (Welford).
    squares: f64,
    /// The first of two blocks that make one of the next level.
    half: Option<f64>,
}

impl Level {
    fn push(&mut self, value: f64) -> Option<f64> {
        self.count += 1;
        let distance = value - self.mean;
        self.mean += distance / self.count as f64;
        self.squares += distance * (value - self.mean);
        match self.half.take() {
            None => {
                self.half = Some(value);
                None
            }
            Some(first) => Some(0.5 * (first + value)),
        }
    }

    /// The standard error of the mean, if blocks of this length were independent.
    fn error(&self) -> Option<f64> {
        let n = self.count as f64;
        (self.count > 1).then(|| (self.squares / (n * (n - 1.0))).sqrt())
    }
}

impl BlockAverages {
    /// An empty series.
    pub fn new() -> BlockAverages {
        BlockAverages::default()
    }

    /// Adds the next value.
    pub fn push(&mut self, value: f64) {
        let mut block = Some(value);
        for level in 0.. {
            let Some(value) = block else { break };
            if level == self.levels.len() {
                self.levels.push(Level::default());
            }
            block = self.levels[level].push(value);
        }
    }

    /// How many values there are.
    pub fn count(&self) -> u64 {
        self.levels.first().map_or(0, |level| level.count)
    }

    /// The mean and its error: the largest that blocks of any length show of which there are at least 32. NaN from no value.
    pub fn estimate(&self) -> Estimate {
        let value = self.levels.first().map_or(f64::NAN, |level| level.mean);
        let single = self.levels.first().and_then(Level::error);
        let blocks = self.levels.iter().filter(|level| level.count >= ENOUGH).filter_map(Level::error);
        Estimate { value, error: single.map(|single| blocks.fold(single, f64::max)) }
    }
}

/// The mean of single values and its error.
impl FromIterator<f64> for BlockAverages {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> BlockAverages {
        let mut blocks = BlockAverages::new();
        values.into_iter().for_each(|value| blocks.push(value));
        blocks
    }
}

/// The ratio of two sums, as virial to time, with the error that follows from how far each part strays from the whole:
/// that of the mean of numerator - ratio * denominator, over the mean of the denominators.
pub fn ratio(parts: impl Iterator<Item = (f64, f64)> + Clone) -> Estimate {
    let (mut above, mut below, mut count) = (0.0, 0.0, 0.0);
    for (numerator, denominator) in parts.clone() {
        above += numerator;
        below += denominator;
        count += 1.0;
    }
    let value = above / below;
    let residuals: BlockAverages = parts.map(|(numerator, denominator)| numerator - value * denominator).collect();
    Estimate { value, error: residuals.estimate().error.map(|error| error * count / below) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saltus::Stream;

    /// x' = memory * x + noise of deviation 1: the variance of a mean of n is (1 / (1 - memory))² / n for many n.
    fn remembering(memory: f64, n: usize, seed: u64) -> Vec<f64> {
        let mut noise = Stream::new(seed, 0, 0);
        let mut x = noise.normal(0.0, 1.0 / (1.0 - memory * memory).sqrt());
        let mut next = || {
            x = memory * x + noise.normal(0.0, 1.0);
            x
        };
        (0..n).map(|_| next()).collect()
    }

    #[test]
    fn few_values_are_their_textbook_mean_and_error() {
        let blocks: BlockAverages = [1.0, 2.0, 3.0, 4.0].into_iter().collect();
        let Estimate { value, error } = blocks.estimate();
        assert_eq!((value, blocks.count()), (2.5, 4));
        assert!((error.unwrap() - (5.0f64 / 3.0 / 4.0).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn one_value_has_no_error_and_no_value_no_mean() {
        let one: BlockAverages = [7.0].into_iter().collect();
        assert_eq!(one.estimate(), Estimate { value: 7.0, error: None });
        assert!(BlockAverages::new().estimate().value.is_nan());
        assert_eq!(BlockAverages::new().estimate().error, None);
    }

    #[test]
    fn independent_values_have_the_error_of_single_ones() {
        let n = 1 << 16;
        let blocks: BlockAverages = remembering(0.0, n, 1).into_iter().collect();
        let expected = 1.0 / (n as f64).sqrt();
        let error = blocks.estimate().error.unwrap();
        assert!((0.98..1.35).contains(&(error / expected)), "{error} instead of {expected}");
    }

    #[test]
    fn values_that_remember_have_the_error_of_their_long_blocks() {
        for (memory, seed) in [(0.5, 1), (0.9, 2), (0.98, 3)] {
            let n = 1 << 18;
            let blocks: BlockAverages = remembering(memory, n, seed).into_iter().collect();
            let expected = 1.0 / (1.0 - memory) / (n as f64).sqrt();
            let error = blocks.estimate().error.unwrap();
            assert!((0.85..1.4).contains(&(error / expected)), "memory {memory}: {error} instead of {expected}");
            // The error of single values is far off, which is what blocks are for.
            let single = blocks.levels[0].error().unwrap();
            assert!(single < 0.75 * expected);
        }
    }

    #[test]
    fn the_truth_lies_within_two_errors_nineteen_times_of_twenty() {
        let runs = 400;
        let inside = (0..runs)
            .filter(|&seed| {
                let blocks: BlockAverages = remembering(0.8, 1 << 12, seed).into_iter().collect();
                let Estimate { value, error } = blocks.estimate();
                value.abs() < 2.0 * error.unwrap()
            })
            .count();
        assert!((0.93..0.995).contains(&(inside as f64 / runs as f64)), "{inside} of {runs}");
    }

    #[test]
    fn a_ratio_is_that_of_the_sums_and_its_error_that_of_the_residuals() {
        // Proportional parts leave no doubt, however different they are.
        let exact = ratio([(2.0, 1.0), (20.0, 10.0), (6.0, 3.0)].into_iter());
        assert_eq!(exact, Estimate { value: 2.0, error: Some(0.0) });
        // Denominators of one: the mean and its error.
        let values = remembering(0.5, 1 << 10, 9);
        let found = ratio(values.iter().map(|&x| (x, 1.0)));
        let blocks: BlockAverages = values.iter().copied().collect();
        assert!((found.value - blocks.estimate().value).abs() < 1e-14);
        assert!((found.error.unwrap() - blocks.estimate().error.unwrap()).abs() < 1e-14);
    }
}
