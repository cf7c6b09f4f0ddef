use serde_json::json;

use super::*;
use crate::diagnostic::Severity;

fn package(metadata: &Value) -> Package {
    serde_json::from_value(json!({
        "name": "app", "version": "0.1.0", "manifest_path": "/w/Cargo.toml", "targets": [], "metadata": metadata,
        "dependencies": [{"name": "glam", "source": null, "req": "^0.30", "kind": null, "rename": "math",
            "optional": false, "uses_default_features": true, "features": [], "registry": null}],
    }))
    .unwrap()
}

fn names(settings: &Settings) -> Vec<&str> {
    settings.architectures.iter().map(Architecture::name).collect()
}

#[test]
fn without_a_word_the_defaults_are_built() {
    let (settings, diagnostics) = read(&package(&Value::Null), &Environment::default());
    assert_eq!(names(&settings), DEFAULT_ARCHITECTURES);
    assert_eq!((settings.skip, diagnostics), (None, vec![]));
}

#[test]
fn the_environment_overrides_the_manifest() {
    let package =
        package(&json!({"gridwright": {"architectures": ["sm_75"], "device-dependencies": ["math"]}}));
    let (settings, diagnostics) = read(&package, &Environment::default());
    assert_eq!((names(&settings), diagnostics.len()), (vec!["sm_75"], 0));
    let environment =
        Environment::from([("GRIDWRIGHT_ARCHITECTURES", " sm_90a, gfx942,,sm_90a gfx11-generic ")]);
    assert_eq!(names(&read(&package, &environment).0), ["sm_90a", "gfx942", "gfx11-generic"]);
    let empty = Environment::from([("GRIDWRIGHT_ARCHITECTURES", "")]);
    assert_eq!(names(&read(&package, &empty).0), ["sm_75"]);
}

#[test]
fn unknown_architectures_are_errors_that_list_the_known_shapes() {
    let environment = Environment::from([("GRIDWRIGHT_ARCHITECTURES", "sm_80,ampere,gfx")]);
    let (settings, diagnostics) = read(&package(&Value::Null), &environment);
    assert_eq!(names(&settings), ["sm_80"]);
    assert_eq!(diagnostics.len(), 2);
    for (diagnostic, name) in diagnostics.iter().zip(["`ampere`", "`gfx`"]) {
        assert_eq!(diagnostic.severity, Severity::Error);
        assert!(
            diagnostic.message.starts_with("GRIDWRIGHT_ARCHITECTURES: ") && diagnostic.message.contains(name)
        );
        assert!(diagnostic.message.contains("sm_90a") && diagnostic.message.contains("gfx11-generic"));
    }
}

#[test]
fn wrong_settings_are_named() {
    let metadata =
        json!({"gridwright": {"architectures": "sm_80", "device-dependencies": ["glam"], "archs": []}});
    let (_, diagnostics) = read(&package(&metadata), &Environment::default());
    let messages: Vec<_> = diagnostics.iter().map(|d| d.to_string()).collect();
    assert!(
        messages.iter().any(|m| m.starts_with("error") && m.contains("architectures must be a list")),
        "{messages:?}"
    );
    assert!(
        messages.iter().any(|m| m.starts_with("error") && m.contains("`glam` is not a dependency")),
        "{messages:?}"
    );
    assert!(
        messages.iter().any(|m| m.starts_with("warning") && m.contains("no setting `archs`")),
        "{messages:?}"
    );
}

#[test]
fn skipping_and_requiring_come_from_the_environment() {
    let package = package(&Value::Null);
    for (variable, value, skips) in [
        ("GRIDWRIGHT_SKIP_DEVICE", "1", true),
        ("GRIDWRIGHT_SKIP_DEVICE", "0", false),
        ("DOCS_RS", "1", true),
    ] {
        let (settings, _) = read(&package, &Environment::from([(variable, value)]));
        assert_eq!(settings.skip.is_some(), skips, "{variable}={value}");
    }
    assert!(read(&package, &Environment::from([("GRIDWRIGHT_REQUIRE_DEVICE", "1")])).0.require_device);
}

#[test]
fn code_for_the_cpu_is_for_all_machines_or_for_this_one() {
    let none = package(&Value::Null);
    let native = package(&json!({"gridwright": {"cpu-code": "native"}}));
    let of = |package: &Package, variables: &[(&str, &str)]| {
        let [first, second] = [0, 1].map(|i| variables.get(i).copied().unwrap_or(("", "")));
        let (settings, diagnostics) = read(package, &Environment::from([first, second]));
        (settings.cpu.of("app"), diagnostics.into_iter().map(|d| d.message).collect::<Vec<_>>())
    };
    assert_eq!(of(&none, &[]), (CpuCode::All, vec![]));
    let (here, told) = of(&native, &[("HOST", "x"), ("TARGET", "x")]);
    assert!(here != CpuCode::All && told.is_empty(), "{here:?} {told:?}");
    assert_eq!(of(&none, &[("GRIDWRIGHT_CPU_CODE", "native")]).0, here);
    assert_eq!(of(&native, &[("GRIDWRIGHT_CPU_CODE", "all")]), (CpuCode::All, vec![]));
    assert_eq!(of(&native, &[("HOST", "x"), ("TARGET", "y")]), (CpuCode::All, vec![]));
    for (package, variables) in [
        (&none, &[("GRIDWRIGHT_CPU_CODE", "avx2")][..]),
        (&package(&json!({"gridwright": {"cpu-code": ["native"]}})), &[]),
    ] {
        let (_, told) = of(package, variables);
        assert!(told.iter().any(|text| text.contains("it takes `all` or `native`")), "{told:?}");
    }
}

#[test]
fn code_for_the_cpu_is_said_for_single_targets() {
    let package = |words: Value| {
        serde_json::from_value::<Package>(json!({
            "name": "app", "version": "0.1.0", "manifest_path": "/w/Cargo.toml", "dependencies": [],
            "targets": [{"name": "app", "kind": ["lib"], "crate_types": ["lib"], "src_path": "/w/src/lib.rs", "edition": "2024"},
                {"name": "slow", "kind": ["test"], "crate_types": ["bin"], "src_path": "/w/tests/slow.rs", "edition": "2024"}],
            "metadata": {"gridwright": {"cpu-code": words}},
        }))
        .unwrap()
    };
    let here = [("HOST", "x"), ("TARGET", "x")];
    let (settings, told) = read(&package(json!({"slow": "native"})), &Environment::from(here));
    assert_eq!((settings.cpu.of("app"), told), (CpuCode::All, vec![]));
    assert_ne!(settings.cpu.of("slow"), CpuCode::All);
    let all = Environment::from([("GRIDWRIGHT_CPU_CODE", "all"), here[0]]);
    assert_eq!(read(&package(json!({"slow": "native"})), &all).0.cpu.of("slow"), CpuCode::All);
    for (words, said) in [
        (
            json!({"slow": "avx2"}),
            "error: [package.metadata.gridwright] cpu-code.slow: `avx2` isn't understood",
        ),
        (json!({"slow": true}), "error: [package.metadata.gridwright] cpu-code.slow: `` isn't understood"),
        (
            json!({"fast": "native"}),
            "warning: [package.metadata.gridwright] cpu-code: `app` has no target `fast`",
        ),
    ] {
        let (_, told) = read(&package(words), &Environment::default());
        assert!(told.iter().any(|told| told.to_string().starts_with(said)), "{told:?}");
    }
}

#[test]
fn machine_code_is_for_chips_of_nvidias_whose_ptx_is_built() {
    let of = |list: &str, environment: &Environment| {
        let list: Vec<&str> = list.split(' ').collect();
        read(
            &package(&json!({"gridwright": {"architectures": ["sm_80", "gfx942"], "machine-code": list}})),
            environment,
        )
    };
    let chips =
        |settings: &Settings| settings.machine_code.iter().map(|a| a.name().to_owned()).collect::<Vec<_>>();
    let (settings, diagnostics) = of("sm_90 sm_80 sm_90", &Environment::default());
    assert_eq!((chips(&settings), diagnostics), (vec!["sm_90".to_owned(), "sm_80".to_owned()], vec![]));
    let (settings, _) = of("sm_90", &Environment::from([("GRIDWRIGHT_MACHINE_CODE", "sm_86, sm_89")]));
    assert_eq!(chips(&settings), ["sm_86", "sm_89"]);
    for (list, said) in [
        ("sm_75", "add sm_75 to `architectures`"),
        ("sm_90a", "by its plain number"),
        ("gfx942", "by its plain number"),
    ] {
        let (_, diagnostics) = of(list, &Environment::default());
        assert!(
            diagnostics.iter().any(|d| d.severity == Severity::Error && d.message.contains(said)),
            "{list}: {diagnostics:?}"
        );
    }
}

#[test]
fn debug_checks_follow_the_profile_unless_one_says_otherwise() {
    let debug = ("PROFILE", "debug");
    let on = |metadata: &Value, variables: [(&str, &str); 2]| {
        read(&package(metadata), &Environment::from(variables)).0.debug_checks
    };
    let none = Value::Null;
    assert!(on(&none, [debug, debug]) && !on(&none, [("PROFILE", "release"), ("X", "")]));
    let off = json!({"gridwright": {"debug-checks": false}});
    assert!(!on(&off, [debug, debug]) && on(&off, [debug, ("GRIDWRIGHT_DEBUG_CHECKS", "1")]));
    assert!(!on(&none, [debug, ("GRIDWRIGHT_DEBUG_CHECKS", "0")]));
    let (_, diagnostics) =
        read(&package(&json!({"gridwright": {"debug-checks": "no"}})), &Environment::default());
    assert_eq!(
        diagnostics[0].message,
        "[package.metadata.gridwright] debug-checks must be `true` or `false`"
    );
}
