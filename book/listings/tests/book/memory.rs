//! Chapter "Memory".

#[host_only]
use gridwright::Error;
use gridwright::prelude::*;

const T: usize = 16;

#[gpu_kernel(block = (T, T), requires = a.cols() == b.rows())]
fn matmul_pipelined(
    g: &Group,
    a: &Matrix<f32>,
    b: &Matrix<f32>,
    mut c: PerThread<Matrix<f32>>,
    mut a_tiles: Workgroup<[[[f32; T]; T]; 2]>,
    mut b_tiles: Workgroup<[[[f32; T]; T]; 2]>,
) {
    let (row, col) = (g.origin().y, g.origin().x);
    let mut acc = g.private(0.0_f32);
    // ANCHOR: copies
    let ([a0, a1], [b0, b1]) = (a_tiles.stages(), b_tiles.stages());
    g.copies(|copies| {
        let mut loading =
            (copies.load_tile(a0, a, row, 0), copies.load_tile(b0, b, 0, col));
        let mut free = (a1, b1);
        for k in (0..a.cols()).step_by(T) {
            let next = (
                copies.load_tile(free.0, a, row, k + T),
                copies.load_tile(free.1, b, k + T, col),
            );
            let (ta, tb) = copies.wait(loading);
            g.each((&mut acc, ta.shared(), tb.shared()), |t, (acc, ta, tb)| {
                let l = t.local();
                for i in 0..T {
                    *acc = ta[l.y][i].mul_add(tb[i][l.x], *acc);
                }
            });
            (loading, free) = (next, (ta, tb));
        }
    });
    // ANCHOR_END: copies
    g.each((&acc, c.elements_mut()), |_, (acc, c)| {
        if let Some(c) = c {
            *c = *acc;
        }
    });
}

// ANCHOR: bulk
#[gpu_kernel(block = 128)]
fn sums_of_pieces(
    g: &Group,
    x: &[f32],
    mut sums: PerGroup<[f32]>,
    mut piece: Workgroup<[f32; 1024]>,
) {
    g.load_bulk(&mut piece, x, g.index() * 1024); // zeros behind the end
    let of_threads = g.map(piece.shared(), |t, piece| {
        let mut sum = 0.0;
        for i in (t.local().x..1024).step_by(128) {
            sum += piece[i];
        }
        sum
    });
    let sum = g.reduce(&of_threads, |a, b| a + b);
    sums.set(g, sum);
}
// ANCHOR_END: bulk

#[test]
fn listings_run() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let a = stream.upload_matrix(20, 50, &[1.0; 1000])?;
    let b = stream.upload_matrix(50, 40, &[2.0; 2000])?;
    let mut c = stream.alloc_matrix_zeroed(20, 40)?;
    let config = LaunchConfig::for_matrix(20, 40);
    matmul_pipelined::load(&device)?.launch(&stream, config, (&a, &b, &mut c))?;
    assert!(stream.download(&c)?.iter().all(|&c| c == 100.0));

    let x = stream.upload(&[1.0; 1500])?;
    let mut sums = stream.alloc_zeroed(2)?;
    let config = LaunchConfig::grid(2, 128);
    sums_of_pieces::load(&device)?.launch(&stream, config, (&x, &mut sums))?;
    assert_eq!(stream.download(&sums)?, [1024.0, 476.0]);
    Ok(())
}
