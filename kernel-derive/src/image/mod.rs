//! Images that other compilers made: their entries, and the sizes of what these take.

mod cubin;
mod ptx;
#[cfg(test)]
mod tests;

/// The format of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Ptx,
    Cubin,
}

/// What is known of an image.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Image {
    pub(crate) kind: Kind,
    /// What it was compiled for: `sm_80`.
    pub(crate) architecture: String,
    pub(crate) entries: Vec<Entry>,
}

/// An entry point.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// The bytes of each parameter.
    pub(crate) sizes: Vec<u64>,
}

impl Image {
    /// The entry of a name.
    pub(crate) fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }
}

/// Reads an image; the error says what it is not.
pub(crate) fn read(bytes: &[u8]) -> Result<Image, &'static str> {
    if bytes.starts_with(b"\x7fELF") {
        return cubin::read(bytes).ok_or("it is an ELF file, but not a whole cubin");
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "it is neither PTX nor a cubin")?;
    ptx::read(text).ok_or("it isn't PTX: it has no `.version` and `.target`, or an entry that can't be read")
}
