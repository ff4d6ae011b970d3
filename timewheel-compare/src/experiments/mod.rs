//! The experiments: what is run, and what is counted. Tables, files and plots are made elsewhere.

pub mod cost;
pub mod discs;
pub mod haste;
pub mod latency;
pub mod quantise;
pub mod scan;
pub mod side_by_side;
