//! The time from an event to the one that it schedules, in the shapes that queues find hard.

/// A small generator: xorshift with a multiplier. The measured loop should not be about random numbers.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub struct Random(pub u64);

impl Random {
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// In [0, 1).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        (((self.bits() >> 32) * n as u64) >> 32) as usize
    }

    #[inline]
    pub fn exponential(&mut self) -> f64 {
        -(1.0 - self.unit()).ln()
    }
}

const TABLE: usize = 4096;

/// Draws gaps from a table, since a logarithm takes as long as a queue operation. All have mean 1 (bimodal about 6, ties 5.5).
pub struct Gaps {
    table: Vec<f64>,
    random: Random,
}

impl Gaps {
    pub fn new(distribution: &str) -> Gaps {
        let table = (0..TABLE).map(|i| {
            let u = (i as f64 + 0.5) / TABLE as f64;
            match distribution {
                "exponential" => -(1.0 - u).ln(),
                "uniform" => 2.0 * u,
                // Most come back soon, one in twenty after a long time.
                "bimodal" if u < 0.95 => u / 0.95,
                "bimodal" => 90.0 + (u - 0.95) * 400.0,
                "triangular" => 1.5 * u.sqrt(),
                // Shape 1.5: finite mean, infinite variance.
                "pareto" => (1.0 - u).powf(-1.0 / 1.5) / 3.0,
                "ties" => (10.0 * u).ceil(),
                "equal" => 1.0,
                other => panic!("no distribution is called {other}"),
            }
        });
        Gaps { table: table.collect(), random: Random(0x1234_5678_9ABC_DEF1) }
    }

    #[inline]
    pub fn next(&mut self) -> f64 {
        self.table[(self.random.bits() >> 52) as usize]
    }

    /// Times for events that have been pending for long: a gap that covers a random moment is drawn in proportion to its
    /// length, and what is left of it is a part. Starting so, the queue is in its steady state at once.
    pub fn initial(&mut self, whole: bool) -> impl FnMut() -> f64 {
        let mut sums: Vec<f64> = Vec::with_capacity(TABLE);
        for gap in &self.table {
            sums.push(sums.last().unwrap_or(&0.0) + gap);
        }
        move || {
            let x = self.random.unit() * sums[TABLE - 1];
            let gap = self.table[sums.partition_point(|&sum| sum <= x).min(TABLE - 1)];
            let left = gap * self.random.unit();
            if whole { left.floor() } else { left }
        }
    }
}
