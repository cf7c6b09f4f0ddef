//! Modules and libraries that are unloaded.

use crate::context::ending;
use crate::error::Error;
use crate::function::FUNCTIONS;
use crate::library::{KERNELS, LIBRARIES};
use crate::locks::lock;
use crate::module::MODULES;
use crate::registry::Handle;
use crate::surface_reference::SURFACE_REFERENCES;
use crate::texture_reference::TEXTURE_REFERENCES;

/// Unloads a module: what runs of it ends as it would have.
fn unload(module: Handle) -> Result<(), Error> {
    let unloaded = MODULES.remove(module).ok_or(Error::INVALID_HANDLE)?;
    for (_, function) in lock(&unloaded.functions).drain() {
        FUNCTIONS.remove(function);
    }
    for (_, reference) in lock(&unloaded.references).drain() {
        TEXTURE_REFERENCES.remove(reference);
        SURFACE_REFERENCES.remove(reference);
    }
    Ok(())
}

driver! {
    /// What runs of it ends as it would have.
    fn cuModuleUnload(module: Handle) {
        ending()?;
        unload(module)
    }

    /// Unloads it from all contexts.
    fn cuLibraryUnload(library: Handle) {
        ending()?;
        let unloaded = LIBRARIES.remove(library).ok_or(Error::INVALID_HANDLE)?;
        KERNELS.remove_all(|kernel| kernel.library == library);
        for (_, module) in lock(&unloaded.modules).drain() {
            // One whose context was reset is gone.
            let _ = unload(module);
        }
        Ok(())
    }
}
