//! What a module is once its names are resolved.

use std::collections::HashMap;
use std::ops::Range;

use super::{Entry, Reference};
use crate::instruction::{FunctionCode, Pool, Symbol};
use crate::parse::syntax::{Location, Space};
use crate::report::SourceLocation;

#[derive(Debug)]
pub(crate) struct Image {
    pub(crate) version: (u32, u32),
    pub(crate) target: String,
    pub(crate) entries: Vec<Entry>,
    pub(crate) functions: Vec<FunctionCode>,
    /// The number of each function's first operation, counted over the module.
    pub(crate) first_ops: Vec<u32>,
    pub(crate) variables: Vec<ModuleVariable>,
    pub(crate) pool: Pool,
    pub(crate) files: HashMap<u32, String>,
    pub(crate) locations: Vec<Location>,
    /// How many operations access memory.
    pub(crate) accesses: u32,
    /// Whether `%envreg1` or `%envreg2` is read.
    pub(crate) uses_workspace: bool,
}

#[derive(Debug)]
pub(crate) struct ModuleVariable {
    pub(crate) name: String,
    pub(crate) space: Space,
    pub(crate) bytes: u64,
    pub(crate) alignment: u32,
    pub(crate) is_extern: bool,
    pub(crate) is_managed: bool,
    pub(crate) unsized_array: bool,
    /// Bytes, with zeros where addresses go. Shorter than the variable where the rest is zero.
    pub(crate) initial: Vec<u8>,
    pub(crate) addresses: Vec<Initialiser>,
    pub(crate) reference: Option<Reference>,
}

/// An address in an initialiser.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Initialiser {
    pub(crate) at: usize,
    pub(crate) symbol: Symbol,
    pub(crate) addend: i64,
    /// The address's bytes that are stored: a shift in bits, and how many bytes.
    pub(crate) shift: u32,
    pub(crate) bytes: usize,
}

impl Image {
    /// How many operations there are.
    pub(crate) fn operations(&self) -> usize {
        self.functions.iter().map(|function| function.ops.len()).sum()
    }

    /// The PTX line of each instruction, and its operations, by their numbers over the module.
    pub(crate) fn instructions(&self) -> impl Iterator<Item = (u32, Range<usize>)> {
        self.functions.iter().zip(&self.first_ops).flat_map(|(function, &first)| {
            function.starts.windows(2).filter_map(move |ends| {
                let line = function.ops.get(ends[0] as usize)?.line;
                Some((line, (first + ends[0]) as usize..(first + ends[1]) as usize))
            })
        })
    }

    /// The function, and the operation in it.
    pub(crate) fn locate(&self, position: u32) -> (&FunctionCode, u32) {
        let function = self.first_ops.partition_point(|&first| first <= position).saturating_sub(1);
        (&self.functions[function], position - self.first_ops[function])
    }

    /// The PTX line of an operation, and the place in the source that it came from.
    pub(crate) fn source_of(&self, position: u32) -> (u32, Option<SourceLocation>) {
        let (function, at) = self.locate(position);
        let Some(op) = function.ops.get(at as usize) else { return (0, None) };
        let location = self.locations.get(op.location as usize).filter(|_| op.location != 0);
        let source = location.and_then(|location| {
            let file = self.files.get(&location.file)?.clone();
            Some(SourceLocation { file, line: location.line, column: location.column })
        });
        (op.line, source)
    }
}
