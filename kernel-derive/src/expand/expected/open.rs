#[allow(non_camel_case_types, missing_debug_implementations)]
pub struct tiled<T, O, const N: usize> {
    #[doc(hidden)]
    __types: ::gridwright::__private::core::marker::PhantomData<fn() -> (T, O)>,
}
#[doc(hidden)]
#[allow(unused_macros)]
#[macro_export]
macro_rules ! __gridwright_tiled_7 { ([$ ($ callback : tt) *] $ given : tt) => { $ ($ callback) * ! { $ given { group g , u32 , on , cpu on , block 2 , max_threads false , min_groups false , first none , (op : value __Part0 , n : number usize , x : spelled & [__Part1] , m : spelled & __gridwright :: Matrix < __Part2 > , picture : spelled & __gridwright :: Texture2d < __Part3 > , out : surface 2 __gridwright :: Surface2d < __Part4 > , y : spelled __gridwright :: PerThread < [__Part5] , __Part6 > , z : placed __gridwright :: PerGroup < __gridwright :: Matrix < __Part7 > , __Part8 > , tile : fixed __gridwright :: Workgroup < __Part9 > , w : spelled __gridwright :: Workgroup < [__Part10] >) , (fixed "x.len() == n" , free 1 "fits::<N>(x)") } } } ; }
#[doc(hidden)]
#[allow(unused_imports)]
pub use __gridwright_tiled_7 as tiled;
#[allow(unexpected_cfgs)]
const _: () = {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    fn __body<
        '__workgroup,
        T: Real,
        O: Op<T>,
        const N: usize,
        __Shape: ::gridwright::__private::GroupShape,
    >(
        g: &Group<'_, __Shape>,
        op: O,
        n: usize,
        x: &[T],
        m: &gw::Matrix<[T; 2]>,
        picture: &Texture2d<f32>,
        mut out: Surface2d<f32>,
        mut y: PerThread<[T], Reversed>,
        mut z: PerGroup<Matrix<T>, PlacedTiles<4, 4, Offset>>,
        mut tile: Workgroup<'__workgroup, [[T; N]; 4]>,
        mut w: Workgroup<'__workgroup, [T]>,
    ) {
    }
    unsafe impl<T: Real, O: Op<T>, const N: usize> ::gridwright::__private::GenericKernel for tiled<T, O, N> {
        type Params = (
            O,
            usize,
            &'static [T],
            &'static gw::Matrix<[T; 2]>,
            &'static Texture2d<f32>,
            Surface2d<'static, f32>,
            PerThread<'static, [T], Reversed>,
            PerGroup<'static, Matrix<T>, PlacedTiles<4, 4, Offset>>,
        );
        type Sizes = ((), T);
        type Parts = (
            O,
            (
                T,
                (
                    [T; 2],
                    (f32, (f32, (T, (Reversed, (T, (PlacedTiles<4, 4, Offset>, ([[T; N]; 4], (T, ())))))))),
                ),
            ),
        );
        const DESCRIPTION: &'static ::gridwright::__private::core::primitive::str = "group g , u32 , on , cpu on , block 2 , max_threads false , min_groups false , first none , ( op : value __Part0 , n : number usize , x : spelled & [ __Part1 ] , m : spelled & __gridwright : : Matrix < __Part2 > , picture : spelled & __gridwright : : Texture2d < __Part3 > , out : surface 2 __gridwright : : Surface2d < __Part4 > , y : spelled __gridwright : : PerThread < [ __Part5 ] , __Part6 > , z : placed __gridwright : : PerGroup < __gridwright : : Matrix < __Part7 > , __Part8 > , tile : fixed __gridwright : : Workgroup < __Part9 > , w : spelled __gridwright : : Workgroup < [ __Part10 ] > ) , ( fixed \"x.len() == n\" , free 1 \"fits::<N>(x)\" ) ";
        #[allow(unused_braces, unused_parens)]
        const BLOCK: [::gridwright::__private::core::primitive::usize; 3] = [N, 4, 1];
    }
    #[allow(private_interfaces, private_bounds)]
    impl<T: Real, O: Op<T>, const N: usize> tiled<T, O, N> {
        #[inline(always)]
        #[allow(
            clippy::extra_unused_lifetimes,
            clippy::inline_always,
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            elided_lifetimes_in_paths
        )]
        #[doc(hidden)]
        pub fn __body<'__level, '__lent: '__level, __Shape: ::gridwright::__private::GroupShape>(
            given_0: &'__level Group<'_, __Shape>,
            given_1: O,
            given_2: usize,
            given_3: &'__lent [T],
            given_4: &'__lent gw::Matrix<[T; 2]>,
            given_5: &'__lent Texture2d<f32>,
            given_6: Surface2d<'__lent, f32>,
            given_7: PerThread<'__lent, [T], Reversed>,
            given_8: PerGroup<'__lent, Matrix<T>, PlacedTiles<4, 4, Offset>>,
            given_9: Workgroup<'__lent, [[T; N]; 4]>,
            given_10: Workgroup<'__lent, [T]>,
        ) {
            let () = __body::<T, O, N, _>(
                given_0, given_1, given_2, given_3, given_4, given_5, given_6, given_7, given_8, given_9,
                given_10,
            );
        }
        #[inline(always)]
        #[allow(clippy::inline_always, clippy::needless_pass_by_value, clippy::too_many_arguments)]
        #[doc(hidden)]
        pub fn __condition_1(
            g: ::gridwright::__private::GroupExtent,
            op: <O as ::gridwright::__private::Param>::Extent,
            n: <usize as ::gridwright::__private::Param>::Extent,
            x: <&'static [T] as ::gridwright::__private::Param>::Extent,
            m: <&'static gw::Matrix<[T; 2]> as ::gridwright::__private::Param>::Extent,
            picture: <&'static Texture2d<f32> as ::gridwright::__private::Param>::Extent,
            out: <Surface2d<'static, f32> as ::gridwright::__private::Param>::Extent,
            y: <PerThread<'static, [T], Reversed> as ::gridwright::__private::Param>::Extent,
            z : < PerGroup < 'static , Matrix < T > , PlacedTiles < 4 , 4 , Offset > > as :: gridwright :: __private :: Param > :: Extent,
            w: ::gridwright::__private::SliceExtent,
        ) -> ::gridwright::__private::core::primitive::bool {
            let _ = (&g, &op, &n, &x, &m, &picture, &out, &y, &z, &w);
            fits::<N>(x)
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    impl<T, O, const N: usize> tiled<T, O, N> {
        #[doc = " Prepares this kernel for `device`, and checks that both agree on its parameters."]
        #[doc = ""]
        #[doc = " # Errors"]
        #[doc = ""]
        #[doc = " When the program holds no image of the kernel for the device, when the image differs from"]
        #[doc = " the host's idea of the parameters, and when the device refuses it."]
        pub fn load(
            device: &::gridwright::__private::Device,
        ) -> ::gridwright::__private::core::result::Result<
            ::gridwright::__private::Kernel<Self>,
            ::gridwright::__private::Error,
        >
        where
            Self: ::gridwright::__private::Signature,
        {
            ::gridwright::__private::load::<Self>(device)
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    # [cfg_attr (not (test) , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::tiled")))]
    # [cfg_attr (test , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::tiled__in_tests")))]
    static UNIQUE: ::gridwright::__private::core::primitive::u8 = 0;
};
