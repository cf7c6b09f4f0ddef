use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::amd::{AmdTools, listing};
use super::cpu::CpuListing;
use super::nvidia::{resources, section};
use super::{BuiltImage, BuiltKernel, Resources, Target, built_targets, table};
use crate::architecture::Architecture;
use crate::image::{Entry, Image};
use crate::table::{Kind, Table, TableImage};
use crate::tests::Folder;

fn image(architecture: &str, path: &str) -> TableImage {
    let entries = vec![Entry {
        name: "a_k".into(),
        path: "a::k<f32, \"\\\">".into(),
        layout: vec![1],
        ..Entry::default()
    }];
    let contents = Image { entries, ..Image::default() };
    let architecture = Architecture::parse(architecture).unwrap();
    let kind = Kind::of(architecture.family());
    TableImage { compiled_for: architecture.clone(), architecture, kind, path: path.into(), contents }
}

#[test]
fn tables_are_read_as_they_are_written() {
    let odd = "/o/a \"b\"\\ include_bytes!(\"x\")/\u{301}bin-a.gfx942.hsaco";
    let machine_code = TableImage { kind: Kind::Cubin, ..image("sm_90", "/o/bin-a.sm_80.sm_90.cubin") };
    let table = Table::Images(vec![image("sm_80", "/o/bin-a.sm_80.ptx"), machine_code, image("gfx942", odd)]);
    let listed = table::read(&table.expression(crate::settings::CpuCode::All, &Default::default()));
    let images: Vec<_> = listed.images.iter().map(|i| (i.architecture.name(), i.path.clone())).collect();
    assert_eq!(images, [("sm_80", PathBuf::from("/o/bin-a.sm_80.ptx")), ("gfx942", odd.into())]);
    let assembled: Vec<_> =
        listed.assembled.iter().map(|i| (i.architecture.name(), i.path.clone())).collect();
    assert_eq!(assembled, [("sm_90", PathBuf::from("/o/bin-a.sm_80.sm_90.cubin"))]);
    assert_eq!(listed.missing, None);
    for reason in ["say \"x\" \\ \n\t\u{7f} 'y'", "plain"] {
        for table in [Table::Missing(reason.into()), Table::Refused(reason.into())] {
            let listed = table::read(&table.expression(crate::settings::CpuCode::All, &Default::default()));
            assert_eq!((listed.missing.as_deref(), listed.images.len()), (Some(reason), 0));
        }
    }
    for other in
        ["", "\"", "fn main() { println!(\"x\") }", "include_bytes!(\"x\")", "Image { architecture: \"sm_1\""]
    {
        assert_eq!(table::read(other), table::Listed::default(), "{other}");
    }
}

#[test]
fn a_disassembler_that_was_built_without_amds_target_is_none() {
    let sysroot = Folder::new("objdump");
    let bin = sysroot.path().join("lib/rustlib/x86_64-unknown-linux-gnu/bin");
    fs::create_dir_all(&bin).unwrap();
    let program = bin.join("llvm-objdump");
    for (targets, is_found) in [("amdgcn - AMD GCN GPUs", true), ("x86-64 - 64-bit X86", false)] {
        fs::write(&program, format!("#!/bin/sh\necho '{targets}'\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let tools = AmdTools::find(Some(sysroot.path()));
        assert_eq!(tools.disassemblers().contains(&program), is_found, "{targets}");
    }
}

#[test]
fn what_the_last_build_left_out_is_not_there() {
    let folder = Folder::new("built");
    let out = folder.path().join("gridwright");
    assert_eq!(built_targets(folder.path()).unwrap(), []);
    std::fs::create_dir(&out).unwrap();
    let path = out.join("bin-a-b.sm_80.ptx");
    std::fs::write(&path, ".version 8.3\n.target sm_80\n.entry k() { ret; }").unwrap();
    std::fs::write(out.join("bin-a-b.sm_90.ptx"), "of an earlier build").unwrap();
    let table = Table::Images(vec![image("sm_80", path.to_str().unwrap())]);
    std::fs::write(
        out.join("bin-a_b.rs"),
        table.expression(crate::settings::CpuCode::All, &Default::default()),
    )
    .unwrap();
    std::fs::write(
        out.join("lib-a_b.rs"),
        Table::Missing("no compiler".into()).expression(crate::settings::CpuCode::All, &Default::default()),
    )
    .unwrap();
    let targets = built_targets(folder.path()).unwrap();
    let [bin, lib] = &targets[..] else { panic!("{targets:?}") };
    assert_eq!((bin.name(), bin.images.len(), lib.missing.as_deref()), ("bin-a_b", 1, Some("no compiler")));
    assert_eq!(
        bin.images[0].kernels,
        [BuiltKernel { entry: "a_k".into(), path: "a::k<f32, \"\\\">".into() }]
    );
    let is = |target: Target| (bin.is(&target), lib.is(&target));
    assert_eq!(is(Target::Bin("a-b".into())), (true, false));
    assert_eq!(is(Target::Example("a_b".into())), (true, false));
    assert_eq!(is(Target::Test("a_b".into())), (false, false));
    assert_eq!(is(Target::Lib), (false, true));
}

/// The text is as ptxas 13.5 prints it, for a kernel that calls a function and one that spills.
#[test]
fn what_ptxas_says_is_read_by_entry() {
    let said = "ptxas info    : 0 bytes gmem\n\
        ptxas info    : Compiling entry function 'plain' for 'sm_80'\n\
        ptxas info    : Function properties for _ZN4core9panicking5panic\n\
        \u{20}   96 bytes stack frame, 12 bytes spill stores, 12 bytes spill loads\n\
        ptxas info    : Function properties for plain\n\
        \u{20}   0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n\
        ptxas info    : Used 10 registers, used 0 barriers, 376 bytes cmem[0]\n\
        ptxas info    : Compiling entry function 'spills' for 'sm_80'\n\
        ptxas info    : Function properties for spills\n\
        \u{20}   40 bytes stack frame, 36 bytes spill stores, 48 bytes spill loads\n\
        ptxas info    : Used 255 registers, used 1 barriers, 1024 bytes smem, 400 bytes cmem[0]\n";
    let found = resources(said);
    let expected = |registers, workgroup_bytes, local_bytes, spills| Resources {
        registers,
        workgroup_bytes,
        local_bytes,
        spills,
        ..Resources::default()
    };
    assert_eq!(
        found.into_iter().collect::<Vec<_>>(),
        [("plain".into(), expected(10, 0, 0, 0)), ("spills".into(), expected(255, 1024, 40, 36)),]
    );
    assert!(resources("ptxas fatal   : nothing\nUsed x registers\n").is_empty());
}

#[test]
fn a_kernel_of_a_cubin_is_its_section() {
    let listing = "\t.section\t.text.add,\"ax\",@progbits\n.text.add:\n        /*0000*/  EXIT ;\n.L_x_0:\n        /*0010*/  NOP;\n\
                   \t.section\t.text.addition,\"ax\",@progbits\n.text.addition:\n        /*0000*/  BRA `(.L_x_0);\n";
    let add = section(listing, "add").unwrap();
    assert!(add.contains("EXIT") && add.contains(".L_x_0") && !add.contains("BRA"), "{add}");
    assert!(section(listing, "addition").unwrap().contains("BRA"));
    assert_eq!(section(listing, "ad"), None);
}

#[test]
fn a_listing_with_unknown_instructions_is_none() {
    let printed = "\nk.hsaco:\tfile format elf64-amdgpu\n\n0000000000001900 <k>:\n\ts_endpgm // 000000001900: BFB00000\n";
    assert_eq!(listing(printed, "k").unwrap().lines().count(), 2);
    assert_eq!(listing(printed, "l"), None);
    assert_eq!(listing(&printed.replace("\ts_endpgm", "\t<unknown>\n\ts_endpgm"), "k"), None);
}

#[test]
fn a_code_object_says_what_its_kernels_take() {
    let bytes = include_bytes!("../../../kernel-image/src/fixtures/two.gfx11-generic.hsaco");
    let found = Resources::of_code_object(bytes).unwrap();
    assert!(found.len() == 2 && found.values().all(|kernel| kernel.registers > 0 && kernel.wave == Some(32)));
    assert!(Resources::of_code_object(b"not one").is_err());
}

#[test]
fn loops_of_a_kernel_are_found_by_its_type_and_by_who_calls_them() {
    let function = |symbol: &str, code: &str| {
        format!(
            "\t.globl\t{symbol}\n{symbol}:\n\t.cfi_startproc\n.LBB0_1:\n{code}\tretq\n.Lfunc_end0:\n\t.size x\n"
        )
    };
    // `<app::saxpy as app::Runs>::avx2`, that of `app::saxpy_2`, something else that is made for the first, and a phase.
    let [own, other, run, phase] = [
        "_RNvXCs123_3appNtB2_5saxpyNtB2_4Runs4avx2",
        "_RNvXCs123_3appNtB2_7saxpy_2NtB2_4Runs4avx2",
        "_RNvXCs123_3appNtB2_5saxpyNtB2_4Runs3run",
        "_RNvXCs123_3appNtB2_5phaseNtB2_4Runs8baseline",
    ];
    let unique = "gridwright_kernel_names_must_be_unique_in_a_module__my_app_0_1_0__app_bin__app::";
    let text = [
        function(own, "\taddl\t$1, %eax\n"),
        function(other, ""),
        function(run, &format!("\tcallq\t*{phase}@GOTPCREL(%rip)\n")),
        function(phase, ""),
        format!(
            "\"{unique}saxpy\":\n\t.byte\t0\n\"{unique}saxpy__2__in_tests\":\n\t.byte\t0\n\"{unique}r#in::saxpy_2\":\n\t.byte\t0\n"
        ),
    ];
    let listing = CpuListing::read(&text.concat());
    assert_eq!(listing.kernels(), ["r#in::saxpy_2", "saxpy", "saxpy__2"]);
    let found = listing.of_kernel("saxpy");
    let names: Vec<_> = found.iter().map(|found| (&*found.name, found.instruction_set)).collect();
    assert_eq!(
        names,
        [("<app::saxpy as app::Runs>::avx2", "avx2"), ("<app::phase as app::Runs>::baseline", "baseline")]
    );
    assert_eq!((found[0].instructions(), found[0].is_interior), (2, false));
    assert!(found[0].text.contains(".LBB0_1:") && !found[0].text.contains("func_end"));
    assert_eq!(listing.of_kernel("r#in::saxpy_2").len(), 1);
    assert!(listing.of_kernel("axpy").is_empty());
}

#[test]
fn kernels_share_what_a_program_embeds() {
    let folder = Folder::new("embedded");
    let head = ".version 8.3\n.target sm_80\n";
    let [table, a, b] =
        [".global .u32 t[2];\n", ".entry a() { ld.u32 %r1, [t]; }\n", ".entry b() { ret; }\n"];
    let ptx = folder.path().join("lib-a.sm_80.ptx");
    fs::write(&ptx, [head, table, a, b].concat()).unwrap();
    let architecture = Architecture::parse("sm_80").unwrap();
    let embedded =
        BuiltImage { architecture: architecture.clone(), path: ptx, kernels: Vec::new() }.embedded().unwrap();
    assert_eq!(embedded.bytes, [head, table, a, b].concat().len());
    let of = |kernel: &str| embedded.loaded[kernel];
    assert_eq!([of("a"), of("b")], [[head, table, a].concat().len(), [head, b].concat().len()]);
    let machine_code = include_bytes!("../../../kernel-image/src/fixtures/demo.gfx942.hsaco");
    let object = folder.path().join("lib-a.gfx942.hsaco");
    fs::write(&object, machine_code).unwrap();
    let embedded = BuiltImage { architecture, path: object, kernels: Vec::new() }.embedded().unwrap();
    assert_eq!((embedded.bytes, embedded.loaded["demo"]), (machine_code.len(), machine_code.len()));
}
