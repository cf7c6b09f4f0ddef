//! The emulator's process: lines of JSON in and out.

use std::ffi::OsStr;
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;

/// What starts the server.
const SERVE: &str = include_str!("serve.py");

/// The version that the server was written for.
const TINYGRAD: &str = "tinygrad==0.14.0";

/// How a server is started.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// The emulator's server, `amdgpu_serve.py`.
    pub script: &'o Path,
    /// The Python that runs the server.
    pub python: &'o OsStr,
    /// A file whose bytes are the memory that kernels see.
    pub memory: &'o Path,
    /// Where the server maps that file.
    pub address: usize,
    /// How many bytes of the file are mapped.
    pub bytes: usize,
    /// Whether kernels may use only those parts of it that a request opened.
    pub is_guarded: bool,
    /// A folder for what it compiles and caches.
    pub cache: &'o Path,
    /// How long an answer may take.
    pub patience: Duration,
}

/// Why there is no server, or no good answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// Something that it needs is missing. The text says what to do.
    Missing(String),
    /// The server ended: how, and what it printed.
    Ended(ExitStatus, String),
    /// The server took longer than it may, and was ended.
    Late(Duration),
    /// The server couldn't do what was asked, and says why.
    Refused(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(what) => f.write_str(what),
            Self::Ended(status, said) => write!(f, "the emulator ended ({status}), and printed:\n{said}"),
            Self::Late(patience) => write!(f, "the emulator gave no answer in {} s", patience.as_secs()),
            Self::Refused(why) => write!(f, "the emulator failed: {why}"),
        }
    }
}

impl std::error::Error for Failure {}

/// An emulator that runs.
#[derive(Debug)]
pub struct Server {
    process: Child,
    answers: Receiver<String>,
    complaints: Option<JoinHandle<String>>,
    patience: Duration,
}

impl Server {
    /// Starts the server.
    ///
    /// # Errors
    /// If something that it needs is missing, with the command that gets it. What else goes wrong shows at the first request.
    pub fn start(options: &Options<'_>) -> Result<Self, Failure> {
        check_parts(options)?;
        let mut command = Command::new(options.python);
        command
            .args(["-c", SERVE])
            .arg(options.script)
            .arg("--memory")
            .arg(options.memory)
            .args(["--address", &options.address.to_string(), "--bytes", &options.bytes.to_string()])
            .env("XDG_CACHE_HOME", options.cache)
            .env("PYTHONPYCACHEPREFIX", options.cache)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if options.is_guarded {
            command.arg("--guarded");
        }
        let missing =
            |error: std::io::Error| Failure::Missing(format!("the emulator doesn't start: {error}"));
        let mut process = command.spawn().map_err(missing)?;
        let (sender, answers) = channel();
        if let Some(output) = process.stdout.take() {
            // It ends with the process's output, or when nobody wants an answer any more.
            thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        // Read as it comes: a full pipe would hold the process.
        let complaints = process.stderr.take().map(|mut output| {
            thread::spawn(move || {
                let mut said = Vec::new();
                // What was read up to an error is kept.
                let _ = output.read_to_end(&mut said);
                String::from_utf8_lossy(&said).into_owned()
            })
        });
        Ok(Self { process, answers, complaints, patience: options.patience })
    }

    /// Sends a request and waits for the answer. `serve.py` says what may be asked.
    ///
    /// # Errors
    /// If it fails, takes too long, or if the process ends, as it does where a kernel uses memory that isn't there. After the last
    /// two the server is of no more use.
    pub fn ask(&mut self, request: &Value) -> Result<Value, Failure> {
        if let Some(input) = self.process.stdin.as_mut() {
            // A process that is gone is reported below.
            let _ = writeln!(input, "{request}").and_then(|()| input.flush());
        }
        let answer = match self.answers.recv_timeout(self.patience) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Timeout) => {
                let _ = self.process.kill();
                return Err(Failure::Late(self.patience));
            }
            Err(RecvTimeoutError::Disconnected) => return Err(self.end()),
        };
        match serde_json::from_str::<Value>(&answer) {
            Ok(said) if said["ok"] == true => Ok(said),
            Ok(said) => Err(Failure::Refused(said["error"].as_str().unwrap_or("it doesn't say why").into())),
            Err(error) => Err(Failure::Refused(format!("it said `{answer}` ({error})"))),
        }
    }

    fn end(&mut self) -> Failure {
        // Its output is closed, so it is about to end, if it hasn't.
        match self.process.wait() {
            Ok(status) => {
                let said = self.complaints.take().and_then(|reader| reader.join().ok());
                Failure::Ended(status, said.unwrap_or_default())
            }
            Err(error) => Failure::Refused(format!("nobody can say how it ended ({error})")),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A process that is gone already is no matter.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What the server would stop at with a message that says less.
fn check_parts(options: &Options<'_>) -> Result<(), Failure> {
    let Options { script, python, .. } = options;
    let name = python.to_string_lossy();
    let missing = |what: String| Err(Failure::Missing(what));
    if !script.is_file() {
        return missing(format!("GRIDWRIGHT_AMD_EMULATOR: there is no {}", script.display()));
    }
    let find = "import importlib.util, sys; sys.exit(importlib.util.find_spec('tinygrad') is None)";
    match Command::new(python).args(["-c", find]).output() {
        Err(error) => {
            return missing(format!(
                "`{name}` doesn't run ({error}): set GRIDWRIGHT_PYTHON to a Python with {TINYGRAD}"
            ));
        }
        Ok(output) if !output.status.success() => {
            return missing(format!(
                "`{name}` has no tinygrad: run `{name} -m pip install {TINYGRAD}`, or set GRIDWRIGHT_PYTHON"
            ));
        }
        Ok(_) => {}
    }
    if let Err(error) = Command::new("clang").arg("--version").output() {
        return missing(format!(
            "tinygrad needs clang, which doesn't run ({error}): on Debian, `apt-get install clang`"
        ));
    }
    Ok(())
}
