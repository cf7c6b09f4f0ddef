//! How tests start programs.

use std::process::{Command, Output};

/// The program that starts ranks: `mpirun` of the path, or another.
const MPIRUN: &str = "GRIDWRIGHT_MPIRUN";

/// Set where a test fails that can't start ranks.
const REQUIRED: &str = "GRIDWRIGHT_REQUIRE_MPI";

/// Devices that tests run on, beside the CPU: `emulator`, and `cuda` where an emulated driver and an emulated NCCL are loaded.
const DEVICES: &str = "GRIDWRIGHT_TEST_COMM_DEVICES";

/// The devices that calls are tried on.
pub(crate) fn devices() -> Vec<String> {
    let more = std::env::var(DEVICES).unwrap_or_else(|_| "emulator".into());
    let more = more.split(',').filter(|device| !device.is_empty()).map(str::to_owned);
    std::iter::once("cpu".to_owned()).chain(more).collect()
}

/// What ranks said, and whether all ended well.
pub(crate) struct Said {
    pub(crate) text: String,
    pub(crate) is_ok: bool,
}

/// A launch of ranks.
pub(crate) struct Ranks {
    count: usize,
    program: &'static str,
    variables: Vec<(&'static str, String)>,
    arguments: Vec<&'static str>,
}

impl Ranks {
    /// Ranks of a program: the path of an ignored test of this file.
    pub(crate) fn new(count: usize, program: &'static str) -> Self {
        let variables = vec![
            ("GRIDWRIGHT_CPU_THREADS", "1".into()),
            ("GRIDWRIGHT_COMM_TIME_LIMIT_S", "20".into()),
            ("GRIDWRIGHT_DEVICE", "cpu".into()),
            ("GRIDWRIGHT_EMULATOR_DEVICES", "4".into()),
        ];
        Self { count, program, variables, arguments: Vec::new() }
    }

    pub(crate) fn with(mut self, variable: &'static str, value: impl Into<String>) -> Self {
        self.variables.retain(|(other, _)| *other != variable);
        self.variables.push((variable, value.into()));
        self
    }

    /// Has `mpirun` let the others go on where one ends, as launchers of clusters may.
    pub(crate) fn that_go_on(mut self) -> Self {
        self.arguments.push("--enable-recovery");
        self
    }

    /// Runs them. None where there is no `mpirun`, and that is allowed.
    pub(crate) fn run(self) -> Option<Said> {
        let mpirun = std::env::var(MPIRUN).unwrap_or_else(|_| "mpirun".into());
        let mut command = Command::new(&mpirun);
        command.args(["--allow-run-as-root", "--oversubscribe", "-n", &self.count.to_string()]);
        command.args(self.arguments);
        for (variable, value) in &self.variables {
            command.args(["-x", &format!("{variable}={value}")]);
        }
        command.arg(std::env::current_exe().unwrap());
        command.args(["--exact", self.program, "--ignored", "--nocapture", "--test-threads=1"]);
        let output = match command.output() {
            Ok(output) => output,
            Err(error) => {
                assert!(std::env::var_os(REQUIRED).is_none(), "{mpirun}: {error}");
                println!("skipped: {mpirun}: {error}; install Open MPI");
                return None;
            }
        };
        let Output { status, stdout, stderr } = output;
        let text = [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        Some(Said { text, is_ok: status.success() })
    }

    /// Runs them, and sees that all end well.
    pub(crate) fn succeed(self) {
        let (program, count) = (self.program, self.count);
        // A name of nothing would be a success of no program.
        let list = Command::new(std::env::current_exe().unwrap()).args(["--list", "--ignored"]).output();
        let list = String::from_utf8(list.unwrap().stdout).unwrap();
        assert!(list.lines().any(|line| line == format!("{program}: test")), "no program {program}");
        if let Some(said) = self.run() {
            assert!(said.is_ok, "{count} ranks of {program}:\n{}", said.text);
        }
    }
}
