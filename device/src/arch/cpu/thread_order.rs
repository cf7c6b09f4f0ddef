//! How a phase goes through a group.

use super::Identity;
use super::group_context::GroupContext;
use super::group_origin::GroupOrigin;
use super::group_shape::GroupShape;
use super::row_width::RowWidth;
use crate::block::Block;

/// How a phase goes through the group: the first `limit` threads, row after row.
#[derive(Clone, Copy)]
pub(super) struct ThreadOrder<'k, S> {
    pub(super) shape: S,
    origin: GroupOrigin<'k>,
    width: RowWidth,
    limit: usize,
}

impl<'k, S: GroupShape> ThreadOrder<'k, S> {
    /// The order that a loop takes out of the context. The loop is given no more than where the context is: what
    /// is the same in all phases isn't written for each.
    #[inline(always)]
    pub(super) fn of(context: &GroupContext<'k, S>, limit: usize) -> Self {
        Self { shape: context.shape, origin: context.origin, width: context.width(), limit }
    }

    /// The threads of a row that take part.
    #[inline(always)]
    pub(super) fn row(&self, partial: bool, y: usize, z: usize) -> usize {
        if !partial {
            return self.width.get(self.shape);
        }
        let [cols, rows, _] = self.shape.block().sizes();
        self.limit.saturating_sub((z * rows + y) * cols).min(cols)
    }

    /// The threads of so many rows that take part.
    #[inline(always)]
    pub(super) fn rows(&self, partial: bool, rows: usize, y: usize, z: usize) -> usize {
        if rows == 1 {
            return self.row(partial, y, z);
        }
        let [cols, all_rows, _] = self.shape.block().sizes();
        let threads = rows.min(all_rows - y) * cols;
        if partial { self.limit.saturating_sub((z * all_rows + y) * cols).min(threads) } else { threads }
    }

    #[inline(always)]
    pub(super) fn thread(&self, x: usize, y: usize, z: usize) -> Identity<'k> {
        self.origin.thread(self.shape, x, y, z)
    }

    /// The thread that comes so many after a row's first, row after row.
    #[inline(always)]
    pub(super) fn thread_from(&self, at: usize, y: usize, z: usize) -> Identity<'k> {
        let [cols, rows, _] = self.shape.block().sizes();
        let number = (z * rows + y) * cols + at;
        self.origin.numbered_thread(self.shape, [at % cols, y + at / cols, z], number)
    }
}
