//! Where threads leave what is to be told, in the driver's memory.

use std::ffi::{CString, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

use gridwright_core::{ALLOCATES, HeapUsage, Image, ImageEntry, RECORD};

use super::handles::{Address, ModuleHandle, StreamHandle};
use super::state::State;
use super::{Driver, Status, Vendor};
use crate::backend::gpu::{HeapMemory, KernelHeap, Link, Shared};
use crate::backend::{Output, Printed};
use crate::{Error, Priority};

/// What a device's threads leave, once an image was loaded in which they can.
#[derive(Debug, Default)]
pub(super) struct Records(Mutex<Left>);

#[derive(Debug, Default)]
struct Left {
    driven: Option<Driven>,
    heap: KernelHeap,
}

#[derive(Debug)]
struct Driven {
    shared: Shared,
    copies: Copies,
}

/// The stream for copies, which wait for no kernel.
#[derive(Clone, Copy, Debug)]
struct Copies(StreamHandle);

// SAFETY: a stream may be used by any thread that has its context current.
unsafe impl Send for Copies {}

/// The way to the device's memory. The context is current.
struct Copier<'d, V: Vendor> {
    driver: &'d Driver<V>,
    stream: StreamHandle,
    /// The lock of the state, held while nothing may be launched.
    state: Option<MutexGuard<'d, State>>,
}

impl<V: Vendor> Output for Driver<V> {
    fn printed(&self) -> &Printed {
        &self.printed
    }

    fn set_heap_bytes(&self, bytes: usize) -> Result<(), Error> {
        self.loss.check()?;
        self.enter()?;
        let Left { driven, heap } = &mut *self.records();
        let Some(Driven { shared, copies }) = driven else {
            heap.set_bytes(bytes);
            return Ok(());
        };
        let mut copier = self.copier(*copies);
        let resized = copier.pause().and_then(|()| heap.resize(&copier, shared.record(), bytes));
        copier.resume();
        resized
    }

    fn heap_usage(&self) -> Result<HeapUsage, Error> {
        self.loss.check()?;
        self.enter()?;
        let Left { driven: Some(Driven { copies, .. }), heap } = &*self.records() else {
            return Ok(HeapUsage::default());
        };
        let mut copier = self.copier(*copies);
        let usage = copier.pause().and_then(|()| heap.usage(&copier));
        copier.resume();
        usage
    }
}

impl<V: Vendor> Driver<V> {
    /// Tells the threads of a module where to leave things: each module has a variable of its own for that. Those of a module without
    /// it leave nothing.
    ///
    /// The context is current.
    pub(super) fn record_for(
        &self,
        module: ModuleHandle,
        image: &'static Image,
        entry: &'static ImageEntry,
    ) -> Result<(), Error> {
        // Where a name isn't, drivers' checkers take a look for an error.
        let find = |name| image.may_have(entry, name).then(|| self.find_global(module, name)).flatten();
        let Some((address, 8)) = find(RECORD) else { return Ok(()) };
        self.vendor.place(image, RECORD, address);
        let Left { driven, heap } = &mut *self.records();
        let Driven { shared, copies } = match driven {
            Some(driven) => driven,
            none => none.insert(self.share()?),
        };
        shared.know(image.panics);
        let copier = self.copier(*copies);
        if find(ALLOCATES).is_some() {
            heap.provide(&copier, shared.record())?;
        }
        copier.write(address, &shared.record().to_le_bytes())
    }

    /// The address of a module's variable or constant, and its bytes.
    fn find_global(&self, module: ModuleHandle, name: &str) -> Option<(Address, usize)> {
        let (find, name) = (self.api().global?, CString::new(name).ok()?);
        let (mut address, mut bytes) = (0, 0);
        // SAFETY: the module is loaded; two numbers to write.
        let found = unsafe { (find.call)(&raw mut address, &raw mut bytes, module, name.as_ptr()) };
        (found == Status::SUCCESS).then_some((address, bytes))
    }

    /// Hands on what threads printed, and returns the first panic since the last call. It is called when something was
    /// waited for, without the lock of the state.
    pub(super) fn take_records(&self) -> Result<(), Error> {
        let mut records = self.records();
        let Left { driven: Some(Driven { shared, copies }), heap } = &mut *records else {
            // No kernel that was launched can have left anything.
            let state = &mut *self.lock();
            if state.is_idle() {
                state.launched.clear();
            }
            return Ok(());
        };
        let mut copier = self.copier(*copies);
        let lines = shared.take_lines(&mut copier, &self.printed);
        let panic = shared.take_panic(&copier, || self.lock().launched.name());
        {
            // What is done has left what it had to leave, and nothing is launched meanwhile.
            let state = &mut *self.lock();
            if state.is_idle() && !shared.has_panic() {
                state.launched.clear();
            }
        }
        let mut cleared = Ok(());
        if matches!(panic, Ok(Some(_))) {
            // Threads that panicked free nothing.
            cleared = copier.pause().and_then(|()| heap.clear(&copier));
            copier.resume();
        }
        drop(records);
        self.printed.hand_on();
        lines?;
        panic?.map_or(cleared, Err)
    }

    /// Frees the memory. The context is current, and no kernel runs.
    pub(super) fn free_records(&self) {
        let Left { driven, heap } = &mut *self.records();
        if let Some(Driven { shared, copies }) = driven.take() {
            heap.release(&self.copier(copies));
            // There is nobody to tell.
            // SAFETY: allocated in `share`.
            let _ = unsafe { (self.api().free.call)(shared.record()) };
            // SAFETY: allocated in `share`; no kernel runs, and nobody else uses it.
            let _ = unsafe { (self.api().free_host.call)(shared.host().cast()) };
        }
    }

    fn records(&self) -> MutexGuard<'_, Left> {
        self.records.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn copier(&self, copies: Copies) -> Copier<'_, V> {
        Copier { driver: self, stream: copies.0, state: None }
    }

    fn share(&self) -> Result<Driven, Error> {
        let copies = {
            let state = &mut *self.lock();
            let created = state.create_stream(self.api(), Priority::NORMAL);
            let stream =
                created.map_err(|status| self.error_in(state, self.api().create_stream.name, status))?;
            Copies(state.stream(stream).raw)
        };
        let room = self.printed.room();
        let bytes = Shared::host_bytes(room);
        let mut host: *mut c_void = std::ptr::null_mut();
        // SAFETY: the context is current; an address to write.
        let status =
            unsafe { (self.api().allocate_host.call)(&raw mut host, bytes, V::NUMBERS.portable_and_mapped) };
        self.checked(self.api().allocate_host.name, status)?;
        // SAFETY: as many bytes were just allocated.
        unsafe { host.cast::<u8>().write_bytes(0, bytes) };
        let mut record = 0;
        let written = self.device_address(host).and_then(|address| {
            // SAFETY: the context is current; an address to write.
            let status = unsafe { (self.api().allocate.call)(&raw mut record, Shared::RECORD) };
            self.checked(self.api().allocate.name, status)?;
            self.copier(copies).write(record, &Shared::new_record(address, room))
        });
        if let Err(error) = written {
            // SAFETY: allocated above if it isn't zero, and nobody else knows of it.
            let _ = unsafe { if record == 0 { Status::SUCCESS } else { (self.api().free.call)(record) } };
            // SAFETY: allocated above; no image was told of the record, so that nobody uses it.
            let _ = unsafe { (self.api().free_host.call)(host) };
            return Err(error);
        }
        // SAFETY: the driver gives whole pages for all threads, zeroed above, and frees them in `free_records`; the device
        // knows them by the record only.
        Ok(Driven { shared: unsafe { Shared::new(record, host.cast(), room) }, copies })
    }

    /// The address that the device knows the host's memory by.
    fn device_address(&self, host: *mut c_void) -> Result<Address, Error> {
        let mut device = host.expose_provenance() as Address;
        if let Some(find) = self.api().device_pointer {
            // SAFETY: the driver's memory; an address to write.
            self.checked(find.name, unsafe { (find.call)(&raw mut device, host, 0) })?;
        }
        Ok(device)
    }
}

impl<V: Vendor> Copier<'_, V> {
    fn checked(&self, call: &'static str, status: Status) -> Result<(), Error> {
        match &self.state {
            Some(state) => self.driver.check(state, call, status),
            None => self.driver.checked(call, status),
        }
    }

    fn finished(&self, call: &'static str, copied: Status) -> Result<(), Error> {
        // Also after an error: nobody may use the bytes any more.
        // SAFETY: the stream stays until the device is closed.
        let status = unsafe { (self.driver.api().synchronize_stream.call)(self.stream) };
        self.checked(call, copied)?;
        self.checked(self.driver.api().synchronize_stream.name, status)
    }
}

impl<V: Vendor> HeapMemory for Copier<'_, V> {
    fn allocate(&self, bytes: usize) -> Result<u64, Error> {
        let mut memory = 0;
        // SAFETY: the context is current; an address to write.
        let status = unsafe { (self.driver.api().allocate.call)(&raw mut memory, bytes) };
        if status == Status::OUT_OF_MEMORY {
            return Err(self.driver.out_of_memory(bytes));
        }
        self.checked(self.driver.api().allocate.name, status)?;
        Ok(memory)
    }

    fn free(&self, memory: u64) {
        // There is nobody to tell.
        // SAFETY: allocated above, and no kernel uses it.
        let _ = unsafe { (self.driver.api().free.call)(memory) };
    }
}

impl<V: Vendor> Link for Copier<'_, V> {
    fn read(&self, from: u64, to: &mut [u8]) -> Result<(), Error> {
        // SAFETY: the context is current; an address that the device has none at is refused; the bytes are borrowed until
        // the copy is done.
        let status = unsafe {
            (self.driver.api().copy_to_host.call)(to.as_mut_ptr().cast(), from, to.len(), self.stream)
        };
        self.finished(self.driver.api().copy_to_host.name, status)
    }

    fn write(&self, to: u64, from: &[u8]) -> Result<(), Error> {
        // SAFETY: the context is current; memory of the driver's, with room for the bytes, which are borrowed until the
        // copy is done.
        let status = unsafe {
            (self.driver.api().copy_to_device.call)(to, from.as_ptr().cast(), from.len(), self.stream)
        };
        self.finished(self.driver.api().copy_to_device.name, status)
    }

    fn read_image(&self, from: u64, to: &mut [u8]) -> Result<(), Error> {
        if self.driver.vendor.read_image(from, to) { Ok(()) } else { self.read(from, to) }
    }

    fn pause(&mut self) -> Result<(), Error> {
        let state = self.driver.lock();
        // SAFETY: the context is current.
        let status = unsafe { (self.driver.api().synchronize_context.call)() };
        let waited = self.driver.check(&state, self.driver.api().synchronize_context.name, status);
        self.state = Some(state);
        waited
    }

    fn resume(&mut self) {
        self.state = None;
    }
}
