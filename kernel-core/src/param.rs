use core::marker::PhantomData;

use crate::{Description, Digest, KernelArg, Layout, RawSlice, SliceExtent};

/// A type that a kernel may take, with `'static` for its lifetimes, and how it travels.
///
/// # Safety
/// [`extent`](Self::extent) tells the truth about `Raw`, and in a launch of at most [`RANK`](Self::RANK)
/// dimensions no two threads own one element, nor do two workgroups.
#[diagnostic::on_unimplemented(
    message = "a kernel can't take a `{Self}`",
    label = "not a kernel parameter",
    note = "it can take numbers, arrays and `#[derive(KernelArg)]` structs; `&[T]`, `&Segments<T>`, `&Matrix<T>` \
            and `&Volume<T>`; textures by `&`, and surfaces; `PerThread` and `PerGroup` of these; `Atomic<[T]>` of a number: a struct's \
            fields get one each"
)]
pub unsafe trait Param: 'static {
    /// The raw argument, which crosses from host to device.
    type Raw: Copy;
    /// What `requires = …` sees on the host: sizes, or the value itself.
    type Extent: Copy;
    /// How a thread gets the parameter: a marker for which the device crate has the code.
    type Passing;
    /// The most dimensions of a launch in which a thread's position is its own.
    const RANK: u32;
    /// The elements along x and y of which a workgroup owns a tile, where the type says so.
    const TILE: Option<[usize; 2]> = None;
    /// The rows that a workgroup owns, where the type says so.
    const ROWS: Option<usize> = None;

    /// The sizes in `raw`.
    fn extent(raw: &Self::Raw) -> Self::Extent;

    /// The sizes in `raw`, for a message.
    fn describe(raw: &Self::Raw) -> Description;

    /// The layout of the value, or of the elements.
    const LAYOUT: Layout;
    /// The type's spelling, with `_` for the value or the elements and without a map: `PerThread<[_]>`.
    const SPELLING: &'static str;
    /// The map by which elements are owned.
    const MAP: &'static str = "";
    /// What host and device have to agree on: all of what a launch relies on.
    const RECORD: Digest = record::<Self>();

    /// Calls `slot` with each number or pointer that a GPU's entry takes, in order.
    fn slots(raw: &Self::Raw, slot: impl FnMut(Slot));
}

const fn record<P: Param + ?Sized>() -> Digest {
    let [x, y] = match P::TILE {
        Some(tile) => tile,
        None => [0; 2],
    };
    let rows = match P::ROWS {
        Some(rows) => rows,
        None => 0,
    };
    let owned = [P::RANK as u64, x as u64, y as u64, rows as u64];
    Digest::of(P::SPELLING).text(P::MAP).numbers(&owned).layout(P::LAYOUT)
}

/// A number or a pointer that a GPU's entry takes.
#[derive(Clone, Copy, Debug)]
pub enum Slot {
    /// A number or a pointer as it lies at an address in the raw argument.
    At(*const ()),
    /// A parameter by value, as it lies at an address in the raw argument. On AMD one that isn't a number is passed in parts. Of no bytes, the
    /// entry has none.
    Value {
        /// The address where the value lies.
        address: *const (),
        /// The value's bytes: 32 bits of them, so that a slot is passed in registers.
        bytes: u32,
    },
    /// How many elements the threads of the launch own of so many: the less of both, in the width of the
    /// kernel's indices.
    Owned {
        /// The elements that there are.
        len: usize,
    },
    /// How many threads of the launch along an axis can own an element of a matrix or a volume, where so many can at
    /// most: the less of both, in 32 bits.
    Owners {
        /// 0 for columns of threads, 1 for rows, 2 for planes.
        axis: usize,
        /// The threads that can, be they launched or not.
        most: usize,
    },
}

/// The bytes of a value. A kernel with a larger one isn't compiled; here are foreign ones too.
const fn bytes_of<T>() -> u32 {
    assert!(size_of::<T>() <= u32::MAX as usize, "a parameter by value is too large");
    size_of::<T>() as u32
}

/// Passing: each thread has a copy.
#[derive(Debug)]
pub struct ByValue<T>(PhantomData<T>);

/// Passing: each thread reads the whole slice.
#[derive(Debug)]
pub struct ReadSlice<T>(PhantomData<T>);

// SAFETY: the extent is the value; nothing is owned.
unsafe impl<T: KernelArg> Param for T {
    type Raw = T;
    type Extent = T;
    type Passing = ByValue<T>;
    const RANK: u32 = 3;

    fn extent(raw: &T) -> T {
        *raw
    }

    fn describe(raw: &T) -> Description {
        Description::of_value(raw)
    }

    const LAYOUT: Layout = T::LAYOUT;
    const SPELLING: &'static str = "_";

    fn slots(raw: &T, mut slot: impl FnMut(Slot)) {
        slot(Slot::Value { address: (&raw const *raw).cast(), bytes: const { bytes_of::<T>() } });
    }
}

// SAFETY: the extent is the slice's length; nothing is owned.
unsafe impl<T: KernelArg> Param for &'static [T] {
    type Raw = RawSlice<T>;
    type Extent = SliceExtent;
    type Passing = ReadSlice<T>;
    const RANK: u32 = 3;

    fn extent(raw: &RawSlice<T>) -> SliceExtent {
        SliceExtent { len: raw.len }
    }

    fn describe(raw: &RawSlice<T>) -> Description {
        Description::Slice { len: raw.len }
    }

    const LAYOUT: Layout = T::LAYOUT;
    const SPELLING: &'static str = "&[_]";

    fn slots(raw: &RawSlice<T>, slot: impl FnMut(Slot)) {
        raw.slots(slot);
    }
}
