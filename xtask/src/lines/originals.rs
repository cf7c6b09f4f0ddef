//! What was counted of the CUDA samples.

use std::path::Path;

use anyhow::{Context, ensure};
use fs_err as fs;
use serde::{Deserialize, Serialize};

use super::code;
use crate::files;

const FILE: &str = "xtask/src/lines/originals.json";

/// The endings of files that hold code of a sample.
const ENDINGS: [&str; 7] = ["cu", "cuh", "cpp", "hpp", "cc", "c", "h"];

/// What only programs with a window of their own have.
const WINDOW: &str = "glutMainLoop";

/// The samples of a release, and the examples that aren't ports of any.
#[derive(Deserialize, Serialize)]
pub(super) struct Originals {
    /// A tag of `NVIDIA/cuda-samples`.
    pub(super) release: String,
    pub(super) samples: Vec<Sample>,
    pub(super) left_out: Vec<LeftOut>,
}

#[derive(Deserialize, Serialize)]
pub(super) struct Sample {
    /// The example that is a port of the sample.
    pub(super) port: String,
    /// The sample's folder.
    pub(super) folder: String,
    /// Number of the sample's files.
    pub(super) files: usize,
    pub(super) lines: usize,
    /// Whether part of the sample is a viewer, in OpenGL, that no port has.
    pub(super) has_window: bool,
    /// What the lines don't tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
}

/// An example that is no port.
#[derive(Deserialize, Serialize)]
pub(super) struct LeftOut {
    pub(super) example: String,
    pub(super) reason: String,
}

impl Originals {
    pub(super) fn read(root: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(root.join(FILE))?;
        serde_json::from_str(&text).with_context(|| format!("{FILE} isn't what it should be"))
    }

    pub(super) fn write(&self, root: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        Ok(fs::write(root.join(FILE), text)?)
    }

    /// Counts all samples in a checkout.
    ///
    /// # Errors
    /// Where a folder isn't there, or has no code.
    pub(super) fn count(&mut self, checkout: &Path) -> anyhow::Result<()> {
        for sample in &mut self.samples {
            let mut files = files::below(&checkout.join(&sample.folder))?;
            files
                .retain(|file| file.extension().is_some_and(|end| ENDINGS.iter().any(|known| end == *known)));
            ensure!(!files.is_empty(), "there is no code in {}", sample.folder);
            (sample.files, sample.lines, sample.has_window) = (files.len(), 0, false);
            for file in files {
                sample.lines += code::lines_of_cuda(&file)?;
                let bytes = fs::read(&file)?;
                // Some samples have a © that isn't UTF-8.
                sample.has_window |= String::from_utf8_lossy(&bytes).contains(WINDOW);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_code_of_a_folder_is_counted_and_nothing_else() {
        let checkout = tempfile::tempdir().unwrap();
        let folder = checkout.path().join("Samples/one");
        fs::create_dir_all(folder.join("inc")).unwrap();
        fs::write(folder.join("one.cu"), "// A kernel.\n__global__ void k() {\n}\n").unwrap();
        fs::write(folder.join("inc/one.h"), b"/* \xa9 */\nvoid k();\n").unwrap();
        fs::write(folder.join("README.md"), "One\n").unwrap();
        let sample = |folder: &str| {
            let (port, folder) = ("one".into(), folder.into());
            Sample { port, folder, files: 0, lines: 0, has_window: true, note: None }
        };
        let mut originals =
            Originals { release: "v1".into(), samples: vec![sample("Samples/one")], left_out: vec![] };
        originals.count(checkout.path()).unwrap();
        let Sample { files, lines, has_window, .. } = originals.samples[0];
        assert_eq!((files, lines, has_window), (2, 3, false));

        originals.samples.push(sample("Samples/two"));
        assert!(originals.count(checkout.path()).is_err());
    }
}
