#[allow(non_camel_case_types, missing_debug_implementations)]
struct sorted<T, const N: usize> {
    #[doc(hidden)]
    __types: ::gridwright::__private::core::marker::PhantomData<fn() -> (T,)>,
}
#[doc(hidden)]
#[allow(unused_macros)]
macro_rules ! __gridwright_sorted_7 { ($ ($ given : tt) *) => { :: gridwright :: __private :: core :: compile_error ! ("the instances of `sorted` are listed where it stands: in its crate, end the list with `..`, as in `instances(f32, ..)`, or leave it out") ; } }
#[doc(hidden)]
#[allow(unused_imports)]
use __gridwright_sorted_7 as sorted;
#[allow(unexpected_cfgs)]
const _: () = {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    fn __body<'__workgroup, T: Real, const N: usize, __Shape: ::gridwright::__private::GroupShape>(
        g: &gw::Group<'_, __Shape>,
        mut keys: Workgroup<'__workgroup, [u32]>,
        v: &Volume<T>,
        mut tile: Workgroup<'__workgroup, [T; N]>,
        mut values: Workgroup<'__workgroup, [T]>,
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
    const _: () = {
        type __Instance0 = f32;
        #[allow(unused_braces, unused_parens)]
        const __Instance1: usize = 4;
        const _: () = {
            type T = __Instance0;
            const N: usize = __Instance1;
            #[allow(unused_braces, unused_parens)]
            const __BLOCK: [::gridwright::__private::core::primitive::usize; 3] = [2 * N, 1, 1];
            #[allow(unused_braces, unused_parens)]
            const __MAX_THREADS: ::gridwright::__private::core::primitive::usize = 64;
            #[allow(unused_braces, unused_parens)]
            const __MIN_GROUPS: ::gridwright::__private::core::primitive::usize = 2;
            type __Element0 = u32;
            type __Element1 = T;
            type __Element2 = [T; N];
            type __Element3 = T;
            type __Element4 = T;
            type __Map4 = Reversed;
            type __Element5 = T;
            #[inline(always)]
            #[allow(
                clippy::extra_unused_lifetimes,
                clippy::inline_always,
                clippy::needless_pass_by_value,
                clippy::too_many_arguments,
                elided_lifetimes_in_paths
            )]
            fn __call<'__level, '__lent: '__level, __Shape: ::gridwright::__private::GroupShape>(
                given_0: &'__level gw::Group<'_, __Shape>,
                given_1: Workgroup<'__lent, [u32]>,
                given_2: &'__lent Volume<T>,
                given_3: Workgroup<'__lent, [T; N]>,
                given_4: Workgroup<'__lent, [T]>,
                given_5: PerThread<'__lent, [T], Reversed>,
                given_6: PerGroup<'__lent, Matrix<T>>,
            ) {
                let () = __body::<__Instance0, __Instance1, _>(
                    given_0, given_1, given_2, given_3, given_4, given_5, given_6,
                );
            }
            #[inline(always)]
            #[allow(clippy::inline_always, clippy::needless_pass_by_value, clippy::too_many_arguments)]
            fn __condition_0(
                g: ::gridwright::__private::GroupExtent,
                keys: ::gridwright::__private::SliceExtent,
                v: <&'static Volume<T> as ::gridwright::__private::Param>::Extent,
                values: ::gridwright::__private::SliceExtent,
                y: <PerThread<'static, [T], Reversed> as ::gridwright::__private::Param>::Extent,
                z: <PerGroup<'static, Matrix<T>> as ::gridwright::__private::Param>::Extent,
            ) -> ::gridwright::__private::core::primitive::bool {
                let _ = (&g, &keys, &v, &values, &y, &z);
                keys.len() >= N
            }
            #[inline(always)]
            #[allow(clippy::inline_always, clippy::needless_pass_by_value, clippy::too_many_arguments)]
            fn __condition_1(
                g: ::gridwright::__private::GroupExtent,
                keys: ::gridwright::__private::SliceExtent,
                v: <&'static Volume<T> as ::gridwright::__private::Param>::Extent,
                values: ::gridwright::__private::SliceExtent,
                y: <PerThread<'static, [T], Reversed> as ::gridwright::__private::Param>::Extent,
                z: <PerGroup<'static, Matrix<T>> as ::gridwright::__private::Param>::Extent,
            ) -> ::gridwright::__private::core::primitive::bool {
                let _ = (&g, &keys, &v, &values, &y, &z);
                :: gridwright :: __private :: requires :: holds ((|| -> :: gridwright :: __private :: core :: option :: Option < :: gridwright :: __private :: core :: primitive :: bool > { :: gridwright :: __private :: core :: option :: Option :: Some (:: gridwright :: __private :: requires :: planes (& v) == :: gridwright :: __private :: requires :: len (& keys)) }) ())
            }
            const __RECORD: [[::gridwright::__private::core::primitive::u64; 4]; 9] = [
                [1400026186661278017, 4757358359590765377, 176030961529152512, 12086945321746427215],
                [4, 1, __MAX_THREADS as ::gridwright::__private::core::primitive::u64, 0],
                [
                    __BLOCK[0] as ::gridwright::__private::core::primitive::u64,
                    __BLOCK[1] as ::gridwright::__private::core::primitive::u64,
                    __BLOCK[2] as ::gridwright::__private::core::primitive::u64,
                    0,
                ],
                ::gridwright::__private::Digest::words(
                    <&'static Volume<T> as ::gridwright::__private::Param>::RECORD,
                ),
                ::gridwright::__private::Digest::words(
                    <PerThread<'static, [T], Reversed> as ::gridwright::__private::Param>::RECORD,
                ),
                ::gridwright::__private::Digest::words(
                    <PerGroup<'static, Matrix<T>> as ::gridwright::__private::Param>::RECORD,
                ),
                ::gridwright::__private::Digest::words(::gridwright::__private::Layout::digest(
                    ::gridwright::__private::Layout::of::<[T; N]>(),
                )),
                ::gridwright::__private::Digest::words(::gridwright::__private::Layout::digest(
                    ::gridwright::__private::Layout::of::<u32>(),
                )),
                ::gridwright::__private::Digest::words(::gridwright::__private::Layout::digest(
                    ::gridwright::__private::Layout::of::<T>(),
                )),
            ];
            const _: () = ::gridwright::__private::core::assert!(
                ::gridwright::__private::is_spelled(
                    <&'static Volume<T> as ::gridwright::__private::Param>::SPELLING,
                    "&Volume<_>"
                ),
                "the type of `v`, `&Volume<T>`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
            );
            const _: () = ::gridwright::__private::core::assert!(
                ::gridwright::__private::is_spelled(
                    <PerThread<'static, [T], Reversed> as ::gridwright::__private::Param>::SPELLING,
                    "PerThread<[_]>"
                ),
                "the type of `y`, `PerThread<'_, [T], Reversed>`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
            );
            const _: () = ::gridwright::__private::core::assert!(
                ::gridwright::__private::is_spelled(
                    <PerGroup<'static, Matrix<T>> as ::gridwright::__private::Param>::SPELLING,
                    "PerGroup<Matrix<_>>"
                ),
                "the type of `z`, `PerGroup<Matrix<T>>`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
            );
            #[cfg(all(
                any(target_arch = "nvptx64", target_arch = "amdgpu"),
                gridwright_uncontracted_entries
            ))]
            const _: () = {
                #[unsafe(export_name = "sorted_f32_4$7_0")]
                pub unsafe extern "gpu-kernel" fn __entry(
                    pointer_1: &[__Element1; 0],
                    planes_1: ::gridwright::__private::core::primitive::u32,
                    rows_1: ::gridwright::__private::core::primitive::u32,
                    cols_1: ::gridwright::__private::core::primitive::u32,
                    pointer_4: ::gridwright::__private::core::ptr::NonNull<__Element4>,
                    len_4: ::gridwright::__private::core::primitive::usize,
                    owned_4: ::gridwright::__private::core::primitive::u32,
                    pointer_5: ::gridwright::__private::core::ptr::NonNull<__Element5>,
                    rows_5: ::gridwright::__private::core::primitive::u32,
                    cols_5: ::gridwright::__private::core::primitive::u32,
                    len_0: ::gridwright::__private::core::primitive::u32,
                    len_3: ::gridwright::__private::core::primitive::u32,
                ) {
                    unsafe {
                        let group_0 = ::gridwright::__private::group::<
                            ::gridwright::__private::FixedBlock<
                                { __BLOCK[0] },
                                { __BLOCK[1] },
                                { __BLOCK[2] },
                            >,
                            ::gridwright::__private::core::primitive::u32,
                            1,
                        >();
                        let planes_1 = len_0;
                        let value_1 = ::gridwright::__private::read_volume::<__Element1>(
                            pointer_1, planes_1, rows_1, cols_1,
                        );
                        let value_4 = ::gridwright::__private::own_slice::<__Element4, __Map4, _>(
                            pointer_4, len_4, owned_4,
                        );
                        let value_5 = ::gridwright::__private::per_group_matrix::<__Element5>(
                            pointer_5, rows_5, cols_5,
                        );
                        let mut memory_0 = ::gridwright::__private::memory();
                        let value_2 = ::gridwright::__private::Memory::fixed::<__Element2>(&mut memory_0);
                        let size_0 = len_0 as ::gridwright::__private::core::primitive::usize;
                        let value_0 =
                            ::gridwright::__private::Memory::partition::<__Element0>(&mut memory_0, size_0);
                        let size_3 = len_3 as ::gridwright::__private::core::primitive::usize;
                        let value_3 =
                            ::gridwright::__private::Memory::partition::<__Element3>(&mut memory_0, size_3);
                        ::gridwright::__private::core::assert!(
                            __condition_0(
                                ::gridwright::__private::GroupExtent {
                                    len: ::gridwright::__private::Threads::len(&group_0)
                                },
                                ::gridwright::__private::SliceExtent {
                                    len: len_0 as ::gridwright::__private::core::primitive::usize
                                },
                                ::gridwright::__private::VolumeExtent {
                                    planes: planes_1 as ::gridwright::__private::core::primitive::usize,
                                    rows: rows_1 as ::gridwright::__private::core::primitive::usize,
                                    cols: cols_1 as ::gridwright::__private::core::primitive::usize
                                },
                                ::gridwright::__private::SliceExtent {
                                    len: len_3 as ::gridwright::__private::core::primitive::usize
                                },
                                ::gridwright::__private::SliceExtent { len: len_4 },
                                ::gridwright::__private::MatrixExtent {
                                    rows: rows_5 as ::gridwright::__private::core::primitive::usize,
                                    cols: cols_5 as ::gridwright::__private::core::primitive::usize
                                }
                            ),
                            "the kernel requires `{}`",
                            "keys.len() >= N"
                        );
                        ::gridwright::__private::core::hint::assert_unchecked(__condition_1(
                            ::gridwright::__private::GroupExtent {
                                len: ::gridwright::__private::Threads::len(&group_0),
                            },
                            ::gridwright::__private::SliceExtent {
                                len: len_0 as ::gridwright::__private::core::primitive::usize,
                            },
                            ::gridwright::__private::VolumeExtent {
                                planes: planes_1 as ::gridwright::__private::core::primitive::usize,
                                rows: rows_1 as ::gridwright::__private::core::primitive::usize,
                                cols: cols_1 as ::gridwright::__private::core::primitive::usize,
                            },
                            ::gridwright::__private::SliceExtent {
                                len: len_3 as ::gridwright::__private::core::primitive::usize,
                            },
                            ::gridwright::__private::SliceExtent { len: len_4 },
                            ::gridwright::__private::MatrixExtent {
                                rows: rows_5 as ::gridwright::__private::core::primitive::usize,
                                cols: cols_5 as ::gridwright::__private::core::primitive::usize,
                            },
                        ));
                        __call(&group_0, value_0, &value_1, value_2, value_3, value_4, value_5)
                    }
                }
                #[unsafe(export_name = "__gridwright_layout_sorted_f32_4$7_0")]
                pub static __LAYOUT: [[::gridwright::__private::core::primitive::u64; 4]; 9] = __RECORD;
                const __PATH: &::gridwright::__private::core::primitive::str = ::gridwright::__private::core::concat!(
                    ::gridwright::__private::core::module_path!(),
                    "::sorted<f32, 4>"
                );
                #[unsafe(export_name = "__gridwright_path_sorted_f32_4$7_0")]
                pub static __PATH_BYTES: [::gridwright::__private::core::primitive::u8;
                    ::gridwright::__private::core::primitive::str::len(__PATH)] =
                    ::gridwright::__private::path_bytes(__PATH);
                #[unsafe(export_name = "__gridwright_bounds_sorted_f32_4$7_0")]
                pub static __BOUNDS: [::gridwright::__private::core::primitive::u32; 5] = [
                    __BLOCK[0] as ::gridwright::__private::core::primitive::u32,
                    __BLOCK[1] as ::gridwright::__private::core::primitive::u32,
                    __BLOCK[2] as ::gridwright::__private::core::primitive::u32,
                    __MAX_THREADS as ::gridwright::__private::core::primitive::u32,
                    __MIN_GROUPS as ::gridwright::__private::core::primitive::u32,
                ];
            };
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            const _: () = ::gridwright::__private::core::assert!(
                __BLOCK[0] > 0,
                "a block has at least one thread along each axis: leave axes out that it doesn't have, or write 1"
            );
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            const _: () = ::gridwright::__private::core::assert!(
                __MAX_THREADS > 0,
                "a group has at least one thread: raise `max_threads`, or leave it out"
            );
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            const _: () = ::gridwright::__private::core::assert!(
                __MAX_THREADS == 0
                    || __MAX_THREADS
                        >= ::gridwright::__private::core::primitive::usize::saturating_mul(
                            ::gridwright::__private::core::primitive::usize::saturating_mul(
                                __BLOCK[0], __BLOCK[1]
                            ),
                            __BLOCK[2]
                        ),
                "a group has at least as many threads as the declared `block`: raise `max_threads`, or leave it out, since the block says it already"
            );
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            const _: () = ::gridwright::__private::core::assert!(
                __MIN_GROUPS > 0,
                "at least one group fits a GPU's core: raise `min_groups`, or leave it out"
            );
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            const _: () = ::gridwright::__private::Images::check(
                <sorted<T, N> as ::gridwright::__private::Signature>::IMAGES,
                <sorted<T, N> as ::gridwright::__private::Signature>::ENTRY,
                &__RECORD,
                &[8, 4, 4, 4, 8, 8, 4, 8, 4, 4, 4, 4],
                &[],
            );
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            unsafe impl ::gridwright::__private::Signature for sorted<T, N> {
                type Params =
                    (&'static Volume<T>, PerThread<'static, [T], Reversed>, PerGroup<'static, Matrix<T>>);
                const NAME: &'static ::gridwright::__private::core::primitive::str =
                    ::gridwright::__private::Images::shown(Self::IMAGES, Self::ENTRY, "sorted<f32, 4>");
                const PARAMETERS: &'static [&'static ::gridwright::__private::core::primitive::str] =
                    &["v", "y", "z"];
                const ENTRY: &'static ::gridwright::__private::core::primitive::str =
                    ::gridwright::__private::path_in_crate(::gridwright::__private::core::concat!(
                        ::gridwright::__private::core::module_path!(),
                        "::sorted<f32, 4>"
                    ));
                const IMAGES: &'static ::gridwright::__private::Images = &::gridwright::__private::Images {
                    missing: "its crate doesn't compile kernels for GPUs: add `gridwright-build` to the [build-dependencies] in Cargo.toml, and a build.rs with `fn main() { gridwright_build::compile_kernels() }`; or set GRIDWRIGHT_DEVICE=cpu",
                    images: &[],
                    cpu: ::gridwright::__private::CpuCode::All,
                };
                const BOUNDS: ::gridwright::__private::Bounds = ::gridwright::__private::Bounds {
                    rank: if <Self::Params as ::gridwright::__private::ParamList>::RANK < 1 {
                        <Self::Params as ::gridwright::__private::ParamList>::RANK
                    } else {
                        1
                    },
                    index: ::gridwright::__private::IndexWidth::Bits32,
                    block: ::gridwright::__private::core::option::Option::Some(__BLOCK),
                    most_threads: ::gridwright::__private::core::option::Option::Some(__MAX_THREADS),
                    whole_groups: true,
                    tile: <Self::Params as ::gridwright::__private::ParamList>::TILE,
                };
                type Sizes = (((), u32), T);
                const PARTITIONS: &'static [::gridwright::__private::PartitionLayout] = &[
                    ::gridwright::__private::PartitionLayout::of::<u32>("keys"),
                    ::gridwright::__private::PartitionLayout::of::<T>("values"),
                ];
                const FIXED_BYTES: ::gridwright::__private::core::primitive::usize =
                    ::gridwright::__private::COLLECTIVE_BYTES
                        + ::gridwright::__private::partition_bytes(
                            ::gridwright::__private::core::mem::size_of::<[T; N]>(),
                        );
                const CPU: ::gridwright::__private::CpuEntry =
                    ::gridwright::__private::CpuEntry::Groups(::gridwright::__private::run_groups::<Self>);
                const IS_UNSAFE: ::gridwright::__private::core::primitive::bool = false;
                fn require(
                    arguments: &::gridwright::__private::Raw<Self>,
                    group: ::gridwright::__private::GroupExtent,
                    lens: &[::gridwright::__private::core::primitive::usize],
                ) -> ::gridwright::__private::core::result::Result<
                    (),
                    &'static ::gridwright::__private::core::primitive::str,
                > {
                    let _ = (arguments, &group, lens);
                    let (extent_1, extent_4, extent_5) =
                        <Self::Params as ::gridwright::__private::ParamList>::extents(arguments);
                    if !__condition_0(
                        group,
                        ::gridwright::__private::SliceExtent { len: lens[0] },
                        extent_1,
                        ::gridwright::__private::SliceExtent { len: lens[1] },
                        extent_4,
                        extent_5,
                    ) {
                        return ::gridwright::__private::core::result::Result::Err("keys.len() >= N");
                    }
                    if !__condition_1(
                        group,
                        ::gridwright::__private::SliceExtent { len: lens[0] },
                        extent_1,
                        ::gridwright::__private::SliceExtent { len: lens[1] },
                        extent_4,
                        extent_5,
                    ) {
                        return ::gridwright::__private::core::result::Result::Err(
                            "v.planes() == keys.len()",
                        );
                    }
                    ::gridwright::__private::core::result::Result::Ok(())
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
                                let value_2 =
                                    ::gridwright::__private::Memory::fixed::<__Element2>(&mut memory);
                                let size_0 = ::gridwright::__private::Memory::len(&memory, 0);
                                let value_0 = ::gridwright::__private::Memory::partition::<__Element0>(
                                    &mut memory,
                                    size_0,
                                );
                                let size_3 = ::gridwright::__private::Memory::len(&memory, 1);
                                let value_3 = ::gridwright::__private::Memory::partition::<__Element3>(
                                    &mut memory,
                                    size_3,
                                );
                                __call(group, value_0, value_1, value_2, value_3, value_4, value_5)
                            },
                        )
                    }
                }
            }
        };
    };
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    # [cfg_attr (not (test) , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::sorted")))]
    # [cfg_attr (test , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::sorted__in_tests")))]
    static UNIQUE: ::gridwright::__private::core::primitive::u8 = 0;
};
