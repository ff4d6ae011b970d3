//! Hybrid models: the scenarios on which event location is known to go wrong, each with its right answer.

mod audit;
mod ball;
mod chatter;
mod entities;
mod fixed;
mod holds;
mod instants;
mod locate;
mod log;
mod models;
mod properties;
