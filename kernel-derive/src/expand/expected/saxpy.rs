#[doc = r" y = a*x + y, one thread an element."]
#[allow(clippy::many_single_char_names)]
#[allow(non_camel_case_types, missing_debug_implementations)]
pub struct saxpy {}
#[allow(clippy::many_single_char_names)]
#[allow(unexpected_cfgs)]
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
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
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
    #[cfg(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), gridwright_entries))]
    const _: () = {
        #[unsafe(export_name = "saxpy")]
        pub unsafe extern "gpu-kernel" fn __entry(
            last_0: ::core::primitive::u32,
            pointer_0: f32,
            pointer_1: &[f32; 0],
            len_1: ::core::primitive::usize,
            pointer_2: ::core::ptr::NonNull<f32>,
            len_2: ::core::primitive::usize,
            owned_2: ::core::primitive::u32,
        ) {
            unsafe {
                let thread_0 = ::gridwright::__private::any_thread([last_0]);
                let len_1 = len_2;
                let value_0 = pointer_0;
                let value_1 = ::gridwright::__private::read_slice::<f32>(pointer_1, len_1);
                let value_2 = ::gridwright::__private::own_slice::<f32, ::gridwright::__private::Linear, _>(
                    pointer_2, len_2, owned_2,
                );
                {
                    let a = value_0;
                    let x = ::gridwright::__private::SliceExtent { len: len_1 };
                    let y = ::gridwright::__private::SliceExtent { len: len_2 };
                    ::core::hint::assert_unchecked(
                        (|| -> ::core::option::Option<bool> {
                            ::core::option::Option::Some(
                                ::gridwright::__private::requires::len(&x)
                                    == ::gridwright::__private::requires::len(&y),
                            )
                        })() == ::core::option::Option::Some(true),
                    );
                }
                __body(thread_0, value_0, value_1, value_2)
            }
        }
        #[unsafe(export_name = "__gridwright_layout_saxpy")]
        pub static __LAYOUT: [::core::primitive::u64; 3usize] = [
            <f32 as ::gridwright::__private::Param>::LAYOUT.word(),
            <&'static [f32] as ::gridwright::__private::Param>::LAYOUT.word(),
            <PerThread<'static, [f32]> as ::gridwright::__private::Param>::LAYOUT.word(),
        ];
    };
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    const _: () = <saxpy as ::gridwright::__private::Signature>::IMAGES.check(
        "saxpy",
        &[
            <f32 as ::gridwright::__private::Param>::LAYOUT.word(),
            <&'static [f32] as ::gridwright::__private::Param>::LAYOUT.word(),
            <PerThread<'static, [f32]> as ::gridwright::__private::Param>::LAYOUT.word(),
        ],
        &[4usize, ::core::mem::size_of::<f32>(), 8, 8, 8, 8, 4usize],
        &[4usize, ::core::mem::size_of::<f32>(), 8, 8, 8, 8, 4usize],
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl ::gridwright::__private::Signature for saxpy {
        type Params = (f32, &'static [f32], PerThread<'static, [f32]>);
        const NAME: &'static str = "saxpy";
        const PARAMETERS: &'static [&'static str] = &["a", "x", "y"];
        const ENTRY: &'static str = "saxpy";
        const IMAGES: &'static ::gridwright::__private::Images = &::gridwright::__private::Images {
            missing: "its crate doesn't compile kernels for GPUs: add `gridwright-build` to the [build-dependencies] in Cargo.toml, and a build.rs with `fn main() { gridwright_build::compile_kernels() }`; or set GRIDWRIGHT_DEVICE=cpu",
            images: &[],
        };
        const BOUNDS: ::gridwright::__private::Bounds = ::gridwright::__private::Bounds {
            rank: if <Self::Params as ::gridwright::__private::ParamList>::RANK < 1 {
                <Self::Params as ::gridwright::__private::ParamList>::RANK
            } else {
                1
            },
            index: ::gridwright::__private::IndexWidth::Bits32,
            block: ::core::option::Option::None,
            most_threads: ::core::option::Option::None,
            whole_groups: false,
            tile: <Self::Params as ::gridwright::__private::ParamList>::TILE,
        };
        type Sizes = ();
        const PARTITIONS: &'static [::gridwright::__private::PartitionLayout] = &[];
        const FIXED_BYTES: ::core::primitive::usize = 0;
        const CPU: ::gridwright::__private::Cpu =
            ::gridwright::__private::Cpu::Threads(::gridwright::__private::run_chunk::<Self>);
        fn require(
            arguments: &::gridwright::__private::Raw<Self>,
            group: ::gridwright::__private::GroupExtent,
            lens: &[::core::primitive::usize],
        ) -> ::core::result::Result<(), &'static str> {
            let _ = (arguments, &group, lens);
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
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl ::gridwright::__private::ThreadKernel for saxpy {
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
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
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
