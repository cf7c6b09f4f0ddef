//! References to surfaces: variables of modules that older programs bind arrays to.

use std::ffi::c_uint;
use std::sync::Mutex;

use gridwright_emulator::{Loaded, ReferenceKind};

use crate::abi::{Out, Text};
use crate::array;
use crate::context::{Context, current};
use crate::error::Error;
use crate::locks::lock;
use crate::module;
use crate::process::{process, started};
use crate::registry::{Handle, Registry};

pub(crate) static SURFACE_REFERENCES: Registry<SurfaceReference> = Registry::new(32);

/// What a `CUsurfref` is.
pub(crate) struct SurfaceReference {
    pub(crate) context: &'static Context,
    /// What keeps the variable, and its number.
    _loaded: Loaded,
    number: u64,
    array: Mutex<Handle>,
}

fn find(reference: Handle) -> Result<std::sync::Arc<SurfaceReference>, Error> {
    current()?;
    SURFACE_REFERENCES.get(reference).ok_or(Error::INVALID_HANDLE)
}

driver! {
    fn cuModuleGetSurfRef(reference: Out<Handle>, module: Handle, name: Text) {
        let found = module::find(module)?;
        let name = name.get()?;
        let mut references = lock(&found.references);
        if let Some(known) = references.get(name).filter(|known| find(**known).is_ok()) {
            return reference.put(*known);
        }
        let (ReferenceKind::Surface, number) = found.loaded.reference(name).ok_or(Error::NOT_FOUND)? else {
            return Err(Error::NOT_FOUND);
        };
        let (context, loaded, array) = (found.context, found.loaded.clone(), Mutex::new(Handle::NULL));
        let made = SurfaceReference { context, _loaded: loaded, number, array };
        let made = started(&SURFACE_REFERENCES)?.insert(made);
        references.insert(name.to_owned(), made);
        reference.put(made)
    }

    /// Waits for the work of the context, since a launch has what was bound when it was submitted.
    fn cuSurfRefSetArray(reference: Handle, array: Handle, flags: c_uint) {
        let (found, texels) = (find(reference)?, array::find(array)?);
        if flags != 0 || !texels.is_writable() {
            return Err(Error::INVALID_VALUE);
        }
        let process = process()?;
        found.context.synchronize()?;
        process.emulator.bind_surface(found.number, &texels.texels);
        *lock(&found.array) = array;
        Ok(())
    }

    fn cuSurfRefGetArray(array: Out<Handle>, reference: Handle) {
        match *lock(&find(reference)?.array) {
            Handle::NULL => Err(Error::INVALID_VALUE),
            bound => array.put(bound),
        }
    }
}
