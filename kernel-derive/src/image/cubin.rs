//! Cubins: ELF files with a section of facts about each kernel, `.nv.info.<name>`. NVIDIA doesn't document them; what is
//! read here is what `cuobjdump -elf` prints, and the tests hold it against nvcc's own.

use super::{Entry, Image, Kind};

/// The machine in the head of an ELF file.
const CUDA: u16 = 190;

const FACTS: &str = ".nv.info.";

/// A fact that has its bytes behind it, and not in its head.
const WITH_BYTES: u8 = 4;

/// Number, place and size of a parameter.
const PARAMETER: u8 = 0x17;

/// Reads a cubin; nothing if it isn't a whole one.
pub(super) fn read(bytes: &[u8]) -> Option<Image> {
    let is_wide = bytes.get(4) == Some(&2);
    if !is_wide || half(bytes, 18)? != CUDA {
        return None;
    }
    let sections = usize::try_from(word(bytes, 40)?).ok()?;
    let (size, count, names) = (half(bytes, 58)?.into(), half(bytes, 60)?.into(), half(bytes, 62)?.into());
    let section = |number: usize| -> Option<(usize, &[u8])> {
        let head = bytes.get(sections.checked_add(number.checked_mul(size)?)?..)?;
        let start = usize::try_from(word(head, 24)?).ok()?;
        let len = usize::try_from(word(head, 32)?).ok()?;
        // Of a section that takes no room in the file there is nothing to read.
        Some((quarter(head, 0)? as usize, bytes.get(start..start.checked_add(len)?).unwrap_or_default()))
    };
    let (_, names) = section(names)?;
    let mut entries = Vec::new();
    for number in 0..count {
        let (name, facts) = section(number)?;
        let name = names.get(name..)?.split(|&byte| byte == 0).next()?;
        if let Some(name) = std::str::from_utf8(name).ok()?.strip_prefix(FACTS) {
            entries.push(Entry { name: name.to_owned(), sizes: parameters(facts)? });
        }
    }
    Some(Image { kind: Kind::Cubin, architecture: format!("sm_{}", architecture(bytes)?), entries })
}

/// The number of the architecture. Since version 8 of the format it stands one byte higher.
fn architecture(bytes: &[u8]) -> Option<u32> {
    let flags = quarter(bytes, 48)?;
    Some(if *bytes.get(8)? < 8 { flags & 0xff } else { flags >> 8 & 0xff })
}

/// The bytes of each parameter, of which the facts speak in any order.
fn parameters(mut facts: &[u8]) -> Option<Vec<u64>> {
    let mut sizes = Vec::new();
    while let Some(&[format, fact, ..]) = facts.first_chunk::<4>() {
        let len = if format == WITH_BYTES { half(facts, 2)?.into() } else { 0 };
        let value = facts.get(4..4 + len)?;
        if format == WITH_BYTES && fact == PARAMETER {
            sizes.push((half(value, 4)?, u64::from(quarter(value, 8)? >> 18)));
        }
        facts = &facts[4 + len..];
    }
    sizes.sort_unstable();
    Some(sizes.into_iter().map(|(_, size)| size).collect())
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().copied().map(u16::from_le_bytes)
}

fn quarter(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().copied().map(u64::from_le_bytes)
}
