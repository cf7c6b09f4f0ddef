//! The note that describes the kernels, MessagePack in an ELF note.

use object::Endianness;
use object::elf::{FileHeader64, NoteType};
use object::read::elf::{FileHeader, SectionHeader};
use rmpv::Value;

use super::{Argument, Kernel, elf, malformed};
use crate::{ImageError, Parameter};

/// The note's owner and number, `NT_AMDGPU_METADATA`.
const OWNER: &[u8] = b"AMDGPU";
const METADATA: NoteType = NoteType(32);

/// The metadata, decoded.
#[derive(Debug)]
pub(super) struct Metadata(Value);

impl Metadata {
    pub(super) fn read(
        header: &FileHeader64<Endianness>,
        endian: Endianness,
        bytes: &[u8],
    ) -> Result<Self, ImageError> {
        for section in header.section_headers(endian, bytes).map_err(elf)? {
            let Some(mut notes) = section.notes(endian, bytes).map_err(elf)? else { continue };
            while let Some(note) = notes.next().map_err(elf)? {
                if note.name() == OWNER && note.n_type(endian) == METADATA {
                    let value = rmpv::decode::read_value(&mut note.desc());
                    return value
                        .map(Self)
                        .map_err(|error| malformed(format!("its metadata isn't MessagePack: {error}")));
                }
            }
        }
        Err(malformed("it has no metadata"))
    }

    /// The target by name: `amdgcn-amd-amdhsa--gfx942`.
    pub(super) fn target(&self) -> Option<&str> {
        field(&self.0, "amdhsa.target").and_then(Value::as_str)
    }

    pub(super) fn kernels(&self) -> Result<Vec<Kernel>, ImageError> {
        let kernels = field(&self.0, "amdhsa.kernels").and_then(Value::as_array);
        kernels.ok_or_else(|| malformed("its metadata lists no kernels"))?.iter().map(kernel).collect()
    }
}

fn field<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.as_map()?.iter().find(|(key, _)| key.as_str() == Some(name)).map(|(_, value)| value)
}

fn text(value: &Value, name: &str) -> Option<String> {
    field(value, name).and_then(Value::as_str).map(str::to_owned)
}

fn number(value: &Value, name: &str) -> Option<u32> {
    field(value, name).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok())
}

fn kernel(value: &Value) -> Result<Kernel, ImageError> {
    let name = text(value, ".name").ok_or_else(|| malformed("a kernel has no name"))?;
    let required = |key: &str| {
        number(value, key).ok_or_else(|| malformed(format!("the kernel `{name}` has no `{key}`")))
    };
    let given = |key: &str| number(value, key).unwrap_or(0);
    Ok(Kernel {
        symbol: text(value, ".symbol")
            .ok_or_else(|| malformed(format!("the kernel `{name}` has no `.symbol`")))?,
        arguments: arguments(&name, value)?,
        kernarg_segment_size: required(".kernarg_segment_size")?,
        kernarg_segment_align: required(".kernarg_segment_align")?,
        group_segment_fixed_size: required(".group_segment_fixed_size")?,
        private_segment_fixed_size: required(".private_segment_fixed_size")?,
        wavefront_size: required(".wavefront_size")?,
        sgpr_count: required(".sgpr_count")?,
        vgpr_count: required(".vgpr_count")?,
        agpr_count: given(".agpr_count"),
        sgpr_spill_count: given(".sgpr_spill_count"),
        vgpr_spill_count: given(".vgpr_spill_count"),
        max_flat_workgroup_size: required(".max_flat_workgroup_size")?,
        reqd_workgroup_size: block(value),
        uses_dynamic_stack: field(value, ".uses_dynamic_stack").and_then(Value::as_bool) == Some(true),
        name,
    })
}

fn block(kernel: &Value) -> Option<[u32; 3]> {
    let sizes = field(kernel, ".reqd_workgroup_size").and_then(Value::as_array)?;
    let mut block = [0; 3];
    for (axis, size) in block.iter_mut().zip(sizes) {
        *axis = u32::try_from(size.as_u64()?).ok()?;
    }
    (sizes.len() == block.len()).then_some(block)
}

fn arguments(kernel: &str, value: &Value) -> Result<Vec<Argument>, ImageError> {
    let mut arguments: Vec<Argument> = Vec::new();
    let mut end = 0_u64;
    for argument in field(value, ".args").and_then(Value::as_array).into_iter().flatten() {
        let (Some(offset), Some(size)) = (number(argument, ".offset"), number(argument, ".size")) else {
            return Err(malformed(format!("an argument of `{kernel}` has no offset or no size")));
        };
        let argument = Argument {
            name: text(argument, ".name").unwrap_or_default(),
            parameter: Parameter { offset, size },
            value_kind: text(argument, ".value_kind").unwrap_or_default(),
        };
        // Of the hidden ones a compiler may list several at one place.
        if !argument.is_hidden() {
            if u64::from(offset) < end {
                return Err(malformed(format!("the arguments of `{kernel}` overlap")));
            }
            end = u64::from(offset) + u64::from(size);
        }
        arguments.push(argument);
    }
    Ok(arguments)
}
