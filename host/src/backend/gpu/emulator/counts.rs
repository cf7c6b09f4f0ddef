//! What launches executed, for the file that `GRIDWRIGHT_EMULATOR_COUNTS` names.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use gridwright_core::Image;
use gridwright_emulator::{LaunchError, Report};
use gridwright_image::executed::{Counts, ExecutedImage, ExecutedLaunch};

use crate::Error;
use crate::environment;

/// The variable.
const VARIABLE: &str = "GRIDWRIGHT_EMULATOR_COUNTS";

/// The file that counts are appended to.
#[derive(Debug)]
pub(super) struct CountsFile {
    file: File,
    /// Addresses of the images that the file has.
    images: Mutex<HashSet<usize>>,
}

impl CountsFile {
    /// The file that the variable names, if it is set.
    ///
    /// # Errors
    /// [`Error::Environment`] where it can't be opened.
    pub(super) fn open() -> Result<Option<Self>, Error> {
        // Other processes append to it too.
        let open = |path: &str| File::options().create(true).append(true).open(path).ok();
        let expected = || "a file that can be written, in a folder that is there".into();
        let file = environment::parse(VARIABLE, None, |path| open(path).map(Some), expected)?;
        Ok(file.map(|file| Self { file, images: Mutex::default() }))
    }

    /// Appends what a launch executed, also where a fault ended it.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub(super) fn append(
        &self,
        image: &Image,
        kernel: &str,
        [groups, block]: [[u32; 3]; 2],
        result: &Result<Report, LaunchError>,
    ) -> io::Result<()> {
        let report = match result {
            Ok(report) => report,
            Err(LaunchError::Fault { report, .. }) => report,
            Err(_) => return Ok(()),
        };
        let lines = report.lines.iter().map(|(&line, counts)| {
            let counts = Counts {
                warp_instructions: counts.warp_instructions,
                thread_instructions: counts.thread_instructions,
                sectors: counts.sectors,
                bank_passes: counts.bank_passes,
                local_accesses: counts.local_accesses,
            };
            (line, counts)
        });
        let launch = ExecutedLaunch { kernel: kernel.to_owned(), groups, block, lines: lines.collect() };
        let address = image.bytes.as_ptr().addr();
        let id = format!("{}.{address:x}", std::process::id());
        let mut images = self.images.lock().unwrap_or_else(PoisonError::into_inner);
        if images.insert(address) {
            let ptx = String::from_utf8_lossy(image.bytes);
            // Behind a zero there is nothing that is compiled.
            let ptx = ptx.split('\0').next().unwrap_or_default().to_owned();
            let image = ExecutedImage { architecture: image.compiled_for.to_owned(), ptx };
            (&self.file).write_all(image.to_part(&id).as_bytes())?;
        }
        // In one piece, so that other processes' don't come between.
        (&self.file).write_all(launch.to_part(&id).as_bytes())
    }
}
