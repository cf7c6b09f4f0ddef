//! A kernel's code objects, launched in the emulator as a backend would launch them.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, thread};

use gridwright::__private::{Image, ImageKind, Raw, Signature, bytemuck};
use gridwright::launch::{Limits, Sets};
use gridwright::{Error, KernelArg, LaunchConfig};
use gridwright_amd_emulator_client::Server;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::arguments;
use crate::memory::Memory;
use crate::{server, setting};

/// The architectures that the emulator is known to run right. Generic ones are built if `GRIDWRIGHT_ARCHITECTURES` names them.
const EMULATED: [&str; 4] = ["gfx942", "gfx1100", "gfx9-4-generic", "gfx11-generic"];

/// Emulators that no test uses now. One compiles each kind of instruction when it first meets it, which takes far longer
/// than to run it: so the next test gets one that has met many. They end with this program, whose pipes they read.
static IDLE: Mutex<Vec<Machine>> = Mutex::new(Vec::new());

/// A process that emulates, and the memory that it shares with this one.
#[derive(Debug)]
struct Machine {
    server: Server,
    memory: Memory,
    /// Where the two find each other, until they have.
    folder: Option<TempDir>,
}

impl Machine {
    fn take(script: &Path) -> Self {
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| Self::start(script))
    }

    fn start(script: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let shared = folder.path().join("memory");
        let memory = Memory::create(&shared).expect("a temporary file");
        let server = server::start(script, &shared);
        Self { server, memory, folder: Some(folder) }
    }

    fn launch(&mut self, request: &Value) {
        server::launch(&mut self.server, request);
        self.folder = None;
    }
}

#[derive(Debug)]
pub(crate) struct Emulator<K> {
    /// Always there until this is dropped.
    machine: Option<Machine>,
    code: Vec<(&'static Image, PathBuf)>,
    _folder: TempDir,
    _kernel: PhantomData<fn() -> K>,
}

impl<K: Signature> Emulator<K> {
    /// The emulator with the kernel's images, or nothing, said aloud, if a part is missing.
    ///
    /// # Panics
    /// If it doesn't start, or if an image is missing that has to be there.
    pub(crate) fn start() -> Option<Self> {
        let runs =
            |image: &&Image| image.kind == ImageKind::CodeObject && EMULATED.contains(&image.architecture);
        let images: Vec<_> = K::IMAGES.images.iter().filter(runs).collect();
        if images.is_empty() {
            let why = match K::IMAGES.missing {
                "" => format!("this was built for none of {EMULATED:?}, see GRIDWRIGHT_ARCHITECTURES"),
                missing => missing.to_owned(),
            };
            assert!(!setting::requires_images(), "`{}` has no code object: {why}", K::NAME);
            setting::skip(K::NAME, &why);
            return None;
        }
        let Some(script) = gridwright_amd_emulator_client::setting::server() else {
            setting::skip(K::NAME, "set GRIDWRIGHT_AMD_EMULATOR to the path of its `amdgpu_serve.py`");
            return None;
        };
        let folder = tempfile::tempdir().expect("a temporary folder");
        let code = images.into_iter().map(|image| {
            let path = folder.path().join(format!("{}.hsaco", image.architecture));
            fs::write(&path, image.bytes).expect("a temporary file");
            (image, path)
        });
        let code = code.collect();
        Some(Self { machine: Some(Machine::take(&script)), code, _folder: folder, _kernel: PhantomData })
    }

    /// Compares what each code object writes with what the CPU writes. `prepare` puts the inputs into memory
    /// and gives the raw arguments, and where among them the results will be.
    ///
    /// # Panics
    /// If a bit differs, or if anything else was written.
    pub(crate) fn compare<T: KernelArg + Debug, W: Sets<K::Sizes>, const N: usize>(
        &mut self,
        config: LaunchConfig<W>,
        on_the_cpu: impl FnOnce() -> Result<[Vec<T>; N], Error>,
        prepare: impl Fn(&mut Memory) -> (Raw<K>, [*mut T; N]),
    ) {
        let expected = on_the_cpu().expect("a launch on the CPU");
        let limits = &Limits::PORTABLE;
        let geometry = config.resolve(&K::BOUNDS, limits).expect("a valid launch");
        let threads = geometry.block.iter().product();
        let workgroup = config.workgroup_memory::<K::Sizes>(K::PARTITIONS, K::FIXED_BYTES, threads, limits);
        let workgroup = workgroup.expect("valid sizes of workgroup memory");
        let machine = self.machine.as_mut().expect("it is there");
        for (image, path) in &self.code {
            let entry = image.entry(K::ENTRY).expect("the kernel's entry in its image");
            machine.memory.clear();
            let (raw, results) = prepare(&mut machine.memory);
            machine.memory.write().expect("the shared file");
            let arguments = arguments::bytes::<K>(entry, &geometry, &workgroup, &raw);
            machine.launch(&json!({
                "code": path,
                "arch": image.architecture,
                "kernel": entry.name,
                "groups": geometry.groups,
                "threads": geometry.block,
                "workgroup_bytes": workgroup.bytes,
                "kernarg": arguments.iter().map(|byte| format!("{byte:02x}")).collect::<String>(),
            }));
            let lens = expected.each_ref().map(Vec::len);
            let written = machine.memory.written(results, lens).expect("the shared file");
            for (written, expected) in written.iter().zip(&expected) {
                let differs =
                    |&i: &usize| bytemuck::bytes_of(&written[i]) != bytemuck::bytes_of(&expected[i]);
                if let Some(i) = (0..expected.len()).find(differs) {
                    panic!(
                        "`{}` on {}, {geometry:?}: element {i} of {} is {:?}, and {:?} on the CPU",
                        K::NAME,
                        image.architecture,
                        expected.len(),
                        written[i],
                        expected[i]
                    );
                }
            }
        }
    }
}

impl<K> Drop for Emulator<K> {
    fn drop(&mut self) {
        // One whose test failed may be broken.
        if let Some(machine) = self.machine.take()
            && !thread::panicking()
        {
            IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(machine);
        }
    }
}
