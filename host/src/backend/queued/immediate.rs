//! What is done at once: pieces of work on an engine, recorded work one operation after another, and what failed of it.

use std::ptr::NonNull;

use super::engine::{Engine, Ran};
use super::failure::Failure;
use crate::Error;
use crate::backend::host_allocation;
use crate::submission::{BoxCopy, Home, Launch, LoadedKernel, Memory, Operation, Place, Task, Work};

/// An engine, and what failed of its work. Who calls it keeps others from the memory: by a borrow, or in a stream's line.
#[derive(Debug)]
pub(super) struct Immediate<E> {
    pub(super) engine: E,
    pub(super) failure: Failure,
}

impl<E: Engine> Immediate<E> {
    pub(super) fn new(engine: E) -> Self {
        Self { engine, failure: Failure::default() }
    }

    /// # Errors
    /// What failed since the last call.
    pub(super) fn report(&self) -> Result<(), Error> {
        self.engine.report()?;
        self.failure.take()
    }

    /// A kernel as the engine loaded it.
    pub(super) fn kernel<'k>(
        &self,
        kernel: &'k dyn LoadedKernel,
        call: &'static str,
    ) -> Result<&'k E::Kernel, Error> {
        kernel.of().ok_or_else(|| Error::Backend {
            device: self.engine.name().to_owned(),
            call,
            message: "another device loaded the kernel".into(),
        })
    }

    /// Runs a kernel.
    ///
    /// # Safety
    /// As for [`Launches::launch`](crate::backend::Launches::launch), and nobody else uses the memory meanwhile; `kernel` is the launch's.
    #[inline]
    pub(super) unsafe fn launch(&self, kernel: &E::Kernel, launch: &Launch<'_>) -> Result<(), Error> {
        // SAFETY: the caller checked sizes and arguments, and keeps others from their memory; `kernel` is the launch's.
        match unsafe { self.engine.launch(kernel, launch) }? {
            Ran::ToItsEnd => {}
            Ran::Failed(error) => self.failure.add(error),
        }
        Ok(())
    }

    /// Runs recorded operations one after another.
    ///
    /// # Safety
    /// As for [`Graphs::replay`](crate::backend::Graphs::replay), and nobody else uses the memory meanwhile.
    pub(super) unsafe fn run(&self, work: &Work) -> Result<(), Error> {
        for operation in &work.operations {
            let Operation { task, accesses, .. } = &**operation;
            // SAFETY: each operation was checked when it was recorded, its owners keep the memory, and the caller keeps others away.
            unsafe {
                match task {
                    Task::Nothing => {}
                    Task::Launch(task) => {
                        self.launch(self.kernel(&*task.loaded, "launch")?, &task.launch(accesses))?;
                    }
                    Task::Copy { from, to, bytes } => self.engine.copy(from.pointer, to.pointer, *bytes)?,
                    Task::CopyBox { from, to, copy } => self.copy_box(*from, *to, copy)?,
                    Task::Fill { to, pattern, count } => self.engine.fill(to.pointer, pattern, *count)?,
                    Task::Write { to, bytes } => self.write(*to, bytes)?,
                    Task::Host(call) => call.run(),
                }
            }
        }
        Ok(())
    }

    /// Gives memory back.
    ///
    /// # Safety
    /// It came from this device for as many bytes, and nobody uses it any more.
    pub(super) unsafe fn free(&self, memory: Memory, bytes: usize) {
        // SAFETY: the caller says that it came from here, which `home` says the kind of, and that nobody uses it.
        unsafe {
            match (memory.home, self.engine.textures()) {
                (Home::Texture, Some(textures)) => textures.free(memory.pointer),
                (Home::Unified | Home::Mapped, _) => {
                    if self.engine.unmap(memory.pointer) {
                        host_allocation::give_back(memory.pointer, bytes);
                    }
                }
                (Home::Device | Home::Texture, _) => self.engine.free(memory.pointer, bytes),
            }
        }
    }

    /// Copies to the device.
    ///
    /// # Safety
    /// There is room for as many bytes, and nobody else uses it meanwhile.
    pub(super) unsafe fn write(&self, to: Place, from: &[u8]) -> Result<(), Error> {
        // SAFETY: the caller says that there is room, and keeps others away.
        unsafe { self.engine.write(to.pointer, NonNull::from(from).cast(), from.len()) }
    }

    /// Copies to the host.
    ///
    /// # Safety
    /// As many bytes are there, and nobody writes them meanwhile.
    pub(super) unsafe fn read(&self, from: Place, to: &mut [u8]) -> Result<(), Error> {
        // SAFETY: the caller says that as many are there, and keeps others away.
        unsafe { self.engine.read(from.pointer, NonNull::from(&mut *to).cast(), to.len()) }
    }

    /// Copies a box on the device.
    ///
    /// # Safety
    /// Its rows lie in memory on both sides, which don't overlap, and nobody else uses them meanwhile.
    pub(super) unsafe fn copy_box(&self, from: Place, to: Place, copy: &BoxCopy) -> Result<(), Error> {
        copy.offsets().try_for_each(|(from_offset, to_offset)| {
            // SAFETY: the caller says that each row lies in memory on both sides and that they don't overlap, and keeps others away.
            unsafe { self.engine.copy(from.pointer.add(from_offset), to.pointer.add(to_offset), copy.row) }
        })
    }

    /// Copies all texels from the host.
    ///
    /// # Safety
    /// It is a texture of this device's with as many bytes, and nobody else uses it meanwhile.
    pub(super) unsafe fn write_texture(&self, to: Place, from: &[u8]) -> Result<(), Error> {
        // SAFETY: the caller says that there are as many bytes, and keeps others away.
        unsafe {
            match self.engine.textures() {
                Some(textures) => textures.write(to.pointer, from),
                None => self.write(to, from),
            }
        }
    }

    /// Copies all texels to the host.
    ///
    /// # Safety
    /// As for [`write_texture`](Self::write_texture).
    pub(super) unsafe fn read_texture(&self, from: Place, to: &mut [u8]) -> Result<(), Error> {
        // SAFETY: the caller says that there are as many bytes, and keeps others away.
        unsafe {
            match self.engine.textures() {
                Some(textures) => textures.read(from.pointer, to),
                None => self.read(from, to),
            }
        }
    }

    /// Copies all texels from memory of the device.
    ///
    /// # Safety
    /// As for [`write_texture`](Self::write_texture), and for `from` too.
    pub(super) unsafe fn copy_to_texture(&self, from: Place, to: Place, bytes: usize) -> Result<(), Error> {
        // SAFETY: the caller says that both have as many bytes, and keeps others away.
        unsafe {
            match self.engine.textures() {
                Some(textures) => textures.copy(from.pointer, to.pointer, bytes),
                None => self.engine.copy(from.pointer, to.pointer, bytes),
            }
        }
    }
}
