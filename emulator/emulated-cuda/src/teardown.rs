//! The end of contexts, and of all that they have.

use std::ffi::c_int;
use std::sync::atomic::Ordering;

use crate::array::{ARRAYS, MIPMAPPED_ARRAYS};
use crate::context::{CONTEXTS, Context, LIMITS, current, find, leave};
use crate::error::Error;
use crate::event::EVENTS;
use crate::function::FUNCTIONS;
use crate::host_memory::HOST_MEMORY;
use crate::locks::lock;
use crate::memory::ALLOCATIONS;
use crate::module::MODULES;
use crate::process::{Process, process};
use crate::registry::Handle;
use crate::shared::stream::close_all;
use crate::surface_reference::SURFACE_REFERENCES;
use crate::texture_reference::TEXTURE_REFERENCES;

/// Ends everything that it has. Each call answers `CUDA_ERROR_CONTEXT_IS_DESTROYED` from then on.
fn tear_down(context: &'static Context, process: &Process) {
    context.fault.replace(Some(Error::CONTEXT_IS_DESTROYED));
    close_all(context);
    context.ends(false).iter().for_each(|end| end.wait());
    EVENTS.remove_all(|event| event.context.is(context));
    FUNCTIONS.remove_all(|function| function.context.is(context));
    MODULES.remove_all(|module| module.context.is(context));
    ALLOCATIONS.free_all(process, context);
    ARRAYS.remove_all(|array| array.context.is(context));
    MIPMAPPED_ARRAYS.remove_all(|array| array.context.is(context));
    TEXTURE_REFERENCES.remove_all(|reference| reference.context.is(context));
    SURFACE_REFERENCES.remove_all(|reference| reference.context.is(context));
    HOST_MEMORY.free_all(process, context);
    lock(&context.peers).clear();
    lock(&context.own.limits).extend(LIMITS);
    if !context.own.is_primary {
        context.close_queues();
        CONTEXTS.remove(context.handle);
    }
}

driver! {
    /// Primary contexts are released instead.
    fn cuCtxDestroy_v2(context: Handle) {
        let context = find(context)?;
        if context.own.is_primary {
            return Err(Error::INVALID_CONTEXT);
        }
        tear_down(context, process()?);
        leave(context);
        Ok(())
    }

    /// The last use ends what a context has. It must be the current one.
    fn cuCtxDetach(context: Handle) {
        let found = find(context)?;
        if !found.is(current()?) || found.own.is_primary {
            return Err(Error::INVALID_CONTEXT);
        }
        if found.own.uses.fetch_sub(1, Ordering::Relaxed) == 1 {
            tear_down(found, process()?);
        }
        Ok(())
    }

    /// The last release frees all that the context has.
    fn cuDevicePrimaryCtxRelease_v2(device: c_int) {
        let process = process()?;
        let gpu = process.gpu(device)?;
        let mut retained = lock(&gpu.retained);
        *retained = retained.checked_sub(1).ok_or(Error::INVALID_CONTEXT)?;
        if *retained == 0 && let Some(primary) = gpu.primary() {
            tear_down(primary, process);
        }
        Ok(())
    }

    /// Frees all that the context has, and an error that stayed is gone.
    fn cuDevicePrimaryCtxReset_v2(device: c_int) {
        let process = process()?;
        let gpu = process.gpu(device)?;
        let retained = lock(&gpu.retained);
        if let Some(primary) = gpu.primary() {
            tear_down(primary, process);
            if *retained > 0 {
                primary.fault.replace(None);
            }
        }
        Ok(())
    }
}
