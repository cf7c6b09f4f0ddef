//! AMD's code objects: ELF files whose metadata note describes the kernels.
//!
//! The format is described in LLVM's *User Guide for AMDGPU Backend*, under *ELF Code Object*, *Code Object Metadata* and
//! *Kernel Descriptor*: <https://llvm.org/docs/AMDGPUUsage.html>. Versions 4 to 6 of it are read, which compilers have made since
//! ROCm 4.5 and LLVM 14.

mod metadata;
mod target;
#[cfg(test)]
mod tests;

use object::elf::FileHeader64;
use object::read::elf::{ElfFile64, FileHeader};
use object::{Endianness, Object, ObjectSection, ObjectSegment, ObjectSymbol};

use crate::image::AMD;
use crate::{Entry, Format, Image, ImageError, Parameter};

pub use target::{Setting, Target};

/// AMD's machine code for one architecture, or for a generic one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeObject<'b> {
    /// The version of the format, 4 to 6. A runtime refuses those that it doesn't know yet: generic targets need version 6, and that
    /// HIP 6.3.
    pub version: u8,
    /// What the code object was compiled for.
    pub target: Target,
    /// The kernels, in the order of the note.
    pub kernels: Vec<Kernel>,
    /// Functions, variables and kernels' descriptors that are defined in it.
    pub symbols: Vec<Symbol<'b>>,
    /// The names of symbols that another object would have to bring.
    pub undefined: Vec<&'b str>,
    /// Parts of the file that are loaded.
    pub segments: Vec<Segment<'b>>,
}

/// A part of a code object that is loaded. All of them keep their distances in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'b> {
    /// Where the part lies in memory, from where the code object is loaded.
    pub address: u64,
    /// Bytes that the file has of the part; zeros may lie behind.
    pub bytes: &'b [u8],
}

/// A kernel, as the note describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The kernel's name for the driver.
    pub name: String,
    /// The name of the kernel's descriptor among the symbols: `saxpy.kd`.
    pub symbol: String,
    /// All of the kernel's arguments, also those that the runtime fills in.
    pub arguments: Vec<Argument>,
    /// The bytes of the arguments with all that lies between them and behind them.
    pub kernarg_segment_size: u32,
    /// What the arguments' address must be a multiple of.
    pub kernarg_segment_align: u32,
    /// Bytes of workgroup memory that each group has beside what its launch gives it.
    pub group_segment_fixed_size: u32,
    /// Bytes of stack for each thread.
    pub private_segment_fixed_size: u32,
    /// Threads of a wave, 32 or 64.
    pub wavefront_size: u32,
    /// Scalar registers of a wave.
    pub sgpr_count: u32,
    /// Vector registers of a thread.
    pub vgpr_count: u32,
    /// Accumulation registers of a thread, which only some architectures have.
    pub agpr_count: u32,
    /// Scalar registers that were kept elsewhere for lack of room.
    pub sgpr_spill_count: u32,
    /// Vector registers that were kept on the stack for lack of room.
    pub vgpr_spill_count: u32,
    /// The most threads of a group.
    pub max_flat_workgroup_size: u32,
    /// The threads of a group along each axis, if they are fixed.
    pub reqd_workgroup_size: Option<[u32; 3]>,
    /// Whether the kernel's need of stack is only known when it runs.
    pub uses_dynamic_stack: bool,
}

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The argument's name in the source; empty if the compiler doesn't say.
    pub name: String,
    /// Where the argument lies.
    pub parameter: Parameter,
    /// What the argument is: `by_value`, `global_buffer`, `hidden_block_count_x`, …
    pub value_kind: String,
}

/// Something in a code object that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol<'b> {
    /// The symbol's name.
    pub name: &'b str,
    /// Where the symbol lies in memory, from where the code object is loaded.
    pub address: u64,
    /// The symbol's bytes, if the file has them and doesn't leave them to be zeroed.
    pub bytes: Option<&'b [u8]>,
}

impl Argument {
    /// Whether the runtime fills the argument in and no caller.
    ///
    /// ```
    /// use gridwright_image::Parameter;
    /// use gridwright_image::code_object::Argument;
    ///
    /// let parameter = Parameter { offset: 24, size: 4 };
    /// let argument = Argument { name: String::new(), parameter, value_kind: "hidden_block_count_x".into() };
    /// assert!(argument.is_hidden());
    /// ```
    pub fn is_hidden(&self) -> bool {
        self.value_kind.starts_with("hidden_")
    }
}

impl Kernel {
    /// The arguments that a launch gives, in order.
    ///
    /// ```no_run
    /// use gridwright_image::code_object::CodeObject;
    ///
    /// let bytes = std::fs::read("kernels.hsaco")?;
    /// for kernel in CodeObject::read(&bytes)?.kernels {
    ///     println!("{} takes {:?}", kernel.name, kernel.parameters().collect::<Vec<_>>());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parameters(&self) -> impl Iterator<Item = Parameter> {
        self.arguments.iter().filter(|argument| !argument.is_hidden()).map(|argument| argument.parameter)
    }
}

impl<'b> CodeObject<'b> {
    /// Reads a code object.
    ///
    /// ```no_run
    /// use gridwright_image::code_object::CodeObject;
    ///
    /// let bytes = std::fs::read("kernels.hsaco")?;
    /// let object = CodeObject::read(&bytes)?;
    /// for kernel in &object.kernels {
    ///     println!("{}, {} registers on {}", kernel.name, kernel.vgpr_count, object.target);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ImageError::Malformed`], if it isn't a whole one, if its note lacks what the format demands, or if arguments of a kernel
    /// overlap.
    pub fn read(bytes: &'b [u8]) -> Result<Self, ImageError> {
        let header = FileHeader64::<Endianness>::parse(bytes).map_err(elf)?;
        let endian = header.endian().map_err(elf)?;
        if header.e_machine(endian).0 != AMD {
            return Err(malformed("it is for another machine than AMD's GPUs"));
        }
        let version = match header.e_ident().abi_version {
            number @ 2..=4 => number + 2,
            number => {
                return Err(malformed(format!(
                    "its version is unknown or older than 4: the ABI's number is {number}"
                )));
            }
        };
        let metadata = metadata::Metadata::read(header, endian, bytes)?;
        let target = Target::read(header.e_flags(endian).0, version, metadata.target())?;
        let file = ElfFile64::<Endianness>::parse(bytes).map_err(elf)?;
        let (symbols, undefined) = symbols(&file)?;
        let segments = segments(&file)?;
        Ok(Self { version, target, kernels: metadata.kernels()?, symbols, undefined, segments })
    }

    /// The kernel of a name.
    ///
    /// ```no_run
    /// use gridwright_image::code_object::CodeObject;
    ///
    /// let bytes = std::fs::read("kernels.hsaco")?;
    /// assert!(CodeObject::read(&bytes)?.kernel("saxpy").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }
}

impl From<CodeObject<'_>> for Image {
    fn from(object: CodeObject<'_>) -> Self {
        let entry = |kernel: Kernel| Entry { parameters: kernel.parameters().collect(), name: kernel.name };
        let entries = object.kernels.into_iter().map(entry).collect();
        Self { format: Format::CodeObject, architecture: object.target.to_string(), entries }
    }
}

/// The symbols that are defined, and the names of those that aren't.
fn symbols<'b>(file: &ElfFile64<'b>) -> Result<(Vec<Symbol<'b>>, Vec<&'b str>), ImageError> {
    let mut defined: Vec<Symbol<'b>> = Vec::new();
    let mut undefined: Vec<&'b str> = Vec::new();
    for symbol in file.dynamic_symbols().chain(file.symbols()) {
        let name = symbol.name().map_err(elf)?;
        if name.is_empty() {
            continue;
        }
        if symbol.is_undefined() {
            if !undefined.contains(&name) {
                undefined.push(name);
            }
        } else if symbol.is_definition() && !defined.iter().any(|known| known.name == name) {
            let address = symbol.address();
            let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
            let bytes = section.and_then(|section| section.data_range(address, symbol.size()).ok().flatten());
            defined.push(Symbol { name, address, bytes });
        }
    }
    Ok((defined, undefined))
}

/// The parts of the file that are loaded.
fn segments<'b>(file: &ElfFile64<'b>) -> Result<Vec<Segment<'b>>, ImageError> {
    let segment = |segment: object::read::elf::ElfSegment64<'b, '_>| {
        Ok(Segment { address: segment.address(), bytes: segment.data().map_err(elf)? })
    };
    file.segments().map(segment).collect()
}

fn malformed(reason: impl Into<String>) -> ImageError {
    ImageError::malformed(Format::CodeObject, reason)
}

fn elf(error: object::Error) -> ImageError {
    malformed(error.to_string())
}
