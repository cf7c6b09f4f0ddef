use gridwright::prelude::*;

mod library {
    use gridwright::prelude::*;

    /// # Safety
    /// `n` is at most the length of `x`.
    #[gpu_kernel]
    pub unsafe fn first<T: KernelArg>(t: Thread, n: usize, x: &[T], mut y: PerThread<[T]>) {
        if let Some(y) = y.get_mut(t) {
            *y = if t.index() < n { unsafe { *x.get_unchecked(t.index()) } } else { T::zeroed() };
        }
    }

    kernel_trait! {
        pub trait First<T: KernelArg> {
            type All = crate::library::first<T>;
        }
    }
}

/// # Safety
/// It asks for something else.
#[gpu_kernel]
unsafe fn mine(_t: Thread, _n: usize, _x: &[f32], _y: PerThread<[f32]>) {}

struct Mine;

// The library launches what it knows as `first`, and answers for nothing else.
impl library::First<f32> for Mine {
    type All = mine;
}

fn main() {}
