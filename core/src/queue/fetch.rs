//! A hint to the processor, and the only `unsafe` of the crate.
//!
//! A chain of chunks is a chain of cache misses unless the next is on its way before it is needed. With a million pending this
//! takes off about a tenth of an event's time. On other processors, and under miri, it does nothing.

/// Asks for the first byte of something, if it is there, to be brought into the cache while other work goes on. Nothing but time
/// depends on it.
#[inline(always)]
#[allow(unsafe_code, reason = "a hint without effect, and a tenth of the time with a million pending")]
pub(super) fn fetch<E>(what: Option<&E>) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if let Some(what) = what {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the address is that of a living reference, and a hint would not fault whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(what).cast()) };
    }
    let _ = what;
}
