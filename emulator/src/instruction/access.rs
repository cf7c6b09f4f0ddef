//! Accesses to memory, as decoded operations name them.

use crate::machine::Slot;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Memory {
    Generic,
    Global,
    Const,
    Shared,
    Local,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AddressBase {
    Wide(Slot),
    Narrow(Slot),
    /// The frame's part of local memory.
    Frame,
    /// Arguments and results of calls, which lie in the frame too.
    Argument,
}

/// What a fence or an access with semantics orders, for the check of races.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    None,
    Group,
    Cluster,
    Device,
}

/// A load or a store of up to eight elements.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    pub(crate) memory: Memory,
    pub(crate) base: AddressBase,
    pub(crate) offset: i64,
    /// Bytes of an element.
    pub(crate) size: u32,
    pub(crate) signed: bool,
    /// Rows and the widths in bits of their registers.
    pub(crate) values: Vec<(Slot, u8)>,
    /// Relaxed, volatile or stronger: such accesses synchronise.
    pub(crate) strong: bool,
    /// Up to which scope the access releases what is before it.
    pub(crate) release: Level,
    /// Whose accesses it synchronises with.
    pub(crate) scope: Level,
    /// Where the worker keeps the last allocation that this operation touched.
    pub(crate) cache: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtomicKind {
    Add,
    AddFloat,
    MinFloat,
    MaxFloat,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    Compare,
    Increment,
    Decrement,
}
