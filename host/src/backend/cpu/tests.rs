use std::sync::atomic::{AtomicUsize, Ordering};

use gridwright_core::Geometry;
use gridwright_device::arch::Launch;

use super::{partition::Partition, pool};

#[test]
fn chunks_cover_each_thread_once_and_are_rows_or_parts_of_one() {
    let sizes = [[1, 1, 1], [255, 1, 1], [100_000, 1, 1], [3, 1000, 1], [5000, 7, 1], [1, 1, 9], [33, 65, 3]];
    for threads in sizes {
        for workers in [1, 2, 7, 64] {
            let launch = Launch { geometry: Geometry { threads, block: [1; 3], groups: threads } };
            let partition = Partition::new(threads, workers);
            let mut visits = vec![0_u8; threads.iter().product()];
            for number in 0..partition.len() {
                let chunk = partition.chunk(&launch, number);
                let (rows, cols) = (chunk.owned.rows.clone(), chunk.owned.cols.clone());
                assert!(rows.len() == 1 || cols == (0..threads[0]), "{threads:?}");
                assert!(!chunk.owned.is_empty());
                for row in rows {
                    for col in cols.clone() {
                        visits[launch.index(chunk.plane, row, col)] += 1;
                    }
                }
            }
            assert!(visits.iter().all(|&visits| visits == 1), "{threads:?} for {workers}");
        }
    }
}

#[test]
fn the_pool_runs_a_job_on_others_and_waits_for_them() {
    let pool = pool::get(4);
    for _ in 0..1000 {
        let Some(claim) = pool.claim() else { continue };
        assert!(pool.claim().is_none(), "claimed twice");
        assert!(pool.claim().is_none(), "a claim that failed gave the pool back");
        let (started, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
        claim.run(3, &|_| {
            started.fetch_add(1, Ordering::SeqCst);
            std::hint::black_box((0..100).sum::<u64>());
            ended.fetch_add(1, Ordering::SeqCst);
        });
        assert_eq!(started.load(Ordering::SeqCst), ended.load(Ordering::SeqCst));
        assert!(started.load(Ordering::SeqCst) >= 1);
    }
}
