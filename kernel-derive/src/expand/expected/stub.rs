::gridwright::__private::core::compile_error! { "a kernel can't be `async`: remove the `async`; `launch` itself doesn't wait for the kernel" }
::gridwright::__private::core::compile_error! { "a kernel can't take a `bool`, which must be 0 or 1 while bytes from a buffer need not be: take `u8` or `u32` and compare it with 0" }
#[allow(non_camel_case_types, missing_debug_implementations)]
pub struct refused<T> {
    #[doc(hidden)]
    __types: ::gridwright::__private::core::marker::PhantomData<fn() -> (T,)>,
}
const _: () = {
    impl<T> refused<T> {
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
    unsafe impl<T> ::gridwright::__private::Signature for refused<T>
    where
        T: 'static,
    {
        type Params = ::gridwright::__private::Refused;
        type Sizes = ::gridwright::__private::Refused;
        const NAME: &'static ::gridwright::__private::core::primitive::str = "refused";
        const PARAMETERS: &'static [&'static ::gridwright::__private::core::primitive::str] = &[];
        const ENTRY: &'static ::gridwright::__private::core::primitive::str = "refused";
        const IMAGES: &'static ::gridwright::__private::Images = &::gridwright::__private::Images {
            missing: "",
            images: &[],
            cpu: ::gridwright::__private::CpuCode::All,
        };
        const BOUNDS: ::gridwright::__private::Bounds = ::gridwright::__private::Bounds {
            rank: 3,
            index: ::gridwright::__private::IndexWidth::Bits32,
            block: ::gridwright::__private::core::option::Option::None,
            most_threads: ::gridwright::__private::core::option::Option::None,
            whole_groups: false,
            tile: ::gridwright::__private::core::option::Option::None,
        };
        const PARTITIONS: &'static [::gridwright::__private::PartitionLayout] = &[];
        const FIXED_BYTES: ::gridwright::__private::core::primitive::usize = 0;
        const CPU: ::gridwright::__private::CpuEntry =
            ::gridwright::__private::CpuEntry::Threads(::gridwright::__private::run_chunk::<Self>);
        const IS_UNSAFE: ::gridwright::__private::core::primitive::bool = false;
        fn require(
            _: &::gridwright::__private::Raw<Self>,
            _: ::gridwright::__private::GroupExtent,
            _: &[::gridwright::__private::core::primitive::usize],
        ) -> ::gridwright::__private::core::result::Result<
            (),
            &'static ::gridwright::__private::core::primitive::str,
        > {
            ::gridwright::__private::core::result::Result::Ok(())
        }
    }
    unsafe impl<T> ::gridwright::__private::ThreadKernel for refused<T>
    where
        T: 'static,
    {
        unsafe fn run<__Shape: ::gridwright::__private::Shape>(
            _: __Shape,
            _: &::gridwright::__private::Chunk,
            _: &::gridwright::__private::Raw<Self>,
        ) {
        }
    }
};
