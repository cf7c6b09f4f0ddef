//! The least of `gridwright` that an expansion compiles against. It runs one thread.

use std::marker::PhantomData;

pub struct Device;
#[derive(Debug)]
pub struct Error;
pub struct Kernel<K>(PhantomData<K>);

#[derive(Clone, Copy)]
pub struct Thread<'k>(PhantomData<&'k ()>);

pub struct PerThread<'k, S: ?Sized>(&'k mut S);

impl<T> PerThread<'_, [T]> {
    pub fn get_mut(&mut self, _: Thread<'_>) -> Option<&mut T> {
        self.0.first_mut()
    }
}

pub trait Param: 'static {
    type Raw;
    type Bound<'k>;
    type Extent;
    fn extent(raw: &Self::Raw) -> Self::Extent;
    /// # Safety
    ///
    /// `raw` is valid for `'k`, and nothing else uses what is written through it.
    unsafe fn bind<'k>(raw: &'k Self::Raw) -> Self::Bound<'k>;
}

#[derive(Clone, Copy)]
pub struct Extent(usize);

impl Extent {
    pub fn len(&self) -> usize {
        self.0
    }
}

macro_rules! values {
    ($($value:ty)*) => { $(
        impl Param for $value {
            type Raw = $value;
            type Bound<'k> = $value;
            type Extent = $value;
            fn extent(raw: &$value) -> $value {
                *raw
            }
            unsafe fn bind<'k>(raw: &'k $value) -> $value {
                *raw
            }
        }
        unsafe impl __private::KernelArg for $value {}
    )* };
}

values!(f32 f64 u8 u32 usize [f32; 2]);

impl<T: 'static> Param for &'static [T] {
    type Raw = *const [T];
    type Bound<'k> = &'k [T];
    type Extent = Extent;
    fn extent(raw: &Self::Raw) -> Extent {
        Extent(raw.len())
    }
    unsafe fn bind<'k>(raw: &'k Self::Raw) -> &'k [T] {
        // SAFETY: the caller's.
        unsafe { &**raw }
    }
}

impl<T: 'static> Param for PerThread<'static, [T]> {
    type Raw = *mut [T];
    type Bound<'k> = PerThread<'k, [T]>;
    type Extent = Extent;
    fn extent(raw: &Self::Raw) -> Extent {
        Extent(raw.len())
    }
    unsafe fn bind<'k>(raw: &'k Self::Raw) -> PerThread<'k, [T]> {
        // SAFETY: the caller's.
        PerThread(unsafe { &mut **raw })
    }
}

pub mod __private {
    pub use super::{Device, Error, Extent, Kernel, Param, Thread};
    use std::marker::PhantomData;

    pub mod bytemuck {
        pub unsafe trait Zeroable: Sized {}
        pub unsafe trait Pod: Zeroable + Copy + 'static {}
    }

    pub unsafe trait KernelArg: Copy + Send + Sync + 'static {}
    pub trait Shape {}
    impl Shape for () {}
    pub struct Chunk;
    pub struct Refused;

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum IndexWidth {
        Bits32,
        Bits64,
    }

    pub type Raw<K> = <<K as Signature>::Params as ParamList>::Raw;

    #[diagnostic::on_unimplemented(
        message = "`{Self}` is not a kernel or not an instance of one",
        note = "name it in `#[gpu_kernel(instances(...))]`"
    )]
    pub unsafe trait Signature: Sized + 'static {
        type Params: ParamList;
        const NAME: &'static str;
        const PARAMETERS: &'static [&'static str];
        const INDEX: IndexWidth;
        fn require(arguments: &Raw<Self>) -> Result<(), &'static str>;
        /// # Safety
        ///
        /// As for [`run_threads`].
        unsafe fn run<S: Shape>(shape: S, chunk: &Chunk, arguments: &Raw<Self>);
    }

    pub trait ParamList: 'static {
        type Raw;
        type Bound<'k>;
        type Extents;
        fn extents(raw: &Self::Raw) -> Self::Extents;
        /// # Safety
        ///
        /// As for [`Param::bind`].
        unsafe fn bind<'k>(raw: &'k Self::Raw) -> Self::Bound<'k>;
    }

    macro_rules! lists {
        ($(($($name:ident $position:tt)*))*) => { $(
            impl<$($name: Param),*> ParamList for ($($name,)*) {
                type Raw = ($($name::Raw,)*);
                type Bound<'k> = ($($name::Bound<'k>,)*);
                type Extents = ($($name::Extent,)*);
                fn extents(_raw: &Self::Raw) -> Self::Extents {
                    ($($name::extent(&_raw.$position),)*)
                }
                unsafe fn bind<'k>(_raw: &'k Self::Raw) -> Self::Bound<'k> {
                    // SAFETY: the caller's.
                    #[allow(unused_unsafe)]
                    unsafe { ($($name::bind(&_raw.$position),)*) }
                }
            }
        )* };
    }

    lists!(() (A 0) (A 0 B 1) (A 0 B 1 C 2));

    impl ParamList for Refused {
        type Raw = ();
        type Bound<'k> = ();
        type Extents = ();
        fn extents((): &()) {}
        unsafe fn bind<'k>((): &'k ()) {}
    }

    pub fn assert_param<P: Param>() {}
    pub fn assert_kernel_arg<T: KernelArg>() {}

    pub fn load<K: Signature>(_: &Device) -> Result<Kernel<K>, Error> {
        Ok(Kernel(PhantomData))
    }

    /// # Safety
    ///
    /// The arguments are those of the kernel, and nothing else uses what it writes.
    pub unsafe fn run_threads<P: ParamList, S: Shape, F>(_: S, _: &Chunk, arguments: &P::Raw, body: F)
    where
        F: for<'k> Fn(Thread<'k>, P::Bound<'k>),
    {
        // SAFETY: the caller's.
        body(Thread(PhantomData), unsafe { P::bind(arguments) });
    }

    pub mod requires {
        use super::Extent;

        pub trait Integer: Sized {
            fn checked_add(self, right: Self) -> Option<Self>;
            fn checked_sub(self, right: Self) -> Option<Self>;
            fn checked_mul(self, right: Self) -> Option<Self>;
            fn checked_div(self, right: Self) -> Option<Self>;
            fn checked_rem(self, right: Self) -> Option<Self>;
        }

        macro_rules! integers {
            ($($integer:ident)*) => { $(
                impl Integer for $integer {
                    integers!(@ $integer checked_add checked_sub checked_mul checked_div checked_rem);
                }
            )* };
            (@ $integer:ident $($function:ident)*) => { $(
                fn $function(self, right: Self) -> Option<Self> {
                    $integer::$function(self, right)
                }
            )* };
        }

        integers!(u32 usize i32);

        pub fn add<T: Integer>(left: T, right: T) -> Option<T> {
            left.checked_add(right)
        }
        pub fn sub<T: Integer>(left: T, right: T) -> Option<T> {
            left.checked_sub(right)
        }
        pub fn mul<T: Integer>(left: T, right: T) -> Option<T> {
            left.checked_mul(right)
        }
        pub fn div<T: Integer>(left: T, right: T) -> Option<T> {
            left.checked_div(right)
        }
        pub fn rem<T: Integer>(left: T, right: T) -> Option<T> {
            left.checked_rem(right)
        }
        pub fn len(extent: &Extent) -> usize {
            extent.len()
        }
        pub fn is_power_of_two(value: usize) -> bool {
            value.is_power_of_two()
        }
    }
}
