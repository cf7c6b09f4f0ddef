//! What the library's kernels would be, written for one type and one operator: instances are to cost nothing beside them.

use gridwright::prelude::*;

/// A colour, as the library's user has one.
#[derive(Clone, Copy, Debug, KernelArg)]
#[repr(C)]
pub(crate) struct Pair {
    pub(crate) a: f32,
    pub(crate) b: f32,
}

operator! {
    pub(crate) struct Blend { weight: f32 } = |pair: Pair| -> f32 { pair.a * weight + pair.b };

    pub(crate) struct Sum = |a: f32, b: f32| -> f32 { a + b };
}

/// [`Blend`]'s captured value by itself.
#[derive(Clone, Copy, Debug, KernelArg)]
#[repr(C)]
pub(crate) struct Weight {
    weight: f32,
}

#[gpu_kernel(requires = x.len() == y.len())]
pub(crate) fn blend_by_hand(t: Thread, by: Weight, x: &[Pair], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        let pair = x[t.index()];
        *y = pair.a * by.weight + pair.b;
    }
}

#[gpu_kernel(block = (8, 8), requires = input.rows() == output.cols() && input.cols() == output.rows())]
pub(crate) fn transpose_by_hand(
    g: &Group,
    input: &Matrix<Pair>,
    mut output: PerThread<Matrix<Pair>>,
    mut tile: Workgroup<[[Pair; 8]; 8]>,
) {
    let origin = g.origin();
    g.load_tile(&mut tile, input, origin.x, origin.y);
    g.each((tile.elements().transposed(), output.elements_mut()), |_, (element, output)| {
        if let Some(output) = output {
            *output = *element;
        }
    });
}

#[gpu_kernel(block = 128)]
pub(crate) fn total_by_hand(g: &Group, neutral: f32, x: &[f32], mut totals: PerGroup<[f32]>) {
    let own = g.map(x.elements_from(g.origin().x), |_, x| x.copied().unwrap_or(neutral));
    totals.set(g, g.reduce(&own, |a, b| a + b));
}

instance! {
    pub(crate) kernel blend_instance = gridwright_kernel_library::map<Pair, f32, Blend>;
    pub(crate) kernel transpose_instance = gridwright_kernel_library::tiles::transpose<Pair, 8>;
    pub(crate) kernel total_instance = gridwright_kernel_library::total_of_groups<f32, Sum>;
}
