//! Errors of the device build alone, about what std has and GPUs don't: the compiler's words, with what to do in place of its advice to
//! depend on a crate `std`.

use crate::plan::DeviceLibrary;

/// What the host alone needs.
const HOST_ONLY: &str = "what the host alone needs gets `#[host_only]`, also a `use`, or `#[cfg(not(gridwright_device))]`, also a `mod`; or name \
                         the modules of kernels alone: `modules = [\"kernels\"]` in [package.metadata.gridwright]";

struct Remedy {
    /// How the compiler's first line begins, up to the name.
    errors: &'static [&'static str],
    names: &'static [&'static str],
    /// What a kernel does instead.
    instead: &'static str,
}

/// How the compiler says that there is no such crate or module, up to its name.
const UNRESOLVED: [&str; 7] = [
    "cannot find module or crate `",
    "unlinked crate `",
    "unresolved import `",
    "crate named `",
    "can't find crate for `",
    "cannot find crate `",
    "unresolved module or unlinked crate `",
];

const REMEDIES: [Remedy; 3] = [
    Remedy {
        errors: &UNRESOLVED,
        names: &["std"],
        instead: "GPUs have no std: in kernels write `core::…` for what `core` has",
    },
    Remedy {
        errors: &["cannot find macro `"],
        names: &["println", "print", "eprintln", "eprint", "dbg"],
        instead: "kernels print by `gpu_println!(t, \"…\")`, where `t` is the thread",
    },
    Remedy {
        errors: &[
            "cannot find macro `",
            "cannot find type `",
            "undeclared type `",
            "cannot find struct, variant or union type `",
        ],
        names: &["vec", "format", "Vec", "String", "Box"],
        instead: "kernels allocate with the feature `alloc`: `gridwright = { version = \"…\", features = [\"alloc\"] }`",
    },
];

/// What of std kernels have in another form, by a word of the line that asks for it.
const OF_STD: [(&str, &str); 8] = [
    ("HashMap", "kernels have no hash map: sort by key, or have a table in a buffer, `Atomic<[u32]>`"),
    ("HashSet", "kernels have no hash set: sort, or have a bit for each element in `Atomic<[u32]>`"),
    ("Mutex", "kernels have no locks: `Atomic<[T]>` updates what several threads write"),
    ("RwLock", "kernels have no locks: `Atomic<[T]>` updates what several threads write"),
    ("Instant", "kernels have no clock: `Event`s on the stream, or a `Profiler`, time a launch"),
    ("thread", "a launch has the threads: `LaunchConfig::threads(n)`"),
    ("std::io", "kernels print by `gpu_println!(t, \"…\")`, and read what a launch passes"),
    ("std::fs", "kernels have no files: the host reads them, and uploads"),
];

/// An error as the compiler renders it, with its remedy if it is one of these.
pub(super) fn told(rendered: &str, library: Option<&DeviceLibrary>) -> Option<String> {
    let help = help(rendered, library)?;
    let is_misleading = |line: &&str| {
        let advice = line.trim_start().strip_prefix("= help: ");
        advice.is_some_and(|advice| advice.contains("crate named") || advice.contains("cargo add"))
    };
    let kept: Vec<_> = rendered.lines().filter(|line| !is_misleading(line)).collect();
    Some(format!("{}\n  = help: {help}", kept.join("\n")))
}

fn help(rendered: &str, library: Option<&DeviceLibrary>) -> Option<String> {
    let is_known = |remedy: &&Remedy| remedy.errors.iter().any(|error| has(rendered, error, remedy.names));
    if let Some(remedy) = REMEDIES.iter().find(is_known) {
        let of_std = OF_STD.iter().find(|(word, _)| remedy.names == ["std"] && names(rendered, word));
        let instead = of_std.map_or(remedy.instead, |(_, instead)| instead);
        return Some(instead.to_owned());
    }
    let name = UNRESOLVED.iter().find_map(|error| name_behind(rendered, error))?;
    // What is `crate::…` is a module that was left out, or never there.
    let is_a_crate = !["crate", "self", "super", "core", "alloc"].contains(&name);
    is_a_crate.then(|| {
        format!(
            "`{name}` isn't compiled for GPUs: a crate that does without std is by `device-dependencies = [\"{name}\"]` in \
             [package.metadata.gridwright]{}",
            of(library)
        )
    })
}

/// What all of these errors have in common.
pub(super) fn in_common(library: Option<&DeviceLibrary>) -> String {
    let name = library.map_or("the crate".to_owned(), |library| format!("`{}`", library.name));
    format!(
        "the device build compiles {name} for GPUs, without std and without crates that it isn't told of: {HOST_ONLY}{}",
        of(library)
    )
}

/// The file in which a line is to be added, where that isn't the package's own.
fn of(library: Option<&DeviceLibrary>) -> String {
    library.map_or(String::new(), |library| format!(" of {}", library.written.display()))
}

fn has(rendered: &str, error: &str, names: &[&str]) -> bool {
    rendered.match_indices(error).any(|(at, _)| {
        let name = rendered[at + error.len()..].split(['`', ':']).next();
        name.is_some_and(|name| names.contains(&name))
    })
}

/// The name behind the words, if it is one: of `glam::Nope` the crate is there.
fn name_behind<'r>(rendered: &'r str, error: &str) -> Option<&'r str> {
    let (_, rest) = rendered.split_once(error)?;
    rest.split('`').next().filter(|name| !name.is_empty() && !name.contains("::"))
}

/// Whether a line of the user's source that is shown has the word.
fn names(rendered: &str, word: &str) -> bool {
    let source = rendered.lines().filter_map(|line| {
        let (number, text) = line.split_once('|')?;
        number.trim().parse::<u32>().is_ok().then_some(text)
    });
    source.into_iter().any(|text| text.contains(word))
}

#[cfg(test)]
mod tests {
    fn told(rendered: &str) -> Option<String> {
        super::told(rendered, None)
    }

    #[test]
    fn what_gpus_lack_is_told_with_what_to_do() {
        let std = "error[E0433]: cannot find module or crate `std` in this scope\n --> src/main.rs:3:5\n  |\n3 | use std::collections::HashMap;\n  |     \
                   ^^^ use of unresolved module or unlinked crate `std`\n  |\n  = help: you might be missing a crate named `std`\n  = help: you can use \
                   `cargo add std` to add it";
        let text = told(std).unwrap();
        assert!(text.starts_with("error[E0433]") && text.contains("--> src/main.rs:3:5"), "{text}");
        assert!(!text.contains("cargo add") && !text.contains("crate named"), "{text}");
        assert!(text.ends_with("or have a table in a buffer, `Atomic<[u32]>`"), "{text}");
        let of_core = told(&std.replace("std::collections::HashMap", "std::cmp::max")).unwrap();
        assert!(of_core.contains("write `core::…`"), "{of_core}");
        let rayon =
            told("error[E0432]: unresolved import `rayon`\n --> src/lib.rs:1:5\n  = help: `cargo add rayon`")
                .unwrap();
        assert!(
            rayon.ends_with("`device-dependencies = [\"rayon\"]` in [package.metadata.gridwright]"),
            "{rayon}"
        );
        assert!(told("error: cannot find macro `println` in this scope").unwrap().contains("gpu_println!"));
        let vec = told("error[E0412]: cannot find type `Vec` in this scope").unwrap();
        assert!(vec.contains("features = [\"alloc\"]"), "{vec}");
        for other in [
            "error[E0308]: mismatched types",
            "error: cannot find macro `printer` in this scope",
            "error[E0432]: unresolved import `crate::host`",
            "error[E0432]: unresolved import `gridwright::Nope`\n --> src/lib.rs:1:5\n  | ^^^^ no `Nope` in the root",
            "cannot find type `",
        ] {
            assert_eq!(told(other), None, "{other}");
        }
    }
}
