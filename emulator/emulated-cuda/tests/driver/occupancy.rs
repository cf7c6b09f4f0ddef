use cudarc::driver::result;
use cudarc::driver::sys::CUresult;

use crate::alone::alone;
use crate::gpu::{code, context, kernel, loaded};

#[test]
fn occupancy_follows_threads_and_shared_memory() {
    alone("occupancy::occupancy_follows_threads_and_shared_memory", &[], || {
        let _context = context();
        let small = loaded(&kernel("", ""));
        // SAFETY: a function of a loaded module.
        unsafe {
            let blocks = |threads, shared| {
                result::occupancy::max_active_block_per_multiprocessor(small, threads, shared)
            };
            assert_eq!(blocks(256, 0).expect("counted"), 8);
            assert_eq!(blocks(1024, 0).expect("counted"), 2);
            assert_eq!(blocks(32, 0).expect("counted"), 32);
            // 228 KiB of a multiprocessor, and one that is taken from each block.
            assert_eq!(blocks(32, 40 << 10).expect("counted"), 5);
            assert_eq!(blocks(32, 300 << 10).expect("counted"), 0);
            assert_eq!(code(blocks(0, 0)), CUresult::CUDA_ERROR_INVALID_VALUE);
            let per_block = result::occupancy::available_dynamic_shared_mem_per_block(small, 2, 128);
            assert_eq!(per_block.expect("counted"), 113 << 10);
            unsafe extern "C" fn none(_block: i32) -> usize {
                0
            }
            let (grid, block) =
                result::occupancy::max_potential_block_size(small, Some(none), 0, 0).expect("counted");
            assert_eq!((grid, block), (32, 1024));
            let (grid, block) =
                result::occupancy::max_potential_block_size(small, Some(none), 0, 100).expect("counted");
            assert_eq!((grid % 16, block), (0, 64));
        }
    });
}
