//! Device memory: whose it is, and how much each device has given.

use std::collections::BTreeMap;
use std::ffi::c_uint;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, Weak};

use gridwright_emulator::Device as Emulator;

use crate::abi::Out;
use crate::context::{Context, Cuda, current, ending, freeing};
use crate::error::Error;
use crate::graph_memory::GraphMemory;
use crate::host_memory::{HOST_MEMORY, Origin};
use crate::ids;
use crate::locks::{lock, write};
use crate::process::{Process, process};
use crate::queue::Work;
use crate::registry::Handle;
use crate::shared::capture;
use crate::shared::graph::{self, OwnMemory, Task};
use crate::shared::pool::{Pool, find};
use crate::shared::shared_memory::SharedMemory;
use crate::stream;

/// What new memory is filled with, so that nobody relies on zeros.
const PATTERN: u8 = 0xa5;
/// Bytes of new memory that are filled: more would take long.
const FILLED: u64 = 1 << 20;

#[derive(Clone)]
pub(crate) struct Allocation {
    pub(crate) bytes: u64,
    pub(crate) context: &'static Context,
    pub(crate) device: usize,
    pub(crate) id: u64,
    /// For memory that was allocated in a stream's order.
    pub(crate) pool: Option<Arc<Pool>>,
    /// What other processes have, too.
    pub(crate) shared: Option<Arc<SharedMemory>>,
    /// Whether it is another process's, which counts it.
    pub(crate) is_foreign: bool,
    /// Of a graph, whose nodes allocate and free it.
    pub(crate) graph: Option<Weak<GraphMemory>>,
    /// Whether the memory will be freed in a stream's order.
    is_leaving: bool,
}

impl Allocation {
    /// Whether other processes can open it.
    pub(crate) fn is_shareable(&self) -> bool {
        self.pool.is_none() && self.graph.is_none() && !self.is_foreign
    }
}

pub(crate) static ALLOCATIONS: Allocations = Allocations { by_address: Mutex::new(BTreeMap::new()) };

/// What is allocated, of all devices.
pub(crate) struct Allocations {
    by_address: Mutex<BTreeMap<u64, Allocation>>,
}

impl Allocations {
    pub(crate) fn allocate(
        &self,
        process: &Process,
        context: &'static Context,
        device: usize,
        bytes: usize,
        pool: Option<Arc<Pool>>,
    ) -> Result<u64, Error> {
        let bytes = bytes as u64;
        if bytes == 0 {
            return Err(Error::INVALID_VALUE);
        }
        let mut by_address = lock(&self.by_address);
        if bytes > process.gpus[device].free() {
            return Err(Error::OUT_OF_MEMORY);
        }
        let address = process.emulator.alloc(bytes).map_err(|_| Error::OUT_OF_MEMORY)?;
        scramble(&process.emulator, address, bytes)?;
        process.gpus[device].used.fetch_add(bytes, Ordering::Relaxed);
        if let Some(pool) = &pool {
            pool.took(bytes);
        }
        let id = ids::next();
        let (shared, is_foreign, graph, is_leaving) = (None, false, None, false);
        let new = Allocation { bytes, context, device, id, pool, shared, is_foreign, graph, is_leaving };
        by_address.insert(address, new);
        Ok(address)
    }

    /// Gives an address to memory of another process.
    pub(crate) fn adopt(
        &self,
        process: &Process,
        context: &'static Context,
        memory: Arc<SharedMemory>,
    ) -> Result<u64, Error> {
        // SAFETY: the mapping stays until the allocation is freed and nothing runs: `give_back` sees to it. Other processes access it as
        // this one does, by atomic operations.
        let adopted = unsafe { process.emulator.adopt(memory.pointer(), memory.bytes()) };
        let address = adopted.map_err(|_| Error::OUT_OF_MEMORY)?;
        let new = Allocation {
            bytes: memory.bytes() as u64,
            context,
            device: context.device,
            id: ids::next(),
            pool: None,
            shared: Some(memory),
            is_foreign: true,
            graph: None,
            is_leaving: false,
        };
        lock(&self.by_address).insert(address, new);
        Ok(address)
    }

    /// Ends what `adopt` began.
    pub(crate) fn close(&self, process: &Process, address: u64) -> Result<(), Error> {
        self.take(process, address, true)
    }

    /// Changes the allocation that holds an address, and says where that begins.
    pub(crate) fn change<T>(
        &self,
        address: u64,
        change: impl FnOnce(u64, &mut Allocation) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut by_address = lock(&self.by_address);
        let (&start, allocation) =
            by_address.range_mut(..=address).next_back().ok_or(Error::INVALID_VALUE)?;
        if address - start >= allocation.bytes {
            return Err(Error::INVALID_VALUE);
        }
        change(start, allocation)
    }

    /// Counts bytes of a device that aren't among the allocations, as long as the value lives.
    pub(crate) fn count(
        &self,
        process: &'static Process,
        device: usize,
        bytes: u64,
    ) -> Result<Counted, Error> {
        let _by_address = lock(&self.by_address);
        if bytes > process.gpus[device].free() {
            return Err(Error::OUT_OF_MEMORY);
        }
        process.gpus[device].used.fetch_add(bytes, Ordering::Relaxed);
        Ok(Counted { process, device, bytes })
    }

    /// Frees the memory that begins at an address, at once: what is queued and uses it fails.
    pub(crate) fn free(&self, process: &Process, address: u64) -> Result<(), Error> {
        self.take(process, address, false)
    }

    fn take(&self, process: &Process, address: u64, is_foreign: bool) -> Result<(), Error> {
        let mut by_address = lock(&self.by_address);
        if by_address.get(&address).is_none_or(|allocation| allocation.is_foreign != is_foreign) {
            return Err(Error::INVALID_VALUE);
        }
        if let Some(graph) = by_address.get(&address).and_then(|allocation| allocation.graph.clone()) {
            drop(by_address);
            // A launch allocated it; another may do so again.
            let memory = graph.upgrade().filter(|memory| memory.hold(false)).ok_or(Error::INVALID_VALUE)?;
            return memory.renew();
        }
        let allocation = by_address.remove(&address).ok_or(Error::INVALID_VALUE)?;
        drop(by_address);
        self.give_back(process, address, allocation)
    }

    /// Frees memory that no graph has any more.
    pub(crate) fn free_of_graph(&self, process: &Process, address: u64) {
        let gone = lock(&self.by_address).remove(&address);
        if let Some(allocation) = gone {
            // The emulator knows each address in the table.
            let _ = self.give_back(process, address, allocation);
        }
    }

    fn give_back(&self, process: &Process, address: u64, allocation: Allocation) -> Result<(), Error> {
        if !allocation.is_foreign {
            process.gpus[allocation.device].used.fetch_sub(allocation.bytes, Ordering::Relaxed);
        }
        if let Some(pool) = &allocation.pool {
            pool.gave(allocation.bytes);
        }
        let freed = process.emulator.free(address).map_err(|_| Error::INVALID_VALUE);
        if let Some(shared) = allocation.shared {
            // What might have seen the mapping holds `running` for reading, and so has ended.
            let none_runs = write(&process.running);
            drop(shared);
            drop(none_runs);
        }
        freed
    }

    /// Marks memory of a pool that a stream will free. A second time it isn't there any more.
    fn leave(&self, address: u64) -> Result<(), Error> {
        let mut by_address = lock(&self.by_address);
        let allocation = by_address.get_mut(&address).ok_or(Error::INVALID_VALUE)?;
        if allocation.is_leaving || allocation.pool.is_none() {
            return Err(Error::INVALID_VALUE);
        }
        allocation.is_leaving = true;
        Ok(())
    }

    pub(crate) fn free_all(&self, process: &Process, context: &Context) {
        let mut by_address = lock(&self.by_address);
        let of_context = |_: &u64, allocation: &mut Allocation| allocation.context.is(context);
        let gone: Vec<_> = by_address.extract_if(.., of_context).collect();
        drop(by_address);
        for (address, allocation) in gone {
            // The emulator knows each address in the table.
            let _ = self.give_back(process, address, allocation);
        }
    }

    /// The allocation that holds an address, and where it begins.
    pub(crate) fn find(&self, address: u64) -> Option<(u64, Allocation)> {
        let by_address = lock(&self.by_address);
        let (&start, allocation) = by_address.range(..=address).next_back()?;
        (address - start < allocation.bytes).then(|| (start, allocation.clone()))
    }
}

/// Bytes of a device that are counted among those it has given.
pub(crate) struct Counted {
    process: &'static Process,
    device: usize,
    bytes: u64,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.process.gpus[self.device].used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Makes memory, or the front of it, what new memory is on a GPU: anything but zeros, and never written.
pub(crate) fn scramble(emulator: &Emulator, address: u64, bytes: u64) -> Result<(), Error> {
    let bytes = bytes.min(FILLED);
    let filled = emulator.fill(address, &[PATTERN], bytes);
    filled.and_then(|()| emulator.mark_initialised(address, bytes, false)).map_err(|_| Error::ILLEGAL_ADDRESS)
}

/// Whether one allocation, variable or mapping holds a range.
pub(crate) fn is_covered(process: &Process, address: u64, bytes: u64) -> bool {
    process.emulator.allocation(address).is_ok_and(|(start, length)| bytes <= length - (address - start))
}

/// Memory that streams may use behind this operation of `stream`. What another one writes to it before is lost. In a capture, it is a
/// graph's.
fn allocate_async(
    address: Out<u64>,
    bytes: usize,
    pool: Option<Handle>,
    stream: Handle,
) -> Result<(), Error> {
    let stream = stream::find(stream)?;
    let process = process()?.with_pools()?;
    if address.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let pool = match pool {
        Some(handle) => find::<Cuda>(handle)?,
        None => process.gpus[stream.context.device].pools.current::<Cuda>()?,
    };
    let device = pool.device;
    if let Some(capture) = stream.captured() {
        let memory = GraphMemory::new(process, stream.context, device, bytes)?;
        address.put(memory.address)?;
        return graph::capture(&capture, &stream, Task::Allocate(memory));
    }
    let new = ALLOCATIONS.allocate(process, stream.context, device, bytes, Some(pool))?;
    let emulator = process.emulator.clone();
    // Freed before it was reached: then there is nothing to scramble.
    stream.submit(Work::run(move || {
        let _ = scramble(&emulator, new, bytes as u64);
        Ok(())
    }))?;
    address.put(new)
}

driver! {
    /// The memory has a pattern in it, and counts as never written.
    fn cuMemAlloc_v2(address: Out<u64>, bytes: usize) {
        let context = current()?;
        let process = process()?;
        capture::refuse_unsafe()?;
        if address.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        address.put(ALLOCATIONS.allocate(process, context, context.device, bytes, None)?)
    }

    /// Rows begin at multiples of 512 bytes.
    fn cuMemAllocPitch_v2(address: Out<u64>, pitch: Out<usize>, width: usize, height: usize, element: c_uint) {
        let context = current()?;
        let process = process()?;
        if address.is_null() || pitch.is_null() || !matches!(element, 4 | 8 | 16) {
            return Err(Error::INVALID_VALUE);
        }
        let row = width.checked_next_multiple_of(512).ok_or(Error::INVALID_VALUE)?;
        let bytes = row.checked_mul(height).ok_or(Error::INVALID_VALUE)?;
        let new = ALLOCATIONS.allocate(process, context, context.device, bytes, None)?;
        pitch.put(row)?;
        address.put(new)
    }

    /// Waits for what is queued, in all contexts; where frees are strict it doesn't, and what uses the memory fails.
    fn cuMemFree_v2(address: u64) {
        if address == 0 {
            return ending().map(drop);
        }
        let process = freeing()?;
        ALLOCATIONS
            .free(process, address)
            .or_else(|error| HOST_MEMORY.free(process, address as usize, Origin::Managed).map_err(|_| error))
    }

    fn cuMemAllocAsync[ptsz](address: Out<u64>, bytes: usize, stream: Handle) {
        allocate_async(address, bytes, None, stream)
    }

    fn cuMemAllocFromPoolAsync[ptsz](address: Out<u64>, bytes: usize, pool: Handle, stream: Handle) {
        allocate_async(address, bytes, Some(pool), stream)
    }

    /// Freed when the stream comes to it. In a capture, a node frees what another one allocates.
    fn cuMemFreeAsync[ptsz](address: u64, stream: Handle) {
        let stream = stream::find(stream)?;
        let process = process()?.with_pools()?;
        let of_graph = GraphMemory::find(address);
        if let Some(capture) = stream.captured() {
            return graph::capture(&capture, &stream, Task::Free(of_graph.map_err(|error| capture.refuse(error))?));
        }
        if let Ok(memory) = of_graph {
            if !memory.hold(false) {
                return Err(Error::INVALID_VALUE);
            }
            return stream.submit(Work::run(move || memory.renew())).map(drop);
        }
        ALLOCATIONS.leave(address)?;
        // Somebody may have freed it at once meanwhile.
        stream.submit(Work::run(move || {
            let _ = ALLOCATIONS.free(process, address);
            Ok(())
        }))?;
        Ok(())
    }

    fn cuMemGetInfo_v2(free: Out<usize>, total: Out<usize>) {
        let context = current()?;
        let process = process()?;
        let gpu = &process.gpus[context.device];
        free.put(gpu.free() as usize)?;
        total.put(gpu.memory as usize)
    }

    fn cuMemGetAddressRange_v2(start: Out<u64>, bytes: Out<usize>, address: u64) {
        current()?;
        let (base, length) = process()?.emulator.allocation(address).map_err(|_| Error::NOT_FOUND)?;
        start.put_if_asked(base);
        bytes.put_if_asked(length as usize);
        Ok(())
    }
}
