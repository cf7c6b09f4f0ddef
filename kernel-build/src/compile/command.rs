//! The compiler's command for the image's crate, in cargo's words. While nothing changes but the sources of
//! that crate, it makes the image again: cargo takes as long as the compiler to find out that it may.

use std::ffi::OsString;
use std::path::Path;

use crate::architecture::Family;
use crate::plan::{self, Build, DevicePackage, Invocation};

/// The command in what a verbose cargo wrote.
pub(super) fn find<'t>(errors: &'t str, build: &Build) -> Option<&'t str> {
    let image = build.raw_ir.to_string_lossy();
    let command = |line: &'t str| line.trim_start().strip_prefix("Running `")?.strip_suffix('`');
    errors.lines().rev().filter_map(command).find(|command| command.contains(&*image))
}

/// The command to be run: variables, the compiler and its arguments. `None` where the words aren't that.
pub(super) fn invocation(command: &str, build: &Build, package: &DevicePackage) -> Option<Invocation> {
    let compiler = build.invocation.set.get("RUSTC")?;
    let mut words = words(command)?.into_iter();
    let mut set = build.invocation.set.clone();
    loop {
        let word = words.next()?;
        if *compiler == *word {
            break;
        }
        let (name, value) = word.split_once('=')?;
        set.insert(name.to_owned(), value.into());
    }
    Some(Invocation {
        program: compiler.into(),
        arguments: words.map(OsString::from).collect(),
        // Where cargo starts the compiler for a package of its workspace.
        folder: package.folder.clone(),
        removed: build.invocation.removed.clone(),
        set,
    })
}

impl Invocation {
    /// The compiler's command for the optimised IR of the whole program in one file. A program is only made whole where it is linked.
    pub(super) fn for_ir(mut self, ir: &Path) -> Self {
        self.arguments.retain(|argument| !argument.to_string_lossy().starts_with("--emit="));
        for (what, extension) in [("llvm-ir", None), ("link", Some("linked"))] {
            let mut flag = OsString::from(format!("--emit={what}="));
            flag.push(extension.map_or_else(|| ir.to_owned(), |extension| ir.with_extension(extension)));
            self.arguments.push(flag);
        }
        self
    }

    /// The compiler's command for the image, instructions and all.
    pub(super) fn for_image(mut self, family: Family, image: &Path) -> Self {
        self.arguments.retain(|argument| !plan::stop(family).iter().any(|stop| argument == stop));
        self.arguments.push(plan::emit_image(family, image));
        self
    }

    /// The compiler's command with lines of the sources.
    pub(super) fn with_lines(mut self) -> Self {
        self.arguments.push("-Cdebuginfo=line-tables-only".into());
        self
    }

    /// The compiler's command, with what it writes on its way in a folder, where that stays if the compiler ends.
    pub(super) fn with_temporaries(mut self, folder: &Path) -> Self {
        let mut flag = OsString::from("-Ztemps-dir=");
        flag.push(folder);
        self.arguments.push(flag);
        self
    }
}

/// Takes a line apart as a shell does. Cargo quotes with `'…'` and `\`.
fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut is_quoted = false;
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match c {
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            '\\' if !is_quoted => word.get_or_insert_default().push(characters.next()?),
            ' ' if !is_quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    (!is_quoted).then_some(words)
}
