//! Calls by name.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

use crate::abi::{Out, Text};
use crate::error::Error;
use crate::{
    array, context, copy, copy_rows, device, error, event, fill, function, graph, graph_exec, host_memory,
    launch, memory, module, occupancy, peer, pointer, pool, process, profiler, stream, unsupported,
};

/// An address of code.
#[derive(Clone, Copy)]
struct Address(*const ());

// SAFETY: code can be called from any thread.
unsafe impl Send for Address {}
// SAFETY: code can be called from several threads at once.
unsafe impl Sync for Address {}

fn table() -> &'static HashMap<&'static str, Address> {
    static TABLE: OnceLock<HashMap<&'static str, Address>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let files = [
            calls(),
            array::calls(),
            context::calls(),
            copy::calls(),
            copy_rows::calls(),
            device::calls(),
            error::calls(),
            event::calls(),
            fill::calls(),
            function::calls(),
            graph::calls(),
            graph_exec::calls(),
            host_memory::calls(),
            launch::calls(),
            memory::calls(),
            module::calls(),
            occupancy::calls(),
            peer::calls(),
            pointer::calls(),
            pool::calls(),
            process::calls(),
            profiler::calls(),
            stream::calls(),
            unsupported::calls(),
        ];
        files.into_iter().flatten().map(|(name, address)| (name, Address(address))).collect()
    })
}

/// The newest form of a call: headers give `cuMemAlloc` the name `cuMemAlloc_v2`.
fn newest(name: &str) -> Option<Address> {
    let table = table();
    // Third and fourth forms have other parameters: callers name those.
    let forms = [format!("{name}_v2"), name.to_owned()];
    forms.iter().find_map(|form| table.get(form.as_str()).copied())
}

const PER_THREAD_STREAM: u64 = 2;
const SUCCESS: c_int = 0;
const SYMBOL_NOT_FOUND: c_int = 1;
const VERSION_NOT_SUFFICIENT: c_int = 2;

driver! {
    /// The default stream of threads can be asked for by its handle only.
    fn cuGetProcAddress_v2(name: Text, address: Out<*const c_void>, version: c_int, flags: u64, status: Out<c_int>) {
        let found = newest(name.get()?);
        if version > process::version() {
            address.put(std::ptr::null())?;
            status.put_if_asked(VERSION_NOT_SUFFICIENT);
            return Err(Error::NOT_FOUND);
        }
        let found = found.filter(|_| flags & PER_THREAD_STREAM == 0);
        address.put(found.map_or(std::ptr::null(), |address| address.0.cast()))?;
        status.put_if_asked(if found.is_some() { SUCCESS } else { SYMBOL_NOT_FOUND });
        if found.is_some() { Ok(()) } else { Err(Error::NOT_FOUND) }
    }

    fn cuGetProcAddress(name: Text, address: Out<*const c_void>, _version: c_int, _flags: u64) {
        let found = newest(name.get()?);
        address.put(found.map_or(std::ptr::null(), |address| address.0.cast()))?;
        if found.is_some() { Ok(()) } else { Err(Error::NOT_FOUND) }
    }
}

#[cfg(test)]
mod tests {
    use super::{newest, table};

    #[test]
    fn plain_names_give_the_newest_form() {
        let address = |name: &str| newest(name).map(|address| address.0);
        assert_eq!(address("cuMemAlloc"), address("cuMemAlloc_v2"));
        assert_eq!(address("cuInit"), table().get("cuInit").map(|address| address.0));
        assert!(address("cuInit").is_some());
        assert!(address("cuTexRefCreate").is_none());
    }
}
