//! Host memory that devices reach: pinned, registered, managed.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::BTreeMap;
use std::ffi::c_uint;
use std::sync::RwLock;

use crate::abi::{Out, Untyped};
use crate::context::{Context, current, freeing};
use crate::error::Error;
use crate::ids;
use crate::locks::{read, write};
use crate::process::{Process, process, started};
use crate::shared::capture;

const PAGE: usize = 4096;

/// Where host memory comes from: it goes back the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// `cuMemHostAlloc` and `cuMemAllocHost`.
    Pinned,
    /// `cuMemHostRegister`: the caller's own.
    Registered,
    /// `cuMemAllocManaged`.
    Managed,
    /// A `__managed__` variable, which goes with its module.
    Variable,
}

#[derive(Clone, Copy)]
pub(crate) struct Block {
    pub(crate) bytes: usize,
    pub(crate) origin: Origin,
    pub(crate) flags: c_uint,
    pub(crate) context: &'static Context,
    pub(crate) id: u64,
}

impl Block {
    pub(crate) fn is_managed(&self) -> bool {
        matches!(self.origin, Origin::Managed | Origin::Variable)
    }
}

pub(crate) static HOST_MEMORY: HostMemory = HostMemory(RwLock::new(BTreeMap::new()));

/// By address.
pub(crate) struct HostMemory(RwLock<BTreeMap<usize, Block>>);

impl HostMemory {
    /// The block that holds an address, and where it begins.
    pub(crate) fn find(&self, address: usize) -> Option<(usize, Block)> {
        let blocks = read(&self.0);
        let (&start, block) = blocks.range(..=address).next_back()?;
        (address - start < block.bytes).then_some((start, *block))
    }

    fn allocate(
        &self,
        process: &Process,
        context: &'static Context,
        bytes: usize,
        origin: Origin,
        flags: c_uint,
    ) -> Result<usize, Error> {
        if bytes == 0 {
            return Err(Error::INVALID_VALUE);
        }
        let layout = Layout::from_size_align(bytes, PAGE).map_err(|_| Error::OUT_OF_MEMORY)?;
        // SAFETY: the layout's size isn't zero.
        let pointer = unsafe { alloc_zeroed(layout) };
        if pointer.is_null() {
            return Err(Error::OUT_OF_MEMORY);
        }
        // SAFETY: the memory lives until `release` has unmapped it and no kernel runs. What the program does with it
        // meanwhile is up to the program, as with any memory that it shares with a GPU.
        if unsafe { process.emulator.map(pointer, bytes) }.is_err() {
            // SAFETY: just allocated with this layout.
            unsafe { dealloc(pointer, layout) };
            return Err(Error::OUT_OF_MEMORY);
        }
        let block = Block { bytes, origin, flags, context, id: ids::next() };
        write(&self.0).insert(pointer.addr(), block);
        Ok(pointer.expose_provenance())
    }

    fn register(
        &self,
        process: &Process,
        context: &'static Context,
        address: usize,
        bytes: usize,
        flags: c_uint,
    ) -> Result<(), Error> {
        let end = address.checked_add(bytes).ok_or(Error::INVALID_VALUE)?;
        let mut blocks = write(&self.0);
        let before = blocks.range(..end).next_back();
        if before.is_some_and(|(&start, block)| start + block.bytes > address) {
            return Err(Error::HOST_MEMORY_ALREADY_REGISTERED);
        }
        let pointer = std::ptr::with_exposed_provenance_mut(address);
        // SAFETY: the caller's memory, which it keeps until it is unregistered: `cuda.h` demands it.
        unsafe { process.emulator.map(pointer, bytes) }.map_err(|_| Error::INVALID_VALUE)?;
        blocks.insert(address, Block { bytes, origin: Origin::Registered, flags, context, id: ids::next() });
        Ok(())
    }

    /// Adds a variable that the emulator gave memory, until [`forget_variable`](Self::forget_variable).
    pub(crate) fn add_variable(&self, context: &'static Context, address: usize, bytes: usize) {
        const GLOBAL: c_uint = 1;
        let (origin, flags, id) = (Origin::Variable, GLOBAL, ids::next());
        write(&self.0).insert(address, Block { bytes, origin, flags, context, id });
    }

    pub(crate) fn forget_variable(&self, address: usize) {
        write(&self.0).remove(&address);
    }

    /// Ends a block that begins at an address.
    ///
    /// # Errors
    /// If there is none of this origin.
    pub(crate) fn free(&self, process: &Process, address: usize, origin: Origin) -> Result<(), Error> {
        let mut blocks = write(&self.0);
        let block =
            *blocks.get(&address).filter(|block| block.origin == origin).ok_or(Error::INVALID_VALUE)?;
        blocks.remove(&address);
        drop(blocks);
        release(process, address, block);
        Ok(())
    }

    pub(crate) fn free_all(&self, process: &Process, context: &Context) {
        let mut blocks = write(&self.0);
        let is_gone =
            |_: &usize, block: &mut Block| block.context.is(context) && block.origin != Origin::Variable;
        let gone: Vec<_> = blocks.extract_if(.., is_gone).collect();
        drop(blocks);
        gone.into_iter().for_each(|(address, block)| release(process, address, block));
    }
}

/// Takes memory from the devices, and back from the program if it was ours. Waits for kernels and copies that run, and
/// not for those that are queued.
fn release(process: &Process, address: usize, block: Block) {
    // It was mapped when the block was made.
    let _ = process.emulator.unmap(address as u64);
    let none_runs = write(&process.running);
    if block.origin != Origin::Registered
        && let Ok(layout) = Layout::from_size_align(block.bytes, PAGE)
    {
        // SAFETY: `allocate` got it with this layout. It isn't mapped any more, and what might have seen it mapped holds
        // `running` for reading, and so has ended.
        unsafe { dealloc(std::ptr::with_exposed_provenance_mut(address), layout) };
    }
    drop(none_runs);
}

fn allocate(address: Out<usize>, bytes: usize, flags: c_uint) -> Result<(), Error> {
    let context = current()?;
    let process = process()?;
    capture::refuse_unsafe()?;
    if address.is_null() || flags & !7 != 0 {
        return Err(Error::INVALID_VALUE);
    }
    address.put(HOST_MEMORY.allocate(process, context, bytes, Origin::Pinned, flags)?)
}

driver! {
    /// All pinned memory is mapped.
    fn cuMemHostAlloc(address: Out<usize>, bytes: usize, flags: c_uint) {
        allocate(address, bytes, flags)
    }

    fn cuMemAllocHost_v2(address: Out<usize>, bytes: usize) {
        allocate(address, bytes, 0)
    }

    /// Waits for what is queued, as `cuMemFree` does.
    fn cuMemFreeHost(address: Untyped) {
        let process = freeing()?;
        HOST_MEMORY.free(process, address.address(), Origin::Pinned)
    }

    fn cuMemHostRegister_v2(address: Untyped, bytes: usize, flags: c_uint) {
        let context = current()?;
        let process = process()?;
        if address.address() == 0 || bytes == 0 || flags & !0xf != 0 {
            return Err(Error::INVALID_VALUE);
        }
        HOST_MEMORY.register(process, context, address.address(), bytes, flags)
    }

    fn cuMemHostUnregister(address: Untyped) {
        let process = freeing()?;
        let freed = HOST_MEMORY.free(process, address.address(), Origin::Registered);
        freed.map_err(|_| Error::HOST_MEMORY_NOT_REGISTERED)
    }

    /// The host's address is the device's: there is one address space.
    fn cuMemHostGetDevicePointer_v2(address: Out<u64>, host: Untyped, flags: c_uint) {
        current()?;
        if flags != 0 {
            return Err(Error::INVALID_VALUE);
        }
        started(&HOST_MEMORY)?.find(host.address()).ok_or(Error::INVALID_VALUE)?;
        address.put(host.address() as u64)
    }

    fn cuMemHostGetFlags(flags: Out<c_uint>, host: Untyped) {
        current()?;
        let (_, block) = HOST_MEMORY.find(host.address()).ok_or(Error::INVALID_VALUE)?;
        flags.put(block.flags)
    }

    /// Host memory that kernels reach: it moves nowhere.
    fn cuMemAllocManaged(address: Out<usize>, bytes: usize, flags: c_uint) {
        let context = current()?;
        let process = process()?;
        if address.is_null() || !matches!(flags, 1 | 2) {
            return Err(Error::INVALID_VALUE);
        }
        address.put(HOST_MEMORY.allocate(process, context, bytes, Origin::Managed, flags)?)
    }
}
