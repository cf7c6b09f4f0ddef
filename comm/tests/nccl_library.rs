//! The table of NCCL's functions beside NVIDIA's own header and library.
//!
//! | variable | meaning |
//! |---|---|
//! | `GRIDWRIGHT_REAL_NCCL` | NVIDIA's `libnccl.so.2`, with its header in `../include`, which `cargo xtask test --step nccl` installs; without it these tests are skipped |

#![allow(clippy::expect_used, reason = "also in the helpers")]

#[path = "../src/engine/nccl/abi.rs"]
#[allow(dead_code, reason = "the engine calls what the tests only find")]
mod abi;

use std::ffi::CStr;
use std::path::{Path, PathBuf};

use abi::{Functions, NUMBERS, OLDEST, REMOTE_ERROR, SIGNATURES, SUCCESS, UniqueId};

/// What NVIDIA's kernel driver makes for programs: without it there is no device.
const KERNEL_DRIVER: &str = "/dev/nvidiactl";

/// NVIDIA's library, or a word about why nothing is checked.
fn real() -> Option<PathBuf> {
    let path = std::env::var_os("GRIDWRIGHT_REAL_NCCL").filter(|path| !path.is_empty());
    if path.is_none() {
        println!("SKIPPED: GRIDWRIGHT_REAL_NCCL isn't set to NVIDIA's libnccl.so.2");
    }
    path.map(PathBuf::from)
}

/// The library's header, in one line, without comments' stars.
fn header(library: &Path) -> String {
    let folder = library.parent().and_then(Path::parent).expect("the library is in `lib`");
    let text = std::fs::read_to_string(folder.join("include/nccl.h")).expect("the header is beside it");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The number behind a name, if `between` is all that is between the two.
fn number(header: &str, name: &str, between: &str) -> Option<i32> {
    header.match_indices(name).find_map(|(place, _)| {
        let before = header[..place].chars().next_back()?;
        let rest = header[place + name.len()..].trim_start().strip_prefix(between)?.trim_start();
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        if before.is_alphanumeric() || before == '_' { None } else { digits.parse().ok() }
    })
}

/// The types of a function's parameters and of what it returns.
fn signature(header: &str, name: &str) -> Option<(Vec<String>, String)> {
    let (before, after) = header.split_once(&format!(" {name}("))?;
    let result = before.rsplit([';', '}', '/', '{']).next()?.trim();
    let parameters = after.split_once(')')?.0;
    let types = parameters.split(',').map(str::trim).filter(|parameter| !parameter.is_empty());
    Some((types.map(of_parameter).collect(), rust(result).to_owned()))
}

/// `const void* sendbuff` without its name, as this crate has it.
fn of_parameter(parameter: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let ty = parameter.trim_end_matches(is_name).replace(' ', "");
    // A parameter without a name.
    let ty = if ty.is_empty() || ty == "const" { parameter.replace(' ', "") } else { ty };
    rust(&ty).to_owned()
}

/// A type of C, without spaces, as this crate has it.
fn rust(c: &str) -> &str {
    match c {
        "int" | "ncclResult_t" => "c_int",
        "int*" | "ncclResult_t*" => "*mut c_int",
        "size_t" => "usize",
        "constvoid*" => "Input",
        "void*" => "Output",
        "const char*" => "Text",
        "ncclUniqueId" => "UniqueId",
        "ncclUniqueId*" => "*mut UniqueId",
        "ncclComm_t" => "Handle",
        "ncclComm_t*" => "*mut Handle",
        "ncclDataType_t" => "DataType",
        "ncclRedOp_t" => "RedOp",
        "cudaStream_t" => "Stream",
        other => other,
    }
}

fn load(path: &Path) -> Functions {
    // SAFETY: NCCL's initialisers do what those of a program do that is linked with it.
    let library = unsafe { libloading::Library::new(path) }.expect("the library is loaded");
    let functions = Functions::find(&library).expect("it has all functions");
    // Its threads outlive a test.
    std::mem::forget(library);
    functions
}

fn said(text: *const std::ffi::c_char) -> String {
    assert!(!text.is_null());
    // SAFETY: a text of the library's, which ends with a zero.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

#[test]
fn numbers_and_structs_are_those_of_the_header() {
    let Some(library) = real() else { return };
    let header = header(&library);
    for &(name, value) in NUMBERS {
        assert_eq!(number(&header, name, "="), Some(value), "{name}");
    }
    assert_eq!(number(&header, "NCCL_UNIQUE_ID_BYTES", ""), Some(size_of::<UniqueId>() as i32));
    assert!(header.contains("typedef struct { char internal[NCCL_UNIQUE_ID_BYTES]; } ncclUniqueId;"));
}

#[test]
fn functions_have_the_types_of_the_header() {
    let Some(library) = real() else { return };
    let header = header(&library);
    for &(name, parameters, result) in SIGNATURES {
        let (real, returned) = signature(&header, name).expect(name);
        assert_eq!(
            (real, returned.as_str()),
            (parameters.iter().map(|&ty| ty.into()).collect(), result),
            "{name}"
        );
    }
}

#[test]
fn the_library_has_all_functions_and_answers_without_a_device() {
    let Some(path) = real() else { return };
    let functions = load(&path);
    let mut version = 0;
    // SAFETY: an address for a number.
    assert_eq!(unsafe { (functions.version)(&mut version) }, SUCCESS);
    println!("NCCL {version}");
    assert!(version >= OLDEST);
    assert_eq!(number(&header(&path), "NCCL_VERSION_CODE", ""), Some(version));
    // SAFETY: the calls take any number.
    let texts = [SUCCESS, REMOTE_ERROR].map(|result| said(unsafe { (functions.error_string)(result) }));
    assert_eq!(texts[0], "no error");
    assert!(texts[1].contains("remote process"), "{}", texts[1]);
    // SAFETY: the calls have no arguments.
    assert_eq!(unsafe { ((functions.group_start)(), (functions.group_end)()) }, (SUCCESS, SUCCESS));
}

#[test]
fn a_communicator_without_a_device_is_an_error() {
    let Some(path) = real() else { return };
    let functions = load(&path);
    let mut ids = [UniqueId([0; 128]); 2];
    for id in &mut ids {
        // SAFETY: an address for an id.
        assert_eq!(unsafe { (functions.unique_id)(id) }, SUCCESS);
    }
    assert!(ids[0].0 != ids[1].0);
    if Path::new(KERNEL_DRIVER).exists() {
        println!("SKIPPED: this machine may have an NVIDIA GPU");
        return;
    }
    let mut communicator = std::ptr::null_mut();
    // SAFETY: an address for a handle.
    let status = unsafe { (functions.init_rank)(&mut communicator, 1, ids[0], 0) };
    // SAFETY: the call takes no communicator too.
    let last = said(unsafe { (functions.last_error)(std::ptr::null_mut()) });
    println!("{status}: {last}");
    assert!(status != SUCCESS && communicator.is_null() && last.contains("CUDA"), "{status}: {last}");
}
