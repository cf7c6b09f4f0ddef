#[allow(non_camel_case_types, missing_debug_implementations)]
struct scale<T, const N: usize> {
    #[doc(hidden)]
    __types: ::gridwright::__private::core::marker::PhantomData<fn() -> (T,)>,
}
#[doc(hidden)]
#[allow(unused_macros)]
macro_rules ! __gridwright_scale_7 { ($ ($ given : tt) *) => { :: gridwright :: __private :: core :: compile_error ! ("the instances of `scale` are listed where it stands: in its crate, end the list with `..`, as in `instances(f32, ..)`, or leave it out") ; } }
#[doc(hidden)]
#[allow(unused_imports)]
use __gridwright_scale_7 as scale;
#[allow(unexpected_cfgs)]
const _: () = {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    fn __body<'a, T: Real, const N: usize>(t: Thread, by: T, mut x: PerThread<'a, [[T; N]]>) {}
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    impl<T, const N: usize> scale<T, N> {
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
            type __Element0 = T;
            type __Element1 = [T; N];
            #[inline(always)]
            #[allow(
                clippy::extra_unused_lifetimes,
                clippy::inline_always,
                clippy::needless_pass_by_value,
                clippy::too_many_arguments,
                elided_lifetimes_in_paths
            )]
            fn __call<'__level, '__lent: '__level>(
                given_0: Thread,
                given_1: T,
                given_2: PerThread<'__lent, [[T; N]]>,
            ) {
                let () = __body::<__Instance0, __Instance1>(given_0, given_1, given_2);
            }
            const __RECORD: [[::gridwright::__private::core::primitive::u64; 4]; 5] = [
                [15292419771244125787, 7771778749286593559, 14676950789336770631, 4716576555167828969],
                [4, 1, 0, 0],
                [0, 0, 0, 0],
                ::gridwright::__private::Digest::words(<T as ::gridwright::__private::Param>::RECORD),
                ::gridwright::__private::Digest::words(
                    <PerThread<'static, [[T; N]]> as ::gridwright::__private::Param>::RECORD,
                ),
            ];
            const _: () = ::gridwright::__private::core::assert!(
                ::gridwright::__private::is_spelled(<T as ::gridwright::__private::Param>::SPELLING, "_"),
                "`by` isn't a value, as its type is spelled: behind another name there is a slice, a matrix, a view or a pointer. Write that itself, since how a kernel gets a parameter follows from how its type is spelled"
            );
            const _: () = ::gridwright::__private::core::assert!(
                ::gridwright::__private::is_spelled(
                    <PerThread<'static, [[T; N]]> as ::gridwright::__private::Param>::SPELLING,
                    "PerThread<[_]>"
                ),
                "the type of `x`, `PerThread<'a, [[T; N]]>`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
            );
            const _: () = ::gridwright::__private::core::assert!(
                ::gridwright::__private::core::mem::size_of::<T>()
                    <= ::gridwright::__private::MOST_VALUE_BYTES,
                "`by` is too large: all parameters of a kernel take at most 4096 bytes; put it into a buffer, and take a slice of it (`&[T]`)"
            );
            #[cfg(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), gridwright_entries))]
            const _: () = {
                const __BYTES0: ::gridwright::__private::core::primitive::usize =
                    ::gridwright::__private::core::mem::size_of::<__Element0>();
                #[unsafe(export_name = "scale_f32_4$7_0")]
                pub unsafe extern "gpu-kernel" fn __entry(
                    last_0: ::gridwright::__private::core::primitive::u32,
                    pointer_0: ::gridwright::__private::WholeValue<__Element0>,
                    chunk_0_0: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 0) },
                    >,
                    chunk_0_1: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 1) },
                    >,
                    chunk_0_2: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 2) },
                    >,
                    chunk_0_3: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 3) },
                    >,
                    chunk_0_4: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 4) },
                    >,
                    chunk_0_5: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 5) },
                    >,
                    chunk_0_6: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 6) },
                    >,
                    chunk_0_7: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 7) },
                    >,
                    chunk_0_8: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 8) },
                    >,
                    chunk_0_9: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 9) },
                    >,
                    chunk_0_10: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 10) },
                    >,
                    chunk_0_11: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 11) },
                    >,
                    chunk_0_12: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 12) },
                    >,
                    chunk_0_13: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 13) },
                    >,
                    chunk_0_14: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 14) },
                    >,
                    chunk_0_15: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 15) },
                    >,
                    chunk_0_16: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 16) },
                    >,
                    chunk_0_17: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 17) },
                    >,
                    chunk_0_18: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 18) },
                    >,
                    chunk_0_19: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 19) },
                    >,
                    chunk_0_20: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 20) },
                    >,
                    chunk_0_21: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 21) },
                    >,
                    chunk_0_22: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 22) },
                    >,
                    chunk_0_23: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 23) },
                    >,
                    chunk_0_24: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 24) },
                    >,
                    chunk_0_25: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 25) },
                    >,
                    chunk_0_26: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 26) },
                    >,
                    chunk_0_27: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 27) },
                    >,
                    chunk_0_28: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 28) },
                    >,
                    chunk_0_29: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 29) },
                    >,
                    chunk_0_30: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 30) },
                    >,
                    word_0_0: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 0) },
                    >,
                    word_0_1: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 1) },
                    >,
                    word_0_2: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 2) },
                    >,
                    word_0_3: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 3) },
                    >,
                    word_0_4: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 4) },
                    >,
                    word_0_5: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 5) },
                    >,
                    word_0_6: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 6) },
                    >,
                    word_0_7: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 7) },
                    >,
                    word_0_8: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 8) },
                    >,
                    word_0_9: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 9) },
                    >,
                    word_0_10: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 10) },
                    >,
                    word_0_11: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 11) },
                    >,
                    word_0_12: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 12) },
                    >,
                    word_0_13: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 13) },
                    >,
                    word_0_14: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 14) },
                    >,
                    word_0_15: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 15) },
                    >,
                    pointer_1: ::gridwright::__private::core::ptr::NonNull<__Element1>,
                    len_1: ::gridwright::__private::core::primitive::usize,
                    owned_1: ::gridwright::__private::core::primitive::u32,
                ) {
                    unsafe {
                        let ::gridwright::__private::core::option::Option::Some(thread_0) =
                            ::gridwright::__private::thread::<::gridwright::__private::AnyBlock<1>, _, _>([
                                last_0,
                            ])
                        else {
                            return;
                        };
                        let value_0 = ::gridwright::__private::value::<__Element0>(
                            pointer_0,
                            || {
                                [
                                    ::gridwright::__private::chunk(chunk_0_0),
                                    ::gridwright::__private::chunk(chunk_0_1),
                                    ::gridwright::__private::chunk(chunk_0_2),
                                    ::gridwright::__private::chunk(chunk_0_3),
                                    ::gridwright::__private::chunk(chunk_0_4),
                                    ::gridwright::__private::chunk(chunk_0_5),
                                    ::gridwright::__private::chunk(chunk_0_6),
                                    ::gridwright::__private::chunk(chunk_0_7),
                                    ::gridwright::__private::chunk(chunk_0_8),
                                    ::gridwright::__private::chunk(chunk_0_9),
                                    ::gridwright::__private::chunk(chunk_0_10),
                                    ::gridwright::__private::chunk(chunk_0_11),
                                    ::gridwright::__private::chunk(chunk_0_12),
                                    ::gridwright::__private::chunk(chunk_0_13),
                                    ::gridwright::__private::chunk(chunk_0_14),
                                    ::gridwright::__private::chunk(chunk_0_15),
                                    ::gridwright::__private::chunk(chunk_0_16),
                                    ::gridwright::__private::chunk(chunk_0_17),
                                    ::gridwright::__private::chunk(chunk_0_18),
                                    ::gridwright::__private::chunk(chunk_0_19),
                                    ::gridwright::__private::chunk(chunk_0_20),
                                    ::gridwright::__private::chunk(chunk_0_21),
                                    ::gridwright::__private::chunk(chunk_0_22),
                                    ::gridwright::__private::chunk(chunk_0_23),
                                    ::gridwright::__private::chunk(chunk_0_24),
                                    ::gridwright::__private::chunk(chunk_0_25),
                                    ::gridwright::__private::chunk(chunk_0_26),
                                    ::gridwright::__private::chunk(chunk_0_27),
                                    ::gridwright::__private::chunk(chunk_0_28),
                                    ::gridwright::__private::chunk(chunk_0_29),
                                    ::gridwright::__private::chunk(chunk_0_30),
                                ]
                            },
                            [
                                ::gridwright::__private::word(word_0_0),
                                ::gridwright::__private::word(word_0_1),
                                ::gridwright::__private::word(word_0_2),
                                ::gridwright::__private::word(word_0_3),
                                ::gridwright::__private::word(word_0_4),
                                ::gridwright::__private::word(word_0_5),
                                ::gridwright::__private::word(word_0_6),
                                ::gridwright::__private::word(word_0_7),
                                ::gridwright::__private::word(word_0_8),
                                ::gridwright::__private::word(word_0_9),
                                ::gridwright::__private::word(word_0_10),
                                ::gridwright::__private::word(word_0_11),
                                ::gridwright::__private::word(word_0_12),
                                ::gridwright::__private::word(word_0_13),
                                ::gridwright::__private::word(word_0_14),
                                ::gridwright::__private::word(word_0_15),
                            ],
                        );
                        let value_1 = ::gridwright::__private::own_slice::<
                            __Element1,
                            ::gridwright::__private::Linear,
                            _,
                        >(pointer_1, len_1, owned_1);
                        __call(thread_0, value_0, value_1)
                    }
                }
                #[unsafe(export_name = "__gridwright_layout_scale_f32_4$7_0")]
                pub static __LAYOUT: [[::gridwright::__private::core::primitive::u64; 4]; 5] = __RECORD;
                const __PATH: &::gridwright::__private::core::primitive::str = ::gridwright::__private::core::concat!(
                    ::gridwright::__private::core::module_path!(),
                    "::scale<f32, 4>"
                );
                #[unsafe(export_name = "__gridwright_path_scale_f32_4$7_0")]
                pub static __PATH_BYTES: [::gridwright::__private::core::primitive::u8;
                    ::gridwright::__private::core::primitive::str::len(__PATH)] =
                    ::gridwright::__private::path_bytes(__PATH);
                #[unsafe(export_name = "__gridwright_threads_scale_f32_4$7_0")]
                pub static __THREADS: ::gridwright::__private::core::primitive::u8 = 1;
            };
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            const _: () = ::gridwright::__private::Images::check(
                <scale<T, N> as ::gridwright::__private::Signature>::IMAGES,
                <scale<T, N> as ::gridwright::__private::Signature>::ENTRY,
                &__RECORD,
                &[4, ::gridwright::__private::core::mem::size_of::<T>(), 8, 8, 4],
                &[1],
            );
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            unsafe impl ::gridwright::__private::Signature for scale<T, N> {
                type Params = (T, PerThread<'static, [[T; N]]>);
                const NAME: &'static ::gridwright::__private::core::primitive::str =
                    ::gridwright::__private::Images::shown(Self::IMAGES, Self::ENTRY, "scale<f32, 4>");
                const PARAMETERS: &'static [&'static ::gridwright::__private::core::primitive::str] =
                    &["by", "x"];
                const ENTRY: &'static ::gridwright::__private::core::primitive::str =
                    ::gridwright::__private::path_in_crate(::gridwright::__private::core::concat!(
                        ::gridwright::__private::core::module_path!(),
                        "::scale<f32, 4>"
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
                    block: ::gridwright::__private::core::option::Option::None,
                    most_threads: ::gridwright::__private::core::option::Option::None,
                    whole_groups: false,
                    tile: <Self::Params as ::gridwright::__private::ParamList>::TILE,
                };
                type Sizes = ();
                const PARTITIONS: &'static [::gridwright::__private::PartitionLayout] = &[];
                const FIXED_BYTES: ::gridwright::__private::core::primitive::usize = 0;
                const CPU: ::gridwright::__private::CpuEntry =
                    ::gridwright::__private::CpuEntry::Threads(::gridwright::__private::run_chunk::<Self>);
                const IS_UNSAFE: ::gridwright::__private::core::primitive::bool = false;
                const VALUES_IN_PARTS: ::gridwright::__private::core::primitive::u32 = 1u32;
                fn require(
                    arguments: &::gridwright::__private::Raw<Self>,
                    group: ::gridwright::__private::GroupExtent,
                    lens: &[::gridwright::__private::core::primitive::usize],
                ) -> ::gridwright::__private::core::result::Result<
                    (),
                    &'static ::gridwright::__private::core::primitive::str,
                > {
                    let _ = (arguments, &group, lens);
                    ::gridwright::__private::core::result::Result::Ok(())
                }
            }
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            unsafe impl ::gridwright::__private::ThreadKernel for scale<T, N> {
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
                            |thread, (value_0, value_1)| __call(thread, value_0, value_1),
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
            type __Element0 = T;
            type __Element1 = [T; N];
            #[inline(always)]
            #[allow(
                clippy::extra_unused_lifetimes,
                clippy::inline_always,
                clippy::needless_pass_by_value,
                clippy::too_many_arguments,
                elided_lifetimes_in_paths
            )]
            fn __call<'__level, '__lent: '__level>(
                given_0: Thread,
                given_1: T,
                given_2: PerThread<'__lent, [[T; N]]>,
            ) {
                let () = __body::<__Instance0, __Instance1>(given_0, given_1, given_2);
            }
            const __RECORD: [[::gridwright::__private::core::primitive::u64; 4]; 5] = [
                [15292419771244125787, 7771778749286593559, 14676950789336770631, 4716576555167828969],
                [4, 1, 0, 0],
                [0, 0, 0, 0],
                ::gridwright::__private::Digest::words(<T as ::gridwright::__private::Param>::RECORD),
                ::gridwright::__private::Digest::words(
                    <PerThread<'static, [[T; N]]> as ::gridwright::__private::Param>::RECORD,
                ),
            ];
            const _: () = ::gridwright::__private::core::assert!(
                ::gridwright::__private::is_spelled(<T as ::gridwright::__private::Param>::SPELLING, "_"),
                "`by` isn't a value, as its type is spelled: behind another name there is a slice, a matrix, a view or a pointer. Write that itself, since how a kernel gets a parameter follows from how its type is spelled"
            );
            const _: () = ::gridwright::__private::core::assert!(
                ::gridwright::__private::is_spelled(
                    <PerThread<'static, [[T; N]]> as ::gridwright::__private::Param>::SPELLING,
                    "PerThread<[_]>"
                ),
                "the type of `x`, `PerThread<'a, [[T; N]]>`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
            );
            const _: () = ::gridwright::__private::core::assert!(
                ::gridwright::__private::core::mem::size_of::<T>()
                    <= ::gridwright::__private::MOST_VALUE_BYTES,
                "`by` is too large: all parameters of a kernel take at most 4096 bytes; put it into a buffer, and take a slice of it (`&[T]`)"
            );
            #[cfg(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), gridwright_entries))]
            const _: () = {
                const __BYTES0: ::gridwright::__private::core::primitive::usize =
                    ::gridwright::__private::core::mem::size_of::<__Element0>();
                #[unsafe(export_name = "scale_f64_8$7_1")]
                pub unsafe extern "gpu-kernel" fn __entry(
                    last_0: ::gridwright::__private::core::primitive::u32,
                    pointer_0: ::gridwright::__private::WholeValue<__Element0>,
                    chunk_0_0: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 0) },
                    >,
                    chunk_0_1: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 1) },
                    >,
                    chunk_0_2: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 2) },
                    >,
                    chunk_0_3: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 3) },
                    >,
                    chunk_0_4: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 4) },
                    >,
                    chunk_0_5: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 5) },
                    >,
                    chunk_0_6: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 6) },
                    >,
                    chunk_0_7: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 7) },
                    >,
                    chunk_0_8: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 8) },
                    >,
                    chunk_0_9: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 9) },
                    >,
                    chunk_0_10: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 10) },
                    >,
                    chunk_0_11: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 11) },
                    >,
                    chunk_0_12: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 12) },
                    >,
                    chunk_0_13: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 13) },
                    >,
                    chunk_0_14: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 14) },
                    >,
                    chunk_0_15: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 15) },
                    >,
                    chunk_0_16: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 16) },
                    >,
                    chunk_0_17: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 17) },
                    >,
                    chunk_0_18: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 18) },
                    >,
                    chunk_0_19: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 19) },
                    >,
                    chunk_0_20: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 20) },
                    >,
                    chunk_0_21: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 21) },
                    >,
                    chunk_0_22: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 22) },
                    >,
                    chunk_0_23: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 23) },
                    >,
                    chunk_0_24: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 24) },
                    >,
                    chunk_0_25: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 25) },
                    >,
                    chunk_0_26: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 26) },
                    >,
                    chunk_0_27: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 27) },
                    >,
                    chunk_0_28: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 28) },
                    >,
                    chunk_0_29: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 29) },
                    >,
                    chunk_0_30: ::gridwright::__private::ValueChunk<
                        { ::gridwright::__private::has_chunk(__BYTES0, 30) },
                    >,
                    word_0_0: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 0) },
                    >,
                    word_0_1: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 1) },
                    >,
                    word_0_2: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 2) },
                    >,
                    word_0_3: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 3) },
                    >,
                    word_0_4: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 4) },
                    >,
                    word_0_5: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 5) },
                    >,
                    word_0_6: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 6) },
                    >,
                    word_0_7: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 7) },
                    >,
                    word_0_8: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 8) },
                    >,
                    word_0_9: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 9) },
                    >,
                    word_0_10: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 10) },
                    >,
                    word_0_11: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 11) },
                    >,
                    word_0_12: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 12) },
                    >,
                    word_0_13: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 13) },
                    >,
                    word_0_14: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 14) },
                    >,
                    word_0_15: ::gridwright::__private::ValueWord<
                        { ::gridwright::__private::has_word(__BYTES0, 15) },
                    >,
                    pointer_1: ::gridwright::__private::core::ptr::NonNull<__Element1>,
                    len_1: ::gridwright::__private::core::primitive::usize,
                    owned_1: ::gridwright::__private::core::primitive::u32,
                ) {
                    unsafe {
                        let ::gridwright::__private::core::option::Option::Some(thread_0) =
                            ::gridwright::__private::thread::<::gridwright::__private::AnyBlock<1>, _, _>([
                                last_0,
                            ])
                        else {
                            return;
                        };
                        let value_0 = ::gridwright::__private::value::<__Element0>(
                            pointer_0,
                            || {
                                [
                                    ::gridwright::__private::chunk(chunk_0_0),
                                    ::gridwright::__private::chunk(chunk_0_1),
                                    ::gridwright::__private::chunk(chunk_0_2),
                                    ::gridwright::__private::chunk(chunk_0_3),
                                    ::gridwright::__private::chunk(chunk_0_4),
                                    ::gridwright::__private::chunk(chunk_0_5),
                                    ::gridwright::__private::chunk(chunk_0_6),
                                    ::gridwright::__private::chunk(chunk_0_7),
                                    ::gridwright::__private::chunk(chunk_0_8),
                                    ::gridwright::__private::chunk(chunk_0_9),
                                    ::gridwright::__private::chunk(chunk_0_10),
                                    ::gridwright::__private::chunk(chunk_0_11),
                                    ::gridwright::__private::chunk(chunk_0_12),
                                    ::gridwright::__private::chunk(chunk_0_13),
                                    ::gridwright::__private::chunk(chunk_0_14),
                                    ::gridwright::__private::chunk(chunk_0_15),
                                    ::gridwright::__private::chunk(chunk_0_16),
                                    ::gridwright::__private::chunk(chunk_0_17),
                                    ::gridwright::__private::chunk(chunk_0_18),
                                    ::gridwright::__private::chunk(chunk_0_19),
                                    ::gridwright::__private::chunk(chunk_0_20),
                                    ::gridwright::__private::chunk(chunk_0_21),
                                    ::gridwright::__private::chunk(chunk_0_22),
                                    ::gridwright::__private::chunk(chunk_0_23),
                                    ::gridwright::__private::chunk(chunk_0_24),
                                    ::gridwright::__private::chunk(chunk_0_25),
                                    ::gridwright::__private::chunk(chunk_0_26),
                                    ::gridwright::__private::chunk(chunk_0_27),
                                    ::gridwright::__private::chunk(chunk_0_28),
                                    ::gridwright::__private::chunk(chunk_0_29),
                                    ::gridwright::__private::chunk(chunk_0_30),
                                ]
                            },
                            [
                                ::gridwright::__private::word(word_0_0),
                                ::gridwright::__private::word(word_0_1),
                                ::gridwright::__private::word(word_0_2),
                                ::gridwright::__private::word(word_0_3),
                                ::gridwright::__private::word(word_0_4),
                                ::gridwright::__private::word(word_0_5),
                                ::gridwright::__private::word(word_0_6),
                                ::gridwright::__private::word(word_0_7),
                                ::gridwright::__private::word(word_0_8),
                                ::gridwright::__private::word(word_0_9),
                                ::gridwright::__private::word(word_0_10),
                                ::gridwright::__private::word(word_0_11),
                                ::gridwright::__private::word(word_0_12),
                                ::gridwright::__private::word(word_0_13),
                                ::gridwright::__private::word(word_0_14),
                                ::gridwright::__private::word(word_0_15),
                            ],
                        );
                        let value_1 = ::gridwright::__private::own_slice::<
                            __Element1,
                            ::gridwright::__private::Linear,
                            _,
                        >(pointer_1, len_1, owned_1);
                        __call(thread_0, value_0, value_1)
                    }
                }
                #[unsafe(export_name = "__gridwright_layout_scale_f64_8$7_1")]
                pub static __LAYOUT: [[::gridwright::__private::core::primitive::u64; 4]; 5] = __RECORD;
                const __PATH: &::gridwright::__private::core::primitive::str = ::gridwright::__private::core::concat!(
                    ::gridwright::__private::core::module_path!(),
                    "::scale<f64, 8>"
                );
                #[unsafe(export_name = "__gridwright_path_scale_f64_8$7_1")]
                pub static __PATH_BYTES: [::gridwright::__private::core::primitive::u8;
                    ::gridwright::__private::core::primitive::str::len(__PATH)] =
                    ::gridwright::__private::path_bytes(__PATH);
                #[unsafe(export_name = "__gridwright_threads_scale_f64_8$7_1")]
                pub static __THREADS: ::gridwright::__private::core::primitive::u8 = 1;
            };
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            const _: () = ::gridwright::__private::Images::check(
                <scale<T, N> as ::gridwright::__private::Signature>::IMAGES,
                <scale<T, N> as ::gridwright::__private::Signature>::ENTRY,
                &__RECORD,
                &[4, ::gridwright::__private::core::mem::size_of::<T>(), 8, 8, 4],
                &[1],
            );
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            unsafe impl ::gridwright::__private::Signature for scale<T, N> {
                type Params = (T, PerThread<'static, [[T; N]]>);
                const NAME: &'static ::gridwright::__private::core::primitive::str =
                    ::gridwright::__private::Images::shown(Self::IMAGES, Self::ENTRY, "scale<f64, 8>");
                const PARAMETERS: &'static [&'static ::gridwright::__private::core::primitive::str] =
                    &["by", "x"];
                const ENTRY: &'static ::gridwright::__private::core::primitive::str =
                    ::gridwright::__private::path_in_crate(::gridwright::__private::core::concat!(
                        ::gridwright::__private::core::module_path!(),
                        "::scale<f64, 8>"
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
                    block: ::gridwright::__private::core::option::Option::None,
                    most_threads: ::gridwright::__private::core::option::Option::None,
                    whole_groups: false,
                    tile: <Self::Params as ::gridwright::__private::ParamList>::TILE,
                };
                type Sizes = ();
                const PARTITIONS: &'static [::gridwright::__private::PartitionLayout] = &[];
                const FIXED_BYTES: ::gridwright::__private::core::primitive::usize = 0;
                const CPU: ::gridwright::__private::CpuEntry =
                    ::gridwright::__private::CpuEntry::Threads(::gridwright::__private::run_chunk::<Self>);
                const IS_UNSAFE: ::gridwright::__private::core::primitive::bool = false;
                const VALUES_IN_PARTS: ::gridwright::__private::core::primitive::u32 = 1u32;
                fn require(
                    arguments: &::gridwright::__private::Raw<Self>,
                    group: ::gridwright::__private::GroupExtent,
                    lens: &[::gridwright::__private::core::primitive::usize],
                ) -> ::gridwright::__private::core::result::Result<
                    (),
                    &'static ::gridwright::__private::core::primitive::str,
                > {
                    let _ = (arguments, &group, lens);
                    ::gridwright::__private::core::result::Result::Ok(())
                }
            }
            #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
            unsafe impl ::gridwright::__private::ThreadKernel for scale<T, N> {
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
                            |thread, (value_0, value_1)| __call(thread, value_0, value_1),
                        )
                    }
                }
            }
        };
    };
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    # [cfg_attr (not (test) , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::scale")))]
    # [cfg_attr (test , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::scale__in_tests")))]
    static UNIQUE: ::gridwright::__private::core::primitive::u8 = 0;
};
