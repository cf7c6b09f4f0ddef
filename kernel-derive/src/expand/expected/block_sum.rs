#[allow(non_camel_case_types, missing_debug_implementations)]
struct block_sum {}
#[allow(unexpected_cfgs)]
const _: () = {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    fn __body<__Shape: ::gridwright::__private::GroupShape>(
        g: &Group<'_, __Shape>,
        x: &[f32],
        mut out: PerGroup<[f32]>,
        mut scratch: Workgroup<[f32]>,
    ) {
        g.each(scratch.each_mut(), |t, s| *s = x.get(t.index()).copied().unwrap_or(0.0));
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    impl block_sum {
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
    #[cfg(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), gridwright_entries))]
    const _: () = {
        #[unsafe(export_name = "block_sum")]
        pub unsafe extern "gpu-kernel" fn __entry(
            pointer_0: &[f32; 0],
            len_0: ::core::primitive::usize,
            pointer_1: ::core::ptr::NonNull<f32>,
            len_1: ::core::primitive::usize,
            len_2: ::core::primitive::u32,
        ) {
            unsafe {
                let group_0 = ::gridwright::__private::group::<
                    ::gridwright::__private::AnyBlock<1>,
                    ::core::primitive::u32,
                    1,
                >();
                let value_0 = ::gridwright::__private::read_slice::<f32>(pointer_0, len_0);
                let value_1 = ::gridwright::__private::per_group::<f32>(pointer_1, len_1, group_0.index());
                let mut memory_0 = ::gridwright::__private::memory();
                let value_2 = memory_0.partition::<f32>(len_2 as ::core::primitive::usize);
                {
                    let g = ::gridwright::__private::GroupExtent { len: group_0.len() };
                    let x = ::gridwright::__private::SliceExtent { len: len_0 };
                    let out = ::gridwright::__private::SliceExtent { len: len_1 };
                    let scratch =
                        ::gridwright::__private::SliceExtent { len: len_2 as ::core::primitive::usize };
                    ::core::hint::assert_unchecked(
                        (|| -> ::core::option::Option<bool> {
                            ::core::option::Option::Some(
                                ::gridwright::__private::requires::len(&scratch)
                                    == ::gridwright::__private::requires::len(&g),
                            )
                        })() == ::core::option::Option::Some(true),
                    );
                    ::core::hint::assert_unchecked(
                        (|| -> ::core::option::Option<bool> {
                            ::core::option::Option::Some(::gridwright::__private::requires::is_power_of_two(
                                ::gridwright::__private::requires::len(&g),
                            ))
                        })() == ::core::option::Option::Some(true),
                    );
                }
                __body(&group_0, value_0, value_1, value_2)
            }
        }
        #[unsafe(export_name = "__gridwright_layout_block_sum")]
        pub static __LAYOUT: [::core::primitive::u64; 3usize] = [
            <&'static [f32] as ::gridwright::__private::Param>::LAYOUT.word(),
            <PerGroup<'static, [f32]> as ::gridwright::__private::Param>::LAYOUT.word(),
            ::gridwright::__private::Layout::of::<f32>().word(),
        ];
        #[unsafe(export_name = "__gridwright_group_block_sum")]
        pub static __GROUP: ::core::primitive::u8 = 1;
    };
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    const _: () = <block_sum as ::gridwright::__private::Signature>::IMAGES.check(
        "block_sum",
        &[
            <&'static [f32] as ::gridwright::__private::Param>::LAYOUT.word(),
            <PerGroup<'static, [f32]> as ::gridwright::__private::Param>::LAYOUT.word(),
            ::gridwright::__private::Layout::of::<f32>().word(),
        ],
        &[8, 8, 8, 8, 4],
        &[8, 8, 8, 8, 4],
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl ::gridwright::__private::Signature for block_sum {
        type Params = (&'static [f32], PerGroup<'static, [f32]>);
        const NAME: &'static str = "block_sum";
        const PARAMETERS: &'static [&'static str] = &["x", "out"];
        const ENTRY: &'static str = "block_sum";
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
            whole_groups: true,
            tile: <Self::Params as ::gridwright::__private::ParamList>::TILE,
        };
        type Sizes = ((), f32);
        const PARTITIONS: &'static [::gridwright::__private::PartitionLayout] =
            &[::gridwright::__private::PartitionLayout::of::<f32>("scratch")];
        const FIXED_BYTES: ::core::primitive::usize = ::gridwright::__private::COLLECTIVE_BYTES;
        const CPU: ::gridwright::__private::Cpu =
            ::gridwright::__private::Cpu::Groups(::gridwright::__private::run_groups::<Self>);
        fn require(
            arguments: &::gridwright::__private::Raw<Self>,
            group: ::gridwright::__private::GroupExtent,
            lens: &[::core::primitive::usize],
        ) -> ::core::result::Result<(), &'static str> {
            let _ = (arguments, &group, lens);
            let (x, out) = <Self::Params as ::gridwright::__private::ParamList>::extents(arguments);
            let _ = (&x, &out);
            let g = group;
            let _ = &g;
            let scratch = ::gridwright::__private::SliceExtent { len: lens[0] };
            let _ = &scratch;
            if !((|| -> ::core::option::Option<bool> {
                ::core::option::Option::Some(
                    ::gridwright::__private::requires::len(&scratch)
                        == ::gridwright::__private::requires::len(&g),
                )
            })() == ::core::option::Option::Some(true))
            {
                return ::core::result::Result::Err("scratch.len() == g.len()");
            }
            if !((|| -> ::core::option::Option<bool> {
                ::core::option::Option::Some(::gridwright::__private::requires::is_power_of_two(
                    ::gridwright::__private::requires::len(&g),
                ))
            })() == ::core::option::Option::Some(true))
            {
                return ::core::result::Result::Err("g.len().is_power_of_two()");
            }
            ::core::result::Result::Ok(())
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl ::gridwright::__private::GroupKernel for block_sum {
        type Block = ::gridwright::__private::AnyBlock<1>;
        #[inline(always)]
        unsafe fn run<__Shape: ::gridwright::__private::GroupShape>(
            group: &::gridwright::__private::Group<'_, __Shape>,
            arguments: &::gridwright::__private::Raw<Self>,
            memory: ::gridwright::__private::Memory<'_>,
        ) {
            unsafe {
                ::gridwright::__private::with_parameters::<Self::Params, __Shape, _>(
                    group,
                    arguments,
                    |(value_0, value_1)| {
                        let mut memory = memory;
                        let value_2 = memory.partition::<f32>(memory.len(0));
                        __body(group, value_0, value_1, value_2)
                    },
                )
            }
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    #[cfg_attr(
        not(test),
        unsafe(
            export_name = "gridwright_kernel_names_must_be_unique_in_a_crate__gridwright_derive_0_1_0__block_sum"
        )
    )]
    #[cfg_attr(
        test,
        unsafe(
            export_name = "gridwright_kernel_names_must_be_unique_in_a_crate__gridwright_derive_0_1_0__block_sum__in_tests"
        )
    )]
    static UNIQUE: u8 = 0;
};
