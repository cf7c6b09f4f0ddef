//! Libraries: images that are loaded into each context where something of them is used.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{CString, c_int, c_uint, c_void};
use std::sync::{Arc, Mutex};

use gridwright_emulator::Module;

use crate::abi::{In, InOut, Out, Text, Untyped};
use crate::context::{Context, current};
use crate::error::Error;
use crate::fat_binary::Image;
use crate::locks::lock;
use crate::module::{self, MODULES, Options};
use crate::process::{Process, process, started};
use crate::registry::{Handle, Registry};

pub(crate) static LIBRARIES: Registry<Library> = Registry::new(20);

pub(crate) struct Library {
    module: Module,
    most_registers: Option<u32>,
    /// The module in each context that has it, by the context's handle.
    pub(crate) modules: Mutex<HashMap<usize, Handle>>,
    kernels: Mutex<BTreeMap<String, Handle>>,
}

pub(crate) static KERNELS: Registry<Kernel> = Registry::new(21);

/// A kernel of a library: a function in each context.
pub(crate) struct Kernel {
    pub(crate) library: Handle,
    pub(crate) name: CString,
}

impl Library {
    /// The module in a context, which is loaded if it isn't there.
    fn module(&self, process: &Process, context: &'static Context) -> Result<Handle, Error> {
        let mut modules = lock(&self.modules);
        // The module of a context that was reset is gone.
        let known = modules.get(&context.handle.0).copied();
        if let Some(known) = known.filter(|known| MODULES.get(*known).is_some()) {
            return Ok(known);
        }
        let loaded = module::load(process, context, &self.module, self.most_registers);
        let loaded = loaded.map_err(|refusal| refusal.0)?;
        modules.insert(context.handle.0, loaded);
        Ok(loaded)
    }

    fn kernel(&self, library: Handle, name: &str) -> Result<Handle, Error> {
        self.module.entry(name).ok_or(Error::NOT_FOUND)?;
        let mut kernels = lock(&self.kernels);
        if let Some(known) = kernels.get(name) {
            return Ok(*known);
        }
        let text = CString::new(name).map_err(|_| Error::NOT_FOUND)?;
        let kernel = KERNELS.insert(Kernel { library, name: text });
        kernels.insert(name.to_owned(), kernel);
        Ok(kernel)
    }
}

impl Kernel {
    /// Its function in a context.
    pub(crate) fn function(&self, process: &Process, context: &'static Context) -> Result<Handle, Error> {
        let module = find(self.library)?.module(process, context)?;
        module::function_of(process, module, self.name.to_str().map_err(|_| Error::NOT_FOUND)?)
    }
}

fn find(library: Handle) -> Result<Arc<Library>, Error> {
    started(&LIBRARIES)?.get(library).ok_or(Error::INVALID_HANDLE)
}

fn load(
    library: Out<Handle>,
    image: &[u8],
    options: InOut<c_int>,
    values: InOut<Untyped>,
    count: c_uint,
) -> Result<(), Error> {
    let process = process()?;
    let model = process.gpus.first().ok_or(Error::NO_DEVICE)?.model;
    if library.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let read = Options::read(count, options, values)?;
    let module = read.log(values, || {
        let module = module::parse(process, &model, image)?;
        Ok((module.clone(), module))
    })?;
    let most_registers = read.most_registers;
    let (modules, kernels) = (Mutex::default(), Mutex::default());
    library.put(LIBRARIES.insert(Library { module, most_registers, modules, kernels }))
}

/// How a library is loaded, which is the same for all here, and that its image isn't kept: it is read at once.
fn check(options: In<c_int>, count: c_uint) -> Result<(), Error> {
    for index in 0..count as usize {
        if !(0..=1).contains(&options.at(index)?) {
            return Err(Error::INVALID_VALUE);
        }
    }
    Ok(())
}

driver! {
    /// Needs no context. The image is read at once, so that its errors show here.
    fn cuLibraryLoadData(
        library: Out<Handle>,
        image: Image,
        options: InOut<c_int>,
        values: InOut<Untyped>,
        count: c_uint,
        library_options: In<c_int>,
        _library_values: In<c_void>,
        library_count: c_uint,
    ) {
        check(library_options, library_count)?;
        load(library, image.bytes()?, options, values, count)
    }

    fn cuLibraryLoadFromFile(
        library: Out<Handle>,
        path: Text,
        options: InOut<c_int>,
        values: InOut<Untyped>,
        count: c_uint,
        library_options: In<c_int>,
        _library_values: In<c_void>,
        library_count: c_uint,
    ) {
        check(library_options, library_count)?;
        let image = std::fs::read(path.get()?).map_err(|_| Error::FILE_NOT_FOUND)?;
        load(library, &image, options, values, count)
    }

    fn cuLibraryGetKernel(kernel: Out<Handle>, library: Handle, name: Text) {
        kernel.put(find(library)?.kernel(library, name.get()?)?)
    }

    fn cuLibraryGetKernelCount(count: Out<c_uint>, library: Handle) {
        count.put(find(library)?.module.entries().len() as c_uint)
    }

    /// As many as there are places for, in the order of the text.
    fn cuLibraryEnumerateKernels(kernels: InOut<Handle>, count: c_uint, library: Handle) {
        let found = find(library)?;
        for (index, entry) in found.module.entries().iter().take(count as usize).enumerate() {
            kernels.put_at(index, found.kernel(library, entry.name())?)?;
        }
        Ok(())
    }

    /// The module in the current context.
    fn cuLibraryGetModule(module: Out<Handle>, library: Handle) {
        let context = current()?;
        module.put(find(library)?.module(process()?, context)?)
    }

    /// The variable in the current context.
    fn cuLibraryGetGlobal(address: Out<u64>, bytes: Out<usize>, library: Handle, name: Text) {
        let context = current()?;
        let process = process()?;
        let module = find(library)?.module(process, context)?;
        let loaded = MODULES.get(module).ok_or(Error::INVALID_HANDLE)?;
        let (start, length) = loaded.loaded.global(name.get()?).ok_or(Error::NOT_FOUND)?;
        address.put_if_asked(start);
        bytes.put_if_asked(length as usize);
        Ok(())
    }

    /// The `__managed__` variable in the current context: contexts have one each.
    fn cuLibraryGetManaged(address: Out<u64>, bytes: Out<usize>, library: Handle, name: Text) {
        let context = current()?;
        let process = process()?;
        let name = name.get()?;
        let found = find(library)?;
        if !found.module.managed().any(|managed| managed == name) {
            return Err(Error::NOT_FOUND);
        }
        let loaded = MODULES.get(found.module(process, context)?).ok_or(Error::INVALID_HANDLE)?;
        let (start, length) = loaded.loaded.global(name).ok_or(Error::NOT_FOUND)?;
        address.put_if_asked(start);
        bytes.put_if_asked(length as usize);
        Ok(())
    }

    /// There are no functions that host and device share.
    fn cuLibraryGetUnifiedFunction(function: Out<usize>, library: Handle, _name: Text) {
        find(library)?;
        function.put(0)?;
        Err(Error::NOT_FOUND)
    }
}
