//! Modules: PTX that was loaded.

use std::collections::HashMap;
use std::ffi::{CString, c_char, c_int, c_uint};
use std::sync::Mutex;
use std::time::Instant;

use gridwright_emulator::{Loaded, Module};

use crate::abi::{InOut, Out, Text, Untyped};
use crate::context::{Context, current};
use crate::error::Error;
use crate::fat_binary::{self, Image};
use crate::function::{FUNCTIONS, Function};
use crate::host_memory::HOST_MEMORY;
use crate::link;
use crate::locks::lock;
use crate::model::Model;
use crate::process::{Process, process};
use crate::registry::{Handle, Registry};

pub(crate) static MODULES: Registry<LoadedModule> = Registry::new(6);

pub(crate) struct LoadedModule {
    pub(crate) context: &'static Context,
    pub(crate) loaded: Loaded,
    most_registers: Option<u32>,
    pub(crate) functions: Mutex<HashMap<String, Handle>>,
    /// Handles of its references to textures and surfaces.
    pub(crate) references: Mutex<HashMap<String, Handle>>,
}

impl Drop for LoadedModule {
    fn drop(&mut self) {
        for (start, _) in self.loaded.module().managed().filter_map(|name| self.loaded.global(name)) {
            HOST_MEMORY.forget_variable(start as usize);
        }
    }
}

/// Why an image isn't loaded: the error, and a text for the log.
pub(crate) struct Refusal(pub(crate) Error, String);

/// What a cubin begins with.
const BINARY: &[u8] = b"\x7fELF";

/// Reads an image for a device of some model.
pub(crate) fn parse(process: &Process, model: &Model, image: &[u8]) -> Result<Module, Refusal> {
    if image.starts_with(&fat_binary::MAGIC) {
        let text =
            || Refusal(Error::NO_BINARY_FOR_GPU, "the fat binary has no PTX for this device".to_owned());
        return parse(process, model, &fat_binary::ptx(image, model.number()).ok_or_else(text)?);
    }
    if image.starts_with(BINARY) {
        let text = "the image is compiled for hardware; the emulator takes PTX only".to_owned();
        return Err(Refusal(Error::NO_BINARY_FOR_GPU, text));
    }
    let invalid = |text: String| Refusal(Error::INVALID_PTX, format!("ptxas application ptx input, {text}"));
    let end = image.iter().position(|&byte| byte == 0).unwrap_or(image.len());
    let image = image.get(..end).unwrap_or(image);
    let text = std::str::from_utf8(image).map_err(|error| invalid(error.to_string()))?;
    let (newest_major, newest_minor) = process.settings.version.ptx;
    if let Some((major, minor)) = version(text).filter(|version| *version > (newest_major, newest_minor)) {
        let text = format!("PTX {major}.{minor} is newer than {newest_major}.{newest_minor}");
        return Err(Refusal(Error::UNSUPPORTED_PTX_VERSION, text));
    }
    if let Some(unknown) = &process.settings.unknown
        && let Some(line) = line_with(text, unknown)
    {
        return Err(invalid(format!("line {line}: error: not a name of any known instruction: `{unknown}`")));
    }
    let module = Module::parse(text).map_err(|error| invalid(error.to_string()))?;
    if !runs_on(module.target(), model.number()) {
        return Err(invalid(format!("its target {} doesn't run on sm_{}", module.target(), model.number())));
    }
    Ok(module)
}

/// Loads what was read into a context.
pub(crate) fn load(
    process: &Process,
    context: &'static Context,
    module: &Module,
    most_registers: Option<u32>,
) -> Result<Handle, Refusal> {
    let loaded = process.emulator.load(module).map_err(|error| match error {
        gridwright_emulator::LoadError::Memory(_) => Refusal(Error::OUT_OF_MEMORY, error.to_string()),
        _ => Refusal(Error::INVALID_PTX, format!("ptxas application ptx input, {error}")),
    })?;
    let (functions, references) = (Mutex::default(), Mutex::default());
    for (start, bytes) in module.managed().filter_map(|name| loaded.global(name)) {
        HOST_MEMORY.add_variable(context, start as usize, bytes as usize);
    }
    Ok(MODULES.insert(LoadedModule { context, loaded, most_registers, functions, references }))
}

/// The function of a name, always the same one.
pub(crate) fn function_of(process: &Process, module: Handle, name: &str) -> Result<Handle, Error> {
    let found = MODULES.get(module).ok_or(Error::INVALID_HANDLE)?;
    let entry = found.loaded.module().entry(name).ok_or(Error::NOT_FOUND)?;
    let mut functions = lock(&found.functions);
    if let Some(known) = functions.get(name) {
        return Ok(*known);
    }
    let text = CString::new(name).map_err(|_| Error::NOT_FOUND)?;
    let made =
        Function::new(process, found.context, module, &found.loaded, entry, text, found.most_registers);
    let handle = FUNCTIONS.insert(made);
    functions.insert(name.to_owned(), handle);
    Ok(handle)
}

/// The first `.version` of a text, if it has one: what is behind it may be beyond this emulator.
fn version(text: &str) -> Option<(u32, u32)> {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix(".version"))?;
    let number = line.split_whitespace().next()?;
    let (major, minor) = number.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// The first line that has an instruction, from 1.
fn line_with(text: &str, instruction: &str) -> Option<usize> {
    let is_there = |line: &str| line.split_whitespace().any(|word| word == instruction);
    text.lines().position(is_there).map(|line| line + 1)
}

/// Code for an architecture runs on later ones; with a letter, on its own only (`a`) or its family's (`f`).
fn runs_on(target: &str, device: u32) -> bool {
    let Some(number) = target.strip_prefix("sm_") else { return false };
    let digits = number.trim_end_matches(char::is_alphabetic);
    let Ok(architecture) = digits.parse::<u32>() else { return false };
    match &number[digits.len()..] {
        "" => architecture <= device,
        "f" => architecture <= device && architecture / 10 == device / 10,
        _ => architecture == device,
    }
}

/// The compiler's options that mean something here.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) most_registers: Option<u32>,
    wall_time: Option<usize>,
    info: Log,
    error: Log,
}

/// A buffer of the caller's: where its address and its size are among the options.
#[derive(Default)]
struct Log {
    buffer: Option<usize>,
    size: Option<usize>,
}

impl Options {
    pub(crate) fn read(count: c_uint, options: InOut<c_int>, values: InOut<Untyped>) -> Result<Self, Error> {
        let mut read = Self::default();
        for index in 0..count as usize {
            match options.at(index)? {
                0 => read.most_registers = Some(number(values, index)? as u32).filter(|most| *most > 0),
                2 => read.wall_time = Some(index),
                3 => read.info.buffer = Some(index),
                4 => read.info.size = Some(index),
                5 => read.error.buffer = Some(index),
                6 => read.error.size = Some(index),
                // Options of a compiler and a linker that aren't there: nothing changes what the emulator runs.
                1 | 7..=33 => {}
                _ => return Err(Error::INVALID_VALUE),
            }
        }
        Ok(read)
    }
}

/// A value is a number in the place of a pointer.
fn number(values: InOut<Untyped>, index: usize) -> Result<usize, Error> {
    Ok(values.at(index)?.address())
}

impl Log {
    /// Writes a text, cut to what the buffer takes, and how long it became in the place of the size.
    fn write(&self, values: InOut<Untyped>, text: &str) -> Result<(), Error> {
        let (Some(buffer), Some(size)) = (self.buffer, self.size) else { return Ok(()) };
        let room = number(values, size)? & 0xffff_ffff;
        let buffer = values.at(buffer)?;
        if buffer.address() != 0 && room > 0 {
            buffer.out::<c_char>().put_text(text, room)?;
        }
        let written = if text.is_empty() { 0 } else { (text.len() + 1).min(room) };
        values.put_at(size, Untyped::from_number(written))
    }
}

fn load_data(
    module: Out<Handle>,
    image: &[u8],
    count: c_uint,
    options: InOut<c_int>,
    values: InOut<Untyped>,
) -> Result<(), Error> {
    let context = current()?;
    let process = process()?;
    if module.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let read = Options::read(count, options, values)?;
    let model = &process.gpus[context.device].model;
    let loaded = read.log(values, || {
        let parsed = parse(process, model, image)?;
        let of_link = std::str::from_utf8(image).ok().and_then(link::most_registers);
        let handle = load(process, context, &parsed, read.most_registers.or(of_link))?;
        Ok((handle, parsed))
    })?;
    module.put(loaded)
}

impl Options {
    /// Loads, and says in the caller's logs how that went.
    pub(crate) fn log<T>(
        &self,
        values: InOut<Untyped>,
        load: impl FnOnce() -> Result<(T, Module), Refusal>,
    ) -> Result<T, Error> {
        let start = Instant::now();
        let loaded = load();
        if let Some(index) = self.wall_time {
            let milliseconds = start.elapsed().as_secs_f32() * 1e3;
            values.put_at(index, Untyped::from_number(milliseconds.to_bits() as usize))?;
        }
        match loaded {
            Ok((loaded, module)) => {
                let names: Vec<_> = module.entries().iter().map(|entry| entry.name()).collect();
                let info =
                    format!("Gridwright emulator: loaded {} entries: {}", names.len(), names.join(", "));
                self.info.write(values, &info)?;
                self.error.write(values, "")?;
                Ok(loaded)
            }
            Err(Refusal(error, text)) => {
                self.info.write(values, "")?;
                self.error.write(values, &text)?;
                Err(error)
            }
        }
    }
}

fn load_file(module: Out<Handle>, path: &Text) -> Result<(), Error> {
    current()?;
    let image = std::fs::read(path.get()?).map_err(|_| Error::FILE_NOT_FOUND)?;
    load_data(module, &image, 0, InOut::NULL, InOut::NULL)
}

pub(crate) fn find(module: Handle) -> Result<std::sync::Arc<LoadedModule>, Error> {
    current()?;
    MODULES.get(module).ok_or(Error::INVALID_HANDLE)
}

driver! {
    fn cuModuleLoad(module: Out<Handle>, path: Text) {
        load_file(module, &path)
    }

    /// PTX with a zero behind it, or a fat binary that has some.
    fn cuModuleLoadData(module: Out<Handle>, image: Image) {
        load_data(module, image.bytes()?, 0, InOut::NULL, InOut::NULL)
    }

    fn cuModuleLoadFatBinary(module: Out<Handle>, image: Image) {
        load_data(module, image.bytes()?, 0, InOut::NULL, InOut::NULL)
    }

    /// The error log says the line and what isn't understood.
    fn cuModuleLoadDataEx(module: Out<Handle>, image: Image, count: c_uint, options: InOut<c_int>, values: InOut<Untyped>) {
        load_data(module, image.bytes()?, count, options, values)
    }

    fn cuModuleGetFunction(function: Out<Handle>, module: Handle, name: Text) {
        find(module)?;
        function.put(function_of(process()?, module, name.get()?)?)
    }

    /// As many as there are places for, in the order of the text.
    fn cuModuleEnumerateFunctions(functions: InOut<Handle>, count: c_uint, module: Handle) {
        let found = find(module)?;
        let process = process()?;
        for (index, entry) in found.loaded.module().entries().iter().take(count as usize).enumerate() {
            functions.put_at(index, function_of(process, module, entry.name())?)?;
        }
        Ok(())
    }

    fn cuModuleGetFunctionCount(count: Out<c_uint>, module: Handle) {
        count.put(find(module)?.loaded.module().entries().len() as c_uint)
    }

    fn cuModuleGetGlobal_v2(address: Out<u64>, bytes: Out<usize>, module: Handle, name: Text) {
        let found = find(module)?;
        let (start, length) = found.loaded.global(name.get()?).ok_or(Error::NOT_FOUND)?;
        address.put_if_asked(start);
        bytes.put_if_asked(length as usize);
        Ok(())
    }

    /// Modules are loaded at once: `CU_MODULE_EAGER_LOADING`.
    fn cuModuleGetLoadingMode(mode: Out<c_int>) {
        mode.put(1)
    }
}

#[cfg(test)]
mod tests {
    use super::{line_with, runs_on, version};

    #[test]
    fn code_runs_on_its_architecture_and_later_ones() {
        assert!(runs_on("sm_80", 80) && runs_on("sm_80", 90) && runs_on("sm_90a", 90));
        assert!(!runs_on("sm_90", 80) && !runs_on("sm_90a", 100) && !runs_on("compute_80", 80));
        assert!(runs_on("sm_100f", 103) && !runs_on("sm_100f", 120));
    }

    #[test]
    fn versions_are_found_behind_comments() {
        assert_eq!(version("//\n// a comment\n  .version 8.4\n.target sm_90"), Some((8, 4)));
        assert_eq!(version("no PTX"), None);
    }

    #[test]
    fn instructions_are_found_as_whole_words() {
        let text = "{\n add.u32 %r1, %r2, 1;\n@%p1 bra \tEND;\n}";
        assert_eq!((line_with(text, "add.u32"), line_with(text, "bra")), (Some(2), Some(3)));
        assert_eq!(line_with(text, "add"), None);
    }
}
