//! A reader of code objects: what of the ELF file is loaded where, and what its metadata says of the kernels.

use std::collections::HashMap;
use std::ops::Range;

use object::LittleEndian as LE;
use object::elf::{
    FileHeader64, NoteType, PT_LOAD, ProgramHeader64, RelocationType, SHT_DYNSYM, SHT_RELA, STT_OBJECT,
};
use object::read::elf::{FileHeader, ProgramHeader, Rela, SectionHeader, Sym};
use rmpv::Value;

/// The note that holds the metadata: its owner and its number.
const OWNER: &[u8] = b"AMDGPU";
const METADATA: NoteType = NoteType(32);

/// What relocations the linker leaves: the address of a symbol of the image, and that of the image itself, with a number on top.
const ABSOLUTE: RelocationType = RelocationType(3);
const RELATIVE: RelocationType = RelocationType(13);

/// The most that an image takes.
const MOST: u64 = 1 << 30;

#[derive(Debug)]
pub(crate) struct CodeObject {
    /// Of the ELF header.
    pub(crate) flags: u32,
    /// Bytes of the image.
    pub(crate) span: u64,
    /// Where parts of the file go in the image.
    pub(crate) segments: Vec<(u64, Range<usize>)>,
    /// Places in the image, and what is there behind its address.
    pub(crate) relocations: Vec<(u64, u64)>,
    /// Variables: place in the image, bytes.
    pub(crate) variables: HashMap<String, (u64, u64)>,
    pub(crate) kernels: Vec<Kernel>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Kernel {
    pub(crate) name: String,
    /// Parameters of the program: offset and size.
    pub(crate) parameters: Vec<(usize, usize)>,
    /// Parameters of the runtime: what they are, offset, and size.
    pub(crate) hidden: Vec<(String, usize, usize)>,
    pub(crate) argument_bytes: usize,
    /// Bytes of workgroup memory that the kernel declares.
    pub(crate) shared: u32,
    /// Bytes of a thread's own memory.
    pub(crate) private: u32,
    /// Of a block.
    pub(crate) most_threads: u32,
    pub(crate) required_block: Option<[u32; 3]>,
    /// Of a lane.
    pub(crate) registers: u32,
}

type Header = FileHeader64<LE>;

/// The bytes of an ELF file, as its header says.
pub(crate) const HEADER: usize = 64;

/// How long a file is that begins with this header: up to the end of the table of sections, which the linker writes last.
pub(crate) fn length(header: &[u8]) -> Option<usize> {
    let header = Header::parse(header).ok()?;
    let sections = u64::from(header.e_shentsize(LE)) * u64::from(header.e_shnum(LE));
    let programs = u64::from(header.e_phentsize(LE)) * u64::from(header.e_phnum(LE));
    let end = header.e_shoff(LE).checked_add(sections)?.max(header.e_phoff(LE).checked_add(programs)?);
    usize::try_from(end).ok().filter(|end| *end as u64 <= MOST)
}

/// # Errors
/// What is wrong with it.
pub(crate) fn read(bytes: &[u8]) -> Result<CodeObject, String> {
    let wrong = |error: object::Error| format!("it can't be read: {error}");
    let header = Header::parse(bytes).map_err(wrong)?;
    let sections = header.sections(LE, bytes).map_err(wrong)?;
    let mut segments = Vec::new();
    let mut span = 0;
    for segment in header.program_headers(LE, bytes).map_err(wrong)? {
        if segment.p_type(LE) == PT_LOAD {
            let (part, end) = load(segment, bytes.len()).ok_or("a segment is beyond the file")?;
            segments.push(part);
            span = end.max(span);
        }
    }
    let symbols = sections.symbols(LE, bytes, SHT_DYNSYM).map_err(wrong)?;
    let mut relocations = Vec::new();
    for section in sections.iter().filter(|section| section.sh_type(LE) == SHT_RELA) {
        let Some((relas, _)) = section.rela(LE, bytes).map_err(wrong)? else { continue };
        for rela in relas {
            let base = match rela.r_type(LE, false) {
                RELATIVE => 0,
                ABSOLUTE => {
                    let symbol = symbols.symbol(rela.symbol(LE, false).ok_or("a relocation has no symbol")?);
                    let symbol = symbol.map_err(wrong)?;
                    if symbol.is_undefined(LE) {
                        return Err("a symbol is in no image".into());
                    }
                    symbol.st_value(LE)
                }
                other => return Err(format!("it has a relocation of another kind, {}", other.0)),
            };
            let place = rela.r_offset(LE);
            if place.checked_add(8).is_none_or(|end| end > span) {
                return Err("a relocation is beyond the image".into());
            }
            relocations.push((place, base.wrapping_add(rela.r_addend(LE) as u64)));
        }
    }
    let mut variables = HashMap::new();
    for symbol in symbols.iter().filter(|symbol| symbol.st_type() == STT_OBJECT) {
        let name = symbols.symbol_name(LE, symbol).map_err(wrong)?;
        let (place, size) = (symbol.st_value(LE), symbol.st_size(LE));
        if place.checked_add(size).is_some_and(|end| end <= span) {
            variables.insert(String::from_utf8_lossy(name).into_owned(), (place, size));
        }
    }
    let metadata = metadata(header, bytes)?;
    let kernels = field(&metadata, "amdhsa.kernels").and_then(Value::as_array);
    let kernels =
        kernels.ok_or("its metadata lists no kernels")?.iter().map(kernel).collect::<Result<_, _>>()?;
    Ok(CodeObject { flags: header.e_flags(LE).0, span, segments, relocations, variables, kernels })
}

/// A segment, and where in the image it ends.
fn load(segment: &ProgramHeader64<LE>, length: usize) -> Option<((u64, Range<usize>), u64)> {
    let start = usize::try_from(segment.p_offset(LE)).ok()?;
    let size = segment.p_filesz(LE);
    let end = start.checked_add(usize::try_from(size).ok()?).filter(|end| *end <= length)?;
    let place = segment.p_vaddr(LE);
    let image_end = place.checked_add(segment.p_memsz(LE).max(size)).filter(|end| *end <= MOST)?;
    Some(((place, start..end), image_end))
}

/// The metadata, decoded.
fn metadata(header: &Header, bytes: &[u8]) -> Result<Value, String> {
    let wrong = |error: object::Error| format!("it can't be read: {error}");
    for section in header.section_headers(LE, bytes).map_err(wrong)? {
        let Some(mut notes) = section.notes(LE, bytes).map_err(wrong)? else { continue };
        while let Some(note) = notes.next().map_err(wrong)? {
            if note.name() == OWNER && note.n_type(LE) == METADATA {
                let read = rmpv::decode::read_value(&mut note.desc());
                return read.map_err(|error| format!("its metadata can't be read: {error}"));
            }
        }
    }
    Err("it has no metadata".into())
}

fn field<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.as_map()?.iter().find(|(key, _)| key.as_str() == Some(name)).map(|(_, value)| value)
}

fn number(value: &Value, name: &str) -> Option<u32> {
    field(value, name).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok())
}

fn kernel(value: &Value) -> Result<Kernel, String> {
    let name = field(value, ".name").and_then(Value::as_str).ok_or("a kernel has no name")?;
    let lacks = |what: &str| format!("the kernel `{name}` has no {what}");
    let needed = |key: &str| number(value, key).ok_or_else(|| lacks(key));
    let argument_bytes = needed(".kernarg_segment_size")? as usize;
    let mut read = Kernel {
        name: name.to_owned(),
        argument_bytes,
        shared: needed(".group_segment_fixed_size")?,
        private: needed(".private_segment_fixed_size")?,
        most_threads: needed(".max_flat_workgroup_size")?,
        registers: needed(".vgpr_count")?.saturating_add(number(value, ".agpr_count").unwrap_or(0)),
        ..Kernel::default()
    };
    if let Some(block) = field(value, ".reqd_workgroup_size").and_then(Value::as_array) {
        let size = |axis: usize| block.get(axis).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
        let (Some(x), Some(y), Some(z)) = (size(0), size(1), size(2)) else {
            return Err(lacks("whole block size"));
        };
        read.required_block = Some([x, y, z]);
    }
    for argument in field(value, ".args").and_then(Value::as_array).into_iter().flatten() {
        let (Some(offset), Some(size)) = (number(argument, ".offset"), number(argument, ".size")) else {
            return Err(lacks("place for an argument"));
        };
        let (offset, size) = (offset as usize, size as usize);
        if offset.checked_add(size).is_none_or(|end| end > argument_bytes) {
            return Err(format!("an argument of `{name}` is beyond the others"));
        }
        match field(argument, ".value_kind").and_then(Value::as_str) {
            Some(kind) if kind.starts_with("hidden_") => read.hidden.push((kind.to_owned(), offset, size)),
            _ => read.parameters.push((offset, size)),
        }
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::{HEADER, length, read};

    const DEMO: &[u8] = include_bytes!("../../../kernel-image/src/fixtures/demo.gfx942.hsaco");

    #[test]
    fn a_code_object_says_where_it_goes_and_what_its_kernels_take() {
        assert_eq!(length(&DEMO[..HEADER]), Some(DEMO.len()));
        let object = read(DEMO).expect("rustc wrote it");
        assert_eq!((object.flags, object.kernels.len()), (0x54c, 1));
        let kernel = &object.kernels[0];
        assert_eq!((kernel.name.as_str(), kernel.most_threads), ("demo", 1024));
        assert!(kernel.parameters.iter().all(|(offset, size)| offset + size <= kernel.argument_bytes));
        assert!(object.segments.iter().all(|(place, part)| place + part.len() as u64 <= object.span));
        assert_eq!(object.variables.get("demo.kd").map(|(_, size)| *size), Some(64));
    }

    #[test]
    fn what_is_cut_or_changed_is_refused_or_read_and_never_a_panic() {
        for end in (0..DEMO.len()).step_by(7) {
            assert!(read(&DEMO[..end]).is_err(), "{end} bytes");
        }
        for place in 0..DEMO.len() {
            let mut changed = DEMO.to_vec();
            changed[place] ^= 0xff;
            let _ = read(&changed);
            let _ = length(&changed[..HEADER]);
        }
    }
}
