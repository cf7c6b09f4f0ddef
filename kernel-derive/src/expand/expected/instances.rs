#[allow(non_camel_case_types, missing_debug_implementations)]
struct scale<T, const N: usize> {
    #[doc(hidden)]
    __types: ::core::marker::PhantomData<fn() -> (T,)>,
}
const _: () = {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    fn __body<'a, T: Real, const N: usize>(t: Thread, by: T, mut x: PerThread<'a, [[T; N]]>) {}
    impl<T, const N: usize> scale<T, N> {
        #[doc = " Prepares this kernel for `device`, and checks that both agree on its parameters."]
        #[doc = ""]
        #[doc = " # Errors"]
        #[doc = ""]
        #[doc = " When the program holds no image of the kernel for the device, when the image differs from"]
        #[doc = " the host's idea of the parameters, and when the device refuses it."]
        fn load(
            device: &::gridwright::__private::Device,
        ) -> ::core::result::Result<::gridwright::__private::Kernel<Self>, ::gridwright::__private::Error>
        where
            Self: ::gridwright::__private::Signature,
        {
            ::gridwright::__private::load::<Self>(device)
        }
    }
    const _: () = {
        type __Instance0 = f32;
        #[allow(unused_braces, unused_parens)]
        const __Instance1: usize = 4;
        const _: () = {
            type T = __Instance0;
            const N: usize = __Instance1;
            const _: fn() = || {
                ::gridwright::__private::assert_param::<T>();
                ::gridwright::__private::assert_param::<PerThread<'static, [[T; N]]>>();
            };
            unsafe impl ::gridwright::__private::Signature for scale<T, N> {
                type Params = (T, PerThread<'static, [[T; N]]>);
                const NAME: &'static str = "scale<f32, 4>";
                const PARAMETERS: &'static [&'static str] = &["by", "x"];
                const INDEX: ::gridwright::__private::IndexWidth =
                    ::gridwright::__private::IndexWidth::Bits32;
                fn require(
                    arguments: &::gridwright::__private::Raw<Self>,
                ) -> ::core::result::Result<(), &'static str> {
                    let _ = arguments;
                    ::core::result::Result::Ok(())
                }
                #[inline(always)]
                unsafe fn run<__Shape: ::gridwright::__private::Shape>(
                    shape: __Shape,
                    chunk: &::gridwright::__private::Chunk,
                    arguments: &::gridwright::__private::Raw<Self>,
                ) {
                    unsafe {
                        ::gridwright::__private::run_threads::<Self::Params, __Shape, _>(
                            shape,
                            chunk,
                            arguments,
                            |thread, (value_0, value_1)| __body::<T, N>(thread, value_0, value_1),
                        )
                    }
                }
            }
        };
    };
    const _: () = {
        type __Instance0 = f64;
        #[allow(unused_braces, unused_parens)]
        const __Instance1: usize = 8;
        const _: () = {
            type T = __Instance0;
            const N: usize = __Instance1;
            const _: fn() = || {
                ::gridwright::__private::assert_param::<T>();
                ::gridwright::__private::assert_param::<PerThread<'static, [[T; N]]>>();
            };
            unsafe impl ::gridwright::__private::Signature for scale<T, N> {
                type Params = (T, PerThread<'static, [[T; N]]>);
                const NAME: &'static str = "scale<f64, 8>";
                const PARAMETERS: &'static [&'static str] = &["by", "x"];
                const INDEX: ::gridwright::__private::IndexWidth =
                    ::gridwright::__private::IndexWidth::Bits32;
                fn require(
                    arguments: &::gridwright::__private::Raw<Self>,
                ) -> ::core::result::Result<(), &'static str> {
                    let _ = arguments;
                    ::core::result::Result::Ok(())
                }
                #[inline(always)]
                unsafe fn run<__Shape: ::gridwright::__private::Shape>(
                    shape: __Shape,
                    chunk: &::gridwright::__private::Chunk,
                    arguments: &::gridwright::__private::Raw<Self>,
                ) {
                    unsafe {
                        ::gridwright::__private::run_threads::<Self::Params, __Shape, _>(
                            shape,
                            chunk,
                            arguments,
                            |thread, (value_0, value_1)| __body::<T, N>(thread, value_0, value_1),
                        )
                    }
                }
            }
        };
    };
    #[cfg_attr(
        not(test),
        unsafe(
            export_name = "gridwright_kernel_names_must_be_unique_in_a_crate__gridwright_derive_0_1_0__scale"
        )
    )]
    #[cfg_attr(
        test,
        unsafe(
            export_name = "gridwright_kernel_names_must_be_unique_in_a_crate__gridwright_derive_0_1_0__scale__in_tests"
        )
    )]
    static UNIQUE: u8 = 0;
};
