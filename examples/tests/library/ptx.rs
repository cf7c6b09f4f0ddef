//! The PTX of this target's kernels.

use std::path::Path;
use std::{env, fs};

/// The body of a kernel, compiled for sm_80; none where this build has no PTX and needs none.
pub(crate) fn entry(name: &str) -> Option<String> {
    entry_of("sm_80", name)
}

/// The body of a kernel that says `fp_contract = off`, compiled for sm_80; none where this build has no PTX and needs none.
pub(crate) fn uncontracted_entry(name: &str) -> Option<String> {
    entry_of("sm_80.uncontracted", name)
}

fn entry_of(image: &str, name: &str) -> Option<String> {
    let path = Path::new(env!("OUT_DIR")).join(format!("gridwright/test-library.{image}.ptx"));
    let Ok(ptx) = fs::read_to_string(&path) else {
        let is_required = env::var_os("GRIDWRIGHT_REQUIRE_DEVICE").is_some_and(|value| value == "1");
        assert!(!is_required, "there is no {}", path.display());
        return None;
    };
    let (_, rest) = ptx.split_once(&format!(".entry {name}(")).expect("a kernel");
    Some(rest.split_once("\n}").expect("its end").0.to_owned())
}
