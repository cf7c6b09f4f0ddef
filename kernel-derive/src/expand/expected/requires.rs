#[allow(non_camel_case_types, missing_debug_implementations)]
struct tested {}
const _: () = {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    fn __body(t: Thread, m: &Matrix<f32>, n: usize, x: &[f32], s: Settings) {}
    impl tested {
        #[doc = " Prepares this kernel for `device`, and checks that both agree on its parameters."]
        #[doc = ""]
        #[doc = " # Errors"]
        #[doc = ""]
        #[doc = " When the program holds no image of the kernel for the device, when the image differs from"]
        #[doc = " the host's idea of the parameters, and when the device refuses it."]
        fn load(
            device: &crate::__private::Device,
        ) -> ::core::result::Result<crate::__private::Kernel<Self>, crate::__private::Error>
        where
            Self: crate::__private::Signature,
        {
            crate::__private::load::<Self>(device)
        }
    }
    const _: fn() = || {
        crate::__private::assert_param::<&'static Matrix<f32>>();
        crate::__private::assert_param::<usize>();
        crate::__private::assert_param::<&'static [f32]>();
        crate::__private::assert_param::<Settings>();
    };
    unsafe impl crate::__private::Signature for tested {
        type Params = (&'static Matrix<f32>, usize, &'static [f32], Settings);
        const NAME: &'static str = "tested";
        const PARAMETERS: &'static [&'static str] = &["m", "n", "x", "s"];
        const INDEX: crate::__private::IndexWidth = crate::__private::IndexWidth::Bits64;
        fn require(arguments: &crate::__private::Raw<Self>) -> ::core::result::Result<(), &'static str> {
            let _ = arguments;
            let (m, n, x, s) = <Self::Params as crate::__private::ParamList>::extents(arguments);
            let _ = (&m, &n, &x, &s);
            if !((|| -> ::core::option::Option<bool> {
                ::core::option::Option::Some(
                    crate::__private::requires::div(
                        crate::__private::requires::mul(
                            crate::__private::requires::rows(&m),
                            ::core::convert::identity::<::core::primitive::usize>(n),
                        )?,
                        2,
                    )? >= crate::__private::requires::sub(crate::__private::requires::len(&x), 1)?,
                )
            })() == ::core::option::Option::Some(true))
            {
                return ::core::result::Result::Err("m.rows() * n / 2 >= x.len() - 1");
            }
            if !((|| -> ::core::option::Option<bool> {
                ::core::option::Option::Some(crate::__private::requires::is_power_of_two(
                    ::core::convert::identity::<::core::primitive::usize>(n),
                ))
            })() == ::core::option::Option::Some(true))
            {
                return ::core::result::Result::Err("n.is_power_of_two()");
            }
            if !((|| -> bool { x.len() == pairs(&s) })()) {
                return ::core::result::Result::Err("x.len() == pairs(&s)");
            }
            ::core::result::Result::Ok(())
        }
        #[inline(always)]
        unsafe fn run<__Shape: crate::__private::Shape>(
            shape: __Shape,
            chunk: &crate::__private::Chunk,
            arguments: &crate::__private::Raw<Self>,
        ) {
            unsafe {
                crate::__private::run_threads::<Self::Params, __Shape, _>(
                    shape,
                    chunk,
                    arguments,
                    |thread, (value_0, value_1, value_2, value_3)| {
                        __body(thread, value_0, value_1, value_2, value_3)
                    },
                )
            }
        }
    }
    #[cfg_attr(
        not(test),
        unsafe(
            export_name = "gridwright_kernel_names_must_be_unique_in_a_crate__gridwright_derive_0_1_0__tested"
        )
    )]
    #[cfg_attr(
        test,
        unsafe(
            export_name = "gridwright_kernel_names_must_be_unique_in_a_crate__gridwright_derive_0_1_0__tested__in_tests"
        )
    )]
    static UNIQUE: u8 = 0;
};
