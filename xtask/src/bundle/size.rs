//! How large a bundle is.

use std::fmt;
use std::path::Path;

use anyhow::{bail, ensure};
use fs_err as fs;

use crate::files;

/// Size of a bundle that a GPU machine has room for with ease. Programs have most of their code in common,
/// so that an archive has a tenth of it.
pub(super) const MOST: Bytes = Bytes(640 << 20);

/// Size of a packed bundle that travels to a GPU machine with ease.
const MOST_PACKED: Bytes = Bytes(60 << 20);

/// Number of the largest files that are named where a folder is too large.
const NAMED: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} MiB", self.0 as f64 / f64::from(1 << 20))
    }
}

/// The size of a packed bundle.
pub(super) fn check_packed(archive: &Path) -> anyhow::Result<Bytes> {
    let packed = Bytes(fs::metadata(archive)?.len());
    ensure!(packed <= MOST_PACKED, "{} has {packed}, more than {MOST_PACKED}", archive.display());
    Ok(packed)
}

/// The size of a folder.
///
/// # Errors
/// Where it is too large, with the largest files.
pub(super) fn check(folder: &Path, most: Bytes) -> anyhow::Result<Bytes> {
    let files = files::below(folder)?.into_iter();
    let sizes = files.map(|path| Ok((Bytes(fs::metadata(&path)?.len()), path)));
    let mut sizes = sizes.collect::<anyhow::Result<Vec<_>>>()?;
    let total = Bytes(sizes.iter().map(|(size, _)| size.0).sum());
    if total <= most {
        return Ok(total);
    }
    sizes.sort_by(|(left, _), (right, _)| right.cmp(left));
    let largest = sizes.iter().take(NAMED);
    let largest: String = largest.map(|(size, path)| format!("\n  {size}  {}", path.display())).collect();
    bail!("{} has {total}, more than {most}; the largest files:{largest}", folder.display())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Bytes, check};

    #[test]
    fn a_folder_that_is_too_large_is_refused_with_its_largest_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bin")).unwrap();
        fs::write(folder.path().join("bin/large"), vec![0; 3000]).unwrap();
        fs::write(folder.path().join("small"), vec![0; 1000]).unwrap();
        assert_eq!(check(folder.path(), Bytes(4000)).unwrap(), Bytes(4000));
        let error = check(folder.path(), Bytes(3999)).unwrap_err().to_string();
        let (large, small) = (error.find("bin/large").unwrap(), error.find("small").unwrap());
        assert!(large < small, "{error}");
    }
}
