//! Python imports the module and runs its kernel. Without a `python3` the test is skipped.

use std::error::Error;
use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};

const PROGRAM: &str = r#"
import threading
import gridwright_sample as module

assert module.scaled_sum(2.0, [1.0, 2.0, 3.0], [10.0, 20.0, 30.0]) == [12.0, 24.0, 36.0]
try:
    module.scaled_sum(1.0, [1.0], [])
    raise SystemExit("lists of two lengths were taken")
except ValueError as error:
    assert "x has 1 numbers" in str(error), error

results = {}
def work(i):
    results[i] = module.scaled_sum(float(i), [1.0] * 100000, [0.5] * 100000)
threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert all(results[i] == [i + 0.5] * 100000 for i in range(4))
print("right")
"#;

fn python(folder: &Path, device: &str) -> std::io::Result<Output> {
    Command::new("python3")
        .args(["-c", PROGRAM])
        .env("PYTHONPATH", folder)
        .env("GRIDWRIGHT_DEVICE", device)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
}

#[test]
fn python_runs_a_kernel_of_an_extension_module() -> Result<(), Box<dyn Error>> {
    let built = format!("{}gridwright_sample{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    let folder = tempfile::tempdir()?;
    fs::copy(env::current_exe()?.with_file_name(built), folder.path().join("gridwright_sample.so"))?;
    for device in ["cpu", "emulator"] {
        let Ok(output) = python(folder.path(), device) else {
            eprintln!("skipped: there is no python3");
            return Ok(());
        };
        let error = String::from_utf8_lossy(&output.stderr);
        let has_no_code = error.contains("device compiler") || error.contains("GRIDWRIGHT_SKIP_DEVICE");
        if device == "emulator" && has_no_code && env::var_os("GRIDWRIGHT_REQUIRE_DEVICE").is_none() {
            eprintln!("skipped on the emulator: the module was built without GPU code");
            continue;
        }
        assert_eq!(String::from_utf8_lossy(&output.stdout), "right\n", "on {device}: {error}");
    }
    Ok(())
}
