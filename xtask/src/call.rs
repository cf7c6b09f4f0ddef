//! A program to run, which can say how a person would run it.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};

use anyhow::{Context, ensure};

use crate::tools;
use crate::workspace::Workspace;

/// Environment variables for a program.
pub(crate) type Variables = Vec<(&'static str, OsString)>;

#[derive(Clone)]
pub(crate) struct Call {
    program: OsString,
    arguments: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
    removed: Vec<&'static str>,
    directory: PathBuf,
}

impl Call {
    /// The program, in the workspace's root.
    pub(crate) fn new(workspace: &Workspace, program: impl Into<OsString>) -> Self {
        Self::in_folder(&workspace.root, program)
    }

    /// The program, in a folder.
    pub(crate) fn in_folder(folder: impl Into<PathBuf>, program: impl Into<OsString>) -> Self {
        let (arguments, variables, removed) = Default::default();
        Self { program: program.into(), arguments, variables, removed, directory: folder.into() }
    }

    /// Cargo, with these words after it.
    pub(crate) fn cargo(workspace: &Workspace, words: &str) -> Self {
        Self::new(workspace, "cargo").arguments(words.split_whitespace())
    }

    pub(crate) fn arguments<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    pub(crate) fn variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Adds several variables, as another part of this crate has gathered them.
    pub(crate) fn variables(self, variables: &[(&'static str, OsString)]) -> Self {
        variables.iter().fold(self, |call, (name, value)| call.variable(name, value))
    }

    pub(crate) fn without(mut self, name: &'static str) -> Self {
        self.removed.push(name);
        self
    }

    pub(crate) fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = directory.into();
        self
    }

    /// Whether the program is there and ends well; it says nothing.
    pub(crate) fn works(&self) -> bool {
        self.output().is_ok_and(|output| output.status.success())
    }

    /// Runs the program to its end. An error names the command, so that it can be run again alone.
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        self.ended(self.started(|mut command| command.status())?, &[])
    }

    /// Runs the program to its end, and shows what it said only if it fails, or what it skipped: what passes
    /// is a line of the caller's.
    pub(crate) fn run_quietly(&self) -> anyhow::Result<()> {
        let (mut reader, writer) = io::pipe()?;
        let errors = writer.try_clone()?;
        // The command holds ends of the pipe to write to, and reading goes on as long as there is one.
        let mut child = self.started(|mut command| command.stdout(writer).stderr(errors).spawn())?;
        let mut said = Vec::new();
        reader.read_to_end(&mut said)?;
        let status = child.wait()?;
        if !status.success() {
            io::stdout().write_all(&said)?;
        }
        self.ended(status, &[])?;
        String::from_utf8_lossy(&said).lines().filter_map(skipped).for_each(|line| println!("{line}"));
        Ok(())
    }

    /// Runs the program quietly, and then says what passed.
    pub(crate) fn passes(&self, what: impl fmt::Display) -> anyhow::Result<()> {
        self.run_quietly()?;
        println!("{what}");
        Ok(())
    }

    /// Runs the program to its end, whatever that is, and takes what it says.
    pub(crate) fn output(&self) -> anyhow::Result<Output> {
        self.started(|mut command| command.output())
    }

    /// Runs the program to its end, and takes what it prints. What it complains of goes to the terminal.
    pub(crate) fn printed(&self) -> anyhow::Result<Vec<u8>> {
        let output = self.started(|mut command| command.stderr(Stdio::inherit()).output())?;
        self.ended(output.status, &[])?;
        Ok(output.stdout)
    }

    /// Runs the program to its end, and takes the text of both streams, which an error has too.
    pub(crate) fn said(&self) -> anyhow::Result<String> {
        let output = self.output()?;
        let said = [output.stdout, output.stderr].concat();
        self.ended(output.status, &said)?;
        Ok(String::from_utf8_lossy(&said).into_owned())
    }

    /// This program, ended after so many seconds with what it started: exit code 124 says so.
    pub(crate) fn within(mut self, seconds: &str) -> Self {
        let program = std::mem::replace(&mut self.program, "timeout".into());
        let first = ["--kill-after=10".into(), seconds.into(), program];
        self.arguments.splice(0..0, first);
        self
    }

    /// Runs the program to its end, whatever that is. What it prints is appended to a file.
    pub(crate) fn run_into(&self, file: &Path) -> anyhow::Result<ExitStatus> {
        let output = File::options().create(true).append(true).open(file);
        let output = output.with_context(|| format!("can't write {}", file.display()))?;
        let errors = output.try_clone()?;
        self.started(|mut command| command.stdin(Stdio::null()).stdout(output).stderr(errors).status())
    }

    /// Starts the program, which is there unless an error says how to get it.
    fn started<T>(&self, start: impl FnOnce(Command) -> io::Result<T>) -> anyhow::Result<T> {
        let mut command = Command::new(&self.program);
        self.removed.iter().for_each(|name| _ = command.env_remove(name));
        command.args(&self.arguments).envs(self.variables.iter().cloned()).current_dir(&self.directory);
        start(command).map_err(|error| {
            let cause = tools::not_started(&self.program, Some(&self.directory), error);
            cause.context(format!("can't start: {self}"))
        })
    }

    /// An error if the program failed, with what it said.
    fn ended(&self, status: ExitStatus, said: &[u8]) -> anyhow::Result<()> {
        let said = String::from_utf8_lossy(said);
        ensure!(
            status.success(),
            "{status}: {self}{}{}",
            if said.is_empty() { "" } else { "\n" },
            said.trim()
        );
        Ok(())
    }
}

/// The command as typed into a shell.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.variables {
            write!(f, "{}={} ", name.display(), value.display())?;
        }
        write!(f, "{}", self.program.display())?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {}", argument.display()))
    }
}

/// A variable of folders, with these in front of those that it has.
pub(crate) fn in_front(variable: &str, folders: &[&Path]) -> anyhow::Result<OsString> {
    let known = std::env::var_os(variable);
    let known = known.iter().flat_map(std::env::split_paths);
    Ok(std::env::join_paths(folders.iter().map(|folder| folder.to_path_buf()).chain(known))?)
}

/// `LD_LIBRARY_PATH` with folders in front.
pub(crate) fn library_path(folders: &[&Path]) -> anyhow::Result<OsString> {
    in_front("LD_LIBRARY_PATH", folders)
}

/// What a line says was skipped. A test harness writes its dots in front of it.
fn skipped(line: &str) -> Option<&str> {
    line.find("SKIPPED").map(|start| &line[start..])
}

#[cfg(test)]
mod tests {
    use super::{Call, skipped};
    use crate::workspace::Workspace;

    #[test]
    fn what_was_skipped_is_found_behind_dots() {
        assert_eq!(skipped("....SKIPPED: no device"), Some("SKIPPED: no device"));
        assert_eq!(skipped("test result: ok. 3 passed"), None);
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let workspace = Workspace::find().unwrap();
        let call = Call::new(&workspace, "no-such-program").arguments(["--version"]);
        for result in [call.run(), call.run_quietly(), call.said().map(drop)] {
            let error = format!("{:#}", result.unwrap_err());
            assert_eq!(
                error,
                "can't start: no-such-program --version: there is no `no-such-program` here: install it, or put its folder on the PATH"
            );
        }
        assert!(!call.works());
    }
}
