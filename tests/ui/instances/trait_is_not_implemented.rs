use gridwright::prelude::*;

mod library {
    use gridwright::prelude::*;

    pub trait Scaled: KernelArg {
        fn scaled(self, by: f32) -> Self;
    }

    #[gpu_kernel]
    pub fn scale<T: Scaled>(t: Thread, by: f32, mut y: PerThread<[T]>) {
        if let Some(y) = y.get_mut(t) {
            *y = y.scaled(by);
        }
    }

    #[gpu_kernel]
    pub fn copy<T: KernelArg>(t: Thread, x: &[T], mut y: PerThread<[T]>) {
        if let Some(y) = y.get_mut(t) {
            *y = x[t.index()];
        }
    }
}

instance! { kernel scale_f32 = library::scale<f32>; }

fn main() {}
