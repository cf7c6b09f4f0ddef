//! What a build left in its `OUT_DIR`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, io};

use gridwright_image::{Format, Image, ptx};

use super::{Target, table};
use crate::architecture::Architecture;

/// A target of a package, and what the last build made of its kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltTarget {
    stem: String,
    /// The target's images, in the order in which architectures were asked for.
    pub images: Vec<BuiltImage>,
    /// Machine code that was made of some of these images, which the target has beside them.
    pub assembled: Vec<BuiltImage>,
    /// Why the target has no image, if it has none.
    pub missing: Option<String>,
}

/// An image that a build left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltImage {
    /// The architecture that the image is for.
    pub architecture: Architecture,
    /// PTX, a code object, or a cubin.
    pub path: PathBuf,
    /// The kernels in it.
    pub kernels: Vec<BuiltKernel>,
}

/// A kernel of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltKernel {
    /// The name of the entry point in the image.
    pub entry: String,
    /// The kernel's path in its crate: `filters::blur`, or `filters::blur<f32, 4>` of an instance.
    pub path: String,
}

/// What a program has of an image, and what is loaded of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedded {
    /// The image's format.
    pub format: Format,
    /// The bytes of the image, which are in the program once.
    pub bytes: usize,
    /// The bytes that are loaded for each kernel: of PTX the kernel with what it calls, of machine code the whole image.
    pub loaded: BTreeMap<String, usize>,
}

impl BuiltTarget {
    /// The target's name among those of its package: `bin-hello`, `test-launch`, `lib-hello`. A binary and an
    /// example of one name are not told apart.
    ///
    /// ```no_run
    /// for target in gridwright_build::inspect::built_targets("target/release/build/hello-0123/out".as_ref())? {
    ///     println!("{}", target.name());
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn name(&self) -> &str {
        &self.stem
    }

    /// Whether the target is the one that cargo's options choose.
    ///
    /// ```no_run
    /// use gridwright_build::inspect::{Target, built_targets};
    ///
    /// let chosen = Target::Bin("hello".into());
    /// let mut targets = built_targets("target/release/build/hello-0123/out".as_ref())?;
    /// targets.retain(|target| target.is(&chosen));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn is(&self, target: &Target) -> bool {
        target.is_of(&self.stem)
    }
}

impl BuiltKernel {
    /// The kernel that is meant, among some: by its path, by the name of its entry point, or by its own name, if only one has that.
    ///
    /// # Errors
    /// The paths of those that are meant, if not just one is.
    ///
    /// ```
    /// use gridwright_build::inspect::BuiltKernel;
    ///
    /// let kernel = |path: &str| BuiltKernel { entry: path.replace("::", "_"), path: path.to_owned() };
    /// let kernels = ["sums::add", "vectors::add", "vectors::scale"].map(kernel);
    /// assert_eq!(BuiltKernel::find("scale", &kernels), Ok(&kernels[2]));
    /// assert_eq!(BuiltKernel::find("sums::add", &kernels), Ok(&kernels[0]));
    /// assert_eq!(BuiltKernel::find("add", &kernels), Err(vec!["sums::add", "vectors::add"]));
    /// ```
    pub fn find<'k>(
        name: &str,
        kernels: impl IntoIterator<Item = &'k Self>,
    ) -> Result<&'k Self, Vec<&'k str>> {
        let mut named = BTreeMap::new();
        for kernel in kernels {
            if kernel.path == name || kernel.entry == name {
                return Ok(kernel);
            }
            if crate::names::own(&kernel.path) == name {
                named.entry(kernel.path.as_str()).or_insert(kernel);
            }
        }
        match named.len() {
            1 => named.into_values().next().ok_or_else(Vec::new),
            _ => Err(named.into_keys().collect()),
        }
    }
}

impl BuiltImage {
    /// What a program has of the image, and what is loaded of it.
    ///
    /// # Errors
    /// A file that can't be read, or that is no image.
    ///
    /// ```no_run
    /// for target in gridwright_build::inspect::built_targets("target/release/build/hello-0123/out".as_ref())? {
    ///     for image in &target.images {
    ///         let embedded = image.embedded()?;
    ///         println!("{} bytes, of which loads take {:?}", embedded.bytes, embedded.loaded);
    ///     }
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn embedded(&self) -> io::Result<Embedded> {
        let bytes = fs::read(&self.path)?;
        let image = Image::read(&bytes).map_err(io::Error::other)?;
        let mut loaded: BTreeMap<_, _> =
            image.entries.into_iter().map(|entry| (entry.name, bytes.len())).collect();
        if image.format == Format::Ptx {
            let text = std::str::from_utf8(&bytes).map_err(io::Error::other)?;
            for (kernel, parts) in ptx::parts(text).map_err(io::Error::other)? {
                loaded.insert(kernel.to_owned(), parts.iter().map(Range::len).sum());
            }
        }
        Ok(Embedded { format: image.format, bytes: bytes.len(), loaded })
    }
}

/// The targets for which the build script that was given this `OUT_DIR` wrote a table, by name; none where it didn't call
/// [`compile_kernels`](crate::compile_kernels). Images of an earlier build that the last one didn't ask for are left out.
///
/// # Errors
/// A folder or a file that can't be read.
///
/// ```no_run
/// let targets = gridwright_build::inspect::built_targets("target/release/build/hello-0123/out".as_ref())?;
/// println!("{} targets", targets.len());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn built_targets(out_dir: &Path) -> io::Result<Vec<BuiltTarget>> {
    let folder = out_dir.join("gridwright");
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut targets = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let table::Listed { images, assembled, missing } = table::read(&fs::read_to_string(&path)?);
        targets.push(BuiltTarget { stem: stem.to_owned(), images, assembled, missing });
    }
    targets.sort_by(|a, b| a.stem.cmp(&b.stem));
    Ok(targets)
}
