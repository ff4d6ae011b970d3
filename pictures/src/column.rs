//! Columns of numbers in a page's data: base64 (RFC 4648) of their bytes, the lowest first. A third of what they take as decimal
//! numbers, and exact.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A column of 64-bit floating-point numbers.
pub fn numbers(values: &[f64]) -> String {
    base64(values.iter().flat_map(|value| value.to_le_bytes()))
}

/// A column of 32-bit unsigned integers.
pub fn integers(values: &[u32]) -> String {
    base64(values.iter().flat_map(|value| value.to_le_bytes()))
}

fn base64(bytes: impl Iterator<Item = u8>) -> String {
    let mut text = String::with_capacity(4 * bytes.size_hint().0.div_ceil(3));
    let mut bytes = bytes.peekable();
    while bytes.peek().is_some() {
        let group = [bytes.next(), bytes.next(), bytes.next()];
        let bits = group.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(byte.unwrap_or(0)));
        let filled = 1 + group.iter().flatten().count();
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place < filled { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_vectors_of_rfc_4648() {
        for (text, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(text.bytes()), coded);
        }
    }

    #[test]
    fn the_lowest_byte_comes_first() {
        assert_eq!(integers(&[1, 0xfffe_fdfc]), "AQAAAPz9/v8=");
        assert_eq!(numbers(&[1.0]), "AAAAAAAA8D8=");
    }
}
