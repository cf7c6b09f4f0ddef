//! The functions of LLVM's C interface that are called, looked up in the toolchain's library.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::path::Path;

use libloading::Library;

/// One of LLVM's objects.
pub(super) type Object = *mut c_void;

/// Called with the text of an error after which LLVM can't go on. It must not return.
pub(super) type FatalHandler = unsafe extern "C" fn(*const c_char);

/// Called with a message and what was given with the handler.
pub(super) type DiagnosticHandler = unsafe extern "C" fn(Object, Object);

macro_rules! functions {
    ($($(#[$doc:meta])* $field:ident = $name:literal: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// What is called. Signatures are those of LLVM's headers `llvm-c/*.h`, which keep them from release to release.
        pub(super) struct Functions {
            $($(#[$doc])* pub(super) $field: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            /// The code of the functions: dropped after them, and never in fact, as a worker has it.
            _library: Library,
        }

        impl Functions {
            /// Loads the library.
            pub(super) fn load(path: &Path) -> Result<Self, libloading::Error> {
                // SAFETY: it is LLVM's library, whose initialisers are those of LLVM's own static data.
                let library = unsafe { Library::new(path) }?;
                Ok(Self {
                    // SAFETY: each name is that of a C function with the signature that stands beside it.
                    $($field: *unsafe { library.get(concat!($name, "\0").as_bytes()) }?,)*
                    _library: library,
                })
            }
        }
    };
}

functions! {
    nvidia_info = "LLVMInitializeNVPTXTargetInfo": fn();
    nvidia_target = "LLVMInitializeNVPTXTarget": fn();
    nvidia_code = "LLVMInitializeNVPTXTargetMC": fn();
    nvidia_printer = "LLVMInitializeNVPTXAsmPrinter": fn();
    amd_info = "LLVMInitializeAMDGPUTargetInfo": fn();
    amd_target = "LLVMInitializeAMDGPUTarget": fn();
    amd_code = "LLVMInitializeAMDGPUTargetMC": fn();
    amd_printer = "LLVMInitializeAMDGPUAsmPrinter": fn();
    amd_parser = "LLVMInitializeAMDGPUAsmParser": fn();
    install_fatal_handler = "LLVMInstallFatalErrorHandler": fn(FatalHandler);
    /// C++'s `llvm::cl::ResetAllOptionOccurrences()`, which has no arguments: an option may be given once only until then.
    reset_arguments = "_ZN4llvm2cl25ResetAllOptionOccurrencesEv": fn();
    parse_arguments = "LLVMParseCommandLineOptions": fn(c_int, *const *const c_char, *const c_char);
    create_context = "LLVMContextCreate": fn() -> Object;
    dispose_context = "LLVMContextDispose": fn(Object);
    set_diagnostic_handler = "LLVMContextSetDiagnosticHandler": fn(Object, DiagnosticHandler, Object);
    /// 0 for an error.
    severity = "LLVMGetDiagInfoSeverity": fn(Object) -> c_int;
    description = "LLVMGetDiagInfoDescription": fn(Object) -> *mut c_char;
    dispose_message = "LLVMDisposeMessage": fn(*mut c_char);
    /// Copies bytes.
    create_buffer = "LLVMCreateMemoryBufferWithMemoryRangeCopy": fn(*const c_char, usize, *const c_char) -> Object;
    buffer_start = "LLVMGetBufferStart": fn(Object) -> *const c_char;
    buffer_size = "LLVMGetBufferSize": fn(Object) -> usize;
    dispose_buffer = "LLVMDisposeMemoryBuffer": fn(Object);
    /// Takes the buffer, whatever it answers; 0 for a module.
    parse = "LLVMParseIRInContext": fn(Object, Object, *mut Object, *mut *mut c_char) -> c_int;
    /// 0 for a module that is well-formed.
    verify = "LLVMVerifyModule": fn(Object, c_int, *mut *mut c_char) -> c_int;
    dispose_module = "LLVMDisposeModule": fn(Object);
    /// The module's text, which is the caller's.
    print = "LLVMPrintModuleToString": fn(Object) -> *mut c_char;
    named_function = "LLVMGetNamedFunction": fn(Object, *const c_char) -> Object;
    create_pass_options = "LLVMCreatePassBuilderOptions": fn() -> Object;
    dispose_pass_options = "LLVMDisposePassBuilderOptions": fn(Object);
    /// Module, pipeline, machine or null, options; null, or an error that is the caller's.
    run_passes = "LLVMRunPasses": fn(Object, *const c_char, Object, Object) -> Object;
    /// Function, pipeline, machine or null, options; as above.
    run_passes_on_function = "LLVMRunPassesOnFunction": fn(Object, *const c_char, Object, Object) -> Object;
    /// Takes the error.
    error_message = "LLVMGetErrorMessage": fn(Object) -> *mut c_char;
    dispose_error_message = "LLVMDisposeErrorMessage": fn(*mut c_char);
    target = "LLVMGetTargetFromTriple": fn(*const c_char, *mut Object, *mut *mut c_char) -> c_int;
    create_machine = "LLVMCreateTargetMachine": fn(Object, *const c_char, *const c_char, *const c_char, c_uint, c_uint, c_uint) -> Object;
    dispose_machine = "LLVMDisposeTargetMachine": fn(Object);
    /// 0 where a buffer is left.
    emit = "LLVMTargetMachineEmitToMemoryBuffer": fn(Object, Object, c_uint, *mut *mut c_char, *mut Object) -> c_int;
}
