use std::process::Command;

use crate::setting::{Result, device, is_cpu};

/// All other tests on the CPU, in a process for each instruction set that the machine has beside its widest.
#[test]
fn everything_holds_for_each_instruction_set() -> Result {
    if !is_cpu(&device()?) || std::env::var_os("GRIDWRIGHT_CPU_ISA").is_some() {
        return Ok(()); // Another device, or runs under one already.
    }
    let this = std::env::current_exe().expect("the test's own path");
    for isa in ["baseline", "avx2", "avx512"] {
        let output = Command::new(&this)
            .args(["--skip", "everything_holds"])
            .env("GRIDWRIGHT_CPU_ISA", isa)
            .output()
            .expect("the test runs again");
        let said = String::from_utf8_lossy(&output.stdout);
        let missing = said.contains(&format!("GRIDWRIGHT_CPU_ISA=`{isa}` isn't understood"))
            || said.contains("Environment { variable: \"GRIDWRIGHT_CPU_ISA\"");
        assert!(output.status.success() || missing && isa != "baseline", "with {isa}:\n{said}");
    }
    Ok(())
}
