//! CPU time in windows, memory, and the rows that are printed.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use cpu_time::ThreadTime;

/// Counts what is allocated. Wall time and other threads' memory would say more about the neighbours than about the work.
pub struct Counting;

static BYTES: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

fn grown(bytes: usize) {
    ALLOCATIONS.fetch_add(1, Relaxed);
    PEAK.fetch_max(BYTES.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

// SAFETY: every request is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        grown(size);
        BYTES.fetch_sub(layout.size(), Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

pub struct Row {
    pub work: &'static str,
    pub queue: String,
    pub size: usize,
    pub distribution: String,
    /// Median over the windows.
    pub ns: f64,
    pub fastest: f64,
    /// Whether the events came in exactly the right order; `None` if that was not looked at.
    pub exact: Option<bool>,
    /// Most bytes in use during the windows, beyond what was in use before the queue was made.
    pub bytes: usize,
    /// During the windows.
    pub allocations: usize,
}

impl Row {
    pub fn print(&self, json: bool) {
        let Row { work, queue, size, distribution, ns, fastest, exact, bytes, allocations } = self;
        if json {
            let exact = exact.map_or("null".into(), |exact| exact.to_string());
            println!(
                r#"{{"work":"{work}","queue":"{queue}","size":{size},"distribution":"{distribution}","ns":{ns:.2},"fastest":{fastest:.2},"exact":{exact},"bytes":{bytes},"allocations":{allocations}}}"#
            );
        } else {
            let exact = match exact {
                None => "",
                Some(true) => "exact",
                Some(false) => "NOT EXACT",
            };
            println!(
                "{work:6} {queue:22} {size:>9} {distribution:11} {ns:8.1} ns (fastest {fastest:7.1}) {:>9.2} MiB {allocations:>6} allocations {exact}",
                *bytes as f64 / (1 << 20) as f64
            );
        }
    }
}

/// For tools that count instructions: one window of exactly so many operations, and no timing.
pub static EXACTLY: OnceLock<usize> = OnceLock::new();

/// What a run of windows took.
pub struct Cost {
    pub ns: f64,
    pub fastest: f64,
    pub bytes: usize,
    pub allocations: usize,
}

pub fn bytes_in_use() -> usize {
    BYTES.load(Relaxed)
}

/// Times `step` in windows of about a twentieth of a second of CPU time and takes the median of seven. What `step` is given is
/// how often it is to do its work.
pub fn windows(before: usize, warm: usize, mut step: impl FnMut(usize)) -> Cost {
    step(warm);
    if let Some(&count) = EXACTLY.get() {
        step(count);
        return Cost { ns: f64::NAN, fastest: f64::NAN, bytes: 0, allocations: 0 };
    }
    let trial = ThreadTime::now();
    step(20_000);
    let count = (20_000.0 * 5e7 / trial.elapsed().as_nanos() as f64) as usize;
    PEAK.store(BYTES.load(Relaxed), Relaxed);
    let allocations = ALLOCATIONS.load(Relaxed);
    let mut ns: Vec<f64> = (0..7)
        .map(|_| {
            let start = ThreadTime::now();
            step(count.max(20_000));
            start.elapsed().as_nanos() as f64 / count.max(20_000) as f64
        })
        .collect();
    let allocations = ALLOCATIONS.load(Relaxed) - allocations - 1;
    ns.sort_by(f64::total_cmp);
    Cost { ns: ns[ns.len() / 2], fastest: ns[0], bytes: PEAK.load(Relaxed).saturating_sub(before), allocations }
}
