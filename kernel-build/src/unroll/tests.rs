use super::*;
#[test]
fn scratch() {
    let get = |n: &str| std::env::var(n).unwrap();
    let ir = fs::read_to_string(get("S_IN")).unwrap();
    let sysroot = std::path::PathBuf::from(get("S_ROOT"));
    let cpu = get("S_CPU");
    let family = if cpu.starts_with("sm") { Family::Nvidia } else { Family::Amd };
    let arguments = if family == Family::Nvidia {
        vec!["-opt-disable=slsr", "-nvptx-fma-level=1", "-disable-lsr", "-unroll-threshold=3000"]
    } else {
        vec![
            "-opt-disable=slsr",
            "-disable-lsr",
            "-amdgpu-codegenprepare-mul24=0",
            "-disable-promote-alloca-to-lds",
            "-amdhsa-code-object-version=5",
        ]
    };
    let target = Target {
        family,
        processor: cpu,
        features: if family == Family::Nvidia { "+ptx80".into() } else { String::new() },
        arguments,
    };
    let library = llvm::library(&sysroot).unwrap();
    let t = std::time::Instant::now();
    let out = unrolled(&library, &target, &ir).unwrap();
    eprintln!("unroll {:?}", t.elapsed());
    fs::write(format!("{}.ll", get("S_OUT")), &out).unwrap();
    let m = crate::mend::mend(family, &out);
    eprintln!("mended {} forms", m.found.len());
    fs::write(get("S_OUT"), llvm::emit(&library, &target, &m.ir).unwrap()).unwrap();
}
