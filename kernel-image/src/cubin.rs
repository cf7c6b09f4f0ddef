//! Cubins: ELF files with a section of facts about each kernel, `.nv.info.<name>`. NVIDIA doesn't document them; what is
//! read here is what `cuobjdump -elf` prints, and the tests hold it against nvcc's own.

#[cfg(test)]
mod tests;

use crate::{Entry, Format, Image, ImageError, Parameter};

/// The machine in the head of an ELF file, `EM_CUDA`.
pub(crate) const MACHINE: u16 = 190;

const FACTS: &str = ".nv.info.";

/// The bytes of a section's head in the table of them, `Elf64_Shdr`.
const SECTION_HEAD: usize = 64;

/// A fact that has its bytes behind it, and not in its head.
const WITH_BYTES: u8 = 4;

/// A fact with the number, place and size of a parameter.
const PARAMETER: u8 = 0x17;

/// NVIDIA's machine code for one architecture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cubin {
    /// The number in `sm_80`.
    pub architecture: u32,
    /// The kernels.
    pub entries: Vec<Entry>,
}

impl Cubin {
    /// Reads a cubin.
    ///
    /// ```
    /// use gridwright_image::cubin::Cubin;
    ///
    /// assert!(Cubin::read(b"\x7fELF").is_err());
    /// ```
    ///
    /// # Errors
    /// [`ImageError::Malformed`], if it isn't a whole one.
    pub fn read(bytes: &[u8]) -> Result<Self, ImageError> {
        read(bytes).ok_or_else(|| ImageError::malformed(Format::Cubin, "it is not a whole cubin"))
    }
}

impl From<Cubin> for Image {
    fn from(cubin: Cubin) -> Self {
        let architecture = format!("sm_{}", cubin.architecture);
        Self { format: Format::Cubin, architecture, entries: cubin.entries }
    }
}

fn read(bytes: &[u8]) -> Option<Cubin> {
    let is_wide = bytes.get(4) == Some(&2);
    if !bytes.starts_with(b"\x7fELF") || !is_wide || half(bytes, 18)? != MACHINE {
        return None;
    }
    let sections = usize::try_from(word(bytes, 40)?).ok()?;
    let (size, count, names) = (half(bytes, 58)?.into(), half(bytes, 60)?.into(), half(bytes, 62)?.into());
    // A table of smaller heads, of none even, would name one part of the file again and again.
    if size < SECTION_HEAD {
        return None;
    }
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
            entries.push(Entry { name: name.to_owned(), parameters: parameters(facts)? });
        }
    }
    Some(Cubin { architecture: architecture(bytes)?, entries })
}

/// The number of the architecture. Since version 8 of the format it stands one byte higher.
fn architecture(bytes: &[u8]) -> Option<u32> {
    let flags = quarter(bytes, 48)?;
    Some(if *bytes.get(8)? < 8 { flags & 0xff } else { flags >> 8 & 0xff })
}

/// The parameters, of which the facts speak in any order.
fn parameters(mut facts: &[u8]) -> Option<Vec<Parameter>> {
    let mut parameters = Vec::new();
    while let Some(&[format, fact, ..]) = facts.first_chunk::<4>() {
        let len = if format == WITH_BYTES { half(facts, 2)?.into() } else { 0 };
        let value = facts.get(4..4 + len)?;
        if format == WITH_BYTES && fact == PARAMETER {
            let parameter = Parameter { offset: half(value, 6)?.into(), size: quarter(value, 8)? >> 18 };
            parameters.push((half(value, 4)?, parameter));
        }
        facts = &facts[4 + len..];
    }
    parameters.sort_by_key(|&(number, _)| number);
    Some(parameters.into_iter().map(|(_, parameter)| parameter).collect())
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
