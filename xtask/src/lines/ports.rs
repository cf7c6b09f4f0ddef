//! The examples' sources.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;

/// Folders with samples. What the second has is in the first as well, as a program of one line.
const FOLDERS: [&str; 2] = ["examples/src/bin", "examples/src/samples"];

/// The files of each example, by its name.
pub(super) type Ports = BTreeMap<String, Vec<String>>;

/// Reads all examples: each is a file, or a folder.
pub(super) fn read(root: &Path) -> anyhow::Result<Ports> {
    let mut ports = Ports::new();
    for folder in FOLDERS {
        for entry in fs::read_dir(root.join(folder)).with_context(|| format!("can't read {folder}"))? {
            let path = entry?.path();
            let name = path.file_stem().and_then(|name| name.to_str());
            let name = name.with_context(|| format!("{} isn't UTF-8", path.display()))?.to_owned();
            let texts = sources(&path)?;
            if !texts.is_empty() && name != "mod" {
                ports.insert(name, texts);
            }
        }
    }
    Ok(ports)
}

fn sources(path: &Path) -> anyhow::Result<Vec<String>> {
    if path.is_dir() {
        let mut texts = Vec::new();
        for entry in fs::read_dir(path)? {
            texts.extend(sources(&entry?.path())?);
        }
        return Ok(texts);
    }
    let is_rust = path.extension().is_some_and(|ending| ending == "rs");
    let text = || fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()));
    Ok(if is_rust { vec![text()?] } else { Vec::new() })
}
