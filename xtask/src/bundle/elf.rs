//! What a program needs of the system that it is run on.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Context;
use fs_err as fs;
use object::Endianness;
use object::elf::{DT_NEEDED, FileHeader64};
use object::read::elf::FileHeader;
use serde::{Serialize, Serializer};

/// What some programs need together.
#[derive(Debug, Default, Serialize)]
pub(super) struct Needs {
    /// The least release of the GNU C library.
    #[serde(serialize_with = "as_text")]
    pub(super) glibc: (u32, u32),
    pub(super) libraries: BTreeSet<String>,
}

fn as_text<S: Serializer>((major, minor): &(u32, u32), serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{major}.{minor}"))
}

impl Needs {
    /// Adds the needs of a program.
    ///
    /// # Errors
    /// For a file that can't be read, or isn't a 64-bit program.
    pub(super) fn add(&mut self, program: &Path) -> anyhow::Result<()> {
        let mut read = || fs::read(program).map_err(anyhow::Error::from).and_then(|data| self.read(&data));
        read().with_context(|| format!("can't tell what {} needs", program.display()))
    }

    fn read(&mut self, data: &[u8]) -> anyhow::Result<()> {
        let header = FileHeader64::<Endianness>::parse(data)?;
        let endian = header.endian()?;
        let sections = header.sections(endian, data)?;
        let dynamic = sections.dynamic_table(endian, data)?;
        for entry in dynamic.iter().filter(|entry| entry.tag == DT_NEEDED) {
            let name = entry.string(dynamic.strings())?;
            self.libraries.insert(String::from_utf8_lossy(name).into_owned());
        }
        if let Some((mut files, strings)) = sections.gnu_verneed(endian, data)? {
            let strings = sections.strings(endian, data, strings)?;
            while let Some((_, mut versions)) = files.next()? {
                while let Some(version) = versions.next()? {
                    self.glibc = self.glibc.max(release(version.name(endian, strings)?).unwrap_or_default());
                }
            }
        }
        Ok(())
    }
}

/// The numbers in `GLIBC_2.34`. Other names are those of other libraries, and of what is private.
fn release(version: &[u8]) -> Option<(u32, u32)> {
    let numbers = str::from_utf8(version).ok()?.strip_prefix("GLIBC_")?;
    let mut numbers = numbers.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::{Needs, release};

    #[test]
    fn releases_are_compared_as_numbers() {
        assert_eq!(release(b"GLIBC_2.4"), Some((2, 4)));
        assert_eq!(release(b"GLIBC_2.2.5"), Some((2, 2)));
        assert!(release(b"GLIBC_2.17") > release(b"GLIBC_2.4"));
        assert_eq!(release(b"GLIBC_PRIVATE"), None);
        assert_eq!(release(b"GCC_3.0"), None);
    }

    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn this_program_needs_a_c_library_that_is_here() {
        let mut needs = Needs::default();
        needs.add(&std::env::current_exe().unwrap()).unwrap();
        assert!(needs.libraries.contains("libc.so.6"), "{needs:?}");
        assert!(needs.glibc >= (2, 2), "{needs:?}");
    }

    #[test]
    fn what_is_no_program_is_refused_by_name() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = Needs::default().add(file.path()).unwrap_err();
        assert!(error.to_string().contains(&file.path().display().to_string()), "{error}");
    }
}
