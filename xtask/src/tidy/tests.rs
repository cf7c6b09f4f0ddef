//! Each rule on this repository, and on text that breaks it.

use super::tree::{Source, Tree};
use super::{
    RULES, Subject, book, contract, docs, glossary, layers, markers, paths, profiles, programs, prose,
    readme, roots, safety, vendors,
};
use crate::workspace::Workspace;

macro_rules! on_this_repository {
    ($($rule:ident)*) => {$(
        #[test]
        fn $rule() {
            holds(super::$rule::check);
        }
    )*};
}

on_this_repository! {
    book contract docs edges glossary layers lines manifests markers paths profiles programs prose readme roots safety size stale times vendors
}

fn holds(check: fn(&Subject<'_>) -> anyhow::Result<super::Findings>) {
    let workspace = Workspace::find().unwrap();
    let tree = Tree::read(&workspace.root).unwrap();
    let findings = check(&Subject { workspace: &workspace, tree: &tree }).unwrap();
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
}

fn source(text: &str) -> Source {
    Source::new("src/sample.rs".into(), text.into())
}

/// A tree of files, each its path, a colon and its text.
fn tree(files: &[&str]) -> Tree {
    let files = files.iter().filter_map(|file| file.split_once(": "));
    Tree { files: files.map(|(path, text)| Source::new(path.into(), text.into())).collect() }
}

#[test]
fn each_rule_is_tested() {
    let tested = include_str!("tests.rs").split_once("on_this_repository! {").unwrap().1;
    let tested = tested.split_once('}').unwrap().0.split_whitespace().count();
    assert_eq!(tested, RULES.len());
}

#[test]
fn the_tree_has_the_sources_and_no_build() {
    let tree = Tree::read(&Workspace::find().unwrap().root).unwrap();
    assert!(tree.get("xtask/src/main.rs").is_some());
    assert!(tree.files.iter().all(|file| !file.path.starts_with("target/")));
}

#[test]
fn modules_for_tests_are_known() {
    let declarations =
        "mod a;\n#[cfg(test)]\nmod b;\n#[cfg(test)]\npub(crate) mod c;\n#[cfg(test)]\nuse d;\n";
    assert_eq!(source(declarations).test_modules(), ["src/sample/b.rs", "src/sample/c.rs"]);
    let root = Source::new("a/src/lib.rs".into(), declarations.into());
    assert_eq!(root.test_modules(), ["a/src/b.rs", "a/src/c.rs"]);
}

#[test]
fn programs_are_built_as_tests_where_they_have_some() {
    assert!(programs::has_tests("mod tests {\n    #[test]\n    fn a() {}\n}\n"));
    assert!(!programs::has_tests("//! Not a `#[test]`.\n"));
    let finding = programs::finding;
    assert!(finding("a.rs", true, false).unwrap().contains("never run"));
    assert!(finding("a.rs", false, true).unwrap().contains("no tests"));
    assert!(finding("a.rs", true, true).is_none() && finding("a.rs", false, false).is_none());
}

#[test]
fn profiles_say_which_debug_information_macros_have() {
    let manifest = "[profile.checked.package.a]\nopt-level = 1\ndebug = false\n\n[profile.checked.package.b]\n\n[other]\ndebug = false\n";
    assert!(profiles::finding(manifest, "package.a").is_none());
    for missing in ["package.b", "package.c"] {
        assert!(profiles::finding(manifest, missing).unwrap().contains(missing));
    }
    let programs = "    { name = \"a\", test = false },\n    { name = \"b\", test = false, bench = false },\n    { name = \"c\" },\n";
    assert_eq!(profiles::built_as_benches("x", programs), ["x:1 has `test = false` without `bench = false`"]);
}

#[test]
fn documents_have_short_sentences_and_comments_that_stand_alone() {
    let long = format!("{}.", ["word"; 46].join(" "));
    let document = |text: &str| crate::prose::Document::new("x", [("x.md", text)]);
    assert_eq!(prose::lengths(&document(&long)).len(), 2, "long, and typical");
    assert_eq!(prose::lengths(&document("Short. And short.")), Vec::<String>::new());
    let source = "/// The same, but larger.\nfn a() {}\n/// A copy.\n/// The same as it.\nfn b() {}\n    /// As above.\n";
    let leaning = prose::leaning("x.rs", source);
    assert_eq!(leaning.len(), 2, "{leaning:?}");
    assert!(leaning[0].starts_with("x.rs:1: ") && leaning[1].starts_with("x.rs:6: "), "{leaning:?}");
}

#[test]
fn docs_come_first() {
    assert!(docs::has_docs("//! What it is.\n"));
    assert!(!docs::has_docs("use std::fmt;\n//! Late.\n"));
}

#[test]
fn a_root_has_no_function() {
    let text = "//! Docs.\nmod a;\npub use a::A;\nfn helper() {}\nstruct S;";
    assert_eq!(roots::misplaced(text).unwrap().len(), 2);
}

#[test]
fn macro_entries_and_private_functions_are_allowed_in_a_root() {
    let text = "#[proc_macro]\npub fn entry(t: T) -> T { t }\npub mod __private { pub fn assert() {} }";
    assert!(roots::misplaced(text).unwrap().is_empty());
}

#[test]
fn unsafe_is_found_in_macros_and_not_in_comments_strings_or_tests() {
    let text = "
        // unsafe { }
        const S: &str = \"unsafe { }\";
        unsafe fn declared();
        macro_rules! m { () => {
            unsafe impl Send for S {}
        } }
        #[cfg(test)]
        mod tests { fn f() { unsafe { g() } } }
    ";
    assert_eq!(safety::unexplained(&source(text)).unwrap(), [6]);
}

#[test]
fn a_safety_comment_explains() {
    let text = "fn f() {\n    // SAFETY: checked above.\n    unsafe { g() }\n}";
    assert!(safety::unexplained(&source(text)).unwrap().is_empty());
}

#[test]
fn safety_comments_name_an_obligation() {
    let text = "// SAFETY: the caller's contract.\nunsafe { f() };\n// SAFETY: as above.\n// SAFETY: the slice has as many.\n\
                // as above\n";
    let lines: Vec<_> = text.lines().map(|line| safety::without_obligation(line).is_some()).collect();
    assert_eq!(lines, [true, false, true, false, false]);
}

#[test]
fn markers_are_whole_words() {
    assert!(markers::marker(concat!("// TO", "DO: later")).is_some());
    assert!(markers::marker(concat!("dbg", "!(x)")).is_some());
    assert_eq!(markers::marker(concat!("const TO", "DOS: u8 = 1;")), None);
}

#[test]
fn machine_paths_begin_at_the_root() {
    assert!(paths::machine_path(concat!("see /wo", "rk/main")).is_some());
    assert_eq!(paths::machine_path(concat!("https://example.org/ho", "me/page")), None);
    assert_eq!(paths::machine_path(concat!("../wo", "rk/x")), None);
}

#[test]
fn listings_are_compared_without_their_marks() {
    let docs = readme::crate_docs("//! Title.\n//!\n//! ```\n//! fn main() {}\n//! ```\nmod a;\n");
    let readme = "# Title\n```toml\na = 1\n```\n```rust\nfn main() {}\n```\n";
    let listing = readme::first_listing(readme, &["rust"]);
    assert_eq!(listing, Some(vec!["fn main() {}".to_owned()]));
    assert_eq!(listing, readme::first_listing(&docs, &["", "rust"]));
    assert!(readme::is_listed("- `hip` (default): AMD GPUs\n", "hip"));
    assert!(!readme::is_listed("the feature `hip`, and - `hips`\n", "hip"));
}

#[test]
fn modules_name_only_those_below() {
    let root = "host/src/lib.rs: mod device;\npub use device::Device;\npub use error::Error;";
    let arrows = |files: &[&str]| layers::arrows(&tree(&[files, &[root]].concat())).unwrap();
    let allowed = [
        "host/src/device.rs: use crate::backend::Cpu;\nuse crate::submission::StreamId;",
        "host/src/backend/cpu/mod.rs: use super::queued::Engine;\nuse crate::{Error, submission::Launch};",
        "host/src/backend/mod.rs: pub(crate) use cpu::Cpu;\nfn open() { crate::backend::cpu::open() }",
        "host/src/submission/work.rs: use super::Launch;\nuse gridwright_core::Device;",
        "emulator/src/execute/warp.rs: use crate::instruction::Action;\nuse crate::machine::Fragment;",
    ];
    assert!(arrows(&allowed).is_empty(), "{:?}", arrows(&allowed));
    let planted = [
        "host/src/submission/work.rs: use crate::{Device, Error};",
        "host/src/backend/cpu/mod.rs: fn wait(of: &crate::stream::Stream) {}",
        "host/src/backend/gpu/emulator/mod.rs: use super::super::cpu::Processor;",
        "host/src/backend/gpu/driver/hip/mod.rs: mod inner { use super::super::cuda::Nvidia; }",
        "host/src/backend/memory.rs: macro_rules! of { () => { $crate::buffer::Buffer } }",
        "host/src/error.rs: use super::backend::Backend;",
        "emulator/src/instruction/moves.rs: fn special(lanes: &crate::execute::ActiveLanes) {}",
    ];
    assert_eq!(
        arrows(&planted),
        [
            "host/src/submission/work.rs names `device::Device`: it is above",
            "host/src/backend/cpu/mod.rs names `stream::Stream`: it is above",
            "host/src/backend/gpu/emulator/mod.rs names `backend::cpu::Processor`: the two know nothing of each other",
            "host/src/backend/gpu/driver/hip/mod.rs names `backend::gpu::driver::cuda::Nvidia`: the two know nothing of each \
             other",
            "host/src/backend/memory.rs names `buffer::Buffer`: it is above",
            "host/src/error.rs names `backend::Backend`: it is above",
            "emulator/src/instruction/moves.rs names `execute::ActiveLanes`: it is above",
        ]
    );
}

#[test]
fn vendors_functions_are_compared_file_by_file() {
    let same = tree(&[
        "a/mod.rs: pub(super) fn size() -> [u32; 3] { registers() }\nfn registers() -> [u32; 3] { [0; 3] }",
        "b/mod.rs: use core::arch::x;\npub(super) fn size() -> [u32; 3] { x() }",
        "a/atomic.rs: pub(crate) unsafe fn add(at: *mut u32, by: u32) {}\n#[cfg(test)]\nmod tests { pub fn t() {} }",
        "b/atomic.rs: pub(crate) unsafe fn add(at: *mut u32, _by: u32) {}",
        "a/float.rs: pub fn add_f32(by: f32) {}",
        "b/float.rs: macro_rules! add { ($name:ident) => { pub fn $name(by: f32) {} } }\nadd!(add_f32);",
        "c/mod.rs: pub fn elsewhere() {}",
    ]);
    assert!(vendors::differences(&same, ["a/", "b/"]).unwrap().is_empty());

    let different = tree(&[
        "a/mod.rs: pub fn size() -> u32 { 0 }\npub fn barrier() {}\npub(crate) fn exit() {}\nimpl Wave { pub fn width() {} }",
        "b/mod.rs: pub fn size() -> u64 { 0 }\nfn barrier() {}\npub(super) fn exit() {}\nimpl Wave { pub fn width() -> u32 { 64 } }",
        "a/atomic.rs: pub fn add() {}",
        "b/warp.rs: pub fn lane() {}",
    ]);
    assert_eq!(
        vendors::differences(&different, ["a/", "b/"]).unwrap(),
        [
            "a/atomic.rs has no counterpart b/atomic.rs",
            "`barrier` is in a/mod.rs and not in b/mod.rs",
            "b/warp.rs has no counterpart a/warp.rs",
            "`Wave::width` has another signature or visibility in b/mod.rs than in a/mod.rs",
            "`exit` has another signature or visibility in b/mod.rs than in a/mod.rs",
            "`size` has another signature or visibility in b/mod.rs than in a/mod.rs",
        ]
    );
}

/// A crate with a contract that holds: a name of each kind in the lists, in both targets and outside.
const WITH_A_CONTRACT: [&str; 13] = [
    "device/src/arch/README.md: `arch`\n## What `cpu` and `gpu` both have\n| items | for |\n|---|---|\n| `Team`, `Turns` | groups |\n\
     | `warp::any` | `votes` |\n| `atomic::add`, `int::low` | the rest |\n\
     ## What `gpu` asks of the hardware\n| `mod.rs` | `barrier`, `lane` |\n| `int.rs` | `low` |\n",
    "device/src/arch/mod.rs: mod cpu;\n#[cfg(a)]\npub use cpu::*;\nmod turns;\npub use turns::Turns;",
    "device/src/arch/cpu/mod.rs: mod atomics;\npub(crate) use atomics::atomic;\npub(crate) mod int;\n\
     pub(crate) mod warp;\npub struct Team;\npub fn run_groups() {}\npub(super) fn order() {}",
    "device/src/arch/cpu/atomics.rs: pub(crate) mod atomic { operations! { add: plain; } }",
    "device/src/arch/cpu/int.rs: pub(crate) use crate::int::plain::low;",
    "device/src/arch/cpu/warp.rs: pub(crate) fn any() {}\nfn each() {}",
    "device/src/arch/gpu/mod.rs: mod atomics;\npub(crate) use super::hardware::int;\npub(crate) use atomics::atomic;\n\
     pub use team::{group, Group as Team};\npub(crate) mod warp;\nfn order() {}",
    "device/src/arch/gpu/atomics.rs: pub(crate) mod atomic { pub(crate) fn add() {} }",
    "device/src/arch/gpu/warp.rs: pub(crate) fn any() {}\npub(super) fn lanes() {}",
    "device/src/arch/nvptx/mod.rs: pub(super) fn barrier() {}\nread!(lane);",
    "device/src/arch/nvptx/int.rs: pub(crate) fn low() {}",
    "device/src/arch/amdgcn/mod.rs: pub(super) fn barrier() {}\npub(super) fn lane() {}",
    "device/src/arch/amdgcn/int.rs: pub(crate) fn low() {}",
];

/// What breaks the contract when files are put in place of those of the same path.
fn breaches(planted: &[&str]) -> super::Findings {
    let path = |file: &str| file.split(": ").next().map(str::to_owned);
    let kept = WITH_A_CONTRACT.iter().filter(|file| planted.iter().all(|other| path(file) != path(other)));
    contract::breaches(&tree(&kept.chain(planted).copied().collect::<Vec<_>>())).unwrap()
}

#[test]
fn a_contract_holds() {
    let outside = [
        "device/src/lib.rs: //! `arch::Anything`\n#![cfg_attr(target_arch = \"nvptx64\", no_std)]\n\
         #[cfg(target_arch = \"amdgpu\")]\nextern crate alloc;\npub mod arch;",
        "device/src/views/a.rs: use crate::arch::{self, Team, warp::{self, any}};\nuse core::arch::x86_64;",
        "device/src/views/b.rs: use crate::{Keep, arch::Turns as T};\nfn f() { arch::Team::new(arch::int::low::<u8>()) }",
        "device/src/views/c.rs: #[cfg(test)]\nmod tests;\nfn f() { if cfg!(miri) {} }",
        "host/src/a.rs: #[cfg(target_arch = \"x86_64\")]\nuse gridwright_device::arch::run_groups;",
    ];
    assert!(breaches(&outside).is_empty(), "{:?}", breaches(&outside));
}

#[test]
fn what_one_target_lacks_breaks_the_contract() {
    let [cpu, gpu] = ["cpu", "gpu"].map(|target| {
        breaches(&[
            &format!("device/src/arch/{target}/mod.rs: pub(crate) mod warp;\npub(super) struct Team;"),
            &format!("device/src/arch/{target}/warp.rs: fn any() {{}}"),
        ])
    });
    let lacking = |target: &str| {
        let of = format!("is in the list of device/src/arch/README.md and not in device/src/arch/{target}");
        ["Team", "atomic::add", "int::low", "warp::any"].map(|name| format!("`{name}` {of}"))
    };
    assert_eq!(cpu, lacking("cpu"));
    assert_eq!(gpu, lacking("gpu"));
}

#[test]
fn what_both_targets_have_is_in_the_list() {
    let planted = [
        "device/src/arch/mod.rs: pub use turns::{Endless, Turns};",
        "device/src/arch/cpu/warp.rs: pub(crate) fn any() {}\npub(crate) fn all() {}",
        "device/src/arch/gpu/warp.rs: pub(crate) fn any() {}\npub(crate) fn all() {}",
    ];
    let of = "is exported for all targets and not in the list of device/src/arch/README.md";
    assert_eq!(breaches(&planted), ["warp::all", "Endless"].map(|name| format!("`{name}` {of}")));
}

#[test]
fn nobody_outside_names_what_one_target_has_or_asks_for_the_target() {
    let planted = [
        "device/src/views/a.rs: use crate::arch::run_groups;\nmacro_rules! m { () => { $crate::arch::warp::lanes() } }",
        "device/src/views/b.rs: use crate::arch::*;\nuse crate::{arch::{Team, group}};",
        "device/src/views/c.rs: #[cfg(not(any(target_arch = \"nvptx64\")))]\nfn f() {}\nfn g() { cfg!(gridwright_device) }",
        "device/src/lib.rs: #[cfg(target_arch = \"amdgpu\")]\nmod a;",
    ];
    let unlisted = |place: &str, name: &str| {
        let list = "device/src/arch/README.md";
        format!("device/src/views/{place} names `arch::{name}`, which isn't in the list of {list}")
    };
    let asks = |place: &str, word: &str| {
        format!("device/src/{place} asks for `{word}`, which only device/src/arch/ does")
    };
    assert_eq!(
        breaches(&planted),
        [
            unlisted("a.rs:1", "run_groups"),
            unlisted("a.rs:2", "warp::lanes"),
            unlisted("b.rs:1", "*"),
            unlisted("b.rs:2", "group"),
            asks("views/c.rs:1", "target_arch"),
            asks("views/c.rs:3", "gridwright_device"),
            asks("lib.rs:1", "target_arch"),
        ]
    );
}

#[test]
fn vendors_have_what_the_list_asks_of_the_hardware() {
    let planted = [
        "device/src/arch/nvptx/mod.rs: pub(super) fn barrier() {}\npub(super) fn sleep() {}\nread!(lane);",
        "device/src/arch/amdgcn/mod.rs: pub(super) fn barrier() {}",
    ];
    assert_eq!(
        breaches(&planted),
        [
            "`sleep` of device/src/arch/nvptx/mod.rs isn't in the list of device/src/arch/README.md",
            "`lane` is in the list of device/src/arch/README.md and not in device/src/arch/amdgcn/mod.rs",
        ]
    );
}

#[test]
fn public_names_are_made_of_the_glossarys_words() {
    let facade = "pub mod warp;\nuse gridwright_core::Internal;\npub use gridwright_device::{fence, warp::{LaneTiles, Texture2d}};\n\
                  #[doc(hidden)]\npub use crate::warp::Gizmo;\n#[cfg(test)]\npub use crate::Whatsit as OwnMut;\n\
                  pub mod __private { pub use core; }\npub(crate) use crate::Widget;\npub use alloc::boxed::Box;";
    let names = glossary::public_names(facade).unwrap();
    assert_eq!(Vec::from_iter(&names), ["LaneTiles", "OwnMut", "Texture2d", "fence"]);
    assert_eq!(glossary::words("TextureLayered2d"), ["Texture", "Layered"]);
    assert_eq!(glossary::words("F16x2"), ["F"]);
    assert!(glossary::words("unfused_mul").is_empty());

    let public = names.into_iter().map(|name| (name, "src/warp.rs")).collect();
    let page = "| word | meaning | names |\n|---|---|---|\n| **lane** | A `Thread` | `LaneTiles`, `x.fence()` |\n\
                | **tile** | A | `fence` |\n| **own**, owned | B | – |\n| **texture** | C | `Texture2d` |\n";
    assert_eq!(glossary::findings(page, &public), Vec::<String>::new());
    let planted = page.replace("**own**, ", "").replace("`fence`", "`Fence`");
    assert_eq!(
        glossary::findings(&planted, &public),
        [
            "src/warp.rs has `OwnMut`, and book/src/glossary.md has no word \"Own\"",
            "book/src/glossary.md:4: `Fence` isn't public",
        ]
    );
}

#[test]
fn variants_and_variables_are_found() {
    assert_eq!(book::variants("struct S;\nenum E { One, Two { of: u32 } }\n").unwrap(), ["One", "Two"]);
    let source = "const A: &str = \"GRIDWRIGHT_TEST_A\"; f(\"GRIDWRIGHT_B=1 or so\", \"other\", \"GRIDWRIGHT_TEST_C\");";
    assert_eq!(book::variables(source).collect::<Vec<_>>(), ["GRIDWRIGHT_TEST_A", "GRIDWRIGHT_TEST_C"]);
}
