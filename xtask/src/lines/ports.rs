//! The examples' sources.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use fs_err as fs;

use crate::files;

/// Folders with samples. What the second has is in the first as well, as a program of one line.
const FOLDERS: [&str; 2] = ["examples/src/bin", "examples/src/samples"];

/// The files of each example, by its name.
pub(super) type Ports = BTreeMap<String, Vec<String>>;

/// Reads all examples: each is a file, or a folder.
pub(super) fn read(root: &Path) -> anyhow::Result<Ports> {
    let mut ports = Ports::new();
    for folder in FOLDERS {
        let folder = root.join(folder);
        let mut of_folder = Ports::new();
        for path in files::with_extension(&folder, "rs")? {
            let first = path.strip_prefix(&folder)?.iter().next().map(Path::new);
            let name = first.and_then(|first| first.file_stem()?.to_str());
            let name = name.with_context(|| format!("{} isn't UTF-8", path.display()))?.to_owned();
            if name != "mod" {
                of_folder.entry(name).or_default().push(fs::read_to_string(&path)?);
            }
        }
        ports.extend(of_folder);
    }
    Ok(ports)
}
