//! A program to run, which can say how a person would run it.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, bail};

use crate::tools;
use crate::workspace::Workspace;

#[derive(Clone)]
pub(crate) struct Call {
    program: OsString,
    arguments: Vec<OsString>,
    variables: Vec<(String, String)>,
    removed: Vec<&'static str>,
    directory: PathBuf,
}

impl Call {
    /// The program, in the workspace's root.
    pub(crate) fn new(workspace: &Workspace, program: impl Into<OsString>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            variables: Vec::new(),
            removed: Vec::new(),
            directory: workspace.root.clone(),
        }
    }

    /// Cargo, with these words after it.
    pub(crate) fn cargo(workspace: &Workspace, words: &str) -> Self {
        Self::new(workspace, "cargo").arguments(words.split_whitespace())
    }

    pub(crate) fn arguments<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    pub(crate) fn variable(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Adds several variables, as another part of this crate has gathered them.
    pub(crate) fn variables(mut self, variables: &[(&'static str, String)]) -> Self {
        self.variables.extend(variables.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        self
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
        let mut command = self.command();
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    /// Runs the program to its end. An error names the command, so that it can be run again alone.
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let status = self.command().status().map_err(|error| self.not_started(error))?;
        if !status.success() {
            bail!("{status}: {self}");
        }
        Ok(())
    }

    /// Runs the program to its end, and shows what it said only if it fails, or what it skipped: what passes
    /// is a line of the caller's.
    pub(crate) fn run_quietly(&self) -> anyhow::Result<()> {
        let (mut reader, writer) = io::pipe()?;
        let mut command = self.command();
        command.stdout(writer.try_clone()?).stderr(writer);
        let mut child = command.spawn().map_err(|error| self.not_started(error))?;
        // It holds ends of the pipe to write to, and reading goes on as long as there is one.
        drop(command);
        let mut said = Vec::new();
        reader.read_to_end(&mut said)?;
        let status = child.wait()?;
        if !status.success() {
            io::stdout().write_all(&said)?;
            bail!("{status}: {self}");
        }
        String::from_utf8_lossy(&said).lines().filter_map(skipped).for_each(|line| println!("{line}"));
        Ok(())
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
        let mut command = self.command();
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        command.status().map_err(|error| self.not_started(error))
    }

    fn not_started(&self, error: io::Error) -> anyhow::Error {
        let cause = tools::not_started(&self.program, Some(&self.directory), error);
        cause.context(format!("can't start: {self}"))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        self.removed.iter().for_each(|name| _ = command.env_remove(name));
        command.args(&self.arguments).envs(self.variables.iter().cloned()).current_dir(&self.directory);
        command
    }
}

/// The command as typed into a shell.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.variables {
            write!(f, "{name}={value} ")?;
        }
        write!(f, "{}", self.program.display())?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {}", argument.display()))
    }
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
        for result in [call.run(), call.run_quietly()] {
            let error = format!("{:#}", result.unwrap_err());
            assert_eq!(
                error,
                "can't start: no-such-program --version: there is no `no-such-program` here: install it, or put its folder on the PATH"
            );
        }
        assert!(!call.works());
    }
}
