//! Random numbers in named streams.
//!
//! A stream is named by (seed, replication, stream), three numbers of 64 bits. Its generator is ChaCha with 8 rounds and a
//! 256-bit key: the three numbers and the letters `saltus 1`, each eight bytes, little-endian, in that order; block counter
//! and nonce start at zero. 64-bit outputs are consecutive little-endian words of the key stream. This is fixed: the same
//! name gives the same numbers on every platform and in every version. What one stream draws never shifts another, and no
//! two names share a key.

use std::collections::BTreeMap;
use std::convert::Infallible;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng, TryRng};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// 2^-53.
const ULP: f64 = f64::EPSILON / 2.0;

/// A stream of random numbers. It is also a generator for the `rand` crates (`rand_core::Rng`).
///
/// ```
/// let mut arrivals = saltus::Stream::new(42, 0, 1);
/// let mut again = saltus::Stream::new(42, 0, 1);
/// assert_eq!(arrivals.exponential(2.0), again.exponential(2.0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// The stream with this name, at its beginning.
    pub fn new(seed: u64, replication: u64, stream: u64) -> Stream {
        let mut key = [0; 32];
        let words = [seed, replication, stream, u64::from_le_bytes(*b"saltus 1")];
        for (bytes, word) in key.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Stream(ChaCha8Rng::from_seed(key))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform on [0, 1): a multiple of 2^-53.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * ULP
    }

    /// Uniform on 0, 1, ..., `n` - 1, without bias (Lemire 2019). `n` = 0 counts as 1.
    pub fn below(&mut self, n: u64) -> u64 {
        let n = n.max(1);
        loop {
            let product = u128::from(self.bits()) * u128::from(n);
            // Only a low half under 2^64 mod n can come from an over-represented value.
            if product as u64 >= n.wrapping_neg() % n {
                return (product >> 64) as u64;
            }
        }
    }

    /// Exponential with this mean, by inversion.
    #[inline]
    pub fn exponential(&mut self, mean: f64) -> f64 {
        // libm's logarithm, not the platform's: they differ in the last bit.
        -mean * libm::log(1.0 - self.uniform())
    }

    /// Normal, by Marsaglia's polar method: from uniform x and y on [-1, 1) with s = x^2 + y^2 in (0, 1),
    /// mean + deviation * x * sqrt(-2 ln(s) / s). The other number of the pair is not used.
    pub fn normal(&mut self, mean: f64, deviation: f64) -> f64 {
        loop {
            let (x, y) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return mean + deviation * x * (-2.0 * libm::log(square) / square).sqrt();
            }
        }
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.next_u32())
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next_u64())
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}

/// The streams that a simulation has used so far.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub(crate) struct Streams {
    seed: u64,
    replication: u64,
    open: BTreeMap<u64, Stream>,
}

impl Streams {
    pub(crate) fn new(seed: u64, replication: u64) -> Streams {
        Streams { seed, replication, open: BTreeMap::new() }
    }

    pub(crate) fn get(&mut self, stream: u64) -> &mut Stream {
        let (seed, replication) = (self.seed, self.replication);
        self.open.entry(stream).or_insert_with(|| Stream::new(seed, replication, stream))
    }
}
