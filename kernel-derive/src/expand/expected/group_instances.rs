#[allow(non_camel_case_types, missing_debug_implementations)]
struct sorted<T, const N: usize> {
    #[doc(hidden)]
    __types: ::core::marker::PhantomData<fn() -> (T,)>,
}
#[allow(unexpected_cfgs)]
const _: () = {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    fn __body<T: Real, const N: usize, __Shape: ::gridwright::__private::GroupShape>(
        g: &gw::Group<'_, __Shape>,
        mut keys: Workgroup<[u32]>,
        v: &Volume<T>,
        mut tile: Workgroup<[T; N]>,
        mut values: Workgroup<[T]>,
        mut y: PerThread<'_, [T], Reversed>,
        mut z: PerGroup<Matrix<T>>,
    ) {
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    impl<T, const N: usize> sorted<T, N> {
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
            #[allow(unused_braces, unused_parens)]
            const __BLOCK: [::core::primitive::usize; 3] = [2 * N, 1, 1];
            #[allow(unused_braces, unused_parens)]
            const __MAX_THREADS: ::core::primitive::usize = 64;
            #[allow(unused_braces, unused_parens)]
            const __MIN_GROUPS: ::core::primitive::usize = 2;
            #[cfg(all(
                any(target_arch = "nvptx64", target_arch = "amdgpu"),
                gridwright_uncontracted_entries
            ))]
            const _: () = {
                #[unsafe(export_name = "sorted_f32_4")]
                pub unsafe extern "gpu-kernel" fn __entry(
                    pointer_1: &[T; 0],
                    planes_1: ::core::primitive::u32,
                    rows_1: ::core::primitive::u32,
                    cols_1: ::core::primitive::u32,
                    pointer_4: ::core::ptr::NonNull<T>,
                    len_4: ::core::primitive::usize,
                    owned_4: ::core::primitive::u32,
                    pointer_5: ::core::ptr::NonNull<T>,
                    rows_5: ::core::primitive::u32,
                    cols_5: ::core::primitive::u32,
                    len_0: ::core::primitive::u32,
                    len_3: ::core::primitive::u32,
                ) {
                    unsafe {
                        let group_0 = ::gridwright::__private::group::<
                            ::gridwright::__private::FixedBlock<
                                { __BLOCK[0] },
                                { __BLOCK[1] },
                                { __BLOCK[2] },
                            >,
                            ::core::primitive::u32,
                            1,
                        >();
                        let planes_1 = len_0;
                        let value_1 =
                            ::gridwright::__private::read_volume::<T>(pointer_1, planes_1, rows_1, cols_1);
                        let value_4 =
                            ::gridwright::__private::own_slice::<T, Reversed, _>(pointer_4, len_4, owned_4);
                        let value_5 =
                            ::gridwright::__private::per_group_matrix::<T>(pointer_5, rows_5, cols_5);
                        let mut memory_0 = ::gridwright::__private::memory();
                        let value_2 = memory_0.fixed::<[T; N]>();
                        let value_0 = memory_0.partition::<u32>(len_0 as ::core::primitive::usize);
                        let value_3 = memory_0.partition::<T>(len_3 as ::core::primitive::usize);
                        {
                            let g = ::gridwright::__private::GroupExtent { len: group_0.len() };
                            let keys = ::gridwright::__private::SliceExtent {
                                len: len_0 as ::core::primitive::usize,
                            };
                            let v = ::gridwright::__private::VolumeExtent {
                                planes: planes_1 as ::core::primitive::usize,
                                rows: rows_1 as ::core::primitive::usize,
                                cols: cols_1 as ::core::primitive::usize,
                            };
                            let values = ::gridwright::__private::SliceExtent {
                                len: len_3 as ::core::primitive::usize,
                            };
                            let y = ::gridwright::__private::SliceExtent { len: len_4 };
                            let z = ::gridwright::__private::MatrixExtent {
                                rows: rows_5 as ::core::primitive::usize,
                                cols: cols_5 as ::core::primitive::usize,
                            };
                            ::core::assert!(
                                (|| -> bool { keys.len() >= N })(),
                                "the kernel requires `{}`",
                                "keys.len() >= N"
                            );
                            ::core::hint::assert_unchecked(
                                (|| -> ::core::option::Option<bool> {
                                    ::core::option::Option::Some(
                                        ::gridwright::__private::requires::planes(&v)
                                            == ::gridwright::__private::requires::len(&keys),
                                    )
                                })() == ::core::option::Option::Some(true),
                            );
                        }
                        __body::<T, N, _>(&group_0, value_0, &value_1, value_2, value_3, value_4, value_5)
                    }
                }
                #[unsafe(export_name = "__gridwright_layout_sorted_f32_4")]
                pub static __LAYOUT: [::core::primitive::u64; 9usize] = [
                    <&'static Volume<T> as ::gridwright::__private::Param>::LAYOUT.word(),
                    <PerThread<'static, [T], Reversed> as ::gridwright::__private::Param>::LAYOUT.word(),
                    <PerGroup<'static, Matrix<T>> as ::gridwright::__private::Param>::LAYOUT.word(),
                    ::gridwright::__private::Layout::of::<[T; N]>().word(),
                    ::gridwright::__private::Layout::of::<u32>().word(),
                    ::gridwright::__private::Layout::of::<T>().word(),
                    __BLOCK[0] as ::core::primitive::u64,
                    __BLOCK[1] as ::core::primitive::u64,
                    __BLOCK[2] as ::core::primitive::u64,
                ];
                #[unsafe(export_name = "__gridwright_group_sorted_f32_4")]
                pub static __GROUP: ::core::primitive::u8 = 1;
                #[unsafe(export_name = "__gridwright_bounds_sorted_f32_4")]
                pub static __BOUNDS: [::core::primitive::u32; 5] = [
                    __BLOCK[0] as ::core::primitive::u32,
                    __BLOCK[1] as ::core::primitive::u32,
                    __BLOCK[2] as ::core::primitive::u32,
                    __MAX_THREADS as ::core::primitive::u32,
                    __MIN_GROUPS as ::core::primitive::u32,
                ];
            };
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            const _: () = ::core::assert!(
                __BLOCK[0] > 0,
                "a block has at least one thread along each axis: leave axes out that it doesn't have, or write 1"
            );
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            const _: () = ::core::assert!(
                __MAX_THREADS > 0,
                "a group has at least one thread: raise `max_threads`, or leave it out"
            );
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            const _: () = ::core::assert!(
                __MAX_THREADS == 0
                    || __MAX_THREADS >= __BLOCK[0].saturating_mul(__BLOCK[1]).saturating_mul(__BLOCK[2]),
                "a group has at least as many threads as the declared `block`: raise `max_threads`, or leave it out, since the block says it already"
            );
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            const _: () = ::core::assert!(
                __MIN_GROUPS > 0,
                "at least one group fits a GPU's core: raise `min_groups`, or leave it out"
            );
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            const _: () = <sorted<T, N> as ::gridwright::__private::Signature>::IMAGES.check(
                "sorted_f32_4",
                &[
                    <&'static Volume<T> as ::gridwright::__private::Param>::LAYOUT.word(),
                    <PerThread<'static, [T], Reversed> as ::gridwright::__private::Param>::LAYOUT.word(),
                    <PerGroup<'static, Matrix<T>> as ::gridwright::__private::Param>::LAYOUT.word(),
                    ::gridwright::__private::Layout::of::<[T; N]>().word(),
                    ::gridwright::__private::Layout::of::<u32>().word(),
                    ::gridwright::__private::Layout::of::<T>().word(),
                    __BLOCK[0] as ::core::primitive::u64,
                    __BLOCK[1] as ::core::primitive::u64,
                    __BLOCK[2] as ::core::primitive::u64,
                ],
                &[8, 4, 4, 4, 8, 8, 4usize, 8, 4, 4, 4, 4],
                &[8, 4, 4, 4, 8, 8, 4usize, 8, 4, 4, 4, 4],
            );
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            unsafe impl ::gridwright::__private::Signature for sorted<T, N> {
                type Params =
                    (&'static Volume<T>, PerThread<'static, [T], Reversed>, PerGroup<'static, Matrix<T>>);
                const NAME: &'static str = "sorted<f32, 4>";
                const PARAMETERS: &'static [&'static str] = &["v", "y", "z"];
                const ENTRY: &'static str = "sorted_f32_4";
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
                    block: ::core::option::Option::Some(__BLOCK),
                    most_threads: ::core::option::Option::Some(__MAX_THREADS),
                    whole_groups: true,
                    tile: <Self::Params as ::gridwright::__private::ParamList>::TILE,
                };
                type Sizes = (((), u32), T);
                const PARTITIONS: &'static [::gridwright::__private::PartitionLayout] = &[
                    ::gridwright::__private::PartitionLayout::of::<u32>("keys"),
                    ::gridwright::__private::PartitionLayout::of::<T>("values"),
                ];
                const FIXED_BYTES: ::core::primitive::usize = ::gridwright::__private::COLLECTIVE_BYTES
                    + ::gridwright::__private::partition_bytes(::core::mem::size_of::<[T; N]>());
                const CPU: ::gridwright::__private::Cpu =
                    ::gridwright::__private::Cpu::Groups(::gridwright::__private::run_groups::<Self>);
                fn require(
                    arguments: &::gridwright::__private::Raw<Self>,
                    group: ::gridwright::__private::GroupExtent,
                    lens: &[::core::primitive::usize],
                ) -> ::core::result::Result<(), &'static str> {
                    let _ = (arguments, &group, lens);
                    let (v, y, z) = <Self::Params as ::gridwright::__private::ParamList>::extents(arguments);
                    let _ = (&v, &y, &z);
                    let g = group;
                    let _ = &g;
                    let keys = ::gridwright::__private::SliceExtent { len: lens[0] };
                    let _ = &keys;
                    let values = ::gridwright::__private::SliceExtent { len: lens[1] };
                    let _ = &values;
                    if !((|| -> bool { keys.len() >= N })()) {
                        return ::core::result::Result::Err("keys.len() >= N");
                    }
                    if !((|| -> ::core::option::Option<bool> {
                        ::core::option::Option::Some(
                            ::gridwright::__private::requires::planes(&v)
                                == ::gridwright::__private::requires::len(&keys),
                        )
                    })() == ::core::option::Option::Some(true))
                    {
                        return ::core::result::Result::Err("v.planes() == keys.len()");
                    }
                    ::core::result::Result::Ok(())
                }
            }
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            unsafe impl ::gridwright::__private::GroupKernel for sorted<T, N> {
                type Block =
                    ::gridwright::__private::FixedBlock<{ __BLOCK[0] }, { __BLOCK[1] }, { __BLOCK[2] }>;
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
                            |(value_1, value_4, value_5)| {
                                let mut memory = memory;
                                let value_2 = memory.fixed::<[T; N]>();
                                let value_0 = memory.partition::<u32>(memory.len(0));
                                let value_3 = memory.partition::<T>(memory.len(1));
                                __body::<T, N, _>(group, value_0, value_1, value_2, value_3, value_4, value_5)
                            },
                        )
                    }
                }
            }
        };
    };
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    #[cfg_attr(
        not(test),
        unsafe(
            export_name = "gridwright_kernel_names_must_be_unique_in_a_crate__gridwright_derive_0_1_0__sorted"
        )
    )]
    #[cfg_attr(
        test,
        unsafe(
            export_name = "gridwright_kernel_names_must_be_unique_in_a_crate__gridwright_derive_0_1_0__sorted__in_tests"
        )
    )]
    static UNIQUE: u8 = 0;
};
