use gridwright::prelude::*;

#[gpu_kernel]
pub fn map<T: KernelArg, O: Operator<(T,), Output = T>>(t: Thread, op: O, mut y: PerThread<[T]>) {
    if let Some(y) = y.get_mut(t) {
        *y = op.call((*y,));
    }
}

operator! {
    struct Scale { by: f32 } = |x: f32| -> f32 { x * by };
}

instance! { kernel scale = map<f64, Scale>; }

fn main() {}
