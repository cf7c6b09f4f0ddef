use crate::{Description, Param, Slot};

/// The parameters of a kernel: a tuple of up to 24 [`Param`]s.
///
/// # Safety
/// As for [`Param`], for each element.
pub unsafe trait ParamList: 'static {
    /// The raw arguments, one for each parameter.
    type Raw: Copy;
    /// What `requires = …` sees of the parameters.
    type Extents;
    /// How a thread gets the parameters: a tuple of markers.
    type Passing;
    /// The least of the parameters' ranks.
    const RANK: u32;
    /// The size of the tiles that workgroups own, if there are any.
    const TILE: Option<[usize; 2]>;

    /// The sizes of all parameters.
    fn extents(raw: &Self::Raw) -> Self::Extents;

    /// Each parameter for a message, in order.
    fn describe(raw: &Self::Raw, each: impl FnMut(Description));

    /// Calls `slot` with each number or pointer that a GPU's entry takes, in order.
    fn slots(raw: &Self::Raw, slot: impl FnMut(Slot));
}

/// The parameters of a kernel that the macro refused: it said why, and uses of the kernel add nothing
/// to that.
#[derive(Debug)]
pub struct Refused;

// SAFETY: there is no parameter.
unsafe impl ParamList for Refused {
    type Raw = ();
    type Extents = ();
    type Passing = ();
    const RANK: u32 = 3;
    const TILE: Option<[usize; 2]> = None;

    fn extents((): &()) {}

    fn describe((): &(), _: impl FnMut(Description)) {}

    fn slots((): &(), _: impl FnMut(Slot)) {}
}

const fn least(a: u32, b: u32) -> u32 {
    if a < b { a } else { b }
}

/// The tile of one parameter and another.
const fn both(a: Option<[usize; 2]>, b: Option<[usize; 2]>) -> Option<[usize; 2]> {
    match (a, b) {
        (Some([x, y]), Some([other_x, other_y])) => {
            assert!(x == other_x && y == other_y, "a kernel's tiles are all of one size");
            a
        }
        (Some(_), None) => a,
        (None, _) => b,
    }
}

macro_rules! tuple {
    ($($param:ident $i:tt),*) => {
        // SAFETY: each element's own promise.
        unsafe impl<$($param: Param),*> ParamList for ($($param,)*) {
            type Raw = ($($param::Raw,)*);
            type Extents = ($($param::Extent,)*);
            type Passing = ($($param::Passing,)*);
            const RANK: u32 = {
                let rank = 3;
                $(let rank = least(rank, $param::RANK);)*
                rank
            };
            const TILE: Option<[usize; 2]> = {
                let tile = None;
                $(let tile = both(tile, $param::TILE);)*
                tile
            };

            #[allow(clippy::unused_unit)]
            fn extents(_raw: &Self::Raw) -> Self::Extents {
                ($($param::extent(&_raw.$i),)*)
            }

            fn describe(_raw: &Self::Raw, mut _each: impl FnMut(Description)) {
                $(_each($param::describe(&_raw.$i));)*
            }

            fn slots(_raw: &Self::Raw, mut _slot: impl FnMut(Slot)) {
                $($param::slots(&_raw.$i, &mut _slot);)*
            }
        }
    };
}

crate::for_tuples!(24, tuple);
