use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::tests::Folder;

/// A folder that looks like rustup's, with a compiler that only answers `-vV`.
fn fake(home: &Path, name: &str, release: &str) -> PathBuf {
    let sysroot = home.join("toolchains").join(name);
    let rustc = sysroot.join("bin/rustc");
    fs::create_dir_all(sysroot.join("bin")).unwrap();
    fs::create_dir_all(sysroot.join("lib/rustlib")).unwrap();
    fs::write(sysroot.join("lib/rustlib/components"), "").unwrap();
    fs::write(&rustc, format!("#!/bin/sh\necho 'release: {release}'\necho 'commit-date: 2026-05-19'\n"))
        .unwrap();
    fs::set_permissions(&rustc, fs::Permissions::from_mode(0o755)).unwrap();
    sysroot
}

fn add_library(folder: &Path) {
    fs::create_dir_all(folder.join("core/src")).unwrap();
    fs::write(folder.join("core/src/lib.rs"), "").unwrap();
}

fn environment(home: &Path, more: &[(&str, &str)]) -> Environment {
    let mut variables = vec![("RUSTUP_HOME", home.to_str().unwrap()), ("HOST", "x86_64-unknown-linux-gnu")];
    variables.extend(more);
    variables.resize(6, ("", ""));
    let pairs: [(&str, &str); 6] = variables.try_into().unwrap();
    Environment::from(pairs)
}

#[test]
fn nothing_installed_names_the_command() {
    let home = Folder::new("toolchain-none");
    let missing = find(&environment(home.path(), &[]), home.path()).unwrap_err();
    assert_eq!(
        missing.message,
        "GPU code needs a nightly Rust compiler: run `rustup toolchain install nightly-2026-05-20 --component rust-src`"
    );
    assert!(missing.watch.is_empty(), "a path that does not exist would rebuild the package every time");
}

#[test]
fn an_older_nightly_is_not_taken_unless_named() {
    let home = Folder::new("toolchain-older");
    let sysroot = fake(home.path(), "nightly-x86_64-unknown-linux-gnu", "1.96.0-nightly");
    add_library(&sources::own(&sysroot));
    let missing = find(&environment(home.path(), &[]), home.path()).unwrap_err();
    assert!(
        missing.message.contains("the installed `nightly` is rustc 1.96.0-nightly of 2026-05-19"),
        "{}",
        missing.message
    );
    let named = find(&environment(home.path(), &[("GRIDWRIGHT_TOOLCHAIN", "nightly")]), home.path()).unwrap();
    assert_eq!((&named.sysroot, named.version.is_tested()), (&sysroot, false));
    assert!(named.remark().is_some_and(|text| text.contains("tested with the nightlies of 1.97")));
}

#[test]
fn a_newer_nightly_is_taken_with_a_remark_and_tried() {
    let home = Folder::new("toolchain-newer");
    let sysroot = fake(home.path(), "nightly-x86_64-unknown-linux-gnu", "1.99.0-nightly");
    add_library(&sources::own(&sysroot));
    let found = find(&environment(home.path(), &[]), home.path()).unwrap();
    assert_eq!(found.name, "nightly");
    assert!(found.remark().is_some_and(|text| text.contains("rustc 1.99.0-nightly of 2026-05-19")));
    let builds = [
        ("nvptx64-nvidia-cuda", vec!["-Zknown".to_owned()]),
        ("amdgcn-amd-amdhsa", vec!["-Zgone".to_owned()]),
    ];
    assert_eq!(found.probe(&builds), Ok(()));
    // One that knows a flag less.
    let text = "#!/bin/sh\ncase \"$*\" in *-Zgone*) echo 'error: unknown unstable option: `gone`' >&2; exit 1;; esac\n";
    fs::write(sysroot.join("bin/rustc"), text).unwrap();
    let said = found.probe(&builds).unwrap_err();
    assert!(
        said.contains("rustc 1.99.0-nightly of 2026-05-19 doesn't take the flags")
            && said.contains("option: `gone`"),
        "{said}"
    );
    // A tested one comes before it.
    add_library(&sources::own(&fake(home.path(), PINNED, "1.97.0-nightly")));
    let found = find(&environment(home.path(), &[]), home.path()).unwrap();
    assert_eq!((found.name.as_str(), found.remark(), found.probe(&builds)), (PINNED, None, Ok(())));
}

#[test]
fn the_pinned_nightly_comes_before_the_other() {
    let home = Folder::new("toolchain-pinned");
    for name in [format!("{PINNED}-x86_64-unknown-linux-gnu"), "nightly-x86_64-unknown-linux-gnu".to_owned()]
    {
        add_library(&sources::own(&fake(home.path(), &name, "1.97.0-nightly")));
    }
    let found = find(&environment(home.path(), &[]), home.path()).unwrap();
    assert_eq!((found.name.as_str(), found.has_own_sources()), (PINNED, true));
}

#[test]
fn missing_sources_name_the_command_and_watch_what_it_changes() {
    let home = Folder::new("toolchain-sources");
    let sysroot = fake(home.path(), "nightly", "1.97.0-nightly");
    let missing = match find(&environment(home.path(), &[]), home.path()) {
        Err(missing) => missing,
        // Debian's package of the sources is installed here.
        Ok(found) => return assert!(found.library.starts_with("/usr/src")),
    };
    assert!(
        missing.message.contains("run `rustup component add rust-src --toolchain nightly`"),
        "{}",
        missing.message
    );
    assert_eq!(missing.watch, [sysroot.join("lib/rustlib/components")]);
}

#[test]
fn given_sources_may_be_a_folder_in_several_layouts() {
    let home = Folder::new("toolchain-given");
    fake(home.path(), "nightly", "1.97.0-nightly");
    for layout in
        ["library", "rust-src-1.97.1/library", "rust-src-nightly/rust-src/lib/rustlib/src/rust/library"]
    {
        let folder = home.path().join(layout.replace('/', "_"));
        add_library(&folder.join(layout));
        let variables = environment(home.path(), &[("GRIDWRIGHT_RUST_SRC", folder.to_str().unwrap())]);
        let found = find(&variables, home.path()).unwrap();
        assert_eq!((&found.library, found.has_own_sources()), (&folder.join(layout), false));
    }
    let wrong = environment(home.path(), &[("GRIDWRIGHT_RUST_SRC", "/does/not/exist")]);
    assert!(find(&wrong, home.path()).unwrap_err().message.contains("/does/not/exist, which does not exist"));
}

#[test]
fn an_archive_is_unpacked_once_and_leaves_nothing_half_done() {
    let home = Folder::new("toolchain-archive");
    fake(home.path(), "nightly", "1.97.0-nightly");
    add_library(&home.path().join("rust-src/library"));
    let archive = home.path().join("src.tar");
    let made =
        Command::new("tar").arg("-cf").arg(&archive).arg("-C").arg(home.path()).arg("rust-src").status();
    if !made.is_ok_and(|s| s.success()) {
        eprintln!("SKIPPED: there is no `tar` here");
        return;
    }
    let cache = home.path().join("cache");
    let variables = environment(home.path(), &[("GRIDWRIGHT_RUST_SRC", archive.to_str().unwrap())]);
    let first = find(&variables, &cache).unwrap();
    assert!(first.library.starts_with(&cache) && first.watch.contains(&archive));
    let left: Vec<_> = fs::read_dir(&cache).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(find(&variables, &cache).unwrap(), first);

    fs::write(&archive, "not an archive").unwrap();
    assert!(find(&variables, &cache).unwrap_err().message.contains("tar -xf"));
}

#[test]
fn versions_are_read_and_compared_with_the_tested_ones() {
    let text = "rustc 1.97.0-nightly (e50aa6fba 2026-05-19)\nbinary: rustc\ncommit-date: 2026-05-19\nrelease: 1.97.0-nightly\n";
    let version = Version::parse(text).unwrap();
    assert_eq!(version.to_string(), "rustc 1.97.0-nightly of 2026-05-19");
    assert!(version.is_tested());
    for (release, tested, newer) in [
        ("1.97.1", false, false),
        ("1.98.0-nightly", false, true),
        ("1.97.0-dev", true, false),
        ("1.100.0-nightly", false, true),
        ("2.0.0-nightly", false, true),
        ("1.98.0-beta.1", false, false),
        ("1.9.0-nightly", false, false),
    ] {
        let version = Version::parse(&format!("release: {release}\ncommit-date: unknown")).unwrap();
        assert_eq!((version.is_tested(), version.is_newer()), (tested, newer), "{release}");
        assert_eq!(version.to_string(), format!("rustc {release}"));
    }
    assert_eq!(Version::parse("clang 22"), None);
}
