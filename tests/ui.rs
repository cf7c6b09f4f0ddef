//! What must not compile, and what the compiler says. One file a rule, named for it, in a folder for each family of rules.
//!
//! A family is tested alone by its name: `cargo test --all-features --test ui views`. After a change of a message,
//! `TRYBUILD=overwrite` before it writes the new text: read it as a user would.

use std::fs;

macro_rules! families {
    ($($(#[$doc:meta])* $family:ident)*) => {
        const FAMILIES: &[&str] = &[$(stringify!($family)),*];

        $(
            $(#[$doc])*
            #[test]
            fn $family() {
                trybuild::TestCases::new().compile_fail(concat!("tests/ui/", stringify!($family), "/*.rs"));
            }
        )*
    };
}

families! {
    /// What `#[gpu_kernel]` and `#[host_only]` take: blocks, instances, requirements.
    attributes
    /// Host memory that kernels use, and what may lie in a buffer.
    buffers
    /// Kernels of a grid, their phases and their memory.
    grids
    /// `instance!` and `kernel_trait!`.
    instances
    /// The arguments of `launch` and `run`.
    launch
    /// What the book's page *What each level hands out* says is refused.
    levels
    /// `gpu_println!` and `unroll!`.
    macros
    /// Workgroup memory, its sizes, and copies to it.
    memory
    /// `operator!`.
    operators
    /// What threads and groups own, by which map, and that nobody else is that thread.
    ownership
    /// The types of parameters.
    parameters
    /// The phases of a group, what they capture and return, and what stays in them.
    phases
    /// What a kernel's function may be, and its first parameter.
    signatures
    /// What first kernels have wrong: each is told what to write.
    slips
    /// `#[derive(KernelArg)]`.
    structs
    /// What needs `unsafe`.
    unsafe_code
    /// Views of memory in phases.
    views
    /// Warps, their tiles and their fragments.
    warps
}

/// A file that lies elsewhere would never be compiled.
#[test]
fn each_folder_is_a_family() {
    let mut folders = Vec::new();
    for entry in fs::read_dir("tests/ui").unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        assert!(entry.path().is_dir(), "tests/ui/{name} is in no family's folder");
        for case in fs::read_dir(entry.path()).unwrap() {
            assert!(case.unwrap().path().is_file(), "tests/ui/{name} has a folder in it, which nobody reads");
        }
        folders.push(name);
    }
    folders.sort();
    assert_eq!(folders, FAMILIES, "each folder of tests/ui has a line in `families!`");
}
