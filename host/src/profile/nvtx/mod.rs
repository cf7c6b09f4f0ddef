//! Ranges for NVIDIA's tools, where one of them is there.

#[cfg(feature = "cuda")]
mod injection;
#[cfg(feature = "cuda")]
mod library;

/// A range of this thread, until it is dropped.
#[derive(Debug)]
pub(super) struct Pushed {
    #[cfg(feature = "cuda")]
    nvtx: Option<library::Nvtx>,
    /// A range ends on the thread that began it.
    _thread: std::marker::PhantomData<*const ()>,
}

impl Pushed {
    #[cfg(feature = "cuda")]
    pub(super) fn new(name: &str) -> Self {
        let nvtx = library::Nvtx::get();
        if let Some(nvtx) = nvtx {
            nvtx.push(name);
        }
        Self { nvtx, _thread: std::marker::PhantomData }
    }

    #[cfg(not(feature = "cuda"))]
    pub(super) fn new(_: &str) -> Self {
        Self { _thread: std::marker::PhantomData }
    }
}

#[cfg(feature = "cuda")]
impl Drop for Pushed {
    fn drop(&mut self) {
        if let Some(nvtx) = self.nvtx {
            nvtx.pop();
        }
    }
}
