use super::*;

/// Code object that rustc built for gfx942 from a kernel `demo(f32, *mut f32, usize)` with a static of four
/// words.
const RUSTC: &[u8] = include_bytes!("../fixtures/demo.gfx942.hsaco");
/// Code object that clang built from `fixtures/two.hip`.
const XNACK: &[u8] = include_bytes!("../fixtures/two.gfx90a-xnack.hsaco");
const GENERIC: &[u8] = include_bytes!("../fixtures/two.gfx11-generic.hsaco");

fn layout(kernel: &Kernel) -> Vec<(u32, u32)> {
    kernel.parameters().map(|parameter| (parameter.offset, parameter.size)).collect()
}

#[test]
fn rustcs_code_object_is_read() {
    let object = CodeObject::read(RUSTC).unwrap();
    assert_eq!(object.version, 6);
    assert_eq!(object.target.to_string(), "gfx942");
    assert_eq!((object.target.xnack, object.target.sramecc), (Setting::Any, Setting::Any));
    assert_eq!(object.target.generic_version, None);
    let [kernel] = object.kernels.as_slice() else { panic!("{:?}", object.kernels) };
    assert_eq!((kernel.name.as_str(), kernel.symbol.as_str()), ("demo", "demo.kd"));
    assert_eq!(layout(kernel), [(0, 4), (8, 8), (16, 8)]);
    assert_eq!(kernel.arguments[1].value_kind, "global_buffer");
    assert_eq!(kernel.arguments[1].name, "a2");
    assert_eq!((kernel.kernarg_segment_size, kernel.kernarg_segment_align), (24, 8));
    assert_eq!((kernel.wavefront_size, kernel.sgpr_count, kernel.vgpr_count), (64, 18, 3));
    assert_eq!((kernel.group_segment_fixed_size, kernel.private_segment_fixed_size), (0, 0));
    assert_eq!(kernel.reqd_workgroup_size, None);
    assert!(!kernel.uses_dynamic_stack && object.undefined.is_empty());
    let record = object.symbols.iter().find(|s| s.name == "__gridwright_layout_demo").unwrap();
    assert_eq!(record.bytes.unwrap(), [4_u64; 4].map(u64::to_le_bytes).concat());
    // A descriptor has 64 bytes, the first of which are the fixed workgroup memory.
    let descriptor = object.symbols.iter().find(|s| s.name == "demo.kd").unwrap();
    assert_eq!(descriptor.bytes.unwrap().len(), 64);
}

#[test]
fn clangs_code_objects_are_read() {
    for (bytes, version, target, generic, wave) in
        [(XNACK, 5, "gfx90a:xnack+", None, 64), (GENERIC, 6, "gfx11-generic", Some(1), 32)]
    {
        let object = CodeObject::read(bytes).unwrap();
        assert_eq!((object.version, object.target.to_string().as_str()), (version, target));
        assert_eq!(object.target.generic_version, generic);
        let saxpy = object.kernel("saxpy").unwrap();
        assert_eq!(layout(saxpy), [(0, 4), (4, 4), (8, 8), (16, 8)]);
        assert!(saxpy.arguments.len() > 4, "the hidden ones are there too");
        assert!(saxpy.arguments[4..].iter().all(Argument::is_hidden));
        assert_eq!(saxpy.wavefront_size, wave);
        // A struct by value lies among the arguments.
        let mangled = object.kernel("_Z7mangled4PairhPf").unwrap();
        assert_eq!(layout(mangled), [(0, 16), (16, 1), (24, 8)]);
        assert_eq!((mangled.group_segment_fixed_size, mangled.max_flat_workgroup_size), (256, 64));
        let image = Image::read(bytes).unwrap();
        assert_eq!((image.format, &*image.architecture), (Format::CodeObject, target));
        assert_eq!(image.entry("saxpy").unwrap().parameters.len(), 4);
    }
    assert_eq!(CodeObject::read(GENERIC).unwrap().target.xnack, Setting::Absent);
}

/// The code object with other flags and another version of the ABI.
fn with_head(flags: u32, abi: u8) -> Result<Target, ImageError> {
    let mut bytes = XNACK.to_vec();
    bytes[48..52].copy_from_slice(&flags.to_le_bytes());
    bytes[8] = abi;
    CodeObject::read(&bytes).map(|object| object.target)
}

#[test]
fn targets_are_read_from_the_flags() {
    let named = |flags, abi| with_head(flags, abi).map(|target| target.to_string());
    for (flags, abi, name) in [
        (0x041, 3, "gfx1100"),
        (0x54c, 3, "gfx942"),
        (0x94c, 2, "gfx942:sramecc-"),
        (0xe4c, 3, "gfx942:sramecc+:xnack-"),
        (0x0100_055f, 4, "gfx9-4-generic"),
        // A number that is newer than the table, so the name is that of the note.
        (0x0f0, 4, "gfx90a"),
    ] {
        assert_eq!(named(flags, abi).as_deref(), Ok(name), "{flags:#x}");
    }
    assert_eq!(with_head(0x0200_0054, 4).unwrap().generic_version, Some(2));
    // Before version 6 these bits had no meaning.
    assert_eq!(with_head(0x0200_0041, 3).unwrap().generic_version, None);
    for abi in [0, 1, 5, 255] {
        assert!(with_head(0x041, abi).is_err(), "ABI {abi}");
    }
}

#[test]
fn another_machines_elf_file_is_no_code_object() {
    let cubin = include_bytes!("../fixtures/two.sm_80.cubin");
    let error = CodeObject::read(cubin).unwrap_err().to_string();
    assert!(error.contains("another machine"), "{error}");
    let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    assert!(CodeObject::read(&program).is_err());
}

/// The code object with a text of its metadata replaced by one of the same length.
fn with_metadata(old: &str, new: &str) -> Result<(), ImageError> {
    let mut bytes = RUSTC.to_vec();
    let at = bytes.windows(old.len()).position(|window| window == old.as_bytes()).unwrap();
    bytes[at..at + new.len()].copy_from_slice(new.as_bytes());
    CodeObject::read(&bytes).map(drop)
}

#[test]
fn what_the_metadata_lacks_is_named() {
    for (key, other, said) in [
        ("amdhsa.kernels", "amdhsa.colonel", "lists no kernels"),
        (".offset", ".offsec", "an argument of `demo` has no offset"),
        (".symbol", ".cymbal", "`demo` has no `.symbol`"),
        (".vgpr_count", ".vgpr_mount", "`demo` has no `.vgpr_count`"),
        (".wavefront_size", ".wavefront_sigh", "`demo` has no `.wavefront_size`"),
        ("AMDGPU\0", "NVIDIA\0", "no metadata"),
    ] {
        let error = with_metadata(key, other).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_code_object_cut_anywhere_is_an_error_or_still_whole() {
    for bytes in [RUSTC, XNACK, GENERIC] {
        let whole = CodeObject::read(bytes).unwrap();
        for end in 0..bytes.len() {
            if let Ok(object) = CodeObject::read(&bytes[..end]) {
                assert_eq!(object, whole, "cut at {end}");
            }
        }
    }
}

#[test]
fn a_corrupted_code_object_never_panics() {
    for bytes in [RUSTC, XNACK] {
        let mut bytes = bytes.to_vec();
        for at in 0..bytes.len() {
            for value in [0, 1, 0x7f, 0x80, 0xdd, 0xff] {
                let kept = std::mem::replace(&mut bytes[at], value);
                let _ = CodeObject::read(&bytes);
                bytes[at] = kept;
            }
        }
    }
}
