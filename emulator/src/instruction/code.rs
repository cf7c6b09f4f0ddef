//! What functions are decoded to, and the names that they see of the module.

use std::collections::HashMap;

use super::operation::Op;
use crate::machine::Slot;
use crate::parse::syntax::Space;

/// Where a name of the module leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Symbol {
    /// A variable of the module, by number.
    Variable(u32),
    Function(u32),
    /// An offset in the parameters of the launch.
    Parameter(u32),
}

/// A constant: a number, or an address plus a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Reference {
    pub(crate) symbol: Option<Symbol>,
    pub(crate) addend: u64,
}

/// The constants of a module.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    pub(crate) narrow: Vec<Reference>,
    pub(crate) wide: Vec<Reference>,
    known: HashMap<(bool, Reference), u32>,
}

impl Pool {
    pub(super) fn add(&mut self, wide: bool, constant: Reference) -> Slot {
        let values = if wide { &mut self.wide } else { &mut self.narrow };
        let index = *self.known.entry((wide, constant)).or_insert_with(|| {
            values.push(constant);
            (values.len() - 1) as u32
        });
        Slot::constant(index)
    }
}

/// The names that all functions see.
#[derive(Debug, Default)]
pub(crate) struct Names<'s> {
    pub(crate) variables: HashMap<&'s str, (u32, Space)>,
    pub(crate) functions: HashMap<&'s str, u32>,
    /// What each function takes and gives.
    pub(crate) shapes: Vec<FunctionShape>,
}

#[derive(Debug, Clone)]
pub(crate) struct FunctionShape {
    pub(crate) is_defined: bool,
    /// Bytes of each parameter.
    pub(crate) parameters: Vec<u32>,
    pub(crate) results: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ParameterSlot {
    pub(crate) offset: u32,
    pub(crate) bytes: u32,
    pub(crate) alignment: u32,
}

/// A decoded function.
#[derive(Debug, Default)]
pub(crate) struct FunctionCode {
    pub(crate) name: String,
    pub(crate) is_entry: bool,
    pub(crate) ops: Vec<Op>,
    /// Where in `ops` each instruction begins, and behind the last one.
    pub(crate) starts: Vec<u32>,
    pub(crate) narrow_rows: u32,
    pub(crate) wide_rows: u32,
    pub(crate) predicates: u32,
    /// Registers as declared: of 1, 16, 32 and 64 bits.
    pub(crate) declared: [u32; 4],
    /// Bytes of local memory, with those of calls.
    pub(crate) frame_bytes: u32,
    /// Bytes of `.local` variables only.
    pub(crate) local_bytes: u32,
    /// Parameters: an entry's are in the launch's parameters, a function's in its frame.
    pub(crate) parameters: Vec<ParameterSlot>,
    pub(crate) results: Vec<ParameterSlot>,
    /// Variables of the module and functions that it names.
    pub(crate) uses: Vec<Symbol>,
    /// Bytes of the smallest access to shared and to global memory, 4 at most.
    pub(crate) finest_shared: u32,
    pub(crate) finest_global: u32,
    pub(crate) is_defined: bool,
}

impl FunctionCode {
    /// Code without operations.
    pub(crate) fn new(name: &str, is_entry: bool, is_defined: bool) -> Self {
        Self {
            name: name.to_owned(),
            is_entry,
            is_defined,
            finest_shared: 4,
            finest_global: 4,
            ..Self::default()
        }
    }
}
