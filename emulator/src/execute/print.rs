//! `vprintf`: a format and its arguments, both in the kernel's memory.

use super::state::ActiveLanes;
use crate::machine::Done;

/// The longest text that is read.
const MOST: usize = 1 << 16;

/// The arguments behind one another, each at a multiple of its size.
struct Arguments {
    at: u64,
}

impl Arguments {
    fn next(&mut self, lanes: &mut ActiveLanes<'_>, lane: usize, bytes: u64) -> Done<u64> {
        self.at = self.at.next_multiple_of(bytes);
        let mut value = 0;
        for byte in 0..bytes {
            value |= u64::from(lanes.byte(lane, self.at + byte)?) << (8 * byte);
        }
        self.at += bytes;
        Ok(value)
    }
}

/// What stands between `%` and the letter.
#[derive(Debug, Default, Clone, PartialEq)]
struct Directive {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    /// Whether an integer has eight bytes.
    long: bool,
}

impl ActiveLanes<'_> {
    pub(super) fn text(&mut self, lane: usize, address: u64) -> Done<String> {
        let mut bytes = Vec::new();
        while bytes.len() < MOST {
            let byte = self.byte(lane, address + bytes.len() as u64)?;
            if byte == 0 {
                break;
            }
            bytes.push(byte);
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The text of a format, and how many arguments it took.
    pub(super) fn formatted(&mut self, lane: usize, format: u64, arguments: u64) -> Done<(String, u32)> {
        let format = self.text(lane, format)?;
        let mut arguments = Arguments { at: arguments };
        let mut text = String::new();
        let mut count = 0;
        let mut rest = format.chars().peekable();
        while let Some(character) = rest.next() {
            if character != '%' {
                text.push(character);
                continue;
            }
            let mut directive = Directive::default();
            while let Some(&flag) = rest.peek() {
                match flag {
                    '-' => directive.left = true,
                    '0' => directive.zero = true,
                    '+' => directive.plus = true,
                    ' ' => directive.space = true,
                    '#' => directive.alternate = true,
                    _ => break,
                }
                rest.next();
            }
            let mut number =
                |rest: &mut std::iter::Peekable<std::str::Chars<'_>>, lanes: &mut Self| -> Done<usize> {
                    if rest.next_if_eq(&'*').is_some() {
                        return Ok((arguments.next(lanes, lane, 4)? as u32 as usize).min(MOST));
                    }
                    let mut value = 0_usize;
                    while let Some(digit) = rest.peek().and_then(|digit| digit.to_digit(10)) {
                        value = (value * 10 + digit as usize).min(MOST);
                        rest.next();
                    }
                    Ok(value)
                };
            directive.width = number(&mut rest, self)?;
            if rest.next_if_eq(&'.').is_some() {
                directive.precision = Some(number(&mut rest, self)?);
            }
            while let Some(length) =
                rest.next_if(|length| matches!(length, 'l' | 'h' | 'z' | 'j' | 't' | 'L'))
            {
                directive.long |= matches!(length, 'l' | 'z' | 'j' | 't');
            }
            let Some(letter) = rest.next() else { break };
            if letter == '%' {
                text.push('%');
                continue;
            }
            count += 1;
            let size = if directive.long { 8 } else { 4 };
            match letter {
                'd' | 'i' => {
                    let bits = arguments.next(self, lane, size)?;
                    let value = if directive.long { bits as i64 } else { i64::from(bits as i32) };
                    text.push_str(&directive.number(value < 0, value.unsigned_abs().to_string()));
                }
                'u' => text.push_str(&directive.unsigned(arguments.next(self, lane, size)?.to_string())),
                'x' => text.push_str(&directive.unsigned(format!("{:x}", arguments.next(self, lane, size)?))),
                'X' => text.push_str(&directive.unsigned(format!("{:X}", arguments.next(self, lane, size)?))),
                'o' => text.push_str(&directive.unsigned(format!("{:o}", arguments.next(self, lane, size)?))),
                'p' => text.push_str(&directive.pad(format!("{:#x}", arguments.next(self, lane, 8)?))),
                'c' => {
                    let byte = arguments.next(self, lane, 4)? as u8;
                    text.push_str(&directive.pad(char::from(byte).to_string()));
                }
                's' => {
                    let address = arguments.next(self, lane, 8)?;
                    let mut found = self.text(lane, address)?;
                    if let Some(most) = directive.precision {
                        found = found.chars().take(most).collect();
                    }
                    text.push_str(&directive.pad(found));
                }
                'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => {
                    let value = f64::from_bits(arguments.next(self, lane, 8)?);
                    text.push_str(&directive.float(letter, value));
                }
                other => {
                    text.push('%');
                    text.push(other);
                }
            }
        }
        Ok((text, count))
    }
}

impl Directive {
    fn pad(&self, text: String) -> String {
        let missing = self.width.saturating_sub(text.chars().count());
        let blank = " ".repeat(missing);
        if self.left { text + &blank } else { blank + &text }
    }

    fn number(&self, negative: bool, digits: String) -> String {
        let digits = match self.precision {
            Some(least) => "0".repeat(least.saturating_sub(digits.len())) + &digits,
            None => digits,
        };
        let sign = match (negative, self.plus, self.space) {
            (true, _, _) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        };
        if self.zero && !self.left && self.precision.is_none() {
            let missing = self.width.saturating_sub(sign.len() + digits.len());
            return format!("{sign}{}{digits}", "0".repeat(missing));
        }
        self.pad(format!("{sign}{digits}"))
    }

    fn unsigned(&self, digits: String) -> String {
        Self { plus: false, space: false, ..self.clone() }.number(false, digits)
    }

    fn float(&self, letter: char, value: f64) -> String {
        let magnitude = value.abs();
        if !value.is_finite() {
            let name = if value.is_nan() { "nan" } else { "inf" };
            return Self { zero: false, precision: None, ..self.clone() }
                .number(value.is_sign_negative(), name.into());
        }
        let precision = self.precision.unwrap_or(6);
        let digits = match letter.to_ascii_lowercase() {
            'e' => exponential(magnitude, precision),
            'g' => shortest(magnitude, precision.max(1), self.alternate),
            _ => format!("{magnitude:.precision$}"),
        };
        let digits = if letter.is_ascii_uppercase() { digits.to_uppercase() } else { digits };
        Self { precision: None, ..self.clone() }.number(value.is_sign_negative(), digits)
    }
}

/// A float with an exponent, which has a sign and at least two digits, as in C.
fn exponential(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent),
    };
    format!("{mantissa}e{sign}{digits:0>2}")
}

fn shortest(value: f64, precision: usize, keeps_zeros: bool) -> String {
    let text = format!("{value:.*e}", precision - 1);
    let exponent: i32 = text.split_once('e').and_then(|(_, digits)| digits.parse().ok()).unwrap_or(0);
    let is_large = exponent < -4 || exponent >= precision as i32;
    let text = if is_large {
        exponential(value, precision - 1)
    } else {
        format!("{value:.*}", (precision as i32 - 1 - exponent).max(0) as usize)
    };
    if keeps_zeros || !text.contains('.') {
        return text;
    }
    let (mantissa, exponent) = text.split_once('e').map_or((text.as_str(), None), |(m, e)| (m, Some(e)));
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
    exponent.map_or_else(|| mantissa.to_owned(), |exponent| format!("{mantissa}e{exponent}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_look_as_in_c() {
        let plain = Directive::default();
        assert_eq!(plain.float('f', 1.5), "1.500000");
        assert_eq!(plain.float('e', 12345.678), "1.234568e+04");
        assert_eq!(plain.float('g', 0.0001), "0.0001");
        assert_eq!(plain.float('g', 1e10), "1e+10");
        assert_eq!(plain.float('f', f64::NEG_INFINITY), "-inf");
        let narrow = Directive { width: 8, precision: Some(2), zero: true, ..Directive::default() };
        assert_eq!(narrow.float('f', -1.0), "-0001.00");
    }

    #[test]
    fn integers_are_padded() {
        let directive = Directive { width: 6, left: true, ..Directive::default() };
        assert_eq!(directive.number(true, "42".into()), "-42   ");
        let directive = Directive { width: 6, precision: Some(4), ..Directive::default() };
        assert_eq!(directive.number(false, "42".into()), "  0042");
    }
}
