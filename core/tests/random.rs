//! The random streams: which numbers they give, and that no two have anything to do with each other.

use saltus::{Context, Model, Outcome, Settings, Simulation, Stamps, Stream};

// The constants were computed from the definition of ChaCha by a program that shares nothing with this crate: constant words
// "expand 32-byte k", the key as the documentation of `saltus::random` lays it out, a 64-bit block counter from 0, a nonce
// of 64 zero bits, four double rounds. The program was checked against the first block of ChaCha20 in RFC 8439, A.1.

/// Of a stream: its name, outputs 1 to 4, outputs 9 and 10 (the second block), and output 1000.
struct Golden {
    name: (u64, u64, u64),
    first: [u64; 4],
    second_block: [u64; 2],
    thousandth: u64,
}

const GOLDEN: [Golden; 4] = [
    Golden {
        name: (0, 0, 0),
        first: [0x353b_8771_7962_fb98, 0x5a70_14e8_18cc_da18, 0x10d5_05c4_be38_cc83, 0xcd13_08e5_8919_54ca],
        second_block: [0xc03b_24d8_05ac_f832, 0x4faa_ff63_63b6_9dc7],
        thousandth: 0x4bd2_a7ad_0e2d_6018,
    },
    Golden {
        name: (42, 0, 1),
        first: [0x283e_c8c2_36d8_20a6, 0x15fa_8eac_6ea6_cdc6, 0xe68b_430e_36d9_0deb, 0x40f0_d9c3_794a_05db],
        second_block: [0x49c2_daa8_d521_959a, 0x1042_396b_dc38_e461],
        thousandth: 0x2933_190f_7b40_1e8f,
    },
    Golden {
        name: (42, 1, 0),
        first: [0x0800_6be6_5e3b_bc90, 0x34cf_dfb2_e731_b8e9, 0x9bec_0e4c_f12d_ba8b, 0xb225_e507_00ac_b618],
        second_block: [0x9ebe_78f9_b1f9_c6c9, 0x8f43_3213_33bf_cf71],
        thousandth: 0xb2fd_0610_fb58_c6af,
    },
    Golden {
        name: (u64::MAX, 1 << 63, 7),
        first: [0x6ea9_ec86_6ede_6438, 0xa57b_46f0_16bc_725e, 0xd32b_5043_17c0_74c9, 0x5429_745f_4ecb_dac8],
        second_block: [0x0f74_7846_63f2_8cd2, 0x8c92_1bec_50f4_a224],
        thousandth: 0x7ca1_b825_a847_0e2e,
    },
];

#[test]
fn a_name_gives_the_numbers_that_the_documentation_promises() {
    for golden in GOLDEN {
        let (seed, replication, stream) = golden.name;
        let mut stream = Stream::new(seed, replication, stream);
        let outputs: Vec<_> = (0..1000).map(|_| stream.bits()).collect();
        assert_eq!(outputs[..4], golden.first);
        assert_eq!(outputs[8..10], golden.second_block);
        assert_eq!(outputs[999], golden.thousandth);
    }
}

#[test]
fn distributions_are_made_of_the_bits_as_documented() {
    let mut stream = Stream::new(42, 0, 1);
    assert_eq!(
        [(); 4].map(|()| stream.uniform()),
        [0.1572080110698555, 0.08585445127269076, 0.9005624685004002, 0.25367508909520353]
    );
    let mut stream = Stream::new(42, 0, 1);
    assert_eq!([(); 8].map(|()| stream.below(10)), [1, 0, 9, 2, 2, 9, 4, 1]);

    // Computed with fifty digits and rounded; the same on every platform, since no platform's logarithm is used.
    let mut stream = Stream::new(42, 0, 1);
    assert_eq!(
        [(); 4].map(|()| stream.exponential(2.0)),
        [0.3420702048017134, 0.17953095304354166, 4.616451312212616, 0.5851884723827366]
    );
    // In double precision, with a logarithm of fifty digits rounded.
    let mut stream = Stream::new(42, 0, 2);
    assert_eq!(
        [(); 4].map(|()| stream.normal(0.0, 1.0)),
        [-1.46721706124865, -0.39152482114831044, -0.12996272278547674, 0.026017360595411414]
    );
}

#[test]
fn distributions_have_their_means_and_deviations() {
    let n = 100_000;
    let mut stream = Stream::new(1, 2, 3);
    let mut check = |draw: &mut dyn FnMut(&mut Stream) -> f64, mean: f64, deviation: f64| {
        let numbers: Vec<f64> = (0..n).map(|_| draw(&mut stream)).collect();
        let m = numbers.iter().sum::<f64>() / f64::from(n);
        let s = (numbers.iter().map(|x| (x - m).powi(2)).sum::<f64>() / f64::from(n)).sqrt();
        // Five standard deviations of the mean; the deviation to two percent.
        assert!((m - mean).abs() < 5.0 * deviation / f64::from(n).sqrt(), "mean {m} for {mean}");
        assert!((s / deviation - 1.0).abs() < 0.02, "deviation {s} for {deviation}");
    };
    check(&mut |s| s.uniform(), 0.5, (1.0f64 / 12.0).sqrt());
    check(&mut |s| s.exponential(3.0), 3.0, 3.0);
    check(&mut |s| s.normal(-2.0, 0.5), -2.0, 0.5);
    check(&mut |s| s.below(6) as f64, 2.5, (35.0f64 / 12.0).sqrt());
    assert_eq!((stream.below(0), stream.below(1)), (0, 0));
}

/// Uniform numbers, each moved and scaled so that a sum of products is a correlation.
fn standardised(seed: u64, replication: u64, stream: u64, n: u32) -> Vec<f64> {
    let mut stream = Stream::new(seed, replication, stream);
    let numbers: Vec<f64> = (0..n).map(|_| stream.uniform()).collect();
    let mean = numbers.iter().sum::<f64>() / f64::from(n);
    let norm = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>().sqrt();
    numbers.iter().map(|x| (x - mean) / norm).collect()
}

#[test]
fn streams_of_neighbouring_names_are_not_correlated() {
    let names = (0..10).flat_map(|replication| (0..10).map(move |stream| (replication, stream)));
    let names: Vec<(u64, u64)> = names.collect();
    let mut all: Vec<Vec<f64>> = Vec::new();
    for seed in [42, 43] {
        all.extend(names.iter().map(|&(r, s)| standardised(seed, r, s, 10_000)));
    }
    for (i, a) in all.iter().enumerate() {
        for b in &all[..i] {
            let correlation: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
            // Five standard deviations.
            assert!(correlation.abs() < 0.05, "{correlation}");
        }
    }
    for position in 0..10 {
        let values = [42, 43].into_iter().flat_map(|seed| {
            names.iter().map(move |&(replication, stream)| {
                let mut stream = Stream::new(seed, replication, stream);
                (0..=position).map(|_| stream.bits()).last()
            })
        });
        let distinct: std::collections::BTreeSet<_> = values.collect();
        assert_eq!(distinct.len(), 200, "position {position}");
    }
}

/// Draws from one stream at every event, and from another at some.
struct Draws {
    greedy: bool,
    numbers: Vec<u64>,
}

impl Model for Draws {
    type Time = f64;
    type Event = ();
    type Refs = Stamps<0>;

    fn handle(&mut self, _: (), cx: &mut impl Context<Self>) -> Outcome {
        if self.greedy {
            cx.stream(2).bits();
        }
        let number = cx.stream(1).bits();
        self.numbers.push(number);
        cx.schedule_in(1.0, ())?;
        Ok(())
    }
}

#[test]
fn what_one_stream_draws_never_shifts_another() {
    let draw = |greedy| {
        let settings = Settings { seed: 42, replication: 5, ..Settings::default() };
        let numbers = Vec::new();
        let mut sim: Simulation<_> = Simulation::with(Draws { greedy, numbers }, settings, ());
        sim.context().schedule_at(0.0, ()).unwrap();
        sim.run_events(10).unwrap();
        sim.into_parts().0.numbers
    };
    let mut stream = Stream::new(42, 5, 1);
    let expected: Vec<_> = (0..10).map(|_| stream.bits()).collect();
    assert_eq!(draw(false), expected);
    assert_eq!(draw(true), expected);
}
