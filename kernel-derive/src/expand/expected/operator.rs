#[doc = r" Documented."]
#[derive(
    gridwright :: __private :: core :: clone :: Clone,
    gridwright :: __private :: core :: marker :: Copy,
    gridwright :: __private :: core :: fmt :: Debug,
    gridwright :: __private :: KernelArgDerive,
)]
#[repr(C)]
# [kernel_arg (crate = gridwright)]
pub struct Affine {
    pub scale: f32,
    shift: f32,
}
impl gridwright::__private::Operator<(f32, (f32, u32))> for Affine {
    type Output = f32;
    #[inline]
    #[allow(unused_braces, unused_variables)]
    fn call(&self, given: (f32, (f32, u32))) -> f32 {
        let Self { scale, shift } = *self;
        let (x, (y, _)) = given;
        { x * scale + y }
    }
}
#[derive(
    gridwright :: __private :: core :: clone :: Clone,
    gridwright :: __private :: core :: marker :: Copy,
    gridwright :: __private :: core :: fmt :: Debug,
    gridwright :: __private :: KernelArgDerive,
)]
#[repr(C)]
# [kernel_arg (crate = gridwright)]
struct Larger;
impl<T: PartialOrd> gridwright::__private::Operator<(T, T)> for Larger {
    type Output = T;
    #[inline]
    #[allow(unused_braces, unused_variables)]
    fn call(&self, given: (T, T)) -> T {
        let Self {} = *self;
        let (a, b) = given;
        { if a < b { b } else { a } }
    }
}
