//! A parsed and decoded module.

mod build;
mod entry;
mod image;
mod limits;
mod reference;

pub use entry::{Entry, Parameter, Registers};
pub(crate) use image::{Image, Initialiser, ModuleVariable};
pub(crate) use reference::Reference;

use std::sync::Arc;

use crate::parse::{self, ParseError};

/// PTX, parsed and decoded. Cheap to clone.
///
/// ```
/// use gridwright_emulator::Module;
///
/// let module = Module::parse(
///     ".version 7.0
///      .target sm_80
///      .address_size 64
///      .visible .entry nothing(.param .u32 n) .reqntid 64 { ret; }",
/// )?;
/// let entry = module.entry("nothing").ok_or("there is such an entry")?;
/// assert_eq!(module.target(), "sm_80");
/// assert_eq!(entry.required_block(), Some([64, 1, 1]));
/// assert_eq!(entry.parameters()[0].size, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Module {
    pub(crate) image: Arc<Image>,
}

impl Module {
    /// Parses and decodes PTX. Bytes behind a first zero aren't read: drivers are given texts that end so.
    ///
    /// # Errors
    /// The line and the text of the first thing that isn't understood. Nothing is guessed: an instruction or a
    /// modifier that this crate doesn't know is an error.
    pub fn parse(source: &str) -> Result<Self, ParseError> {
        let source = source.split('\0').next().unwrap_or_default();
        let unit = parse::parse(source)?;
        Ok(Self { image: Arc::new(build::build(&unit)?) })
    }

    /// The kernels, in the order of the text.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.image.entries
    }

    /// The kernel of a name.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.image.entries.iter().find(|entry| entry.name() == name)
    }

    /// The `.global` variables with `.attribute(.managed)`, by name: [`Loaded::global`] has their addresses, which are
    /// the host's too: it reads and writes them there as long as the module is loaded.
    ///
    /// [`Loaded::global`]: crate::Loaded::global
    pub fn managed(&self) -> impl Iterator<Item = &str> {
        self.image
            .variables
            .iter()
            .filter(|variable| variable.is_managed)
            .map(|variable| variable.name.as_str())
    }

    /// Whether something of the module reads the address of the grid's workspace, `%envreg1` and `%envreg2`, as CUDA's `grid.sync()` does.
    #[must_use]
    pub fn uses_workspace(&self) -> bool {
        self.image.uses_workspace
    }

    /// The version of PTX, major and minor.
    #[must_use]
    pub fn version(&self) -> (u32, u32) {
        self.image.version
    }

    /// The architecture that the module was compiled for, as `sm_80`.
    #[must_use]
    pub fn target(&self) -> &str {
        &self.image.target
    }
}
