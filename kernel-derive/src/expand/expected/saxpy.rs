#[doc = r" y = a*x + y, one thread an element."]
#[allow(clippy::many_single_char_names)]
#[allow(non_camel_case_types, missing_debug_implementations)]
pub struct saxpy {}
#[allow(clippy::many_single_char_names)]
const _: () = {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    fn __body(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
        if let Some(y) = y.get_mut(t) {
            *y = a.mul_add(x[t.index()], *y);
        }
    }
    impl saxpy {
        #[doc = " Prepares this kernel for `device`, and checks that both agree on its parameters."]
        #[doc = ""]
        #[doc = " # Errors"]
        #[doc = ""]
        #[doc = " When the program holds no image of the kernel for the device, when the image differs from"]
        #[doc = " the host's idea of the parameters, and when the device refuses it."]
        pub fn load(
            device: &::gridwright::__private::Device,
        ) -> ::core::result::Result<::gridwright::__private::Kernel<Self>, ::gridwright::__private::Error>
        where
            Self: ::gridwright::__private::Signature,
        {
            ::gridwright::__private::load::<Self>(device)
        }
    }
    const _: fn() = || {
        ::gridwright::__private::assert_param::<f32>();
        ::gridwright::__private::assert_param::<&'static [f32]>();
        ::gridwright::__private::assert_param::<PerThread<'static, [f32]>>();
    };
    unsafe impl ::gridwright::__private::Signature for saxpy {
        type Params = (f32, &'static [f32], PerThread<'static, [f32]>);
        const NAME: &'static str = "saxpy";
        const PARAMETERS: &'static [&'static str] = &["a", "x", "y"];
        const INDEX: ::gridwright::__private::IndexWidth = ::gridwright::__private::IndexWidth::Bits32;
        fn require(
            arguments: &::gridwright::__private::Raw<Self>,
        ) -> ::core::result::Result<(), &'static str> {
            let _ = arguments;
            let (a, x, y) = <Self::Params as ::gridwright::__private::ParamList>::extents(arguments);
            let _ = (&a, &x, &y);
            if !((|| -> ::core::option::Option<bool> {
                ::core::option::Option::Some(
                    ::gridwright::__private::requires::len(&x) == ::gridwright::__private::requires::len(&y),
                )
            })() == ::core::option::Option::Some(true))
            {
                return ::core::result::Result::Err("x.len() == y.len()");
            }
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
                    |thread, (value_0, value_1, value_2)| __body(thread, value_0, value_1, value_2),
                )
            }
        }
    }
    #[cfg_attr(
        not(test),
        unsafe(
            export_name = "gridwright_kernel_names_must_be_unique_in_a_crate__gridwright_derive_0_1_0__saxpy"
        )
    )]
    #[cfg_attr(
        test,
        unsafe(
            export_name = "gridwright_kernel_names_must_be_unique_in_a_crate__gridwright_derive_0_1_0__saxpy__in_tests"
        )
    )]
    static UNIQUE: u8 = 0;
};
