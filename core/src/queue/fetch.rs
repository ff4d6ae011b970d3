//! A hint to the processor.

/// Asks for a slice to be brought into the cache while other work goes on. Nothing but the time that passes depends on it.
#[inline(always)]
#[allow(unsafe_code)]
pub(super) fn fetch<E>(slice: &[E]) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = slice.as_ptr().cast::<i8>();
        for line in (0..size_of_val(slice)).step_by(64) {
            // SAFETY: a hint never faults, whatever the address is, and this one lies in the slice.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(line)) };
        }
    }
    let _ = slice;
}
