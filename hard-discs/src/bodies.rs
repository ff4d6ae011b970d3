//! The radii and masses of many particles, of which most are usually alike.

use wide::f64x4;

/// Radius and mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Body {
    pub(crate) radius: f64,
    pub(crate) mass: f64,
}

/// One body for each kind, and the kind of each particle unless all are of one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bodies {
    /// The sum of two radii, if all are of one kind.
    sigma: Option<f64>,
    kinds: Vec<Body>,
    /// Empty if all are of the first kind.
    kind_of: Vec<u32>,
}

impl Bodies {
    /// O(N log N).
    pub(crate) fn new(all: impl ExactSizeIterator<Item = Body> + Clone) -> Bodies {
        let order = |a: &Body, b: &Body| a.radius.total_cmp(&b.radius).then(a.mass.total_cmp(&b.mass));
        let Some(first) = all.clone().next() else { return Bodies::default() };
        if all.clone().all(|body| body == first) {
            return Bodies { sigma: Some(first.radius + first.radius), kinds: vec![first], kind_of: Vec::new() };
        }
        let mut kinds: Vec<Body> = all.clone().collect();
        kinds.sort_unstable_by(order);
        kinds.dedup();
        let kind_of = all.map(|body| kinds.partition_point(|kind| order(kind, &body).is_lt()) as u32).collect();
        Bodies { sigma: None, kinds, kind_of }
    }

    /// The body of particle `i`.
    #[inline]
    pub(crate) fn get(&self, i: usize) -> &Body {
        &self.kinds[self.kind_of.get(i).map_or(0, |&kind| kind as usize)]
    }

    /// The sums of the radii of a particle and four others.
    #[inline(always)]
    pub(crate) fn sigma_of_four(&self, i: usize, four: [u32; 4]) -> f64x4 {
        match self.sigma {
            Some(sigma) => f64x4::splat(sigma),
            None => f64x4::new(four.map(|j| self.sigma(i, j as usize))),
        }
    }

    /// The sum of the radii of two particles.
    #[inline(always)]
    pub(crate) fn sigma(&self, i: usize, j: usize) -> f64 {
        self.sigma.unwrap_or_else(|| self.get(i).radius + self.get(j).radius)
    }
}
