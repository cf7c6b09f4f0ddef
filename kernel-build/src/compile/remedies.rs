//! Errors of the device build alone, about what std has and GPUs don't: the compiler's words, with what to do in place of its advice to
//! depend on a crate `std`.

/// The host's part of every remedy.
const HOST_ONLY: &str = "put `#[host_only]` above the item, or the `use`, that the host alone needs";

struct Remedy {
    /// How the compiler's first line begins, up to the name.
    errors: &'static [&'static str],
    names: &'static [&'static str],
    /// What a kernel does instead.
    instead: &'static str,
}

const REMEDIES: [Remedy; 3] = [
    Remedy {
        errors: &[
            "cannot find module or crate `",
            "unlinked crate `",
            "unresolved import `",
            "crate named `",
            "can't find crate for `",
        ],
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

/// An error as the compiler renders it, with its remedy if it is one of these.
pub(super) fn told(rendered: &str) -> String {
    let names = |remedy: &&Remedy| {
        remedy.errors.iter().any(|error| {
            rendered.match_indices(error).any(|(at, _)| {
                let name = rendered[at + error.len()..].split(['`', ':']).next();
                name.is_some_and(|name| remedy.names.contains(&name))
            })
        })
    };
    let Some(remedy) = REMEDIES.iter().find(names) else { return rendered.to_owned() };
    let is_misleading = |line: &&str| {
        let advice = line.trim_start().strip_prefix("= help: ");
        advice.is_some_and(|advice| advice.contains("`std`") || advice.contains("cargo add"))
    };
    let kept: Vec<_> = rendered.lines().filter(|line| !is_misleading(line)).collect();
    format!("{}\n  = help: {}; {HOST_ONLY}", kept.join("\n"), remedy.instead)
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn what_gpus_lack_is_told_with_what_to_do() {
        let std = "error[E0433]: cannot find module or crate `std` in this scope\n --> src/main.rs:3:5\n  |\n3 | use std::collections::HashMap;\n  |     \
                   ^^^ use of unresolved module or unlinked crate `std`\n  |\n  = help: you might be missing a crate named `std`\n  = help: you can use \
                   `cargo add std` to add it";
        let text = told(std);
        assert!(text.starts_with("error[E0433]") && text.contains("--> src/main.rs:3:5"), "{text}");
        assert!(!text.contains("cargo add") && text.contains("`#[host_only]`"), "{text}");
        assert!(told("error: cannot find macro `println` in this scope").contains("gpu_println!"));
        assert!(
            told("error[E0412]: cannot find type `Vec` in this scope").contains("features = [\"alloc\"]")
        );
        for same in [
            "error[E0308]: mismatched types",
            "error: cannot find macro `printer` in this scope",
            "cannot find type `",
        ] {
            assert_eq!(told(same), same);
        }
    }
}
