//! A macro in the place of the kernel's own, by which a condition's text would mean what its names mean here.

use gridwright::prelude::*;

mod library {
    use gridwright::prelude::*;

    fn is_small(n: u32) -> bool {
        n <= 3
    }

    #[gpu_kernel(requires = is_small(n))]
    pub(crate) fn small<T: KernelArg>(t: Thread, n: u32, _x: &[T], mut y: PerThread<[u32]>) {
        if let Some(y) = y.get_mut(t) {
            *y = n;
        }
    }
}

type Same<T> = library::small<T>;
type AsText<T> = library::small<T>;

fn is_small(_: fn()) -> bool {
    true
}

fn n() {}

macro_rules! same {
    ([$($callback:tt)*] $given:tt) => {
        $($callback)* ! { $given {
            thread, u32, on, cpu on, block 0, max_threads false, min_groups false, first slice,
            (n: number u32, _x: spelled &[__Part0], y: spelled __gridwright::PerThread<[__Part1]>), (free0 "is_small(n)")
        } }
    };
}
use same as Same;

macro_rules! as_text {
    ([$($callback:tt)*] $given:tt) => {
        $($callback)* ! { $given {
            thread, u32, on, cpu on, block 0, max_threads false, min_groups false, first slice,
            (n: number u32, _x: spelled &[__Part0], y: spelled __gridwright::PerThread<[__Part1]>), (fixed "is_small(n)")
        } }
    };
}
use as_text as AsText;

instance! {
    kernel any = Same<f32>;
    kernel other = AsText<f32>;
}

fn main() {}
