//! The emulator's process: lines of JSON in and out.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::memory;
use crate::setting;

/// How long a launch may take: the first one compiles what it emulates, on a machine that may have other things to do.
const PATIENCE: Duration = Duration::from_secs(300);

/// What starts the server.
const SERVE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/amd_emulator/serve.py");

/// The version that the server was written for.
const TINYGRAD: &str = "tinygrad==0.14.0";

#[derive(Debug)]
pub(crate) struct Server {
    process: Child,
    answers: Receiver<String>,
    complaints: File,
}

impl Server {
    /// Starts it. `folder` gets what it complains about, and may go once it has answered.
    ///
    /// # Panics
    /// If something that it needs is missing, with the command that gets it.
    pub(crate) fn start(script: &Path, memory: &Path, folder: &Path) -> Self {
        assert!(script.is_file(), "GRIDWRIGHT_AMD_EMULATOR: there is no {}", script.display());
        check_parts();
        // What it compiles and caches stays in cargo's folder.
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("amd_emulator");
        let mut complaints = File::options();
        let complaints = complaints.read(true).write(true).create_new(true).open(folder.join("complaints"));
        let complaints = complaints.expect("a temporary file");
        let mut process = Command::new(setting::python())
            .arg(SERVE)
            .arg(script)
            .arg("--memory")
            .arg(memory)
            .args(["--address", &memory::ADDRESS.to_string(), "--bytes", &memory::BYTES.to_string()])
            .env("XDG_CACHE_HOME", &cache)
            .env("PYTHONPYCACHEPREFIX", &cache)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(complaints.try_clone().expect("a file to write"))
            .spawn()
            .expect("the Python that was just there");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, answers) = channel();
        // It ends with the process's output, or when nobody wants an answer any more.
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { process, answers, complaints }
    }

    /// Runs a launch.
    ///
    /// # Panics
    /// If it fails or takes too long, with what the process says.
    pub(crate) fn launch(&mut self, request: &Value) {
        let input = self.process.stdin.as_mut().expect("a pipe");
        // A process that is gone is reported below.
        let _ = writeln!(input, "{request}").and_then(|()| input.flush());
        let answer = match self.answers.recv_timeout(PATIENCE) {
            Ok(answer) => answer,
            Err(error) => panic!("the emulator gives no answer ({error}){}", self.complaints()),
        };
        match serde_json::from_str::<Value>(&answer) {
            Ok(said) if said["ok"] == true => {}
            Ok(said) => panic!("the emulator failed: {}{}", said["error"], self.complaints()),
            Err(error) => panic!("the emulator said `{answer}` ({error}){}", self.complaints()),
        }
    }

    fn complaints(&mut self) -> String {
        let state = match self.process.try_wait() {
            Ok(Some(status)) => format!("it ended with {status}"),
            _ => "it is running".to_owned(),
        };
        let mut text = String::new();
        // What can't be read is left out: this is for a message.
        let _ = self.complaints.rewind().and_then(|()| self.complaints.read_to_string(&mut text));
        format!("; {state}, its standard error:\n{text}")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Also when a test fails. A process that is gone already is no matter.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What the server would stop at with a message that says less.
fn check_parts() {
    let python = setting::python();
    let name = python.to_string_lossy();
    let found = Command::new(&python).args(["-c", "import tinygrad"]).output();
    match found {
        Err(error) => {
            panic!("`{name}` doesn't run ({error}): set GRIDWRIGHT_PYTHON to a Python with {TINYGRAD}")
        }
        Ok(output) if !output.status.success() => panic!(
            "`{name}` has no tinygrad: run `{name} -m pip install {TINYGRAD}`, or set GRIDWRIGHT_PYTHON\n{}",
            String::from_utf8_lossy(&output.stderr)
        ),
        Ok(_) => {}
    }
    if let Err(error) = Command::new("clang").arg("--version").output() {
        panic!("tinygrad needs clang, which doesn't run ({error}): on Debian, `apt-get install clang`");
    }
}
