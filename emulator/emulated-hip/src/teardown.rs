//! The end of all that a device has.

use crate::context::{Context, selected};
use crate::event::EVENTS;
use crate::executor;
use crate::function::FUNCTIONS;
use crate::locks::lock;
use crate::memory::ALLOCATIONS;
use crate::module::MODULES;
use crate::process::{Process, process};
use crate::shared::stream::close_all;

/// Ends everything that it has, also the error.
fn reset(context: &'static Context, process: &Process) {
    close_all(context);
    context.ends(false).iter().for_each(|end| end.wait());
    EVENTS.remove_all(|event| event.context.is(context));
    FUNCTIONS.remove_all(|function| function.context.is(context));
    MODULES.remove_all(|module| module.context.is(context));
    ALLOCATIONS.free_all(process, context);
    lock(&context.peers).clear();
    executor::of(process, context.device).end();
    context.fault.replace(None);
}

hip! {
    /// Ends all that the current device has, and the error that stays.
    fn hipDeviceReset() {
        reset(selected()?, process()?);
        Ok(())
    }
}
