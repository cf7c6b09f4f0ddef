//! A panic's message, of which a GPU leaves the parts that the compiler has put into the image.

/// What stands in for a value in a message.
const VALUE: &str = "…";

/// The most pieces of a message that are looked at, and the most bytes of a text.
const MOST_PIECES: usize = 256;
pub(super) const MOST_BYTES: u64 = 1 << 16;

/// A message with values in it, of the template that the compiler makes of a format, and of as many of its values as are known: empty
/// ones aren't. `read` gives bytes of the image.
///
/// Source: `core::fmt::Arguments` of Rust 1.97, "Placeholders representation": pieces of text, each with its length before
/// it, placeholders with the options that they have, and a zero at the end.
pub(super) fn of_template(
    mut address: u64,
    values: &[&str],
    mut read: impl FnMut(u64, u64) -> Option<Vec<u8>>,
) -> Option<String> {
    let mut take = |bytes: u64| {
        let taken = read(address, bytes)?;
        address = address.checked_add(bytes)?;
        Some(taken)
    };
    let mut text = Vec::new();
    let mut has_gaps = false;
    let mut values = values.iter();
    for _ in 0..MOST_PIECES {
        let first = *take(1)?.first()?;
        let piece = match first {
            0 => {
                let text = String::from_utf8_lossy(&text).into_owned();
                let is_only_gaps = !text.chars().any(char::is_alphanumeric);
                return Some(match (is_only_gaps, has_gaps) {
                    (true, true) => "a message that a GPU can't write, since all of it is values".into(),
                    (false, true) => format!("{text} (a GPU leaves values out)"),
                    (_, false) => text,
                });
            }
            1..0x80 => u64::from(first),
            0x80 => {
                let length = take(2)?;
                u64::from(u16::from_le_bytes([*length.first()?, *length.get(1)?]))
            }
            0xc0.. => {
                // Flags, width, precision and the argument's index, where they are there.
                let options: u64 = (0..4)
                    .zip([4, 2, 2, 2])
                    .filter(|(bit, _)| first >> bit & 1 == 1)
                    .map(|(_, size)| size)
                    .sum();
                if options > 0 {
                    take(options)?;
                }
                let value = values.next().filter(|value| !value.is_empty());
                has_gaps |= value.is_none();
                text.extend_from_slice(value.unwrap_or(&VALUE).as_bytes());
                continue;
            }
            _ => return None,
        };
        text.extend(take(piece)?);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::of_template;

    fn message(template: &[u8]) -> Option<String> {
        message_with(template, &[])
    }

    fn message_with(template: &[u8], values: &[&str]) -> Option<String> {
        of_template(1000, values, |address, bytes| {
            let from = usize::try_from(address - 1000).ok()?;
            template.get(from..from + usize::try_from(bytes).ok()?).map(<[u8]>::to_vec)
        })
    }

    #[test]
    fn values_are_left_out_of_a_message() {
        assert_eq!(
            message(b"\x20index out of bounds: the len is \xc0\x12 but the index is \xc0\x00").as_deref(),
            Some("index out of bounds: the len is … but the index is … (a GPU leaves values out)")
        );
        // With flags and a width, then with an index.
        assert_eq!(
            message(b"\x02a \xc3\x01\x02\x03\x04\x05\x06\xc8\x01\x00\x00").as_deref(),
            Some("a …… (a GPU leaves values out)")
        );
        assert_eq!(message(b"\x05plain\x00").as_deref(), Some("plain"));
    }

    #[test]
    fn a_message_of_values_alone_says_so() {
        // The second is that of `Result::unwrap`.
        for template in [&b"\xc0\x00"[..], b"\xc0\x02: \xc0\x00"] {
            assert!(message(template).is_some_and(|said| said.contains("all of it is values")));
        }
    }

    #[test]
    fn values_that_are_known_fill_their_gaps() {
        assert_eq!(message_with(b"\xc0\x00", &["a point"]).as_deref(), Some("a point"));
        let of_result = message_with(b"\xc0\x02: \xc0\x00", &["a byte"]);
        assert_eq!(of_result.as_deref(), Some("a byte: … (a GPU leaves values out)"));
        let second = message_with(b"\xc0\x01 \xc0\x00", &["", "b"]);
        assert_eq!(second.as_deref(), Some("… b (a GPU leaves values out)"));
        assert_eq!(message_with(b"\x05plain\x00", &["more"]).as_deref(), Some("plain"));
    }

    #[test]
    fn long_pieces_have_a_length_of_two_bytes() {
        let mut template = vec![0x80, 0x2c, 0x01];
        template.extend([b'x'; 300]);
        template.push(0);
        assert_eq!(message(&template), Some("x".repeat(300)));
    }

    #[test]
    fn what_is_no_template_is_no_message() {
        for template in [&b"\x05cut"[..], b"", b"\x81\x00", b"\x80\x01", b"\xc1\x00"] {
            assert_eq!(message(template), None, "{template:?}");
        }
        assert_eq!(message(&[1; 2000]), None);
    }
}
