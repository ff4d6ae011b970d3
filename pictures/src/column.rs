//! Columns of numbers in a page's data: base64 of their bytes, the lowest first. A third of what they take as decimal numbers, and
//! exact.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A column of 64-bit floating-point numbers.
pub fn numbers(values: impl IntoIterator<Item = f64>) -> String {
    STANDARD.encode(values.into_iter().flat_map(f64::to_le_bytes).collect::<Vec<u8>>())
}

/// A column of 32-bit unsigned integers.
pub fn integers(values: impl IntoIterator<Item = u32>) -> String {
    STANDARD.encode(values.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_byte_comes_first() {
        assert_eq!(integers([1, 0xfffe_fdfc]), "AQAAAPz9/v8=");
        assert_eq!(numbers([1.0]), "AAAAAAAA8D8=");
    }
}
