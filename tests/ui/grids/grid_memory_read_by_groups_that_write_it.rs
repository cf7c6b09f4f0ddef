use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(grid: &Grid, mut x: GridMemory<[f32]>) {
    grid.each_group(x.per_thread(), |g, mut mine| {
        g.each((mine.elements_mut(), x.shared()), |t, (mine, all)| {
            if let Some(mine) = mine {
                *mine = all[t.index() + 1];
            }
        });
    });
}

fn main() {}
