//! A reader of AMD's code objects: ELF files whose metadata note describes the kernels.

use std::collections::BTreeMap;

use object::elf::{FileHeader64, NoteType};
use object::read::elf::{ElfFile64, FileHeader, SectionHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol};
use rmpv::Value;

use super::{Entry, Image, LAYOUT_PREFIX, Malformed, Parameter, attach_layouts};

/// The note that holds the metadata: its owner and its number.
const OWNER: &[u8] = b"AMDGPU";
const METADATA: NoteType = NoteType(32);

/// Reads a whole code object.
pub(super) fn read(bytes: &[u8]) -> Result<Image, Malformed> {
    let file = ElfFile64::<Endianness>::parse(bytes).map_err(elf)?;
    let metadata = note(bytes)?;
    let mut image = Image { unresolved: undefined(&file)?, ..Image::default() };
    let kernels = field(&metadata, "amdhsa.kernels").and_then(Value::as_array);
    for kernel in kernels.ok_or_else(|| Malformed("the metadata lists no kernels".to_owned()))? {
        let entry = entry(kernel)?;
        if field(kernel, ".uses_dynamic_stack").and_then(Value::as_bool) == Some(true) {
            image.dynamic_stacks.push(entry.name.clone());
        }
        image.entries.push(entry);
    }
    let records = records(&file)?;
    attach_layouts(&mut image.entries, records)?;
    Ok(image)
}

fn elf(error: object::Error) -> Malformed {
    Malformed(format!("the code object can't be read: {error}"))
}

/// The metadata, decoded.
fn note(bytes: &[u8]) -> Result<Value, Malformed> {
    let header = FileHeader64::<Endianness>::parse(bytes).map_err(elf)?;
    let endian = header.endian().map_err(elf)?;
    for section in header.section_headers(endian, bytes).map_err(elf)? {
        let Some(mut notes) = section.notes(endian, bytes).map_err(elf)? else { continue };
        while let Some(note) = notes.next().map_err(elf)? {
            if note.name() == OWNER && note.n_type(endian) == METADATA {
                let wrong = |e| Malformed(format!("the code object's metadata can't be read: {e}"));
                return rmpv::decode::read_value(&mut note.desc()).map_err(wrong);
            }
        }
    }
    Err(Malformed("the code object has no metadata".to_owned()))
}

fn field<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.as_map()?.iter().find(|(key, _)| key.as_str() == Some(name)).map(|(_, value)| value)
}

fn entry(kernel: &Value) -> Result<Entry, Malformed> {
    let name = field(kernel, ".name")
        .and_then(Value::as_str)
        .ok_or_else(|| Malformed("a kernel has no name".to_owned()))?;
    let mut parameters: Vec<Parameter> = Vec::new();
    let arguments = field(kernel, ".args").and_then(Value::as_array);
    for argument in arguments.into_iter().flatten() {
        // The driver fills in the hidden ones.
        let kind = field(argument, ".value_kind").and_then(Value::as_str).unwrap_or_default();
        if kind.starts_with("hidden_") {
            continue;
        }
        let number = |key| field(argument, key).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
        let (Some(offset), Some(size)) = (number(".offset"), number(".size")) else {
            return Err(Malformed(format!("an argument of `{name}` has no offset or no size")));
        };
        let end = parameters.last().map_or(0, |p| u64::from(p.offset) + u64::from(p.size));
        if u64::from(offset) < end {
            return Err(Malformed(format!("the arguments of `{name}` overlap")));
        }
        parameters.push(Parameter { offset, size });
    }
    Ok(Entry { name: name.to_owned(), parameters, layout: Vec::new() })
}

/// Symbols that another object would have to bring. There is none.
fn undefined(file: &ElfFile64<'_>) -> Result<Vec<String>, Malformed> {
    let mut names = Vec::new();
    for symbol in file.symbols().chain(file.dynamic_symbols()).filter(ObjectSymbol::is_undefined) {
        let name = symbol.name().map_err(elf)?;
        if !name.is_empty() && !names.iter().any(|n| n == name) {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

/// The layout records, by kernel.
fn records(file: &ElfFile64<'_>) -> Result<BTreeMap<String, Vec<u8>>, Malformed> {
    let mut records = BTreeMap::new();
    for symbol in file.dynamic_symbols().chain(file.symbols()).filter(ObjectSymbol::is_definition) {
        let Some(kernel) = symbol.name().map_err(elf)?.strip_prefix(LAYOUT_PREFIX) else { continue };
        let cut = || Malformed(format!("the layout record of `{kernel}` is cut short"));
        let index = symbol.section_index().ok_or_else(cut)?;
        let section = file.section_by_index(index).map_err(elf)?;
        let bytes = section.data_range(symbol.address(), symbol.size()).map_err(elf)?.ok_or_else(cut)?;
        records.insert(kernel.to_owned(), bytes.to_owned());
    }
    Ok(records)
}
