//! Kernels that are `unsafe fn`: raw pointers, and barriers where the program says.

use gridwright::prelude::*;

/// Adds to each element the group's next one, and turns the group's part around.
#[gpu_kernel]
unsafe fn turned(
    t: Thread,
    x: *const f32,
    y: *mut f32,
    n: usize,
    threads: usize,
    mut tile: Workgroup<[f32]>,
) {
    let tile = tile.as_mut_ptr();
    let (i, local) = (t.index(), t.local().x);
    // SAFETY: `x` has `n` elements, and the tile as many as a group has threads, as the launch says.
    unsafe { *tile.add(local) = if i < n { *x.add(i) } else { 0.0 } };
    // SAFETY: all threads get here.
    unsafe { sync_threads(t) };
    // SAFETY: the tile has as many elements as the group has threads; a barrier is behind their writes.
    let sum = unsafe { *tile.add(local) + *tile.add((local + 1) % threads) };
    // SAFETY: all threads get here.
    unsafe { sync_threads(t) };
    // SAFETY: the tile has as many elements as the group has threads; the place is this thread's alone.
    unsafe { *tile.add(threads - 1 - local) = sum };
    // SAFETY: all threads get here.
    unsafe { sync_threads(t) };
    if i < n {
        // SAFETY: `y` has `n` elements, this one the thread's own; a barrier is behind what others wrote to the tile.
        unsafe { *y.add(i) = *tile.add(local) };
    }
}

const TILE: usize = 32;
const ROWS: usize = 8;

/// Line by line from "An Efficient Matrix Transpose in CUDA C/C++".
#[gpu_kernel(block = (TILE, ROWS))]
unsafe fn transposed(
    t: Thread,
    odata: *mut u16,
    idata: *const u16,
    width: usize,
    height: usize,
    mut tile: Workgroup<[[u16; TILE + 1]; TILE]>,
) {
    let tile = tile.as_mut_ptr();
    let thread = t.local();
    let (block_x, block_y) = (t.col() / TILE, t.row() / ROWS);
    let (x, y) = (block_x * TILE + thread.x, block_y * TILE + thread.y);
    for j in (0..TILE).step_by(ROWS) {
        if x < width && y + j < height {
            // SAFETY: `idata` has `width * height` elements, as the launch says, and the tile those that a group moves.
            unsafe { *tile.add((thread.y + j) * (TILE + 1) + thread.x) = *idata.add((y + j) * width + x) };
        }
    }
    // SAFETY: all threads get here.
    unsafe { sync_threads(t) };
    let (x, y) = (block_y * TILE + thread.x, block_x * TILE + thread.y);
    for j in (0..TILE).step_by(ROWS) {
        if x < height && y + j < width {
            // SAFETY: `odata` has `width * height` elements, as the launch says; a barrier is behind what others wrote.
            unsafe { *odata.add((y + j) * height + x) = *tile.add(thread.x * (TILE + 1) + thread.y + j) };
        }
    }
}

#[cfg(not(gridwright_device))]
mod tests {
    use super::{ROWS, TILE, transposed, turned};
    use crate::emulator::Emulator;
    use crate::examples::cpu;
    use gridwright::prelude::*;

    #[test]
    fn pointers_and_barriers_in_uneven_groups_give_the_bits_that_they_give_on_the_cpu() {
        let Some(mut emulator) = Emulator::<turned>::start() else { return };
        for threads in [1_usize, 33, 65, 1000] {
            let n = 3 * threads - threads / 2;
            let x: Vec<f32> = (0..n).map(|i| i as f32 * 0.37 - 11.0).collect();
            let y = vec![-1.0_f32; n];
            let config = LaunchConfig::grid(3, threads).workgroup::<f32>(threads);
            let on_the_cpu = || {
                let (device, stream) = cpu()?;
                let (x, mut y) = (stream.upload(&x)?, stream.upload(&y)?);
                let kernel = turned::load(&device)?;
                // SAFETY: both have `n` elements, and the tile has one for each thread.
                unsafe { kernel.launch(&stream, config, (&x, &mut y, n, threads))? };
                Ok([stream.download(&y)?])
            };
            emulator.compare(config, on_the_cpu, |memory| {
                let y = memory.slice(&y);
                ((memory.slice(&x), y, n, threads), [y.pointer])
            });
        }
    }

    #[test]
    fn a_ported_transpose_gives_the_elements_that_it_gives_on_the_cpu() {
        let Some(mut emulator) = Emulator::<transposed>::start() else { return };
        for (height, width) in [(1_usize, 1_usize), (33, 40)] {
            let x: Vec<u16> = (0..height * width).map(|i| i as u16 + 1).collect();
            let y = vec![0_u16; x.len()];
            let groups = (width.div_ceil(TILE), height.div_ceil(TILE));
            let config = LaunchConfig::grid(groups, (TILE, ROWS));
            let on_the_cpu = || {
                let (device, stream) = cpu()?;
                let (x, mut y) = (stream.upload(&x)?, stream.upload(&y)?);
                let kernel = transposed::load(&device)?;
                // SAFETY: both have as many elements, and the grid covers them.
                unsafe { kernel.launch(&stream, config, (&mut y, &x, width, height))? };
                Ok([stream.download(&y)?])
            };
            emulator.compare(config, on_the_cpu, |memory| {
                let (x, y) = (memory.slice(&x), memory.slice(&y));
                ((y, x, width, height), [y.pointer])
            });
        }
    }
}
