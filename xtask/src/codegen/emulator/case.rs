//! A launch of ours and clang's, of the same work.

use anyhow::{bail, ensure};

/// A launch of a kernel of ours, and of clang's with the same work.
#[derive(Debug, Default)]
pub(super) struct Case {
    /// The name in the table, which is that of clang's kernel too.
    pub(super) name: &'static str,
    /// The target that holds our kernel, and the kernel's name.
    pub(super) ours: (&'static str, &'static str),
    pub(super) groups: [u32; 3],
    pub(super) threads: [u32; 3],
    /// Bytes of workgroup memory beyond those of the code object, which are ours alone.
    pub(super) workgroup_bytes: u32,
    /// What is in memory before the launch.
    pub(super) buffers: Vec<Vec<u8>>,
    pub(super) our_arguments: Vec<Argument>,
    pub(super) their_arguments: Vec<Argument>,
    /// What is in memory afterwards, by the number of the buffer.
    pub(super) results: Vec<(usize, Expected)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    /// The address of a buffer, by its number.
    Buffer(usize),
    /// A value.
    Bytes(Vec<u8>),
}

/// What a buffer holds after a launch.
#[derive(Debug)]
pub(super) enum Expected {
    Bytes(Vec<u8>),
    /// Floats that may differ by this share of the largest.
    Floats(Vec<f32>, f32),
}

impl Case {
    /// Whether the buffers hold what they should.
    pub(super) fn check(&self, buffers: &[Vec<u8>]) -> anyhow::Result<()> {
        for (number, expected) in &self.results {
            let Some(found) = buffers.get(*number) else { bail!("buffer {number} isn't there") };
            expected.check(found)?;
        }
        Ok(())
    }
}

impl Expected {
    fn check(&self, found: &[u8]) -> anyhow::Result<()> {
        match self {
            Self::Bytes(expected) => {
                ensure!(found.len() == expected.len(), "{} bytes, not {}", found.len(), expected.len());
                let differs = found.iter().zip(expected).position(|(found, expected)| found != expected);
                ensure!(differs.is_none(), "byte {} is wrong", differs.unwrap_or_default());
            }
            Self::Floats(expected, share) => {
                let (words, rest) = found.as_chunks();
                ensure!(words.len() == expected.len() && rest.is_empty(), "{} floats", words.len());
                let largest = expected.iter().fold(0.0_f32, |largest, float| largest.max(float.abs()));
                for (i, (word, expected)) in words.iter().zip(expected).enumerate() {
                    let found = f32::from_le_bytes(*word);
                    // Not a number is far from any.
                    let is_near = (found - expected).abs() <= share * largest;
                    ensure!(is_near, "element {i} is {found}, not {expected}");
                }
            }
        }
        Ok(())
    }
}

/// The bytes of numbers as a GPU has them.
pub(super) trait Bytes {
    fn bytes(&self) -> Vec<u8>;
}

macro_rules! bytes_of {
    ($($number:ty),*) => {$(
        impl Bytes for $number {
            fn bytes(&self) -> Vec<u8> {
                self.to_le_bytes().into()
            }
        }
    )*};
}
bytes_of!(u8, u32, u64, f32);

impl<T: Bytes> Bytes for [T] {
    fn bytes(&self) -> Vec<u8> {
        self.iter().flat_map(Bytes::bytes).collect()
    }
}

/// A value as an argument.
pub(super) fn value(number: &(impl Bytes + ?Sized)) -> Vec<Argument> {
    vec![Argument::Bytes(number.bytes())]
}

/// The address of a buffer as an argument.
pub(super) fn pointer(buffer: usize) -> Vec<Argument> {
    vec![Argument::Buffer(buffer)]
}

/// A slice of ours: its address and its length.
pub(super) fn slice(buffer: usize, len: usize) -> Vec<Argument> {
    [pointer(buffer), value(&(len as u64))].concat()
}

/// A slice of ours with elements of each thread, of which there are so many.
pub(super) fn per_thread(buffer: usize, len: usize) -> Vec<Argument> {
    [slice(buffer, len), value(&(len as u32))].concat()
}

/// A matrix or a volume of ours: its address and its sizes.
pub(super) fn sized(buffer: usize, sizes: &[u32]) -> Vec<Argument> {
    let sizes = sizes.iter().flat_map(value);
    pointer(buffer).into_iter().chain(sizes).collect()
}

/// A matrix or a volume of ours with elements of each thread: its sizes, and how many threads own some along each axis.
pub(super) fn owned(buffer: usize, sizes: &[u32], owners: &[u32]) -> Vec<Argument> {
    let owners = owners.iter().rev().flat_map(value);
    sized(buffer, sizes).into_iter().chain(owners).collect()
}

/// A value of ours of at most 128 bytes, which is passed in words, zeros behind it.
pub(super) fn words(bytes: &[u8]) -> Vec<Argument> {
    let mut padded = bytes.to_vec();
    padded.resize(bytes.len().next_multiple_of(8), 0);
    padded.chunks(8).map(|word| Argument::Bytes(word.into())).collect()
}

#[cfg(test)]
mod tests {
    use super::{Argument, Bytes, Expected, slice, words};

    #[test]
    fn floats_may_differ_by_a_share_and_nothing_else_may() {
        let expected = Expected::Floats(vec![1.0, -100.0], 1e-3);
        expected.check(&[1.05_f32, -100.0].bytes()).unwrap();
        expected.check(&[1.2_f32, -100.0].bytes()).unwrap_err();
        expected.check(&[f32::NAN, -100.0].bytes()).unwrap_err();
        expected.check(&[1.0_f32].bytes()).unwrap_err();
        let expected = Expected::Bytes(vec![1, 2]);
        expected.check(&[1, 2]).unwrap();
        assert!(expected.check(&[1, 3]).unwrap_err().to_string().contains("byte 1"));
    }

    #[test]
    fn arguments_have_the_bytes_of_a_gpu() {
        assert_eq!(slice(2, 3), [Argument::Buffer(2), Argument::Bytes(vec![3, 0, 0, 0, 0, 0, 0, 0])]);
        let words = words(&[1; 9]);
        assert_eq!(words.len(), 2);
        assert_eq!(words[1], Argument::Bytes(vec![1, 0, 0, 0, 0, 0, 0, 0]));
    }
}
