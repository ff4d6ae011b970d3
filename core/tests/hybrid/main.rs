//! Hybrid models.

mod ball;
mod models;
