//! PTX text to tokens.

use super::ParseError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'s> {
    /// An opcode, a directive, a register, a name: with its dots, as `ld.global.nc.b32` or `%tid.x`.
    Word(&'s str),
    /// A number with everything that sticks to it, as `0f3F800000` or `10U`.
    Number(&'s str),
    /// A text without its quotes.
    Text(&'s str),
    Punctuation(u8),
    End,
}

#[derive(Debug)]
pub(crate) struct Lexer<'s> {
    source: &'s str,
    at: usize,
    line: u32,
}

fn begins_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'%' | b'.')
}

fn continues_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%' | b'.')
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        Self { source, at: 0, line: 1 }
    }

    /// All tokens with their lines. Ends with `End`.
    pub(crate) fn tokens(mut self) -> Result<Vec<(Token<'s>, u32)>, ParseError> {
        let mut tokens = Vec::new();
        loop {
            let token = self.next()?;
            tokens.push((token, self.line));
            if token == Token::End {
                return Ok(tokens);
            }
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.source.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_blank(&mut self) -> Result<(), ParseError> {
        let bytes = self.source.as_bytes();
        while self.at < bytes.len() {
            match (bytes[self.at], self.peek(1)) {
                (b'\n', _) => {
                    self.line = self.line.saturating_add(1);
                    self.at += 1;
                }
                (b'/', b'/') => {
                    while self.at < bytes.len() && bytes[self.at] != b'\n' {
                        self.at += 1;
                    }
                }
                (b'/', b'*') => {
                    let Some(length) = self.source[self.at..].find("*/") else {
                        return Err(ParseError::new(self.line, "a comment that doesn't end"));
                    };
                    let inside = &bytes[self.at..self.at + length];
                    self.line += inside.iter().filter(|&&byte| byte == b'\n').count() as u32;
                    self.at += length + 2;
                }
                (byte, _) if byte.is_ascii_whitespace() || byte == 0 => self.at += 1,
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Token<'s>, ParseError> {
        self.skip_blank()?;
        let start = self.at;
        if start >= self.source.len() {
            return Ok(Token::End);
        }
        let first = self.peek(0);
        if first.is_ascii_digit() {
            // A sign belongs to the exponent of a decimal number: `1.5e-3`.
            let is_decimal = first != b'0' || matches!(self.peek(1), b'.' | b'e' | b'E');
            loop {
                let is_exponent = is_decimal
                    && matches!((self.peek(0), self.peek(1)), (b'e' | b'E', b'+' | b'-'))
                    && self.peek(2).is_ascii_digit();
                if is_exponent {
                    self.at += 2;
                } else if continues_word(self.peek(0)) {
                    self.at += 1;
                } else {
                    break;
                }
            }
            return Ok(Token::Number(&self.source[start..self.at]));
        }
        if begins_word(first) {
            // A directive ends at the next one: `.reg.b32`.
            self.at += 1;
            loop {
                if first == b'.' && self.peek(0) == b'.' {
                    return Ok(Token::Word(&self.source[start..self.at]));
                } else if continues_word(self.peek(0)) {
                    self.at += 1;
                } else if self.peek(0) == b':' && self.peek(1) == b':' && continues_word(self.peek(2)) {
                    self.at += 2;
                } else {
                    return Ok(Token::Word(&self.source[start..self.at]));
                }
            }
        }
        if first == b'"' {
            let Some(length) = self.source[start + 1..].find(['"', '\n']) else {
                return Err(ParseError::new(self.line, "a text that doesn't end"));
            };
            self.at = start + length + 2;
            if self.source.as_bytes()[self.at - 1] != b'"' {
                return Err(ParseError::new(self.line, "a text that doesn't end"));
            }
            return Ok(Token::Text(&self.source[start + 1..self.at - 1]));
        }
        if !first.is_ascii() {
            return Err(ParseError::new(self.line, "a character that isn't ASCII"));
        }
        self.at += 1;
        Ok(Token::Punctuation(first))
    }
}
