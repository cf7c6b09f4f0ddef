use gridwright_core::{LaunchAttributes, LaunchSizes};

use super::{Access, Code, KernelTask, Loaded};

/// A checked launch.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(any(feature = "cuda", feature = "hip")),
    allow(dead_code, reason = "each backend looks at what it needs")
)]
pub(crate) struct Launch<'l> {
    pub(crate) code: &'static Code,
    pub(crate) kernel: &'l Loaded,
    /// Threads, workgroups, and workgroup memory.
    pub(crate) sizes: LaunchSizes,
    /// The attributes that the launch asks for beyond its sizes. The device has them.
    pub(crate) attributes: LaunchAttributes,
    /// The kernel's raw arguments, which live until the call returns.
    pub(crate) arguments: *const (),
    /// The memory that the arguments point at.
    pub(crate) accesses: &'l [Access],
    /// Whether graphs use some of the memory too: then a borrow keeps nobody away.
    pub(crate) is_shared: bool,
    /// Whether who submits it waits for its end next.
    pub(crate) is_awaited: bool,
    /// The place where the groups of a grid meet: the address of zeroed memory of this launch, which is in
    /// `accesses`.
    pub(crate) meeting: Option<u64>,
}

impl Launch<'_> {
    /// The launch with arguments of its own, for a backend that keeps others from the memory.
    ///
    /// # Safety
    /// `arguments` points at the kernel's raw arguments.
    pub(crate) unsafe fn kept(self) -> KernelTask {
        let Self { code, kernel, sizes, attributes, arguments, .. } = self;
        // SAFETY: the caller says that they are the kernel's.
        let arguments = unsafe { code.copied(arguments) };
        KernelTask { code, loaded: Loaded::clone(kernel), sizes, attributes, arguments }
    }
}
