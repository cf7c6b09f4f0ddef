use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// A kernel that a backend has made ready: an object of the backend's own, which only the backend looks into.
pub(crate) trait LoadedKernel: Any + Debug + Send + Sync {
    /// The threads of a workgroup that the device thinks best, if the kernel's workgroups are no part of what it computes.
    fn best_block(&self) -> Option<usize> {
        None
    }

    /// The architecture that the kernel's code was compiled for, such as `sm_90`: what is assembled for a newer one is still of this. None where it is the program's own.
    fn architecture(&self) -> Option<&'static str> {
        None
    }
}

impl dyn LoadedKernel {
    /// The kernel as a backend's own type. None where another backend loaded it.
    #[inline]
    pub(crate) fn of<K: LoadedKernel>(&self) -> Option<&K> {
        (self as &dyn Any).downcast_ref()
    }
}

/// A loaded kernel, which its launches and the graphs that repeat them share.
pub(crate) type Loaded = Arc<dyn LoadedKernel>;
