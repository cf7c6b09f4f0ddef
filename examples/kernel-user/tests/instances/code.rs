//! The code of instances, beside that of kernels which are written for the types.

use std::path::Path;
use std::{env, fs};

/// The instructions of a kernel, in no order; none where this build has no PTX and needs none.
fn instructions(kernel: &str) -> Option<Vec<String>> {
    let path = Path::new(env!("OUT_DIR")).join("gridwright/test-instances.sm_80.ptx");
    let Ok(ptx) = fs::read_to_string(&path) else {
        let is_required = env::var_os("GRIDWRIGHT_REQUIRE_DEVICE").is_some_and(|value| value == "1");
        assert!(!is_required, "there is no {}", path.display());
        return None;
    };
    let (_, entry) = ptx.split_once(&format!(".entry {kernel}(")).expect("a kernel");
    let (_, body) = entry.split_once("\n{").expect("its beginning");
    let (body, _) = body.split_once("\n}").expect("its end");
    let mut instructions: Vec<_> = body.split(';').map(|instruction| plain(instruction, kernel)).collect();
    instructions.sort();
    Some(instructions)
}

/// An instruction without what differs between kernels: their names, and the numbers that their labels have in the file.
fn plain(instruction: &str, kernel: &str) -> String {
    let words = instruction.split_whitespace().map(|word| match word.strip_prefix("$L__BB") {
        Some(label) => format!("label_{}", label.split('_').next_back().unwrap_or_default()),
        None => word.replace(kernel, "kernel"),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn instances_have_the_instructions_of_kernels_by_hand() {
    for kernel in ["blend", "transpose", "total"] {
        let (instance, by_hand) =
            (instructions(&format!("{kernel}_instance")), instructions(&format!("{kernel}_by_hand")));
        assert_eq!(instance, by_hand, "{kernel}");
    }
}
