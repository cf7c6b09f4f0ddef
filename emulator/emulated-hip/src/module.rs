//! Modules: code objects that were loaded. The image lies in the arena, where the emulator runs it, and so its variables are
//! memory as any other.

use std::collections::HashMap;
use std::ffi::{c_uint, c_void};
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::abi::{Out, Text, Untyped};
use crate::arena::{self, PAGE};
use crate::code_object::{self, CodeObject};
use crate::context::{Context, current};
use crate::error::Error;
use crate::function::{FUNCTIONS, Function};
use crate::locks::lock;
use crate::memory::{ALLOCATIONS, Origin};
use crate::process::{Process, process, say};
use crate::registry::{Handle, Registry};
use crate::target;

/// A code object in memory.
pub(crate) struct Image {
    /// Where the image is.
    pub(crate) address: u64,
    /// The file, for the emulator.
    file: File,
}

impl Image {
    /// Where the emulator finds the file.
    pub(crate) fn path(&self) -> PathBuf {
        arena::path(&self.file)
    }
}

pub(crate) static MODULES: Registry<LoadedModule> = Registry::new(6);

pub(crate) struct LoadedModule {
    pub(crate) context: &'static Context,
    object: CodeObject,
    image: Arc<Image>,
    functions: Mutex<HashMap<String, Handle>>,
}

/// Puts a code object into the arena.
fn load(process: &Process, context: &'static Context, bytes: &[u8]) -> Result<LoadedModule, Error> {
    let refused = |error: Error, why: &str| {
        say(&format!("the code object isn't loaded: {why}"));
        error
    };
    let object = code_object::read(bytes).map_err(|why| refused(Error::INVALID_IMAGE, &why))?;
    target::check(object.flags, &process.gpus[context.device].model)
        .map_err(|why| refused(Error::NO_BINARY_FOR_GPU, &why))?;
    let file = arena::file_of(bytes).map_err(|error| refused(Error::OPERATING_SYSTEM, &error.to_string()))?;
    // The emulator has a page more.
    let span = object.span.next_multiple_of(PAGE) + PAGE;
    let address = ALLOCATIONS.allocate(process, context, span as usize, Origin::Image, 0)?;
    process.arena.fill(address, &[0], span);
    for (place, part) in &object.segments {
        process.arena.put(address + place, bytes.get(part.clone()).unwrap_or_default());
    }
    for (place, addend) in &object.relocations {
        process.arena.put(address + place, &address.wrapping_add(*addend).to_le_bytes());
    }
    Ok(LoadedModule {
        context,
        object,
        image: Arc::new(Image { address, file }),
        functions: Mutex::default(),
    })
}

/// The caller's image: it says itself how long it is.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Bytes(*const c_void);

impl Bytes {
    fn get(&self) -> Result<&[u8], Error> {
        if self.0.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        let start = self.0.cast::<u8>();
        // What isn't a code object is refused before its length is believed.
        // SAFETY: the functions with such a parameter demand an image: not one is shorter than four bytes.
        if unsafe { std::slice::from_raw_parts(start, 4) } != b"\x7fELF" {
            say("the image isn't a code object");
            return Err(Error::INVALID_IMAGE);
        }
        // SAFETY: an ELF file, which has a whole header.
        let header = unsafe { std::slice::from_raw_parts(start, code_object::HEADER) };
        let length = code_object::length(header).ok_or(Error::INVALID_IMAGE)?;
        // SAFETY: the header says that the file is as long, and the call outlives the borrow.
        Ok(unsafe { std::slice::from_raw_parts(start, length) })
    }
}

fn insert(module: Out<Handle>, bytes: &[u8]) -> Result<(), Error> {
    let context = current()?;
    let process = process()?;
    if module.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    module.put(MODULES.insert(load(process, context, bytes)?))
}

fn find(module: Handle) -> Result<Arc<LoadedModule>, Error> {
    current()?;
    MODULES.get(module).ok_or(Error::INVALID_HANDLE)
}

hip! {
    fn hipModuleLoadData(module: Out<Handle>, image: Bytes) {
        insert(module, image.get()?)
    }

    /// The options are a compiler's, and there is none.
    fn hipModuleLoadDataEx(
        module: Out<Handle>,
        image: Bytes,
        _count: c_uint,
        _options: Untyped,
        _values: Untyped,
    ) {
        insert(module, image.get()?)
    }

    fn hipModuleLoad(module: Out<Handle>, path: Text) {
        let bytes = std::fs::read(path.get()?).map_err(|_| Error::FILE_NOT_FOUND)?;
        insert(module, &bytes)
    }

    /// Doesn't wait: launches that are queued fail.
    fn hipModuleUnload(module: Handle) {
        current()?;
        let process = process()?;
        let gone = MODULES.remove(module).ok_or(Error::INVALID_HANDLE)?;
        for handle in lock(&gone.functions).values() {
            FUNCTIONS.remove(*handle);
        }
        ALLOCATIONS.free(process, gone.image.address, |origin| matches!(origin, Origin::Image))
    }

    fn hipModuleGetFunction(function: Out<Handle>, module: Handle, name: Text) {
        let found = find(module)?;
        let name = name.get()?;
        if function.is_null() || name.is_empty() {
            return Err(Error::INVALID_VALUE);
        }
        let kernel = found.object.kernels.iter().find(|kernel| kernel.name == name).ok_or(Error::NOT_FOUND)?;
        let mut functions = lock(&found.functions);
        let handle = *functions.entry(name.to_owned()).or_insert_with(|| {
            let new = Function { context: found.context, kernel: kernel.clone(), image: Arc::clone(&found.image) };
            FUNCTIONS.insert(new)
        });
        function.put(handle)
    }

    fn hipModuleGetGlobal(address: Out<u64>, bytes: Out<usize>, module: Handle, name: Text) {
        let found = find(module)?;
        let &(place, size) = found.object.variables.get(name.get()?).ok_or(Error::NOT_FOUND)?;
        address.put_if_asked(found.image.address + place);
        bytes.put_if_asked(size as usize);
        Ok(())
    }
}
