//! Products of warpgroups that nobody has waited for.

use super::WARP;

/// Products of a group's warps that nobody has waited for.
#[derive(Debug, Default)]
pub(crate) struct PendingProducts {
    pub(crate) sums: Vec<Product>,
    /// Groups of products that each warp has closed.
    pub(crate) closed: Vec<u32>,
}

/// What a register holds when a product is done.
#[derive(Debug)]
pub(crate) struct Product {
    pub(crate) warp: usize,
    /// The row of the register, of all frames.
    pub(crate) row: u32,
    pub(crate) group: u32,
    pub(crate) values: [u32; WARP],
}

impl PendingProducts {
    pub(crate) fn clear(&mut self) {
        self.sums.clear();
        self.closed.clear();
    }

    pub(crate) fn closed(&mut self, warp: usize) -> &mut u32 {
        if self.closed.len() <= warp {
            self.closed.resize(warp + 1, 0);
        }
        &mut self.closed[warp]
    }
}
