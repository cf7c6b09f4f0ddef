//! Runs the body of a test in several processes, the ranks.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::functions::{Handle, Nccl, UniqueId};
use crate::gpu::Gpu;

const TEST: &str = "GRIDWRIGHT_TEST_OF_NCCL";
const RANK: &str = "GRIDWRIGHT_TEST_OF_NCCL_RANK";
const FOLDER: &str = "GRIDWRIGHT_TEST_OF_NCCL_FOLDER";

/// How a rank ends that a test has end early.
pub(crate) const EARLY: i32 = 40;

/// A rank, in its process.
pub(crate) struct Rank {
    pub(crate) rank: usize,
    pub(crate) size: usize,
    pub(crate) nccl: Nccl,
    pub(crate) gpu: Gpu,
    folder: PathBuf,
}

impl Rank {
    /// The id that rank 0 made.
    pub(crate) fn id(&self) -> UniqueId {
        let (file, new) = (self.folder.join("id"), self.folder.join("new"));
        if self.rank == 0 {
            let id = self.nccl.new_id();
            std::fs::write(&new, id.0).expect("the id is written");
            std::fs::rename(&new, &file).expect("the id has its name");
            return id;
        }
        let started = Instant::now();
        loop {
            if let Ok(bytes) = std::fs::read(&file) {
                return UniqueId(bytes.try_into().expect("an id has 128 bytes"));
            }
            assert!(started.elapsed() < Duration::from_secs(20), "rank 0 made no id");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// What the start of a communicator answers, and the communicator.
    pub(crate) fn start(&self) -> (i32, Handle) {
        let mut communicator = std::ptr::null_mut();
        // SAFETY: an address for a handle.
        let status = unsafe {
            (self.nccl.init_rank)(&mut communicator, self.size as i32, self.id(), self.rank as i32)
        };
        (status, communicator)
    }

    pub(crate) fn communicator(&self) -> Handle {
        let (status, communicator) = self.start();
        assert_eq!(status, 0, "{}", self.nccl.said());
        communicator
    }

    pub(crate) fn end(&self, communicator: Handle) {
        // SAFETY: the handle is used no more.
        let ended = unsafe { [(self.nccl.finalize)(communicator), (self.nccl.destroy)(communicator)] };
        assert_eq!(ended, [0; 2], "{}", self.nccl.said());
    }
}

/// In the test's own process: runs `body` in as many others. There: runs it, and ends.
pub(crate) fn ranks(test: &str, size: usize, variables: &[(&str, &str)], body: impl FnOnce(Rank)) {
    if std::env::var(TEST).is_ok_and(|name| name == test) {
        let rank: usize = std::env::var(RANK).expect("a rank").parse().expect("a number");
        let folder = std::env::var_os(FOLDER).expect("a folder").into();
        body(Rank { rank, size, nccl: Nccl::load(), gpu: Gpu::open(rank as i32), folder });
        std::process::exit(0);
    }
    let folder = tempfile::tempdir().expect("a folder for the libraries");
    lay_out(folder.path());
    let mut paths = vec![folder.path().to_owned()];
    let known = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    paths.extend(std::env::split_paths(&known).filter(|path| *path != PathBuf::new()));
    let paths = std::env::join_paths(paths).expect("paths without colons");
    let program = std::env::current_exe().expect("a test knows its program");
    let started: Vec<_> = (0..size)
        .map(|rank| {
            Command::new(&program)
                .args([test, "--exact", "--nocapture"])
                .envs([(TEST, test), ("GRIDWRIGHT_EMULATOR_DEVICES", "4")])
                .env(RANK, rank.to_string())
                .env(FOLDER, folder.path())
                .env("LD_LIBRARY_PATH", &paths)
                .envs(variables.iter().copied())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the test's program starts")
        })
        .collect();
    let ended: Vec<Output> =
        started.into_iter().map(|rank| rank.wait_with_output().expect("it ends")).collect();
    let mut all = String::new();
    for (rank, Output { stdout, stderr, status }) in ended.iter().enumerate() {
        let said = [stdout, stderr].map(|said| String::from_utf8_lossy(said));
        all += &format!("rank {rank}: {status}\n{}\n", said.concat());
    }
    let is_well = |output: &Output| output.status.success() || output.status.code() == Some(EARLY);
    assert!(ended.iter().all(is_well), "{test}:\n{all}");
    // Without it the name is wrong, and nothing was tested.
    assert_eq!(all.matches("running 1 test").count(), size, "{all}");
}

/// The libraries under the names that programs ask for.
fn lay_out(folder: &Path) {
    let program = std::env::current_exe().expect("a test knows its program");
    let libraries = [
        ("libgridwright_emulated_cuda.so", "libcuda.so.1"),
        ("libgridwright_emulated_nccl.so", "libnccl.so.2"),
    ];
    for (built, name) in libraries {
        let built = program.with_file_name(built);
        assert!(built.exists(), "cargo builds {} for this test", built.display());
        std::os::unix::fs::symlink(&built, folder.join(name)).expect("a link");
    }
}
