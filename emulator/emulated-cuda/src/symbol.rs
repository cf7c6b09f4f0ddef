//! Calls by name.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

use crate::abi::{Out, Text};
use crate::error::Error;
use crate::{
    array, array_copy, capture, context, context_settings, copy, copy_rows, device, error, event,
    export_table, fill, function_calls, graph, graph_add, graph_exec, graph_memory, graph_print,
    graph_settings, graph_update, graph_view, host_memory, ipc, ipc_event, launch, library, library_kernel,
    link, memory, memory_advice, memory_operation, module, occupancy_calls, old_names, peer, pointer, pool,
    process, profiler, stream, stream_attributes, surface_reference, teardown, tensor_map, texture_object,
    texture_reference, unload, unsupported,
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
            array_copy::calls(),
            capture::calls(),
            context::calls(),
            context_settings::calls(),
            copy::calls(),
            copy_rows::calls(),
            device::calls(),
            error::calls(),
            event::calls(),
            export_table::calls(),
            fill::calls(),
            function_calls::calls(),
            graph::calls(),
            graph_add::calls(),
            graph_view::calls(),
            graph_exec::calls(),
            graph_memory::calls(),
            graph_print::calls(),
            graph_settings::calls(),
            graph_update::calls(),
            host_memory::calls(),
            ipc::calls(),
            ipc_event::calls(),
            launch::calls(),
            library::calls(),
            library_kernel::calls(),
            link::calls(),
            memory::calls(),
            memory_advice::calls(),
            memory_operation::calls(),
            module::calls(),
            occupancy_calls::calls(),
            old_names::calls(),
            peer::calls(),
            pointer::calls(),
            pool::calls(),
            process::calls(),
            profiler::calls(),
            stream::calls(),
            teardown::calls(),
            tensor_map::calls(),
            unload::calls(),
            surface_reference::calls(),
            texture_object::calls(),
            texture_reference::calls(),
            stream_attributes::calls(),
            unsupported::calls(),
        ];
        files.into_iter().flatten().map(|(name, address)| (name, Address(address))).collect()
    })
}

/// All functions of `cuda.h`, from CUDA 12.9 and 13.5: a name, the version that it came with, and the suffix of its second form, if it
/// has one.
const FUNCTIONS: &str = include_str!("../functions.txt");

struct Form {
    symbol: &'static str,
    /// 3020 for CUDA 3.2.
    version: c_int,
    suffix: Option<&'static str>,
}

fn functions() -> impl Iterator<Item = Form> {
    FUNCTIONS.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let (symbol, version) = (words.next()?, words.next()?.parse().ok()?);
        Some(Form { symbol, version, suffix: words.next() })
    })
}

/// A name without the number of its form: `cuMemAlloc` for `cuMemAlloc_v2`.
fn base(symbol: &str) -> &str {
    match symbol.rsplit_once("_v") {
        Some((base, number)) if number.parse::<u32>().is_ok() => base,
        _ => symbol,
    }
}

/// The forms of each name, from the oldest.
fn forms() -> &'static HashMap<&'static str, Vec<Form>> {
    static FORMS: OnceLock<HashMap<&'static str, Vec<Form>>> = OnceLock::new();
    FORMS.get_or_init(|| {
        let mut forms: HashMap<_, Vec<Form>> = HashMap::new();
        functions().for_each(|form| forms.entry(base(form.symbol)).or_default().push(form));
        forms.values_mut().for_each(|forms| forms.sort_by_key(|form| form.version));
        forms
    })
}

/// Why there is no address.
#[derive(Debug, PartialEq, Eq)]
enum Missing {
    Symbol,
    /// The function is newer than what was asked for.
    Version,
}

/// The newest form of a call that a version of CUDA has.
fn find(name: &str, version: c_int, is_per_thread: bool) -> Result<*const (), Missing> {
    // From CUDA 12 on the header gives this name to another function.
    let name =
        if name == "cuGraphInstantiate" && version >= 12_000 { "cuGraphInstantiateWithFlags" } else { name };
    let address = |name: &str| table().get(name).map(|address| address.0).ok_or(Missing::Symbol);
    // The rest aren't of `cuda.h`.
    let Some(forms) = forms().get(name) else { return address(name) };
    let form = forms.iter().rev().find(|form| form.version <= version).ok_or(Missing::Version)?;
    match form.suffix.filter(|_| is_per_thread) {
        Some(suffix) => address(&format!("{}_{suffix}", form.symbol)),
        None => address(form.symbol),
    }
}

const LEGACY_STREAM: u64 = 1;
const PER_THREAD_STREAM: u64 = 2;
const SUCCESS: c_int = 0;
const SYMBOL_NOT_FOUND: c_int = 1;
const VERSION_NOT_SUFFICIENT: c_int = 2;

fn look_up(name: &Text, address: Out<*const c_void>, version: c_int, flags: u64) -> Result<c_int, Error> {
    let found = if version > process::version() {
        Err(Missing::Version)
    } else {
        let is_per_thread = context::has_own_default() && flags & LEGACY_STREAM == 0;
        find(name.get()?, version, is_per_thread || flags & PER_THREAD_STREAM != 0)
    };
    address.put(*found.as_ref().unwrap_or(&std::ptr::null()) as *const c_void)?;
    Ok(match found {
        Ok(_) => SUCCESS,
        Err(Missing::Symbol) => SYMBOL_NOT_FOUND,
        Err(Missing::Version) => VERSION_NOT_SUFFICIENT,
    })
}

driver! {
    fn cuGetProcAddress_v2[ptsz](name: Text, address: Out<*const c_void>, version: c_int, flags: u64, status: Out<c_int>) {
        let found = look_up(&name, address, version, flags)?;
        status.put_if_asked(found);
        if found == SUCCESS { Ok(()) } else { Err(Error::NOT_FOUND) }
    }

    fn cuGetProcAddress(name: Text, address: Out<*const c_void>, version: c_int, flags: u64) {
        if look_up(&name, address, version, flags)? == SUCCESS { Ok(()) } else { Err(Error::NOT_FOUND) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Missing, base, find, functions, table};

    const NEWEST: i32 = 13_050;

    #[test]
    fn a_version_has_the_newest_form_up_to_it() {
        let symbol = |name: &str| Ok(table()[name].0);
        assert_eq!(find("cuMemAlloc", NEWEST, false), symbol("cuMemAlloc_v2"));
        assert_eq!(find("cuMemAlloc", 2000, false), symbol("cuMemAlloc"));
        assert_eq!(find("cuCtxCreate", 11_040, false), symbol("cuCtxCreate_v3"));
        assert_eq!(find("cuGraphInstantiate", 11_000, false), symbol("cuGraphInstantiate_v2"));
        assert_eq!(find("cuGraphInstantiate", 12_000, false), symbol("cuGraphInstantiateWithFlags"));
        assert_eq!(find("cuMemcpyHtoD", NEWEST, true), symbol("cuMemcpyHtoD_v2_ptds"));
        assert_eq!(find("cuLaunchKernel", NEWEST, true), symbol("cuLaunchKernel_ptsz"));
        assert_eq!(find("cuInit", NEWEST, true), symbol("cuInit"));
        assert_eq!(find("cuKernelGetName", 12_000, false), Err(Missing::Version));
        assert_eq!(find("cuNothing", NEWEST, false), Err(Missing::Symbol));
    }

    #[test]
    fn numbers_of_forms_are_no_part_of_a_name() {
        assert_eq!(
            (base("cuMemAlloc_v2"), base("cuInit"), base("cu_vector")),
            ("cuMemAlloc", "cuInit", "cu_vector")
        );
    }

    #[test]
    fn no_function_of_the_header_is_missing() {
        let missing: Vec<String> = functions()
            .flat_map(|form| {
                let second = form.suffix.map(|suffix| format!("{}_{suffix}", form.symbol));
                [Some(form.symbol.to_owned()), second]
            })
            .flatten()
            .filter(|name| !table().contains_key(name.as_str()))
            .collect();
        assert_eq!(missing, Vec::<String>::new());
        assert!(functions().count() > 500);
    }
}
