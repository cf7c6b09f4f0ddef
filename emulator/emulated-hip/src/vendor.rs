//! HIP's contexts are its devices.

use crate::registry::Registry;
use crate::shared;

/// HIP's runtime API.
#[derive(Clone, Copy)]
pub(crate) struct Hip;

pub(crate) type Context = shared::context::Context<Hip>;

pub(crate) static CONTEXTS: Registry<&'static Context> = Registry::new(3);

/// Makes a device's.
pub(crate) fn make(device: usize) -> &'static Context {
    *CONTEXTS.insert_with(|handle| Context::leak(handle, device, ())).1
}
