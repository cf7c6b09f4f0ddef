//! Stage *names*: the kernels' paths, which the macros leave in the IR → names of entry points, as short as they can be.
//!
//! An entry's symbol as compiled has a number in it, since PTX takes no `::` in a name. What comes after this stage sees final names:
//! the kernel's own where no other kernel of the target has it, and else the path. A program's images have one name for one path.

mod choose;
#[cfg(test)]
mod tests;
mod text;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::ir;
pub(crate) use choose::own;

/// The macros export a kernel's path under this name, with the entry's symbol after it.
const PATH_PREFIX: &str = "__gridwright_path_";
/// What else the macros export for an entry.
const RECORD_PREFIXES: [&str; 3] = ["__gridwright_layout_", "__gridwright_bounds_", "__gridwright_threads_"];
/// The module that the root of a device crate has around modules which the package names.
pub(crate) const MODULES: &str = "gridwright_modules";

/// The final names of a target's kernels.
#[derive(Debug, Default)]
pub(crate) struct Names {
    by_path: BTreeMap<String, String>,
}

/// The kernels of one image: by symbol as compiled, the path and the final name.
#[derive(Debug, Default)]
pub(crate) struct ImageNames(BTreeMap<String, Named>);

#[derive(Debug)]
struct Named {
    path: String,
    name: String,
}

impl Names {
    /// Chooses names for the kernels of all images of a target, given the IR of each.
    pub(crate) fn of<'t>(images: impl Iterator<Item = &'t str>) -> Self {
        let (mut paths, mut taken) = (BTreeSet::new(), BTreeSet::new());
        for ir in images {
            paths.extend(text::paths(ir).into_iter().map(|(_, path)| path));
            taken.extend(text::symbols(ir));
        }
        Self { by_path: choose::names(&paths, &taken) }
    }

    /// The kernels of the image that has this IR.
    ///
    /// # Errors
    /// A path that two kernels have.
    pub(crate) fn image(&self, ir: &str) -> Result<ImageNames, String> {
        let mut known = BTreeSet::new();
        let mut named = BTreeMap::new();
        for (symbol, path) in text::paths(ir) {
            if !known.insert(path.clone()) {
                return Err(format!(
                    "two kernels have the path `{path}`: functions of one module share its path, so give the kernels in them names of \
                     their own"
                ));
            }
            let name = self.by_path.get(&path).unwrap_or(&symbol).clone();
            named.insert(symbol, Named { path, name });
        }
        Ok(ImageNames(named))
    }
}

impl ImageNames {
    /// The IR with final names, and without the paths.
    pub(crate) fn in_ir(&self, ir: &str) -> String {
        let mut renamed = String::with_capacity(ir.len());
        for line in ir.split_inclusive('\n') {
            if text::record(line).is_none() {
                text::rename_ir(line, |word| self.renamed(word), &mut renamed);
            }
        }
        renamed
    }

    /// PTX with final names. Its paths stay.
    pub(crate) fn in_ptx(&self, ptx: &str) -> String {
        let word = |word: &str| {
            // A parameter has its entry's name before its own.
            let (symbol, parameter) = word.rfind("_param_").map_or((word, ""), |at| word.split_at(at));
            Some(format!("{}{parameter}", self.renamed(symbol)?))
        };
        let mut renamed = String::with_capacity(ptx.len());
        ptx.split_inclusive('\n').for_each(|line| text::rename_ptx(line, word, &mut renamed));
        renamed
    }

    /// The path of the kernel whose entry has a name: the final one, or the symbol as compiled where nobody could change that.
    pub(crate) fn path(&self, entry: &str) -> Option<&str> {
        let by_name = || self.0.values().find(|named| named.name == entry);
        self.0.get(entry).or_else(by_name).map(|named| named.path.as_str())
    }

    /// What a symbol becomes that is an entry's or one of its records'.
    fn renamed(&self, word: &str) -> Option<Cow<'_, str>> {
        if let Some(named) = self.0.get(word) {
            return Some(Cow::Borrowed(&named.name));
        }
        let (prefix, symbol) =
            RECORD_PREFIXES.iter().find_map(|prefix| Some((prefix, word.strip_prefix(prefix)?)))?;
        Some(Cow::Owned(format!("{prefix}{}", self.0.get(symbol)?.name)))
    }
}
