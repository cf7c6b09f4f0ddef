use crate::Layout;

/// A fingerprint of 256 bits of what host and device have to agree on: BLAKE2s
/// ([RFC 7693](https://www.rfc-editor.org/rfc/rfc7693)), which constants can be made of. Nobody is known to find two inputs with one
/// fingerprint, not even on purpose.
///
/// ```
/// use gridwright_core::Digest;
///
/// const GROUPS: Digest = Digest::of("group").numbers(&[256]).text("x.len() == y.len()");
/// assert_ne!(GROUPS.words(), Digest::of("group").numbers(&[256]).text("x.len() <= y.len()").words());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest([u64; 4]);

/// Kinds of pieces, so that no two sequences of pieces are one of bytes.
const TEXT: u8 = 1;
const NUMBERS: u8 = 2;
const LAYOUT: u8 = 3;

impl Digest {
    /// The digest of a text.
    ///
    /// ```
    /// let thread = gridwright_core::Digest::of("thread");
    /// ```
    pub const fn of(text: &str) -> Self {
        Self([0; 4]).text(text)
    }

    /// This digest with a text behind it.
    ///
    /// ```
    /// # use gridwright_core::Digest;
    /// assert_ne!(Digest::of("ab").text("c"), Digest::of("a").text("bc"));
    /// ```
    #[must_use]
    pub const fn text(self, text: &str) -> Self {
        Self(Hash::new().bytes(&[TEXT]).words(&self.0).bytes(text.as_bytes()).finish())
    }

    /// This digest with texts behind it, one by one.
    ///
    /// ```
    /// # use gridwright_core::Digest;
    /// assert_eq!(Digest::of("a").texts(&["b", "c"]), Digest::of("a").text("b").text("c"));
    /// ```
    #[must_use]
    pub const fn texts(mut self, texts: &[&str]) -> Self {
        let mut i = 0;
        while i < texts.len() {
            self = self.text(texts[i]);
            i += 1;
        }
        self
    }

    /// This digest with numbers behind it.
    ///
    /// ```
    /// # use gridwright_core::Digest;
    /// assert_ne!(Digest::of("block").numbers(&[32, 1, 1]), Digest::of("block").numbers(&[1, 32, 1]));
    /// ```
    #[must_use]
    pub const fn numbers(self, numbers: &[u64]) -> Self {
        Self(Hash::new().bytes(&[NUMBERS]).words(&self.0).words(numbers).finish())
    }

    /// This digest with a layout behind it.
    ///
    /// ```
    /// # use gridwright_core::{Digest, Layout};
    /// let slice = Digest::of("&[_]").layout(Layout::of::<f32>());
    /// ```
    #[must_use]
    pub const fn layout(self, layout: Layout) -> Self {
        Self(Hash::new().bytes(&[LAYOUT]).words(&self.0).words(&layout.digest().0).finish())
    }

    /// The digest's 256 bits.
    ///
    /// ```
    /// let words: [u64; 4] = gridwright_core::Digest::of("thread").words();
    /// ```
    pub const fn words(self) -> [u64; 4] {
        self.0
    }

    /// Whether two digests are the same, in a constant.
    ///
    /// ```
    /// # use gridwright_core::Digest;
    /// const { assert!(Digest::of("a").is(Digest::of("a"))) }
    /// ```
    pub const fn is(self, other: Self) -> bool {
        let mut same = true;
        let mut i = 0;
        while i < self.0.len() {
            same &= self.0[i] == other.0[i];
            i += 1;
        }
        same
    }
}

/// BLAKE2s without a key, on the way. The compiler's interpreter takes long for each operation and longer for each call, so four words
/// are one number, whose lowest 32 bits are the first word.
struct Hash {
    state: [u128; 2],
    block: [u8; 64],
    /// The number of bytes in the block.
    filled: usize,
    /// The number of bytes so far.
    bytes: u64,
}

/// The initialization vector, of SHA-256 (RFC 7693, 2.6).
const START: [u128; 2] =
    [0xa54f_f53a_3c6e_f372_bb67_ae85_6a09_e667, 0x5be0_cd19_1f83_d9ab_9b05_688c_510e_527f];

/// Which word each step of a round takes (RFC 7693, 2.7).
const SCHEDULE: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// The lowest bit of each word.
const LOWEST: u128 = 0x0000_0001_0000_0001_0000_0001_0000_0001;
/// The highest bit of each word.
const HIGHEST: u128 = LOWEST << 31;

/// Four sums of words, without what carries out of each.
const fn sums(x: u128, y: u128) -> u128 {
    ((x & !HIGHEST) + (y & !HIGHEST)) ^ ((x ^ y) & HIGHEST)
}

/// Four words turned right by some bits.
const fn turned(x: u128, bits: u32) -> u128 {
    let low = LOWEST * ((1 << (32 - bits)) - 1);
    (x >> bits) & low | (x << (32 - bits)) & !low
}

/// Four words of a message as one number.
const fn row(message: &[u128; 16], [a, b, c, d]: [usize; 4]) -> u128 {
    message[a] | message[b] << 32 | message[c] << 64 | message[d] << 96
}

/// Four mixtures at once, of a column of `rows` each (RFC 7693, 3.1).
const fn mixed([mut a, mut b, mut c, mut d]: [u128; 4], x: u128, y: u128) -> [u128; 4] {
    a = sums(sums(a, b), x);
    d = turned(d ^ a, 16);
    c = sums(c, d);
    b = turned(b ^ c, 12);
    a = sums(sums(a, b), y);
    d = turned(d ^ a, 8);
    c = sums(c, d);
    b = turned(b ^ c, 7);
    [a, b, c, d]
}

impl Hash {
    const fn new() -> Self {
        let [low, high] = START;
        // 32 bytes of result, no key, one leaf.
        Self { state: [low ^ 0x0101_0020, high], block: [0; 64], filled: 0, bytes: 0 }
    }

    const fn words(mut self, words: &[u64]) -> Self {
        let mut i = 0;
        while i < words.len() {
            self = self.bytes(&words[i].to_le_bytes());
            i += 1;
        }
        self
    }

    const fn bytes(mut self, bytes: &[u8]) -> Self {
        let mut i = 0;
        while i < bytes.len() {
            // The last block is compressed as such, so that a full one waits for what comes.
            if self.filled == self.block.len() {
                self = self.compressed(false);
            }
            self.block[self.filled] = bytes[i];
            self.filled += 1;
            self.bytes += 1;
            i += 1;
        }
        self
    }

    const fn finish(self) -> [u64; 4] {
        let [low, high] = self.compressed(true).state;
        [low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64]
    }

    /// The state after the block, which is empty then (RFC 7693, 3.2).
    const fn compressed(self, is_last: bool) -> Self {
        let (mut message, block) = ([0; 16], &self.block);
        let mut i = 0;
        while i < message.len() {
            message[i] = block[4 * i] as u128
                | (block[4 * i + 1] as u128) << 8
                | (block[4 * i + 2] as u128) << 16
                | (block[4 * i + 3] as u128) << 24;
            i += 1;
        }
        let [low, high] = self.state;
        let last = if is_last { 0xffff_ffff << 64 } else { 0 };
        let (mut a, mut b, mut c, mut d) = (low, high, START[0], START[1] ^ self.bytes as u128 ^ last);
        let mut round = 0;
        while round < SCHEDULE.len() {
            let s = &SCHEDULE[round];
            // The columns, and the diagonals as columns of rows that are turned.
            let (x, y) = (row(&message, [s[0], s[2], s[4], s[6]]), row(&message, [s[1], s[3], s[5], s[7]]));
            [a, b, c, d] = mixed([a, b, c, d], x, y);
            let (x, y) =
                (row(&message, [s[8], s[10], s[12], s[14]]), row(&message, [s[9], s[11], s[13], s[15]]));
            [a, b, c, d] = mixed([a, b.rotate_right(32), c.rotate_right(64), d.rotate_right(96)], x, y);
            [b, c, d] = [b.rotate_right(96), c.rotate_right(64), d.rotate_right(32)];
            round += 1;
        }
        Self { state: [low ^ a ^ c, high ^ b ^ d], block: [0; 64], filled: 0, bytes: self.bytes }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::format;
    use std::string::String;
    use std::vec;
    use std::vec::Vec;

    use super::{Digest, Hash};

    fn hex(bytes: &[u8]) -> String {
        let words = Hash::new().bytes(bytes).finish();
        words.iter().flat_map(|word| word.to_le_bytes()).map(|byte| format!("{byte:02x}")).collect()
    }

    /// RFC 7693, appendix B, and the reference implementation's `blake2-kat.json`.
    #[test]
    fn it_is_blake2s() {
        assert_eq!(hex(b"abc"), "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982");
        assert_eq!(hex(b""), "69217a3079908094e11121d042354a7c1f55b6482ca1a51e1b250dfd1ed0eef9");
        assert_eq!(hex(&[0; 64]), "ae09db7cd54f42b490ef09b6bc541af688e4959bb8c53f359a6f56e38ab454a3");
        let all: Vec<u8> = (0..200).collect();
        assert_eq!(hex(&all), "6d244e1a06ce4ef578dd0f63aff0936706735119ca9c8d22d86c801414ab9741");
    }

    #[test]
    fn all_bytes_count_in_blocks_that_are_full_and_in_those_that_are_not() {
        let mut found = BTreeSet::new();
        for len in 0..200 {
            let zeros = vec![0_u8; len];
            assert!(found.insert(hex(&zeros)), "{len}");
            for at in 0..len {
                let mut bytes = zeros.clone();
                bytes[at] = 1;
                assert!(found.insert(hex(&bytes)), "{at} of {len}");
            }
        }
    }

    #[test]
    fn pieces_are_told_apart_by_what_they_are() {
        let start = Digest::of("");
        let number = u64::from_le_bytes(*b"a layout");
        assert_ne!(start.numbers(&[number]), start.text("a layout"));
        assert_ne!(start.numbers(&[1, 2]), start.numbers(&[1]).numbers(&[2]));
        assert_ne!(start.text("ab").text("c"), start.text("a").text("bc"));
        assert_ne!(start.text("").text(""), start.text(""));
        assert_ne!(start, Digest([0; 4]));
    }
}
