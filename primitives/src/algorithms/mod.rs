//! The algorithms: methods of [`Primitives`](crate::Primitives), which look at what they are given, take temporary memory, and launch the
//! [kernels](crate::kernels), or call the CPU's code.

mod adjacent;
mod by_key;
mod collect;
mod histogram;
mod merge_sort;
mod reduce;
mod rows;
mod scan;
mod scan_segments;
mod scatter;
mod search;
mod segmented_sort;
mod segments;
mod select;
mod sort;
mod top_k;
