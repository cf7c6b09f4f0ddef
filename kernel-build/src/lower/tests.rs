use std::path::Path;

use super::*;
use crate::environment::Environment;
use crate::tests::Folder;
use crate::toolchain;

fn lowering(folder: &Path, sysroot: &Path, family: Family) -> Lowering {
    let (processor, extension) = match family {
        Family::Nvidia => ("sm_80", "ptx"),
        Family::Amd => ("gfx942", "hsaco"),
    };
    Lowering {
        target: Target {
            family,
            processor: processor.into(),
            features: String::new(),
            arguments: vec!["-opt-disable=slsr"],
        },
        sysroot: sysroot.into(),
        unrolled: folder.join("unrolled.ll"),
        ir: folder.join("x.ll"),
        image: folder.join("x").with_extension(extension),
    }
}

/// A kernel that stores what a line makes of its two arguments.
fn kernel(family: Family, line: &str) -> String {
    let convention = match family {
        Family::Nvidia => "ptx_kernel",
        Family::Amd => "amdgpu_kernel",
    };
    format!(
        "target triple = \"{}\"\ndefine {convention} void @k(i64 %a, i64 %b, ptr addrspace(1) %out) {{\n  {line}\n  store i64 %r, ptr \
         addrspace(1) %out\n  ret void\n}}\n",
        family.triple()
    )
}

#[test]
fn without_llvm_the_folder_is_named() {
    let folder = Folder::new("no-llvm");
    let failure = lower(&lowering(folder.path(), folder.path(), Family::Nvidia), "").unwrap_err();
    assert!(matches!(failure, Failure::Machine(text) if text.contains("has no libLLVM")));
}

#[test]
fn ir_becomes_an_image_and_each_failure_an_answer() {
    let folder = Folder::new("lower");
    let cache = std::env::temp_dir().join("gridwright-build-sources");
    let toolchain = match toolchain::find(&Environment::of_process(), &cache) {
        Ok(toolchain) => toolchain,
        Err(missing) => {
            eprintln!("SKIPPED: {}", missing.message);
            return;
        }
    };
    let of = |family| lowering(folder.path(), &toolchain.sysroot, family);
    let sum = "%r = add i64 %a, %b";
    let ptx = lower(&of(Family::Nvidia), &kernel(Family::Nvidia, sum)).unwrap();
    assert!(String::from_utf8(ptx.clone()).unwrap().contains(".visible .entry k("));
    let object = lower(&of(Family::Amd), &kernel(Family::Amd, sum)).unwrap();
    assert!(object.starts_with(b"\x7fELF"));

    // The same is taken from the file: it needs no compiler.
    fs::write(&of(Family::Nvidia).image, "kept").unwrap();
    assert_eq!(
        lower(&of(Family::Nvidia), &kernel(Family::Nvidia, sum)).unwrap(),
        ptx,
        "other IR came between"
    );
    fs::write(&of(Family::Nvidia).image, "kept").unwrap();
    assert_eq!(lower(&of(Family::Nvidia), &kernel(Family::Nvidia, sum)).unwrap(), b"kept");

    let text = |ir: &str| match lower(&of(Family::Nvidia), ir).unwrap_err() {
        Failure::Code(text) | Failure::Machine(text) => text,
    };
    assert!(text("this is no IR").contains("expected top-level entity"));
    assert!(text(&kernel(Family::Nvidia, "%r = add i64 %a, %c")).contains("undefined value"));
    assert!(lower(&of(Family::Nvidia), &kernel(Family::Nvidia, sum)).is_ok(), "it goes on after an error");

    // LLVM can't convert these, and would stop the process that it is in.
    let fatal = "%f = bitcast i64 %a to double\n  %w = fptoui double %f to i128\n  %r = trunc i128 %w to i64";
    for other in ["%r = sub i64 %a, %b", "%r = xor i64 %a, %b"] {
        assert!(text(&kernel(Family::Nvidia, fatal)).contains("LLVM ERROR: "));
        assert!(
            lower(&of(Family::Nvidia), &kernel(Family::Nvidia, other)).is_ok(),
            "another program is harmed"
        );
        assert!(lower(&of(Family::Amd), &kernel(Family::Amd, other)).is_ok(), "another program is harmed");
    }
}
