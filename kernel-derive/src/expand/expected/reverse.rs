#[allow(non_camel_case_types, missing_debug_implementations)]
struct reverse {}
#[allow(unexpected_cfgs)]
const _: () = {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    unsafe fn __body(
        t: Thread,
        x: *mut u32,
        y: *const [f32; 2],
        n: usize,
        mut tile: Workgroup<[u32; 256]>,
        mut scratch: Workgroup<[f32]>,
    ) {
        unsafe { sync_threads(t) };
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    impl reverse {
        #[doc = " Prepares this kernel for `device`, and checks that both agree on its parameters."]
        #[doc = ""]
        #[doc = " # Errors"]
        #[doc = ""]
        #[doc = " When the program holds no image of the kernel for the device, when the image differs from"]
        #[doc = " the host's idea of the parameters, and when the device refuses it."]
        fn load(
            device: &::gridwright::__private::Device,
        ) -> ::core::result::Result<::gridwright::__private::UnsafeKernel<Self>, ::gridwright::__private::Error>
        where
            Self: ::gridwright::__private::Signature,
        {
            ::gridwright::__private::load_unsafe::<Self>(device)
        }
    }
    #[allow(unused_braces, unused_parens)]
    const __BLOCK: [::core::primitive::usize; 3] = [256, 1, 1];
    #[cfg(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), gridwright_entries))]
    const _: () = {
        #[unsafe(export_name = "reverse")]
        pub unsafe extern "gpu-kernel" fn __entry(
            pointer_0: *mut u32,
            pointer_1: *const [f32; 2],
            pointer_2: usize,
            len_4: ::core::primitive::u32,
        ) {
            unsafe {
                let thread_0 = ::gridwright::__private::thread_of_group::<
                    ::gridwright::__private::FixedBlock<{ __BLOCK[0] }, { __BLOCK[1] }, { __BLOCK[2] }>,
                    ::core::primitive::u32,
                    3,
                >();
                let value_0 = pointer_0;
                let value_1 = pointer_1;
                let value_2 = pointer_2;
                let mut memory_0 = ::gridwright::__private::memory_of_threads();
                let value_3 = memory_0.fixed::<[u32; 256]>();
                let value_4 = memory_0.partition::<f32>(len_4 as ::core::primitive::usize);
                {
                    let x = value_0;
                    let y = value_1;
                    let n = value_2;
                    let scratch =
                        ::gridwright::__private::SliceExtent { len: len_4 as ::core::primitive::usize };
                    ::core::hint::assert_unchecked(
                        (|| -> ::core::option::Option<bool> {
                            ::core::option::Option::Some(
                                ::core::convert::identity::<::core::primitive::usize>(n) <= 1000,
                            )
                        })() == ::core::option::Option::Some(true),
                    );
                }
                __body(thread_0, value_0, value_1, value_2, value_3, value_4)
            }
        }
        #[unsafe(export_name = "__gridwright_layout_reverse")]
        pub static __LAYOUT: [::core::primitive::u64; 8usize] = [
            <*mut u32 as ::gridwright::__private::Param>::LAYOUT.word(),
            <*const [f32; 2] as ::gridwright::__private::Param>::LAYOUT.word(),
            <usize as ::gridwright::__private::Param>::LAYOUT.word(),
            ::gridwright::__private::Layout::of::<[u32; 256]>().word(),
            ::gridwright::__private::Layout::of::<f32>().word(),
            __BLOCK[0] as ::core::primitive::u64,
            __BLOCK[1] as ::core::primitive::u64,
            __BLOCK[2] as ::core::primitive::u64,
        ];
        #[unsafe(export_name = "__gridwright_bounds_reverse")]
        pub static __BOUNDS: [::core::primitive::u32; 5] = [
            __BLOCK[0] as ::core::primitive::u32,
            __BLOCK[1] as ::core::primitive::u32,
            __BLOCK[2] as ::core::primitive::u32,
            0,
            0,
        ];
    };
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    const _: () = ::core::assert!(
        __BLOCK[0] > 0,
        "a block has at least one thread along each axis: leave axes out that it doesn't have, or write 1"
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    const _: () = <reverse as ::gridwright::__private::Signature>::IMAGES.check(
        "reverse",
        &[
            <*mut u32 as ::gridwright::__private::Param>::LAYOUT.word(),
            <*const [f32; 2] as ::gridwright::__private::Param>::LAYOUT.word(),
            <usize as ::gridwright::__private::Param>::LAYOUT.word(),
            ::gridwright::__private::Layout::of::<[u32; 256]>().word(),
            ::gridwright::__private::Layout::of::<f32>().word(),
            __BLOCK[0] as ::core::primitive::u64,
            __BLOCK[1] as ::core::primitive::u64,
            __BLOCK[2] as ::core::primitive::u64,
        ],
        &[
            ::core::mem::size_of::<*mut u32>(),
            ::core::mem::size_of::<*const [f32; 2]>(),
            ::core::mem::size_of::<usize>(),
            4,
        ],
        &[
            ::core::mem::size_of::<*mut u32>(),
            ::core::mem::size_of::<*const [f32; 2]>(),
            ::core::mem::size_of::<usize>(),
            4,
        ],
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl ::gridwright::__private::Signature for reverse {
        type Params = (*mut u32, *const [f32; 2], usize);
        const NAME: &'static str = "reverse";
        const PARAMETERS: &'static [&'static str] = &["x", "y", "n"];
        const ENTRY: &'static str = "reverse";
        const IMAGES: &'static ::gridwright::__private::Images = &::gridwright::__private::Images {
            missing: "its crate doesn't compile kernels for GPUs: add `gridwright-build` to the [build-dependencies] in Cargo.toml, and a build.rs with `fn main() { gridwright_build::compile_kernels() }`; or set GRIDWRIGHT_DEVICE=cpu",
            images: &[],
        };
        const BOUNDS: ::gridwright::__private::Bounds = ::gridwright::__private::Bounds {
            rank: if <Self::Params as ::gridwright::__private::ParamList>::RANK < 3 {
                <Self::Params as ::gridwright::__private::ParamList>::RANK
            } else {
                3
            },
            index: ::gridwright::__private::IndexWidth::Bits32,
            block: ::core::option::Option::Some(__BLOCK),
            most_threads: ::core::option::Option::None,
            whole_groups: true,
            tile: <Self::Params as ::gridwright::__private::ParamList>::TILE,
        };
        type Sizes = ((), f32);
        const PARTITIONS: &'static [::gridwright::__private::PartitionLayout] =
            &[::gridwright::__private::PartitionLayout::of::<f32>("scratch")];
        const FIXED_BYTES: ::core::primitive::usize =
            0 + ::gridwright::__private::partition_bytes(::core::mem::size_of::<[u32; 256]>());
        const CPU: ::gridwright::__private::Cpu = ::gridwright::__private::fibers::<Self>();
        fn require(
            arguments: &::gridwright::__private::Raw<Self>,
            group: ::gridwright::__private::GroupExtent,
            lens: &[::core::primitive::usize],
        ) -> ::core::result::Result<(), &'static str> {
            let _ = (arguments, &group, lens);
            let (x, y, n) = <Self::Params as ::gridwright::__private::ParamList>::extents(arguments);
            let _ = (&x, &y, &n);
            let scratch = ::gridwright::__private::SliceExtent { len: lens[0] };
            let _ = &scratch;
            if !((|| -> ::core::option::Option<bool> {
                ::core::option::Option::Some(::core::convert::identity::<::core::primitive::usize>(n) <= 1000)
            })() == ::core::option::Option::Some(true))
            {
                return ::core::result::Result::Err("n <= 1000");
            }
            ::core::result::Result::Ok(())
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl ::gridwright::__private::FiberKernel for reverse {
        #[inline(always)]
        unsafe fn run<__Copy>(
            thread: ::gridwright::__private::Thread<'_>,
            place: &::gridwright::__private::GroupPlace,
            arguments: &::gridwright::__private::Raw<Self>,
            memory: ::gridwright::__private::Memory<'_>,
        ) {
            unsafe {
                ::gridwright::__private::with_fiber_parameters::<Self::Params, _>(
                    place,
                    arguments,
                    |(value_0, value_1, value_2)| {
                        let mut memory = memory;
                        let value_3 = memory.fixed::<[u32; 256]>();
                        let value_4 = memory.partition::<f32>(memory.len(0));
                        __body(thread, value_0, value_1, value_2, value_3, value_4)
                    },
                )
            }
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    #[cfg_attr(
        not(test),
        unsafe(
            export_name = "gridwright_kernel_names_must_be_unique_in_a_crate__gridwright_derive_0_1_0__reverse"
        )
    )]
    #[cfg_attr(
        test,
        unsafe(
            export_name = "gridwright_kernel_names_must_be_unique_in_a_crate__gridwright_derive_0_1_0__reverse__in_tests"
        )
    )]
    static UNIQUE: u8 = 0;
};
