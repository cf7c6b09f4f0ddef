use std::fmt;

/// A target of a package, as cargo's options choose it.
///
/// ```
/// use gridwright_build::inspect::Target;
///
/// let target = Target::Example("scan".into());
/// assert_eq!(target.arguments(), ["--example", "scan"]);
/// assert_eq!(target.to_string(), "--example scan");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The library.
    Lib,
    /// A binary.
    Bin(String),
    /// An example.
    Example(String),
    /// An integration test.
    Test(String),
    /// A bench.
    Bench(String),
}

impl Target {
    /// The target of a name and of a kind as `cargo metadata` has them; `None` for one that holds no kernels, such as a build script.
    ///
    /// ```
    /// use gridwright_build::inspect::Target;
    ///
    /// assert_eq!(Target::of_kind("rlib", "hello"), Some(Target::Lib));
    /// assert_eq!(Target::of_kind("bench", "speed"), Some(Target::Bench("speed".into())));
    /// assert_eq!(Target::of_kind("custom-build", "build-script-build"), None);
    /// ```
    pub fn of_kind(kind: &str, name: &str) -> Option<Self> {
        match kind {
            "custom-build" | "proc-macro" => None,
            "bin" => Some(Self::Bin(name.to_owned())),
            "example" => Some(Self::Example(name.to_owned())),
            "test" => Some(Self::Test(name.to_owned())),
            "bench" => Some(Self::Bench(name.to_owned())),
            _ => Some(Self::Lib),
        }
    }

    /// Cargo's options for the target.
    ///
    /// ```
    /// use gridwright_build::inspect::Target;
    ///
    /// assert_eq!(Target::Lib.arguments(), ["--lib"]);
    /// ```
    pub fn arguments(&self) -> Vec<&str> {
        match self {
            Self::Lib => vec!["--lib"],
            Self::Bin(name) => vec!["--bin", name],
            Self::Example(name) => vec!["--example", name],
            Self::Test(name) => vec!["--test", name],
            Self::Bench(name) => vec!["--bench", name],
        }
    }

    /// Whether a stem is the target's: what its table and its images are called. Of the library the name
    /// isn't in it.
    pub(super) fn is_of(&self, stem: &str) -> bool {
        let Some((kind, crate_name)) = stem.split_once('-') else { return false };
        match self {
            Self::Lib => kind == "lib",
            Self::Bin(name) | Self::Example(name) => kind == "bin" && name.replace('-', "_") == crate_name,
            Self::Test(name) | Self::Bench(name) => kind == "test" && name.replace('-', "_") == crate_name,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.arguments().join(" "))
    }
}
