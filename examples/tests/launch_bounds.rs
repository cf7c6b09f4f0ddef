//! What kernels demand of a launch reaches the PTX that ships. That NVIDIA's assembler takes it is seen by
//! `cargo xtask test --step nvidia`.

use std::path::Path;
use std::{env, fs};

#[test]
fn a_declared_block_is_a_directive_of_the_entry_and_its_record_is_gone() {
    let ptx = Path::new(env!("OUT_DIR")).join("gridwright/lib-gridwright_examples.sm_80.ptx");
    let Ok(text) = fs::read_to_string(&ptx) else {
        let is_required = env::var_os("GRIDWRIGHT_REQUIRE_DEVICE").is_some_and(|value| value == "1");
        assert!(!is_required, "there is no {}", ptx.display());
        return;
    };
    for kernel in ["matrix_mul", "matrix_mul_load_tile"] {
        let (_, entry) = text.split_once(&format!(".entry {kernel}(")).unwrap();
        let (declaration, _) = entry.split_once('{').unwrap();
        let (_, directives) = declaration.split_once(')').unwrap();
        assert_eq!(directives.trim(), ".reqntid 16, 16, 1", "{kernel}");
    }
    assert!(!text.contains("__gridwright_bounds_"));
}
