//! Fat binaries, of which the PTX is taken: what `nvcc` puts into programs, compressed or not.

use std::borrow::Cow;
use std::ffi::{CStr, c_char};
use std::io::Read;

use crate::error::Error;

/// What a fat binary begins with, and what refers to one in a program.
pub(crate) const MAGIC: [u8; 4] = [0x50, 0xed, 0x55, 0xba];
const WRAPPER: [u8; 4] = [0xb1, 0x43, 0x62, 0x46];

/// Bytes of the header, which says how many come behind it.
const HEADER: usize = 16;
/// Bytes of an entry's header that are read.
const ENTRY: usize = 64;
const PTX: u16 = 1;
const LZ4: u64 = 0x2000;
const ZSTD: u64 = 0x8000;
/// The most bytes of a text: none has so many, and a header may say anything.
const MOST: usize = 1 << 30;

/// A caller's image. Null, or the address of a text with a zero behind it, of a whole fat binary, or of what refers to one.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Image(*const u8);

impl Image {
    fn starts_with(self, magic: [u8; 4]) -> bool {
        // SAFETY: the image is at least as long as what it has in common with the magic, and one byte longer: the type's invariant,
        // since neither has a zero.
        magic.iter().enumerate().all(|(index, byte)| unsafe { *self.0.add(index) } == *byte)
    }

    /// The text, or the fat binary.
    pub(crate) fn bytes(&self) -> Result<&[u8], Error> {
        if self.0.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        if self.starts_with(WRAPPER) {
            // SAFETY: what refers to a fat binary has its address behind two words: the type's invariant.
            let binary = Image(unsafe { self.0.cast::<*const u8>().add(1).read_unaligned() });
            if binary.0.is_null() || !binary.starts_with(MAGIC) {
                return Err(Error::INVALID_IMAGE);
            }
            return Ok(binary.whole());
        }
        if self.starts_with(MAGIC) {
            return Ok(self.whole());
        }
        // SAFETY: not null and no fat binary, so a text with a zero behind it: the type's invariant.
        Ok(unsafe { CStr::from_ptr(self.0.cast::<c_char>()) }.to_bytes())
    }

    fn whole<'i>(self) -> &'i [u8] {
        // SAFETY: a fat binary begins with a header, and has as many bytes behind it as that says: the type's invariant.
        unsafe {
            let header = std::slice::from_raw_parts(self.0, HEADER);
            let bytes = number(header, 8, 8).unwrap_or(0) as usize;
            std::slice::from_raw_parts(self.0, HEADER + bytes)
        }
    }
}

/// A number of up to eight bytes.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let found = bytes.get(at..at.checked_add(length)?)?;
    let mut whole = [0; 8];
    whole.get_mut(..length)?.copy_from_slice(found);
    Some(u64::from_le_bytes(whole))
}

struct Entry<'b> {
    architecture: u64,
    flags: u64,
    /// Bytes of the text, where it is compressed.
    text: usize,
    payload: &'b [u8],
}

/// The entries that are PTX.
fn entries(binary: &[u8]) -> Vec<Entry<'_>> {
    let mut found = Vec::new();
    let Some(mut rest) = number(binary, 6, 2).and_then(|header| binary.get(header as usize..)) else {
        return found;
    };
    while let Some((kind, entry)) = entry(rest) {
        let Some(behind) = rest.get(entry.0..) else { break };
        rest = behind;
        if kind == u64::from(PTX) {
            found.push(entry.1);
        }
    }
    found
}

/// The kind of the first entry, how many bytes it takes, and the entry.
fn entry(bytes: &[u8]) -> Option<(u64, (usize, Entry<'_>))> {
    let header = number(bytes, 4, 4)? as usize;
    let padded = number(bytes, 8, 8)? as usize;
    let end = header.checked_add(padded)?;
    if header < ENTRY {
        return None;
    }
    let flags = number(bytes, 40, 8)?;
    let payload = bytes.get(header..end)?;
    let length = number(bytes, 16, 4)? as usize;
    let is_compressed = flags & (LZ4 | ZSTD) != 0;
    let payload = if is_compressed { payload.get(..length)? } else { payload };
    let text = number(bytes, 56, 8)? as usize;
    Some((number(bytes, 0, 2)?, (end, Entry { architecture: number(bytes, 28, 4)?, flags, text, payload })))
}

impl<'b> Entry<'b> {
    fn text(&self) -> Option<Cow<'b, [u8]>> {
        if self.flags & (LZ4 | ZSTD) == 0 {
            return Some(Cow::Borrowed(self.payload));
        }
        if self.text > MOST {
            return None;
        }
        let text = if self.flags & LZ4 != 0 {
            lz4_flex::block::decompress(self.payload, self.text).ok()?
        } else {
            let mut text = Vec::new();
            let mut decoder = ruzstd::decoding::StreamingDecoder::new(self.payload).ok()?;
            decoder.by_ref().take(self.text as u64).read_to_end(&mut text).ok()?;
            text
        };
        Some(Cow::Owned(text))
    }
}

/// The PTX for a device: that of the newest architecture that isn't newer than the device.
pub(crate) fn ptx(binary: &[u8], device: u32) -> Option<Cow<'_, [u8]>> {
    let fitting = entries(binary).into_iter().filter(|entry| entry.architecture <= device.into());
    fitting.max_by_key(|entry| entry.architecture)?.text()
}

#[cfg(test)]
mod tests {
    use super::{Image, ptx};

    const PLAIN: &[u8] = include_bytes!("../tests/fat_binaries/plain.fatbin");
    const LZ4: &[u8] = include_bytes!("../tests/fat_binaries/lz4.fatbin");
    const ZSTD: &[u8] = include_bytes!("../tests/fat_binaries/zstd.fatbin");

    #[test]
    fn texts_are_found_however_they_are_compressed() {
        for binary in [PLAIN, LZ4, ZSTD] {
            let text = ptx(binary, 90).expect("there is PTX");
            assert!(text.starts_with(b".version 8.0\n.target sm_80"));
            assert!(String::from_utf8_lossy(&text).contains("ret; }"));
            assert!(ptx(binary, 75).is_none(), "too new");
            let whole = Image(binary.as_ptr());
            assert_eq!(whole.bytes(), Ok(binary));
        }
    }

    #[test]
    fn broken_binaries_have_no_text() {
        for binary in [PLAIN, LZ4, ZSTD] {
            for end in 0..binary.len() {
                let _ = ptx(&binary[..end], 90);
            }
            let mut damaged = binary.to_vec();
            for place in 0..binary.len() {
                damaged[place] ^= 0xff;
                let _ = ptx(&damaged, 90);
                damaged[place] ^= 0xff;
            }
        }
        assert!(ptx(b"", 90).is_none());
    }
}
