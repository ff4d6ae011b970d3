//! Small models that teach [`saltus`](https://docs.rs/saltus), one file each. Run one with
//! `cargo run --release --example bank`.
