//! Device memory of other processes on the machine, by handles.

use std::collections::HashMap;
use std::ffi::c_uint;
use std::sync::{Arc, Mutex};

use crate::abi::Out;
use crate::context::{current, freeing};
use crate::error::Error;
use crate::locks::{lock, write};
use crate::memory::{ALLOCATIONS, Allocations};
use crate::process::{Process, process};
use crate::shared::shared_memory::{Purpose, SharedMemory, SharedName};

/// What is open, by address.
static OPENED: Mutex<Option<HashMap<u64, Opened>>> = Mutex::new(None);

struct Opened {
    name: SharedName,
    context: u64,
    count: usize,
}

const LAZY_ENABLE_PEER_ACCESS: c_uint = 1;

fn open(address: Out<u64>, name: &SharedName, flags: c_uint) -> Result<(), Error> {
    let context = current()?;
    let process = process()?;
    if address.is_null() || flags != LAZY_ENABLE_PEER_ACCESS {
        return Err(Error::INVALID_VALUE);
    }
    // As NVIDIA's driver answers in the process that the memory is of.
    if name.is_own(Purpose::Memory) {
        return Err(Error::INVALID_CONTEXT);
    }
    let mut opened = lock(&OPENED);
    let opened = opened.get_or_insert_default();
    // What a context had that was reset is gone.
    opened.retain(|address, _| ALLOCATIONS.find(*address).is_some());
    let is_it = |known: &Opened| known.name == *name && known.context == context.own.id;
    if let Some((known, entry)) = opened.iter_mut().find(|(_, known)| is_it(known)) {
        entry.count += 1;
        return address.put(*known);
    }
    let memory = SharedMemory::open(name, Purpose::Memory).map_err(|_| Error::INVALID_HANDLE)?;
    let new = ALLOCATIONS.adopt(process, context, Arc::new(memory))?;
    opened.insert(new, Opened { name: *name, context: context.own.id, count: 1 });
    address.put(new)
}

driver! {
    /// The memory moves into a file without a name, which costs a copy the first time. Others find it as long as this process lives and
    /// doesn't free it. Memory of pools has no such handles.
    fn cuIpcGetMemHandle(name: Out<SharedName>, address: u64) {
        current()?;
        let process = process()?;
        if name.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        name.put(ALLOCATIONS.share(process, address)?)
    }

    /// A second time in a context, the address is the same.
    fn cuIpcOpenMemHandle_v2(address: Out<u64>, name: SharedName, flags: c_uint) {
        open(address, &name, flags)
    }

    fn cuIpcOpenMemHandle(address: Out<u64>, name: SharedName, flags: c_uint) {
        open(address, &name, flags)
    }

    /// Waits for what is queued, as `cuMemFree` does. The memory goes with the last of as many closes as it was opened.
    fn cuIpcCloseMemHandle(address: u64) {
        let process = freeing()?;
        let mut opened = lock(&OPENED);
        let opened = opened.get_or_insert_default();
        let entry = opened.get_mut(&address).ok_or(Error::INVALID_VALUE)?;
        entry.count -= 1;
        if entry.count > 0 {
            return Ok(());
        }
        opened.remove(&address);
        ALLOCATIONS.close(process, address)
    }
}

impl Allocations {
    /// The name of the allocation that holds an address.
    fn share(&self, process: &Process, address: u64) -> Result<SharedName, Error> {
        // Nothing runs that uses the memory while it moves.
        let _none_runs = write(&process.running);
        self.change(address, |start, allocation| {
            if !allocation.is_shareable() {
                return Err(Error::INVALID_VALUE);
            }
            let shared = match &allocation.shared {
                Some(shared) => Arc::clone(shared),
                None => {
                    let bytes = usize::try_from(allocation.bytes).map_err(|_| Error::OUT_OF_MEMORY)?;
                    let shared = Arc::new(SharedMemory::new(bytes).map_err(|_| Error::OUT_OF_MEMORY)?);
                    // SAFETY: the mapping has as many bytes, and stays until the allocation is freed and nothing runs: `give_back` sees to
                    // it. `running` is held, so that nothing uses the memory now. Other processes are emulated devices and the programs'.
                    unsafe { process.emulator.relocate(start, shared.pointer()) }
                        .map_err(|_| Error::INVALID_VALUE)?;
                    allocation.shared = Some(Arc::clone(&shared));
                    shared
                }
            };
            shared.name(Purpose::Memory).map_err(|_| Error::OPERATING_SYSTEM)
        })
    }
}
