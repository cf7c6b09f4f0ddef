use crate::ValuePart;
use crate::value_parts::{MOST_PARAMETER_BYTES, value_part};

/// The lines of four words that a record has of the kernel itself: a [`Digest`](crate::Digest) of its texts; its index width in bytes, its
/// rank and its most threads; and its block.
pub const KERNEL_LINES: usize = 3;

/// A target's device images, as `gridwright-build` found them.
#[derive(Debug)]
pub struct Images {
    /// Why there are no images, and what to do about it; empty if there are.
    pub missing: &'static str,
    /// Images: one for each architecture, and for NVIDIA another if kernels of the target say
    /// `fp_contract = off`.
    pub images: &'static [Image],
    /// The CPU's instruction sets that kernels have code for.
    pub cpu: CpuCode,
}

/// The instruction sets that each kernel of a target has a copy of its code for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuCode {
    /// All instruction sets that there are, so that the program runs well on any machine.
    All,
    /// The instruction set that the program is compiled for.
    Baseline,
    /// x86-64-v3 alone.
    Avx2,
    /// x86-64-v4 alone.
    Avx512,
}

/// Compiled kernels for one architecture.
#[derive(Debug)]
pub struct Image {
    /// The architecture: `sm_80`, `gfx1100`, …
    pub architecture: &'static str,
    /// The architecture that the code was compiled for: of machine code, that of the PTX which it was assembled from, and so an older
    /// one perhaps.
    pub compiled_for: &'static str,
    /// The format of `bytes`.
    pub kind: ImageKind,
    /// The image.
    pub bytes: &'static [u8],
    /// The kernels in the image.
    pub entries: &'static [ImageEntry],
    /// What is known of the messages of panics that its sources have.
    pub panics: &'static [PanicText],
}

/// The values of a panic's message that stand in the source: a GPU leaves gaps for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PanicText {
    /// The file, as a panic names it.
    pub file: &'static str,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The values in their order; one that isn't known is empty.
    pub values: &'static [&'static str],
}

/// The format of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageKind {
    /// NVIDIA's PTX, as text.
    Ptx,
    /// AMD's code object, an ELF file.
    CodeObject,
    /// NVIDIA's cubin, an ELF file for one architecture: a foreign kernel's.
    Cubin,
}

/// A kernel in an image.
#[derive(Debug)]
pub struct ImageEntry {
    /// The entry point's name, for drivers.
    pub name: &'static str,
    /// The kernel's path in its crate, by which the host finds it; of a foreign kernel the entry point's name.
    pub path: &'static str,
    /// The kernel's parameters.
    pub parameters: &'static [ImageParameter],
    /// What the kernel and its parameters are by the device's compiler: [`KERNEL_LINES`] of the kernel, and the words of a
    /// [`Digest`](crate::Digest) of each parameter.
    pub layout: &'static [u64],
    /// The parts of the image's bytes that are loaded for the kernel, each from a byte to the one behind its end; all bytes if there
    /// are none.
    pub parts: &'static [[u32; 2]],
}

/// A parameter of an entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageParameter {
    /// Bytes from the first parameter.
    pub offset: u32,
    /// Bytes of the parameter.
    pub size: u32,
}

impl ImageParameter {
    /// Parameters of sizes and alignments, each behind the one before, as C lays out a struct.
    ///
    /// # Panics
    /// In the compiler, if they are larger than any entry's can be.
    pub const fn in_order<const N: usize>(sizes_and_alignments: [(usize, usize); N]) -> [Self; N] {
        let mut parameters = [Self { offset: 0, size: 0 }; N];
        let (mut end, mut i) = (0, 0);
        while i < N {
            let (size, alignment) = sizes_and_alignments[i];
            let offset = usize::next_multiple_of(end, alignment);
            end = offset + size;
            assert!(end <= u16::MAX as usize, "the parameters are too large");
            parameters[i] = Self { offset: offset as u32, size: size as u32 };
            i += 1;
        }
        parameters
    }
}

impl Images {
    /// Whether each image's entry has the sizes and the record that the host counts on: first of the kernel, in [`KERNEL_LINES`], then of each
    /// parameter. The sizes are those of PTX; of the ones at `values` a code object has parts, and of no bytes there is no parameter.
    ///
    /// # Panics
    /// In the compiler, with what differs.
    pub const fn check(&self, path: &str, record: &[[u64; 4]], sizes: &[usize], values: &[usize]) {
        assert!(
            all_bytes(sizes) <= MOST_PARAMETER_BYTES,
            "a kernel's parameters take at most 4096 bytes, and this one's take more: put large values into a buffer, and take a slice \
             of it (`&[T]`); or make several kernels of it"
        );
        let mut i = 0;
        while i < self.images.len() {
            let image = &self.images[i];
            i += 1;
            // Not there: written in a doc test or under `cfg(test)`, and no kernel of a device.
            let Some(found) = image.entry(path) else { continue };
            let values = match image.kind {
                ImageKind::Ptx | ImageKind::Cubin => &[],
                ImageKind::CodeObject => values,
            };
            check_sizes(found.parameters, sizes, values);
            assert!(
                found.layout.len() == record.len() * 4,
                "host and device disagree on what a kernel takes: is there a `cfg` or a feature that differs?"
            );
            assert!(
                !matches!(differs(found.layout, record), Some(0..KERNEL_LINES)),
                "host and device disagree on what a kernel is: its level, its attribute, its conditions, its workgroup memory or \
                 the names of its parameters. Is there a `cfg` or a feature that differs?"
            );
            assert!(
                differs(found.layout, record).is_none(),
                "host and device disagree on a kernel's parameter: on how it is passed, or on the layout of its elements. Is there a \
                 `cfg` or a feature that differs?"
            );
        }
    }

    /// What messages call a kernel: its name where no other kernel of the images has it, and else its path.
    pub const fn shown(&self, path: &'static str, name: &'static str) -> &'static str {
        let mut i = 0;
        while i < self.images.len() {
            let entries = self.images[i].entries;
            let mut entry = 0;
            while entry < entries.len() {
                let other = entries[entry].path;
                if ends_in(other, name) && !is_spelled(other, path) {
                    return path;
                }
                entry += 1;
            }
            i += 1;
        }
        name
    }
}

impl Image {
    /// The pieces of the image that are loaded for an entry, in their order: all of it for one that has no parts.
    pub fn pieces(&self, entry: &ImageEntry) -> impl Iterator<Item = &'static [u8]> + use<> {
        let (bytes, parts) = (self.bytes, entry.parts);
        let whole = parts.is_empty().then_some(bytes);
        let part =
            move |&[start, end]: &[u32; 2]| bytes.get(start as usize..end as usize).unwrap_or_default();
        whole.into_iter().chain(parts.iter().map(part))
    }

    /// Whether what is loaded for an entry may have a variable or constant of a name. PTX says so; of machine code its loader has to be
    /// asked.
    pub fn may_have(&self, entry: &ImageEntry, name: &str) -> bool {
        let has_it = |piece: &[u8]| str::from_utf8(piece).is_ok_and(|text| text.contains(name));
        self.kind != ImageKind::Ptx || self.pieces(entry).any(has_it)
    }

    /// The entry of the kernel at a path.
    pub const fn entry(&self, path: &str) -> Option<&'static ImageEntry> {
        let mut i = 0;
        while i < self.entries.len() {
            if is_spelled(self.entries[i].path, path) {
                return Some(&self.entries[i]);
            }
            i += 1;
        }
        None
    }
}

/// The bytes of all parameters, of which each is aligned to what divides its size.
const fn all_bytes(sizes: &[usize]) -> usize {
    let (mut end, mut i) = (0_usize, 0);
    while i < sizes.len() {
        if sizes[i] > 0 {
            let alignment = 1 << if sizes[i].is_multiple_of(16) { 4 } else { sizes[i].trailing_zeros() };
            end = end.next_multiple_of(alignment).saturating_add(sizes[i]);
        }
        i += 1;
    }
    end
}

/// Whether an entry has parameters of these sizes, of which those at `values` are in parts.
const fn check_sizes(found: &[ImageParameter], sizes: &[usize], values: &[usize]) {
    // First of all their number: of another one, a size is that of another parameter.
    assert!(
        entry_parameters(found, sizes, values, false) == found.len(),
        "host and device disagree on a kernel's number of parameters"
    );
    entry_parameters(found, sizes, values, true);
}

/// The number of an entry's parameters, each compared with what was found, if that is wanted.
const fn entry_parameters(
    found: &[ImageParameter],
    sizes: &[usize],
    values: &[usize],
    compares: bool,
) -> usize {
    let (mut next, mut value, mut i) = (0, 0, 0);
    while i < sizes.len() {
        let is_value = value < values.len() && values[value] == i;
        let mut part = 0;
        while let Some(bytes) = part_bytes(sizes[i], part, is_value) {
            assert!(
                !compares || found[next].size as usize == bytes,
                "host and device disagree on the size of a kernel's parameter"
            );
            next += 1;
            part += 1;
        }
        value += is_value as usize;
        i += 1;
    }
    next
}

/// The bytes of a part of a parameter, which has one, or none of no bytes, unless it is a value.
const fn part_bytes(size: usize, part: usize, is_value: bool) -> Option<usize> {
    if is_value {
        return match value_part(size, part) {
            Some(ValuePart { bytes, .. }) => Some(bytes),
            None => None,
        };
    }
    if part == 0 && size > 0 { Some(size) } else { None }
}

/// The first place in which a record differs, of two of one length.
const fn differs(found: &[u64], record: &[[u64; 4]]) -> Option<usize> {
    let mut i = 0;
    while i < found.len() {
        if found[i] != record[i / 4][i % 4] {
            return Some(i / 4);
        }
        i += 1;
    }
    None
}

/// Whether a path is that of an item of a name.
const fn ends_in(path: &str, name: &str) -> bool {
    let (path, name) = (path.as_bytes(), name.as_bytes());
    if path.len() < name.len() {
        return false;
    }
    let (modules, last) = path.split_at(path.len() - name.len());
    let mut i = 0;
    while i < name.len() {
        if last[i] != name[i] {
            return false;
        }
        i += 1;
    }
    matches!(modules, [] | [.., b':', b':'])
}

/// A path without the crate that it begins with.
///
/// ```
/// const { assert!(gridwright_core::is_spelled(gridwright_core::path_in_crate("app::filters::blur"), "filters::blur")) }
/// ```
pub const fn path_in_crate(path: &'static str) -> &'static str {
    let mut rest = path.as_bytes();
    while let [_, after @ ..] = rest {
        if let [b':', b':', path @ ..] = rest
            && let Ok(path) = core::str::from_utf8(path)
        {
            return path;
        }
        rest = after;
    }
    path
}

/// The bytes of a path of that length, for a device image.
///
/// ```
/// assert_eq!(gridwright_core::path_bytes::<6>("app::k"), *b"app::k");
/// ```
pub const fn path_bytes<const LEN: usize>(path: &str) -> [u8; LEN] {
    let (mut bytes, path) = ([0; LEN], path.as_bytes());
    let mut i = 0;
    while i < LEN && i < path.len() {
        bytes[i] = path[i];
        i += 1;
    }
    bytes
}

/// Whether two texts are the same, in a constant.
///
/// ```
/// const { assert!(gridwright_core::is_spelled("&[_]", "&[_]")) }
/// ```
pub const fn is_spelled(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut equal = a.len() == b.len();
    let mut i = 0;
    while equal && i < a.len() {
        equal = a[i] == b[i];
        i += 1;
    }
    equal
}
