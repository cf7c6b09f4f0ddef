//! The one thread that calls LLVM. Its options are those of the process, so images take turns; and an error after which LLVM can't go
//! on ends in a handler that must not return: there this thread stays, with what it has allocated, and another one goes on.

use std::ffi::{CStr, CString, c_char, c_int, c_uint};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::functions::{Functions, Object};
use super::{Passes, Target};
use crate::architecture::Family;

/// Recursion over large functions goes deep; it is what rustc gives its own threads and more.
const STACK: usize = 64 << 20;

/// `LLVMCodeGenLevelAggressive`, as by `-Copt-level=3`.
const LEVEL: c_uint = 3;
/// `LLVMRelocPIC`: code objects are loaded anywhere.
const POSITION_INDEPENDENT: c_uint = 2;
/// `LLVMRelocDefault`.
const DEFAULT_POSITION: c_uint = 0;
/// `LLVMCodeModelDefault`.
const CODE_MODEL: c_uint = 0;
/// `LLVMAssemblyFile` and `LLVMObjectFile`.
const ASSEMBLY: c_uint = 0;
const OBJECT: c_uint = 1;
/// `LLVMReturnStatusAction`: what is wrong is answered, not printed.
const ANSWER: c_int = 2;
/// `LLVMDSError`.
const ERROR: c_int = 0;

/// Bytes, or what LLVM says.
type Answer = Result<Vec<u8>, String>;

/// What is to be done with a module.
#[derive(Clone, Debug)]
pub(super) enum Work {
    /// It becomes PTX or an object file.
    Image,
    /// Passes run over it, one after another, and it becomes text again.
    Passes(Vec<Passes>),
}

struct Job {
    target: Target,
    work: Work,
    ir: String,
}

enum State {
    Untried,
    Ready { library: PathBuf, jobs: SyncSender<Job>, answers: Receiver<Answer> },
}

/// Whose turn it is: held from a job to its answer.
static STATE: Mutex<State> = Mutex::new(State::Untried);

/// Where the handler of fatal errors answers.
static FATAL: Mutex<Option<SyncSender<Answer>>> = Mutex::new(None);

/// How the text of an error begins after which nothing more can be compiled.
const FATAL_ERROR: &str = "LLVM ERROR: ";

/// Has the work done.
pub(super) fn ask(library: &Path, target: &Target, work: Work, ir: &str) -> Answer {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    if let State::Untried = *state {
        *state = start(library)?;
    }
    let (loaded, jobs, answers) = match &*state {
        State::Ready { library, jobs, answers } => (library, jobs, answers),
        State::Untried => return Err("it wasn't loaded".to_owned()),
    };
    if loaded != library {
        return Err(format!("{} is loaded, and {} was asked for", loaded.display(), library.display()));
    }
    let gone = |_| "the thread that calls it ended".to_owned();
    let sent = jobs.send(Job { target: target.clone(), work, ir: ir.to_owned() });
    let answer = sent.map_err(|e| e.to_string()).and_then(|()| answers.recv().map_err(|e| e.to_string()));
    let answer = answer.map_err(gone).and_then(|answer| answer);
    if let Err(text) = &answer
        && text.starts_with(FATAL_ERROR)
    {
        *state = State::Untried;
    }
    answer
}

fn start(library: &Path) -> Result<State, String> {
    let functions =
        Functions::load(library).map_err(|e| format!("{} can't be loaded: {e}", library.display()))?;
    let (jobs, queue) = mpsc::sync_channel::<Job>(0);
    // An answer is there before its job's sender asks for it, even from a thread that then stops.
    let (answer, answers) = mpsc::sync_channel::<Answer>(1);
    *FATAL.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer.clone());
    let work = move || {
        let llvm = Llvm::new(functions);
        for job in queue {
            if answer.send(llvm.answer(&job)).is_err() {
                return;
            }
        }
    };
    let thread = thread::Builder::new().name("LLVM".to_owned()).stack_size(STACK);
    thread.spawn(work).map_err(|e| format!("no thread for it: {e}"))?;
    Ok(State::Ready { library: library.to_owned(), jobs, answers })
}

/// Takes the text to whoever waits, and stops this thread for good.
unsafe extern "C" fn on_fatal(text: *const c_char) {
    // SAFETY: LLVM gives its handler a string that ends in a zero and lives during the call.
    let text = unsafe { text_of(text) };
    if let Some(answer) = &*FATAL.lock().unwrap_or_else(PoisonError::into_inner) {
        let _ = answer.send(Err(format!("{FATAL_ERROR}{text}")));
    }
    loop {
        thread::park();
    }
}

/// The initialised library, on the thread that it stays on.
struct Llvm {
    functions: Functions,
}

/// Errors that a compilation meets before it is through; the functions are there to read them.
struct Errors<'f> {
    functions: &'f Functions,
    texts: Vec<String>,
}

/// Notes an error, where LLVM would print it and end the process.
unsafe extern "C" fn on_diagnostic(diagnostic: Object, errors: Object) {
    // SAFETY: the handler was set with a pointer to `Errors`, which lives as long as the context and is used by this thread alone.
    let errors = unsafe { &mut *errors.cast::<Errors<'_>>() };
    let functions = errors.functions;
    // SAFETY: the diagnostic is LLVM's and lives during the call.
    if unsafe { (functions.severity)(diagnostic) } == ERROR {
        // SAFETY: the diagnostic lives during the call; the text is the caller's, who gives it back.
        let text = unsafe { functions.own_text((functions.description)(diagnostic)) };
        errors.texts.push(text);
    }
}

/// A string of LLVM's.
///
/// # Safety
/// - It is null, or ends in a zero and lives during the call.
unsafe fn text_of(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: it isn't null, so it ends in a zero and lives during the call, as this function asks.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

impl Functions {
    /// A string that LLVM made for its caller, which is given back.
    ///
    /// # Safety
    /// - It is null, or one that a function of LLVM's C interface returned to be disposed of, and nobody uses it afterwards.
    unsafe fn own_text(&self, text: *mut c_char) -> String {
        // SAFETY: it is null or a string that LLVM made, as this function asks, which lives until it is given back.
        let owned = unsafe { text_of(text) };
        if !text.is_null() {
            // SAFETY: it is the caller's to dispose of, and it is copied.
            unsafe { (self.dispose_message)(text) };
        }
        owned
    }
}

impl Llvm {
    fn new(functions: Functions) -> Self {
        let f = &functions;
        let initialise = [
            f.nvidia_info,
            f.nvidia_target,
            f.nvidia_code,
            f.nvidia_printer,
            f.amd_info,
            f.amd_target,
            f.amd_code,
            f.amd_printer,
            f.amd_parser,
        ];
        for function in initialise {
            // SAFETY: these register targets, in this order, and ask for nothing.
            unsafe { function() };
        }
        // SAFETY: `on_fatal` doesn't return, as is asked of it.
        unsafe { (f.install_fatal_handler)(on_fatal) };
        Self { functions }
    }

    fn answer(&self, job: &Job) -> Answer {
        self.set_arguments(&job.target.arguments)?;
        let f = &self.functions;
        let mut errors = Errors { functions: f, texts: Vec::new() };
        // SAFETY: it asks for nothing; disposed of below, after all that is in it.
        let context = unsafe { (f.create_context)() };
        // SAFETY: the context lives, and `errors` lives longer than it; nobody else uses it while LLVM may call the handler.
        unsafe { (f.set_diagnostic_handler)(context, on_diagnostic, (&raw mut errors).cast()) };
        let answer = self.in_context(context, job);
        // SAFETY: it was created above, and the module in it is gone.
        unsafe { (f.dispose_context)(context) };
        if errors.texts.is_empty() { answer } else { Err(errors.texts.join("\n")) }
    }

    /// Sets the options of the process to those of an image.
    fn set_arguments(&self, arguments: &[&str]) -> Result<(), String> {
        let words: Vec<CString> = std::iter::once("gridwright")
            .chain(arguments.iter().copied())
            .map(|word| CString::new(word).map_err(|e| e.to_string()))
            .collect::<Result<_, _>>()?;
        let pointers: Vec<*const c_char> = words.iter().map(|word| word.as_ptr()).collect();
        let count = c_int::try_from(pointers.len()).map_err(|e| e.to_string())?;
        // SAFETY: nothing is compiled meanwhile, as this is the only thread that calls LLVM.
        unsafe { (self.functions.reset_arguments)() };
        // SAFETY: so many strings that end in a zero, which live during the call; LLVM copies what it keeps.
        unsafe { (self.functions.parse_arguments)(count, pointers.as_ptr(), ptr::null()) };
        Ok(())
    }

    fn in_context(&self, context: Object, job: &Job) -> Answer {
        let f = &self.functions;
        let (name, ir) = (c"program", &job.ir);
        // SAFETY: the bytes are there during the call, which copies them.
        let buffer = unsafe { (f.create_buffer)(ir.as_ptr().cast(), ir.len(), name.as_ptr()) };
        let (mut module, mut message) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: context and buffer live; the call takes the buffer, and writes one of the two results.
        if unsafe { (f.parse)(context, buffer, &mut module, &mut message) } != 0 {
            // SAFETY: the message is the caller's.
            return Err(unsafe { f.own_text(message) });
        }
        let answer = self.of_module(module, job);
        // SAFETY: the module was made above, and nothing uses it any more.
        unsafe { (f.dispose_module)(module) };
        answer
    }

    fn of_module(&self, module: Object, job: &Job) -> Answer {
        let f = &self.functions;
        let mut message = ptr::null_mut();
        // SAFETY: the module lives; the message is written, and is the caller's.
        let is_broken = unsafe { (f.verify)(module, ANSWER, &mut message) } != 0;
        // SAFETY: the message was written, and is the caller's.
        let text = unsafe { f.own_text(message) };
        if is_broken {
            return Err(text);
        }
        let machine = self.machine(&job.target)?;
        let answer = match &job.work {
            Work::Image => self.image(module, machine, job.target.family),
            Work::Passes(all) => self.passes(module, machine, all),
        };
        // SAFETY: the machine was created above, and nothing uses it any more.
        unsafe { (f.dispose_machine)(machine) };
        answer
    }

    /// The machine of a target, which is the caller's.
    fn machine(&self, of: &Target) -> Result<Object, String> {
        let f = &self.functions;
        let triple = word(of.family.triple())?;
        let (processor, features) = (word(&of.processor)?, word(&of.features)?);
        let (mut target, mut message) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: a string and two places for results, of which one is written.
        if unsafe { (f.target)(triple.as_ptr(), &mut target, &mut message) } != 0 {
            // SAFETY: the message is the caller's.
            return Err(unsafe { f.own_text(message) });
        }
        let position = match of.family {
            Family::Nvidia => DEFAULT_POSITION,
            Family::Amd => POSITION_INDEPENDENT,
        };
        // SAFETY: the target is LLVM's own, the strings live during the call, the numbers are of its enumerations.
        let machine = unsafe {
            (f.create_machine)(
                target,
                triple.as_ptr(),
                processor.as_ptr(),
                features.as_ptr(),
                LEVEL,
                position,
                CODE_MODEL,
            )
        };
        if machine.is_null() { Err(format!("it has no {}", of.processor)) } else { Ok(machine) }
    }

    fn image(&self, module: Object, machine: Object, family: Family) -> Answer {
        let f = &self.functions;
        let kind = match family {
            Family::Nvidia => ASSEMBLY,
            Family::Amd => OBJECT,
        };
        let (mut buffer, mut message) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: machine and module live and are of one target; one of the two results is written.
        if unsafe { (f.emit)(machine, module, kind, &mut message, &mut buffer) } != 0 {
            // SAFETY: the message is the caller's.
            return Err(unsafe { f.own_text(message) });
        }
        // SAFETY: the buffer lives, and has so many bytes from there on.
        let bytes = unsafe {
            std::slice::from_raw_parts((f.buffer_start)(buffer).cast::<u8>(), (f.buffer_size)(buffer))
        };
        let bytes = bytes.to_vec();
        // SAFETY: it is the caller's, and its bytes are copied.
        unsafe { (f.dispose_buffer)(buffer) };
        Ok(bytes)
    }

    /// Runs passes over a module, and prints it.
    fn passes(&self, module: Object, machine: Object, all: &[Passes]) -> Answer {
        let f = &self.functions;
        for passes in all {
            let machine = if passes.knows_target { machine } else { ptr::null_mut() };
            match &passes.functions {
                None => self.run(f.run_passes, module, &format!("function({})", passes.pipeline), machine)?,
                Some(names) => {
                    for name in names {
                        let name = word(name)?;
                        // SAFETY: the module and the string live during the call.
                        let function = unsafe { (f.named_function)(module, name.as_ptr()) };
                        if !function.is_null() {
                            self.run(f.run_passes_on_function, function, passes.pipeline, machine)?;
                        }
                    }
                }
            }
        }
        // SAFETY: the module lives; the text is the caller's, who gives it back.
        Ok(unsafe { f.own_text((f.print)(module)) }.into_bytes())
    }

    /// Runs a pipeline over a module or a function, by LLVM's function for such.
    fn run(
        &self,
        function: unsafe extern "C" fn(Object, *const c_char, Object, Object) -> Object,
        of: Object,
        pipeline: &str,
        machine: Object,
    ) -> Result<(), String> {
        let f = &self.functions;
        let pipeline = word(pipeline)?;
        // SAFETY: it asks for nothing; disposed of below.
        let options = unsafe { (f.create_pass_options)() };
        // SAFETY: module or function, machine and options live and are of one context; the machine may be null; the string lives during
        // the call.
        let error = unsafe { function(of, pipeline.as_ptr(), machine, options) };
        // SAFETY: they were created above, and nothing uses them any more.
        unsafe { (f.dispose_pass_options)(options) };
        if error.is_null() {
            return Ok(());
        }
        // SAFETY: the error is taken by the call; its text is the caller's.
        let message = unsafe { (f.error_message)(error) };
        // SAFETY: the text ends in a zero, and lives until it is given back.
        let text = unsafe { text_of(message) };
        // SAFETY: it is the caller's to dispose of, and it is copied.
        unsafe { (f.dispose_error_message)(message) };
        Err(text)
    }
}

/// A string as C has it.
fn word(text: &str) -> Result<CString, String> {
    CString::new(text).map_err(|e| e.to_string())
}
