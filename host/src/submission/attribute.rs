/// An attribute that a launch can ask for beyond its sizes, and that not each device has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attribute {
    Cluster,
    ProgrammaticDependent,
    PreferredWorkgroupMemory,
}

impl Attribute {
    /// The attribute's name, as a `LaunchConfig` has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Cluster => "cluster",
            Self::ProgrammaticDependent => "programmatic_dependent",
            Self::PreferredWorkgroupMemory => "preferred_workgroup_memory",
        }
    }
}
