/// A word or a mark, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    /// Where the token begins: bytes from the start of the text.
    pub(super) at: usize,
}

impl Token<'_> {
    /// Where the token ends.
    pub(super) fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

/// Words and marks, without comments and strings.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'%');
    let bytes = text.as_bytes();
    let from = |at: usize| text.get(at..).unwrap_or_default();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let end = match byte {
            b'/' if bytes.get(at + 1) == Some(&b'/') => from(at).find('\n').map_or(bytes.len(), |n| at + n),
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                from(at + 2).find("*/").map_or(bytes.len(), |n| at + n + 4)
            }
            b'"' => from(at + 1).find('"').map_or(bytes.len(), |n| at + n + 2),
            b if is_word(b) => {
                // `.param.f64` is two words, `8.3` is one.
                let is_end = |next: &u8| !is_word(*next) || (b == b'.' && *next == b'.');
                bytes[at + 1..].iter().position(is_end).map_or(bytes.len(), |n| at + 1 + n)
            }
            _ => at + 1,
        };
        let is_token = is_word(byte)
            || matches!(byte, b'(' | b')' | b'{' | b'}' | b'[' | b']' | b',' | b';' | b'=' | b'-');
        if let Some(text) = text.get(at..end).filter(|_| is_token) {
            tokens.push(Token { text, at });
        }
        at = end;
    }
    tokens
}
