/// What the groups of a grid meet by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// The barrier's word, and behind it a board with a place for a value of each group. Null where there is no grid.
    pub(super) memory: *mut u8,
    /// How many threads of the device had panicked when the grid began.
    pub(super) panics: u32,
}

impl Meeting {
    pub(super) const NONE: Self = Self { memory: core::ptr::null_mut(), panics: 0 };
}
