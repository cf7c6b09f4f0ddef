//! Kernels that are raced, and that no sample has.

use gridwright::prelude::*;

/// What a body at a distance adds to the pull on another, along each axis. Source: `nbody` of the CUDA samples.
#[inline(always)]
fn pull(distance: [f32; 3], mass: f32) -> [f32; 3] {
    let [x, y, z] = distance;
    let squared = x * x + y * y + z * z + 1e-3;
    let inverse = 1.0 / squared.sqrt();
    distance.map(|along| along * mass * inverse * inverse * inverse)
}

/// The pull of all bodies on each: the loop over the bodies is the group's, and its body a phase.
#[gpu_kernel(requires = x.len() == y.len() && x.len() == z.len() && x.len() == mass.len())]
#[allow(clippy::too_many_arguments)] // three vectors and their masses
pub(crate) fn pulls_by_phases(
    g: &Group,
    x: &[f32],
    y: &[f32],
    z: &[f32],
    mass: &[f32],
    mut pulls: PerThread<[[f32; 3]]>,
) {
    let first = g.origin().x;
    let own_x = g.map(x.elements_from(first), |_, x| x.copied().unwrap_or(0.0));
    let own_y = g.map(y.elements_from(first), |_, y| y.copied().unwrap_or(0.0));
    let own_z = g.map(z.elements_from(first), |_, z| z.copied().unwrap_or(0.0));
    let [mut along_x, mut along_y, mut along_z] =
        [g.private(0.0_f32), g.private(0.0_f32), g.private(0.0_f32)];
    for other in 0..x.len() {
        let (at, mass) = ([x[other], y[other], z[other]], mass[other]);
        g.each(
            (&own_x, &own_y, &own_z, &mut along_x, &mut along_y, &mut along_z),
            |_, (x, y, z, along_x, along_y, along_z)| {
                let [x, y, z] = pull([at[0] - x, at[1] - y, at[2] - z], mass);
                *along_x += x;
                *along_y += y;
                *along_z += z;
            },
        );
    }
    g.each((&along_x, &along_y, &along_z, pulls.elements_mut()), |_, (x, y, z, pull)| {
        if let Some(pull) = pull {
            *pull = [*x, *y, *z];
        }
    });
}

/// The pull of all bodies on each: the loop is inside a closure, as in a kernel of threads.
#[gpu_kernel(requires = x.len() == y.len() && x.len() == z.len() && x.len() == mass.len())]
#[allow(clippy::too_many_arguments)] // three vectors and their masses
pub(crate) fn pulls_by_threads(
    g: &Group,
    x: &[f32],
    y: &[f32],
    z: &[f32],
    mass: &[f32],
    mut pulls: PerThread<[[f32; 3]]>,
) {
    g.each(pulls.elements_mut(), |t, out| {
        if let Some(out) = out {
            let own = t.index();
            let mut sum = [0.0; 3];
            for other in 0..x.len() {
                let distance = [x[other] - x[own], y[other] - y[own], z[other] - z[own]];
                let pull = pull(distance, mass[other]);
                sum = [sum[0] + pull[0], sum[1] + pull[1], sum[2] + pull[2]];
            }
            *out = sum;
        }
    });
}

/// The place of a pixel of the Mandelbrot set's usual picture.
#[inline(always)]
fn place(row: usize, col: usize, size: f32) -> [f32; 2] {
    [col as f32 * 3.0 / size - 2.25, row as f32 * 3.0 / size - 1.5]
}

/// One step of z = z² + c, and whether z was still near.
#[inline(always)]
fn step([re, im]: [f32; 2], c: [f32; 2]) -> ([f32; 2], bool) {
    let (re2, im2) = (re * re, im * im);
    ([re2 - im2 + c[0], 2.0 * re * im + c[1]], re2 + im2 <= 4.0)
}

/// The steps until z is far, by `each_while`.
#[gpu_kernel]
pub(crate) fn mandelbrot_each_while(g: &Group, most: u32, size: f32, mut steps: PerThread<Matrix<u32>>) {
    let c_re = g.map((), |t, ()| place(t.row(), t.col(), size)[0]);
    let c_im = g.map((), |t, ()| place(t.row(), t.col(), size)[1]);
    let [mut re, mut im] = [g.private(0.0_f32), g.private(0.0_f32)];
    let mut count = g.private(0_u32);
    g.each_while((&c_re, &c_im, &mut re, &mut im, &mut count), |_, (c_re, c_im, re, im, count)| {
        let (z, is_near) = step([*re, *im], [*c_re, *c_im]);
        let goes_on = is_near && *count < most;
        if goes_on {
            [*re, *im] = z;
            *count += 1;
        }
        goes_on
    });
    g.each((&count, steps.elements_mut()), |_, (count, steps)| {
        if let Some(steps) = steps {
            *steps = *count;
        }
    });
}

/// The steps until z is far, by a loop in the closure.
#[gpu_kernel]
pub(crate) fn mandelbrot_loop(g: &Group, most: u32, size: f32, mut steps: PerThread<Matrix<u32>>) {
    g.each(steps.elements_mut(), |t, steps| {
        if let Some(steps) = steps {
            let c = place(t.row(), t.col(), size);
            let mut z = [0.0; 2];
            let mut count = 0;
            while count < most {
                let (next, is_near) = step(z, c);
                if !is_near {
                    break;
                }
                z = next;
                count += 1;
            }
            *steps = count;
        }
    });
}
