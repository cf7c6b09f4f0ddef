//! The emulator's process: lines of JSON in and out.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use std::{fs, thread};

use serde_json::Value;

use crate::memory;
use crate::setting;

/// How long a launch may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// What starts the server.
const SERVE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/amd_emulator/serve.py");

/// The version that the server was written for.
const TINYGRAD: &str = "tinygrad==0.14.0";

#[derive(Debug)]
pub(crate) struct Server {
    process: Child,
    answers: Receiver<String>,
    complaints: PathBuf,
}

impl Server {
    /// Starts it. `folder` gets what it complains about.
    ///
    /// # Panics
    /// If something that it needs is missing, with the command that gets it.
    pub(crate) fn start(script: &Path, memory: &Path, folder: &Path) -> Self {
        assert!(script.is_file(), "GRIDWRIGHT_AMD_EMULATOR: there is no {}", script.display());
        check_parts();
        // What it compiles and caches stays in cargo's folder.
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("amd_emulator");
        let complaints = folder.join("complaints");
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
            .stderr(fs::File::create(&complaints).expect("a temporary file"))
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
        let text = fs::read_to_string(&self.complaints).unwrap_or_default();
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
