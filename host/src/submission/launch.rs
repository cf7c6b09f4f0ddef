use gridwright_core::{LaunchAttributes, LaunchSizes};

use super::{Access, Code, LoadedKernel};

/// A checked launch.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(any(feature = "cuda", feature = "hip")),
    allow(dead_code, reason = "each backend looks at what it needs")
)]
pub(crate) struct Launch<'l> {
    pub(crate) code: &'static Code,
    pub(crate) kernel: &'l dyn LoadedKernel,
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
    /// The place where the groups of a grid meet: the address of zeroed memory of this launch, which is in
    /// `accesses`.
    pub(crate) meeting: Option<u64>,
}
