//! What every bench is asked on its command line.

use std::path::PathBuf;

use clap::{Args, Command, FromArgMatches};
use serde::Serialize;

use crate::record;

/// The options.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Only the rows whose names contain one of these.
    pub rows: Vec<String>,
    /// One round of one call each, to see that everything runs and agrees. The times mean nothing.
    #[arg(long)]
    pub quick: bool,
    /// Writes the results to this file, too.
    #[arg(long, value_name = "PATH")]
    json: Option<PathBuf>,
    /// Given by `cargo bench`.
    #[arg(long = "bench", hide = true)]
    _bench: bool,
}

impl Options {
    /// Reads the arguments of a bench that has no others, which does what `about` says. Ends the program where they are wrong, or ask for help.
    pub fn of_bench(about: &'static str) -> Self {
        let matches = Self::augment_args(Command::new("bench").about(about)).get_matches();
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    /// Whether a row is wanted.
    pub fn wants(&self, row: &str) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|part| row.contains(part.as_str()))
    }

    /// Writes what was found to the file, if one was named.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn keep(&self, record: &impl Serialize) -> anyhow::Result<()> {
        self.json.as_deref().map_or(Ok(()), |path| record::write(path, record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Options {
        let matches = Options::augment_args(Command::new("bench")).get_matches_from(words);
        Options::from_arg_matches(&matches).unwrap()
    }

    #[test]
    fn rows_are_wanted_by_parts_of_their_names_and_all_without_any() {
        assert!(parsed(&["bench", "--bench"]).wants("saxpy, 2^15"));
        let options = parsed(&["bench", "--quick", "sax", "sobel"]);
        assert!(options.quick && options.wants("saxpy, 2^15") && !options.wants("reduction"));
    }

    #[test]
    fn what_was_found_is_written_where_a_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("record.json");
        parsed(&["bench"]).keep(&[1]).unwrap();
        assert!(!path.exists());
        parsed(&["bench", "--json", path.to_str().unwrap()]).keep(&[1]).unwrap();
        assert_eq!(std::fs::read_to_string(path).unwrap(), "[\n  1\n]\n");
    }
}
