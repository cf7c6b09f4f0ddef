//! Work that is recorded once and replayed again and again.

use std::sync::Arc;

use gridwright_core::{LaunchAttributes, LaunchSizes};

use super::{Access, BoxCopy, Code, HostCall, Kind, Launch, Loaded, Owner, Place};

/// The operations of a graph, in the order in which they were recorded. A replay that isn't done yet has them too.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    pub(crate) operations: Vec<Arc<Operation>>,
    /// The use of memory by all operations: one access for each memory, a write where any of them writes.
    pub(crate) accesses: Vec<Access>,
}

#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) task: Task,
    pub(crate) accesses: Vec<Access>,
    #[cfg_attr(
        not(any(feature = "cuda", feature = "hip")),
        expect(dead_code, reason = "others run them in order")
    )]
    pub(crate) order: Order,
    /// Earlier operations that this one comes after, whatever the memory.
    pub(crate) after: Vec<usize>,
    /// The memory that the operation uses, kept for as long.
    pub(crate) _owners: Vec<Arc<dyn Owner>>,
}

/// The order of an operation: what it comes after, besides what it is told to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Operations that use the same memory, where one of the two writes.
    Memory,
    /// All earlier operations, as later ones come after this one.
    All,
    /// No operations.
    Free,
}

#[derive(Debug)]
pub(crate) enum Task {
    /// An operation on memory of no bytes.
    Nothing,
    Launch(Box<KernelTask>),
    Copy {
        from: Place,
        to: Place,
        bytes: usize,
    },
    CopyBox {
        from: Place,
        to: Place,
        copy: BoxCopy,
    },
    Fill {
        to: Place,
        pattern: Vec<u8>,
        count: usize,
    },
    /// Writes the same bytes in each replay.
    Write {
        to: Place,
        bytes: Vec<u8>,
    },
    Host(Arc<HostCall>),
}

/// A checked launch that owns its arguments.
pub(crate) struct KernelTask {
    pub(crate) code: &'static Code,
    pub(crate) loaded: Loaded,
    pub(crate) sizes: LaunchSizes,
    pub(crate) attributes: LaunchAttributes,
    /// The kernel's raw arguments.
    pub(crate) arguments: Box<dyn RawArguments>,
}

/// Raw arguments of whatever kernel.
pub(crate) trait RawArguments {
    fn address(&self) -> *const ();
}

impl<R: Copy> RawArguments for R {
    fn address(&self) -> *const () {
        (&raw const *self).cast()
    }
}

// SAFETY: numbers, and addresses that only kernels follow.
unsafe impl Send for KernelTask {}
// SAFETY: threads that share it only read the numbers, and only kernels follow the addresses.
unsafe impl Sync for KernelTask {}

impl std::fmt::Debug for KernelTask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KernelTask").field("kernel", &self.code.name).finish_non_exhaustive()
    }
}

impl KernelTask {
    /// The launch, for a backend that keeps others from the memory.
    pub(crate) fn launch<'l>(&'l self, accesses: &'l [Access]) -> Launch<'l> {
        Launch {
            code: self.code,
            kernel: &self.loaded,
            sizes: self.sizes,
            attributes: self.attributes,
            arguments: (*self.arguments).address(),
            accesses,
            is_shared: false,
            is_awaited: false,
            meeting: None,
        }
    }
}

impl Work {
    /// Puts together what the operations do with memory.
    pub(crate) fn merge_accesses(&mut self) {
        self.accesses.clear();
        for access in self.operations.iter().flat_map(|operation| &operation.accesses) {
            match self.accesses.iter_mut().find(|known| known.memory == access.memory) {
                Some(known) if access.kind == Kind::Write => known.kind = Kind::Write,
                Some(_) => {}
                None => self.accesses.push(*access),
            }
        }
    }
}
