use gridwright::prelude::*;

mod library {
    use gridwright::prelude::*;

    #[gpu_kernel(instances(f32, f64))]
    pub fn clear<T: KernelArg>(_t: Thread, _zero: T, _y: PerThread<[T]>) {}
}

instance! { kernel clear_u8 = library::clear<u8>; }

fn main() {}
