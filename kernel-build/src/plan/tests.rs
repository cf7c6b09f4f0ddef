use serde_json::json;

use super::*;
use crate::discover::{Dependency, TargetKind};
use crate::settings;
use crate::tests::Folder;
use crate::toolchain::Version;

fn package() -> Package {
    let dependency = |more: serde_json::Value| {
        let mut dependency = json!({"name": "x", "source": null, "req": "*", "kind": null, "rename": null, "optional": false,
            "uses_default_features": true, "features": [], "registry": null});
        let (Some(all), Some(more)) = (dependency.as_object_mut(), more.as_object()) else { panic!() };
        all.extend(more.clone());
        dependency
    };
    let mut package: Package = serde_json::from_value(json!({
        "name": "my-app", "version": "0.3.0", "manifest_path": "/w/app/Cargo.toml",
        "targets": [{"name": "my_app", "kind": ["lib"], "src_path": "/w/app/src/lib.rs", "edition": "2021"}],
        "dependencies": [
            dependency(json!({"name": "gridwright", "req": "^0.1", "source": "registry+https://github.com/rust-lang/crates.io-index"})),
            dependency(json!({"name": "common", "path": "/w/common"})),
            dependency(json!({"name": "glam", "rename": "math", "req": "^0.34", "uses_default_features": false, "features": ["libm"],
                "source": "registry+https://github.com/rust-lang/crates.io-index"})),
            dependency(json!({"name": "noise", "source": "git+https://example.org/noise?branch=feature%2Ffast", "req": "*"})),
            dependency(json!({"name": "inner", "source": "registry+https://example.org/index", "registry": "https://example.org/index", "req": "=1.2.3"})),
            dependency(json!({"name": "extra", "optional": true, "req": "^2"})),
            dependency(json!({"name": "absent", "optional": true, "req": "^2"})),
            dependency(json!({"name": "clap", "req": "^4"})),
            dependency(json!({"name": "probe", "kind": "dev", "req": "^3"})),
            dependency(json!({"name": "gridwright-build", "kind": "build", "req": "^0.1"})),
        ],
        "features": {"default": ["quick"], "quick": ["dep:extra", "extra/more", "math?/rand"], "slow": ["dep:absent"]},
        "metadata": {"gridwright": {"device-dependencies": ["common", "math", "noise", "inner", "extra", "absent", "probe"]}},
    }))
    .unwrap();
    package.workspace_root = "/w".into();
    package.active_features = ["default".to_owned(), "quick".to_owned()].into();
    package
}

fn candidate(cargo_kind: &str, kind: TargetKind) -> Candidate {
    Candidate {
        modules: BTreeMap::new(),
        name: "my-app".into(),
        crate_name: "my_app".into(),
        kind,
        cargo_kind: cargo_kind.into(),
        root: "/w/app/src/main.rs".into(),
        edition: "2024".into(),
        has_kernels: true,
        says_contraction: false,
        has_instances: false,
        names_library: kind != TargetKind::Lib,
        names: Default::default(),
        has_test: false,
        is_unit_test: false,
        panics: Default::default(),
    }
}

fn toolchain(library: &str) -> Toolchain {
    let version = Version { release: "1.97.0-nightly".into(), date: "2026-05-19".into() };
    Toolchain {
        name: "nightly".into(),
        sysroot: "/rust".into(),
        version,
        library: library.into(),
        watch: vec![],
    }
}

/// Plans for one target, and shows the plan as text.
fn with_context<T>(
    package: &Package,
    environment: &Environment,
    library: &str,
    f: impl FnOnce(&Context<'_>) -> T,
) -> T {
    with_toolchain(package, environment, &toolchain(library), f)
}

fn with_toolchain<T>(
    package: &Package,
    environment: &Environment,
    toolchain: &Toolchain,
    f: impl FnOnce(&Context<'_>) -> T,
) -> T {
    let (settings, diagnostics) = settings::read(package, environment);
    assert_eq!(diagnostics, []);
    f(&Context {
        package,
        settings: &settings,
        toolchain,
        environment,
        out: Path::new("/t/debug/build/my-app-1/out/gridwright"),
        shared: Path::new("/t/gridwright"),
        libraries: &Libraries::default(),
    })
}

fn manifest(package: &Package, candidate: &Candidate) -> String {
    with_context(package, &Environment::default(), "/src/library", |c| device_package(c, candidate).manifest)
}

#[test]
fn the_manifest_of_a_binary() {
    assert_snapshot(
        &manifest(&package(), &candidate("bin", TargetKind::Bin)),
        include_str!("snapshots/bin.toml"),
        "bin.toml",
    );
}

#[test]
fn the_manifest_of_an_example_that_uses_the_library() {
    let mut package = package();
    package.library_has_kernels = true;
    assert_snapshot(
        &manifest(&package, &candidate("example", TargetKind::Bin)),
        include_str!("snapshots/example.toml"),
        "example.toml",
    );
}

/// A package whose device code names `klib`.
fn with_library() -> (Package, Libraries) {
    let mut package = package();
    let mut klib: Dependency = package.dependencies[1].clone();
    (klib.name, klib.path) = ("klib".into(), Some("/w/klib".into()));
    package.dependencies.insert(2, klib);
    let libraries =
        crate::discover::libraries::read(&crate::discover::libraries::answer(), |_| true).unwrap();
    (package, libraries)
}

#[test]
fn the_manifests_of_a_binary_that_uses_a_library() {
    let (package, libraries) = with_library();
    let mut target = candidate("bin", TargetKind::Bin);
    let plan = |target: &Candidate| {
        with_context(&package, &Environment::default(), "/src/library", |context| {
            device_package(&Context { libraries: &libraries, ..*context }, target)
        })
    };
    assert!(plan(&target).libraries.is_empty(), "nothing names it");
    target.names.0.insert(String::new(), ["klib".to_owned()].into());
    let plan = plan(&target);
    let mut text = plan.manifest;
    for library in &plan.libraries {
        text.push_str(&format!("\n# {}\n{}", library.folder.display(), library.manifest));
    }
    assert_snapshot(&text, include_str!("snapshots/libraries.toml"), "libraries.toml");
}

#[test]
fn cargo_is_asked_only_where_device_code_names_a_dependency() {
    let (mut package, _) = with_library();
    package.metadata = serde_json::Value::Null;
    let mut target = candidate("bin", TargetKind::Bin);
    let question = |target: &Candidate| {
        with_context(&package, &Environment::from([("TARGET", "x86_64")]), "/src/library", |context| {
            question(context, &[target])
        })
    };
    assert!(question(&target).is_none());
    target.names.0.insert(String::new(), ["klib".to_owned()].into());
    let (asked, invocation) = question(&target).unwrap();
    assert!(asked.manifest.contains("\"klib\"") && asked.manifest.contains("\"clap\""), "{}", asked.manifest);
    assert!(
        !asked.manifest.contains("\"probe\"") && !asked.manifest.contains("\"absent\""),
        "{}",
        asked.manifest
    );
    assert!(invocation.arguments.contains(&"x86_64".into()));
}

#[test]
fn unit_tests_are_compiled_with_their_cfg_and_their_dependencies() {
    let mut target = candidate("bin", TargetKind::Bin);
    (target.has_test, target.is_unit_test) = (true, true);
    let architecture = Architecture::parse("sm_90").unwrap();
    let (package, build) = with_context(&package(), &Environment::default(), "/src/library", |c| {
        let package = device_package(c, &target);
        (package.clone(), build(c, &target, &package, &architecture, Contraction::On))
    });
    assert!(package.manifest.contains("[dependencies.\"probe\"]"), "{}", package.manifest);
    assert!(build.invocation.arguments.contains(&"--cfg=test".into()));
    assert!(build.image.ends_with("bin-my_app.test.sm_90.ptx"), "{}", build.image.display());
}

#[test]
fn the_library_is_linked_only_if_it_is_known_to_compile() {
    let target = candidate("bin", TargetKind::Bin);
    let mut package = package();
    assert!(!manifest(&package, &target).contains("rlib"));
    package.metadata = json!({"gridwright": {"device-dependencies": ["my-app"]}});
    assert!(manifest(&package, &target).contains("rlib"), "the user lists it");
    assert!(!manifest(&package, &candidate("lib", TargetKind::Lib)).contains("rlib"));
}

#[test]
fn texts_in_manifests_are_quoted() {
    let mut target = candidate("lib", TargetKind::Lib);
    target.root = "/w/a \"b\"\\c\n.rs".into();
    assert!(manifest(&package(), &target).contains(r#"path = "/w/a \"b\"\\c\u000A.rs""#));
}

#[test]
fn command_lines_of_both_families() {
    let package = package();
    let target = candidate("bin", TargetKind::Bin);
    let environment = Environment::from([
        ("PATH", "/bin"),
        ("TARGET", "x86_64"),
        ("RUSTFLAGS", "-g"),
        ("RUSTC_WRAPPER", "sccache"),
        ("CARGO_MAKEFLAGS", "-j2"),
        ("PROFILE", "debug"),
    ]);
    let mut text = String::new();
    for (name, library) in [("sm_90", "/src/library"), ("gfx1100", "/rust/lib/rustlib/src/rust/library")] {
        let architecture = Architecture::parse(name).unwrap();
        let build = with_context(&package, &environment, library, |c| {
            build(c, &target, &device_package(c, &target), &architecture, Contraction::On)
        });
        text.push_str(&format!("# {name} -> {}\n{}", build.image.display(), show(&build.invocation)));
    }
    assert_snapshot(&text, include_str!("snapshots/commands.txt"), "commands.txt");
}

#[test]
fn the_compiler_makes_no_instructions_that_llvm_makes() {
    let folder = Folder::new("stops");
    std::fs::create_dir(folder.path().join("lib")).unwrap();
    let mut toolchain = Toolchain { sysroot: folder.path().into(), ..toolchain("/src/library") };
    let target = candidate("bin", TargetKind::Bin);
    let flags = |toolchain: &Toolchain, name: &str| {
        let architecture = Architecture::parse(name).unwrap();
        let build = with_toolchain(&package(), &Environment::default(), toolchain, |c| {
            build(c, &target, &device_package(c, &target), &architecture, Contraction::On)
        });
        let is_one = |flag: &&OsString| {
            let flag = flag.to_string_lossy();
            ["stop-before", "-Clinker=", "--emit=asm=", "--emit=link="].iter().any(|word| flag.contains(word))
        };
        let of =
            |flag: &OsString| flag.to_string_lossy().split(['/', '\\']).next().unwrap_or_default().to_owned();
        (build.stops, build.invocation.arguments.iter().filter(is_one).map(of).collect::<Vec<_>>())
    };
    let stop = "-Cllvm-args=-stop-before=pre-isel-intrinsic-lowering".to_owned();
    let [unlinked, assembly, linked] = ["-Clinker=true", "--emit=asm=", "--emit=link="].map(str::to_owned);
    let images = [(false, vec![unlinked.clone(), assembly]), (false, vec![linked])];
    let both = |toolchain: &Toolchain| ["sm_90", "gfx942"].map(|name| flags(toolchain, name));
    assert_eq!(both(&toolchain), images, "it has no LLVM");

    std::fs::write(folder.path().join("lib/libLLVM.so"), "").unwrap();
    assert_eq!(
        both(&toolchain),
        [(true, vec![unlinked.clone(), stop.clone()]), (true, vec![stop, unlinked])]
    );
    toolchain.version.release = "1.99.0-nightly".into();
    assert_eq!(both(&toolchain), images, "nobody has tested it");
}

#[test]
fn a_target_that_speaks_of_contraction_has_a_second_image_for_nvidia() {
    let mut target = candidate("bin", TargetKind::Bin);
    let images = |target: &Candidate, name: &str| {
        let architecture = Architecture::parse(name).unwrap();
        let build = |&contraction| {
            let build = with_context(&package(), &Environment::default(), "/src/library", |c| {
                build(c, target, &device_package(c, target), &architecture, contraction)
            });
            let told = |flag: &&str| build.invocation.arguments.iter().any(|a| a == *flag);
            let entries = ["--cfg=gridwright_entries", "--cfg=gridwright_uncontracted_entries"];
            let is_fused =
                build.invocation.arguments.iter().any(|a| a.to_string_lossy().contains("fma-level=1"));
            let files = [&build.image, &build.raw_image, &build.raw_ir, &build.dep_info, &build.stamp];
            (
                files.map(|file| file.file_name().unwrap().to_owned()),
                entries.map(|flag| told(&flag)),
                is_fused,
            )
        };
        let package = {
            let mut package = package();
            package.library_says_contraction = true;
            package
        };
        let images = with_context(&package, &Environment::default(), "/src/library", |c| {
            Contraction::of_images(c, target, &architecture)
        });
        images.iter().map(build).collect::<Vec<_>>()
    };
    assert_eq!(images(&target, "sm_80").len(), 1);
    // The library's kernels say it, of which the target makes instances.
    target.has_instances = true;
    assert_eq!(images(&target, "sm_80").len(), 2);
    target.names_library = false;
    assert_eq!(images(&target, "sm_80").len(), 1);
    target.says_contraction = true;
    let amd = images(&target, "gfx1100");
    assert_eq!((amd.len(), amd[0].1), (1, [true, true]), "one image has all kernels");
    let [on, off] = images(&target, "sm_80").try_into().unwrap();
    assert_eq!((on.1, on.2), ([true, false], true));
    assert_eq!((off.1, off.2), ([false, true], false));
    assert_eq!(off.0[0], "bin-my_app.sm_80.uncontracted.ptx");
    assert!(on.0.iter().zip(&off.0).all(|(on, off)| on != off), "{on:?} {off:?}");
}

#[test]
fn the_library_knows_which_matrix_units_there_are() {
    let target = candidate("bin", TargetKind::Bin);
    let told = |name: &str, environment: &Environment| {
        let architecture = Architecture::parse(name).unwrap();
        let build = with_context(&package(), environment, "/src/library", |c| {
            build(c, &target, &device_package(c, &target), &architecture, Contraction::On)
        });
        let flags = build.invocation.set["CARGO_ENCODED_RUSTFLAGS"].to_string_lossy().into_owned();
        let units =
            flags.split('\u{1f}').filter_map(|flag| flag.strip_prefix("--cfg=gridwright_matrix_units="));
        units.map(str::to_owned).collect::<Vec<_>>()
    };
    let none = Environment::default();
    assert_eq!(told("gfx942", &none), ["\"mfma\"", "\"xf32\""]);
    assert_eq!(told("gfx9-4-generic", &none), ["\"mfma\""]);
    assert_eq!(told("gfx1100", &none), ["\"wmma\""]);
    for name in ["sm_80", "gfx906", "gfx1030", "gfx1201"] {
        assert!(told(name, &none).is_empty(), "{name}");
    }
    let off = Environment::from([("GRIDWRIGHT_NO_MATRIX_UNITS", "1")]);
    assert!(told("gfx942", &off).is_empty() && told("gfx1100", &off).is_empty());
}

#[test]
fn the_library_has_allocation_where_the_facade_has() {
    let (target, architecture) = (candidate("bin", TargetKind::Bin), Architecture::parse("sm_90").unwrap());
    let asks_for = |package: &Package, library: &str| {
        let build = with_context(package, &Environment::default(), "/src/library", |c| {
            build(c, &target, &device_package(c, &target), &architecture, Contraction::On)
        });
        build.invocation.arguments.contains(&library.into())
    };
    let mut package = package();
    assert!(asks_for(&package, "-Zbuild-std=core"));
    package.dependencies[0].features.push("alloc".into());
    assert!(asks_for(&package, "-Zbuild-std=core,alloc"), "by the dependency");
    package.dependencies[0].features.clear();
    package.features.insert("slow".into(), vec!["gridwright/alloc".into()]);
    assert!(asks_for(&package, "-Zbuild-std=core"), "by a feature that is off");
    package.features.insert("quick".into(), vec!["gridwright/alloc".into()]);
    assert!(asks_for(&package, "-Zbuild-std=core,alloc"), "by a feature that is on");
}

#[test]
fn a_test_has_the_features_of_both_tables() {
    let mut package = package();
    let mut again: crate::discover::Dependency = package.dependencies[0].clone();
    (again.kind, again.features) = (Some("dev".into()), vec!["glam".into()]);
    package.dependencies[0].features.push("alloc".into());
    package.dependencies.push(again);
    let manifest = |candidate: &Candidate| {
        with_context(&package, &Environment::default(), "/src/library", |c| {
            device_package(c, candidate).manifest
        })
    };
    let bin = manifest(&candidate("bin", TargetKind::Bin));
    let test = manifest(&candidate("test", TargetKind::Test));
    assert!(
        bin.contains("features = [\"alloc\"]") && !bin.contains("\"glam\", ") && !bin.contains(", \"glam\""),
        "{bin}"
    );
    assert!(test.contains("features = [\"alloc\", \"glam\"]"), "{test}");
    assert_eq!(test.matches("[dependencies.\"gridwright\"]").count(), 1, "{test}");
}

#[test]
fn a_release_build_is_not_incremental() {
    let target = candidate("bin", TargetKind::Bin);
    let architecture = Architecture::parse("sm_90").unwrap();
    for (profile, expected) in [("debug", true), ("release", false)] {
        let environment = Environment::from([("PROFILE", profile)]);
        let build = with_context(&package(), &environment, "/src/library", |c| {
            build(c, &target, &device_package(c, &target), &architecture, Contraction::On)
        });
        let is_incremental =
            build.invocation.arguments.iter().any(|a| a.to_string_lossy().contains("-Cincremental="));
        assert_eq!(is_incremental, expected, "{profile}");
    }
}

fn show(invocation: &Invocation) -> String {
    let mut text = format!("in {}\nrun {}\n", invocation.folder.display(), invocation.program.display());
    for argument in &invocation.arguments {
        text.push_str(&format!("    {}\n", argument.display()));
    }
    for name in &invocation.removed {
        text.push_str(&format!("without {}\n", name.display()));
    }
    for (name, value) in &invocation.set {
        text.push_str(&format!("with {name}={}\n", value.display().to_string().replace('\u{1f}', " ")));
    }
    text
}

#[test]
fn variables_that_sources_name_are_those_of_the_host_build() {
    let mut package = package();
    package.named_variables =
        ["CARGO_MANIFEST_DIR", "CARGO_PKG_DESCRIPTION", "OUT_DIR"].map(String::from).into();
    let environment = Environment::from([
        ("CARGO_MANIFEST_DIR", "/w/my app"),
        ("CARGO_PKG_DESCRIPTION", "two\nlines"),
        ("CARGO_PKG_NAME", "app"),
    ]);
    let flags = |package: &Package| with_context(package, &environment, "/src/library", super::flags::device);
    let found = flags(&package);
    let set: Vec<_> = found.iter().filter(|flag| flag.starts_with("--env-set")).collect();
    assert_eq!(set, ["--env-set=CARGO_MANIFEST_DIR=/w/my app"]);
    assert!(found.contains(&"-Zunstable-options".to_owned()));
    package.named_variables.clear();
    assert!(!flags(&package).contains(&"-Zunstable-options".to_owned()));
}

#[test]
fn device_code_of_debug_builds_is_checked_as_the_hosts() {
    let debug = Environment::from([("PROFILE", "debug")]);
    let released = Environment::from([("PROFILE", "release")]);
    let of = |environment: &Environment| {
        with_context(&package(), environment, "/src/library", |c| {
            (super::flags::device(c), super::directories::packages(c))
        })
    };
    let ((checked, folder), (unchecked, other)) = (of(&debug), of(&released));
    for flag in ["-Coverflow-checks=on", "-Cdebug-assertions=on", "-Zub-checks=no"].map(String::from) {
        assert!(checked.contains(&flag) && !unchecked.contains(&flag), "{flag}");
    }
    assert_ne!(folder, other, "the one's images aren't the other's");
}

#[test]
fn offline_is_tried_with_the_same_command() {
    let run = Invocation {
        program: "cargo".into(),
        arguments: vec!["rustc".into(), "--".into()],
        folder: "/".into(),
        removed: vec![],
        set: BTreeMap::new(),
    };
    assert_eq!(run.offline().arguments, ["rustc", "--offline", "--"]);
}

#[test]
fn what_cargo_says_about_the_host_build_is_removed() {
    let kept = [
        "PATH",
        "HOME",
        "CARGO_HOME",
        "RUSTUP_HOME",
        "CARGO_MAKEFLAGS",
        "MAKEFLAGS",
        "CARGO_NET_OFFLINE",
        "HTTPS_PROXY",
        "MY_TARGET",
    ];
    let removed = [
        "RUSTC",
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "RUSTUP_TOOLCHAIN",
        "LD_LIBRARY_PATH",
        "OUT_DIR",
        "CARGO_PROFILE_RELEASE_LTO",
        "CARGO_TARGET_DIR",
        "CARGO_BUILD_TARGET",
        "CARGO_CFG_UNIX",
        "CARGO_FEATURE_QUICK",
        "CARGO_PKG_NAME",
        "DEP_Z_ROOT",
        "CARGO_MANIFEST_LINKS",
        "CARGO_UNSTABLE_BUILD_STD",
        "RUSTC_BOOTSTRAP",
    ];
    for name in kept {
        assert!(environment::removed(&Environment::from([(name, "x")])).is_empty(), "{name}");
    }
    for name in removed {
        assert_eq!(environment::removed(&Environment::from([(name, "x")])), [name]);
    }
}

#[test]
fn cargos_configuration_is_looked_for_where_cargo_does() {
    let found = |environment: &Environment| environment::configuration(environment, Path::new("/w/app"));
    let names = ["/w/app/.cargo/config.toml", "/w/.cargo/config.toml", "/.cargo/config.toml"];
    let at_home = found(&Environment::from([("HOME", "/h")]));
    for name in names.into_iter().chain(["/h/.cargo/config.toml", "/h/.cargo/config"]) {
        assert!(at_home.contains(&name.into()), "{name}");
    }
    assert!(found(&Environment::from([("CARGO_HOME", "/c")])).contains(&"/c/config.toml".into()));
}

#[test]
fn the_shared_folder_is_the_one_that_cargo_tagged() {
    let folder = Folder::new("shared");
    let triple = Path::new("x86_64-unknown-linux-gnu");
    let target = folder.path().join("target");
    let out = target.join("debug/build/app-1/out");
    let cross = target.join(triple).join("debug/build/app-1/out");
    std::fs::create_dir_all(&cross).unwrap();
    // Not tagged: counted from `build` on.
    for out in [&out, &cross] {
        assert_eq!(directories::shared(out, Some(triple)), target.join("gridwright"));
    }
    std::fs::write(target.join("CACHEDIR.TAG"), "").unwrap();
    std::fs::write(target.join(triple).join("CACHEDIR.TAG"), "").unwrap();
    for out in [&out, &cross] {
        assert_eq!(directories::shared(out, Some(triple)), target.join("gridwright"));
    }
    assert_eq!(directories::shared(Path::new("/odd"), Some(triple)), Path::new("/odd/gridwright"));
}

/// Compares with a stored text; with `GRIDWRIGHT_BLESS=1` stores it instead.
fn assert_snapshot(text: &str, expected: &str, file: &str) {
    if std::env::var_os("GRIDWRIGHT_BLESS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/plan/snapshots").join(file);
        std::fs::write(path, text).unwrap();
        return;
    }
    assert_eq!(
        text, expected,
        "{file} is out of date: look at the difference, and run again with GRIDWRIGHT_BLESS=1"
    );
}

/// LLVM reads its own arguments as the compiler lists processors: so this asks the one that is here.
#[test]
fn the_compiler_takes_the_flags_that_a_newer_one_is_tried_with() {
    let cache = std::env::temp_dir().join("gridwright-build-sources");
    let Ok(toolchain) = crate::toolchain::find(&Environment::of_process(), &cache) else {
        eprintln!("SKIPPED: there is no device toolchain here");
        return;
    };
    let architectures = ["sm_80", "gfx942", "gfx11-generic"].map(|name| Architecture::parse(name).unwrap());
    let mut builds = probes(&architectures, &Environment::default());
    assert_eq!(builds.len(), 3);
    let untested = Toolchain {
        version: crate::toolchain::Version { release: "1.99.0-nightly".into(), ..toolchain.version.clone() },
        ..toolchain
    };
    assert_eq!(untested.probe(&builds), Ok(()));
    builds[1].1.push("-Cllvm-args=-no-such-argument".to_owned());
    assert!(untested.probe(&builds).unwrap_err().contains("no-such-argument"));
}
