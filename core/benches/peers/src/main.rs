//! Saltus beside other crates, in one process, on the same work.
//!
//! ```text
//! cargo run --release --manifest-path core/benches/peers/Cargo.toml -- hold|phold|mm1|churn|ball [--size N]... [--distribution D]... [--only NAME] [--exactly COUNT] [--json]
//! ```

mod ball;
mod engines;
mod gaps;
mod hold;
mod measure;

#[global_allocator]
static ALLOCATOR: measure::Counting = measure::Counting;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let values = |name: &str| -> Vec<String> {
        let pairs = arguments.windows(2).filter(|pair| pair[0] == name);
        pairs.map(|pair| pair[1].clone()).collect()
    };
    let json = arguments.iter().any(|argument| argument == "--json");
    let print = |row: measure::Row| row.print(json);
    let only = values("--only");
    let wanted = |queue: &str| only.is_empty() || only.iter().any(|part| queue.contains(part.as_str()));
    let sizes: Vec<usize> =
        values("--size").iter().map(|size| size.parse::<f64>().expect("a size is a number") as usize).collect();
    if let Some(count) = values("--exactly").first() {
        let _ = measure::EXACTLY.set(count.parse::<f64>().expect("a count is a number") as usize);
    }
    let distributions = values("--distribution");
    match arguments.first().map(String::as_str) {
        Some("hold") => {
            let sizes = if sizes.is_empty() { vec![100, 1000, 10_000, 100_000, 1_000_000] } else { sizes };
            let distributions = if distributions.is_empty() { vec!["exponential".into()] } else { distributions };
            for distribution in &distributions {
                for &size in &sizes {
                    hold::rows(size, distribution, &wanted, &print);
                }
            }
        }
        Some("phold") => engines::rows("phold", &sizes, &wanted, &print),
        Some("mm1") => engines::rows("mm1", &sizes, &wanted, &print),
        Some("ball") => ball::rows(&sizes, &wanted, &print),
        Some("churn") => engines::rows("churn", &sizes, &wanted, &print),
        _ => eprintln!("usage: peers hold|phold|mm1|churn|ball [--size N] [--distribution NAME] [--only QUEUE] [--json]"),
    }
}
