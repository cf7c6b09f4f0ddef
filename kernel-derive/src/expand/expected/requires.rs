#[allow(non_camel_case_types, missing_debug_implementations)]
struct tested {}
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
#[doc(hidden)]
#[allow(non_snake_case)]
mod __tested_called {
    #[allow(
        clippy::all,
        clippy::pedantic,
        clippy::missing_docs_in_private_items,
        dead_code,
        non_snake_case,
        unreachable_pub,
        unused_variables
    )]
    #[doc(hidden)]
    pub fn tested<__Given0, __Given1, __Given2, __Given3, __Given4>(
        given_0: __Given0,
        given_1: __Given1,
        given_2: __Given2,
        given_3: __Given3,
        given_4: __Given4,
    ) where
        for<'__called> &'__called (): crate::__private::Called,
    {
    }
}
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
#[doc(hidden)]
#[allow(clippy::wildcard_imports, hidden_glob_reexports, unused_imports, unreachable_pub)]
use __tested_called::*;
#[allow(unexpected_cfgs)]
const _: () = {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    fn __body(t: Thread, m: &Matrix<f32>, n: usize, x: &[f32], s: Settings) {}
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    impl tested {
        #[doc = " Prepares this kernel for `device`, and checks that both agree on its parameters."]
        #[doc = ""]
        #[doc = " # Errors"]
        #[doc = ""]
        #[doc = " When the program holds no image of the kernel for the device, when the image differs from"]
        #[doc = " the host's idea of the parameters, and when the device refuses it."]
        fn load(
            device: &crate::__private::Device,
        ) -> crate::__private::core::result::Result<crate::__private::Kernel<Self>, crate::__private::Error>
        where
            Self: crate::__private::Signature,
        {
            crate::__private::load::<Self>(device)
        }
    }
    type __Element0 = f32;
    type __Element1 = usize;
    type __Element2 = f32;
    type __Element3 = Settings;
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
        given_1: &'__lent Matrix<f32>,
        given_2: usize,
        given_3: &'__lent [f32],
        given_4: Settings,
    ) {
        let () = __body(given_0, given_1, given_2, given_3, given_4);
    }
    #[inline(always)]
    #[allow(clippy::inline_always, clippy::needless_pass_by_value, clippy::too_many_arguments)]
    fn __condition_0(
        m: <&'static Matrix<f32> as crate::__private::Param>::Extent,
        n: <usize as crate::__private::Param>::Extent,
        x: <&'static [f32] as crate::__private::Param>::Extent,
        s: <Settings as crate::__private::Param>::Extent,
    ) -> crate::__private::core::primitive::bool {
        let _ = (&m, &n, &x, &s);
        crate::__private::requires::holds(
            (|| -> crate::__private::core::option::Option<crate::__private::core::primitive::bool> {
                crate::__private::core::option::Option::Some(
                    crate::__private::requires::div(
                        crate::__private::requires::mul(
                            crate::__private::requires::rows(&m),
                            crate::__private::core::convert::identity::<
                                crate::__private::core::primitive::usize,
                            >(n),
                        )?,
                        2,
                    )? >= crate::__private::requires::sub(crate::__private::requires::len(&x), 1)?,
                )
            })(),
        )
    }
    #[inline(always)]
    #[allow(clippy::inline_always, clippy::needless_pass_by_value, clippy::too_many_arguments)]
    fn __condition_1(
        m: <&'static Matrix<f32> as crate::__private::Param>::Extent,
        n: <usize as crate::__private::Param>::Extent,
        x: <&'static [f32] as crate::__private::Param>::Extent,
        s: <Settings as crate::__private::Param>::Extent,
    ) -> crate::__private::core::primitive::bool {
        let _ = (&m, &n, &x, &s);
        crate::__private::requires::holds(
            (|| -> crate::__private::core::option::Option<crate::__private::core::primitive::bool> {
                crate::__private::core::option::Option::Some(crate::__private::requires::is_power_of_two(
                    crate::__private::core::convert::identity::<crate::__private::core::primitive::usize>(n),
                ))
            })(),
        )
    }
    #[inline(always)]
    #[allow(clippy::inline_always, clippy::needless_pass_by_value, clippy::too_many_arguments)]
    fn __condition_2(
        m: <&'static Matrix<f32> as crate::__private::Param>::Extent,
        n: <usize as crate::__private::Param>::Extent,
        x: <&'static [f32] as crate::__private::Param>::Extent,
        s: <Settings as crate::__private::Param>::Extent,
    ) -> crate::__private::core::primitive::bool {
        let _ = (&m, &n, &x, &s);
        x.len() == pairs(&s)
    }
    const __RECORD: [[crate::__private::core::primitive::u64; 4]; 7] = [
        [17447449367197215806, 2338276311980589874, 1344325775533736629, 4201429452345269383],
        [8, 3, 0, 0],
        [0, 0, 0, 0],
        crate::__private::Digest::words(<&'static Matrix<f32> as crate::__private::Param>::RECORD),
        crate::__private::Digest::words(<usize as crate::__private::Param>::RECORD),
        crate::__private::Digest::words(<&'static [f32] as crate::__private::Param>::RECORD),
        crate::__private::Digest::words(<Settings as crate::__private::Param>::RECORD),
    ];
    const _: () = crate::__private::core::assert!(
        crate::__private::is_spelled(
            <&'static Matrix<f32> as crate::__private::Param>::SPELLING,
            "&Matrix<_>"
        ),
        "the type of `m`, `&Matrix<f32>`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
    );
    const _: () = crate::__private::core::assert!(
        crate::__private::is_spelled(<usize as crate::__private::Param>::SPELLING, "_")
            && crate::__private::Layout::is(
                <usize as crate::__private::Param>::LAYOUT,
                crate::__private::Layout::of::<crate::__private::core::primitive::usize>()
            ),
        "the type of `n`, `usize`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
    );
    const _: () = crate::__private::core::assert!(
        crate::__private::is_spelled(<Settings as crate::__private::Param>::SPELLING, "_"),
        "`s` isn't a value, as its type is spelled: behind another name there is a slice, a matrix, a view or a pointer. Write that itself, since how a kernel gets a parameter follows from how its type is spelled"
    );
    const _: () = crate::__private::core::assert!(
        crate::__private::core::mem::size_of::<Settings>() <= crate::__private::MOST_VALUE_BYTES,
        "`s` is too large: all parameters of a kernel take at most 4096 bytes; put it into a buffer, and take a slice of it (`&[T]`)"
    );
    #[cfg(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), gridwright_entries))]
    const _: () = {
        const __BYTES3: crate::__private::core::primitive::usize =
            crate::__private::core::mem::size_of::<__Element3>();
        #[unsafe(export_name = "tested$7_0")]
        pub unsafe extern "gpu-kernel" fn __entry(
            last_0: crate::__private::core::primitive::u64,
            last_1: crate::__private::core::primitive::u64,
            last_2: crate::__private::core::primitive::u64,
            pointer_0: &[__Element0; 0],
            rows_0: crate::__private::core::primitive::u32,
            cols_0: crate::__private::core::primitive::u32,
            pointer_1: __Element1,
            pointer_2: &[__Element2; 0],
            len_2: crate::__private::core::primitive::usize,
            pointer_3: crate::__private::WholeValue<__Element3>,
            chunk_3_0: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 0) }>,
            chunk_3_1: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 1) }>,
            chunk_3_2: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 2) }>,
            chunk_3_3: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 3) }>,
            chunk_3_4: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 4) }>,
            chunk_3_5: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 5) }>,
            chunk_3_6: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 6) }>,
            chunk_3_7: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 7) }>,
            chunk_3_8: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 8) }>,
            chunk_3_9: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 9) }>,
            chunk_3_10: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 10) }>,
            chunk_3_11: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 11) }>,
            chunk_3_12: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 12) }>,
            chunk_3_13: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 13) }>,
            chunk_3_14: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 14) }>,
            chunk_3_15: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 15) }>,
            chunk_3_16: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 16) }>,
            chunk_3_17: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 17) }>,
            chunk_3_18: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 18) }>,
            chunk_3_19: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 19) }>,
            chunk_3_20: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 20) }>,
            chunk_3_21: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 21) }>,
            chunk_3_22: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 22) }>,
            chunk_3_23: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 23) }>,
            chunk_3_24: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 24) }>,
            chunk_3_25: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 25) }>,
            chunk_3_26: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 26) }>,
            chunk_3_27: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 27) }>,
            chunk_3_28: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 28) }>,
            chunk_3_29: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 29) }>,
            chunk_3_30: crate::__private::ValueChunk<{ crate::__private::has_chunk(__BYTES3, 30) }>,
            word_3_0: crate::__private::ValueWord<{ crate::__private::has_word(__BYTES3, 0) }>,
            word_3_1: crate::__private::ValueWord<{ crate::__private::has_word(__BYTES3, 1) }>,
            word_3_2: crate::__private::ValueWord<{ crate::__private::has_word(__BYTES3, 2) }>,
            word_3_3: crate::__private::ValueWord<{ crate::__private::has_word(__BYTES3, 3) }>,
            word_3_4: crate::__private::ValueWord<{ crate::__private::has_word(__BYTES3, 4) }>,
            word_3_5: crate::__private::ValueWord<{ crate::__private::has_word(__BYTES3, 5) }>,
            word_3_6: crate::__private::ValueWord<{ crate::__private::has_word(__BYTES3, 6) }>,
            word_3_7: crate::__private::ValueWord<{ crate::__private::has_word(__BYTES3, 7) }>,
            word_3_8: crate::__private::ValueWord<{ crate::__private::has_word(__BYTES3, 8) }>,
            word_3_9: crate::__private::ValueWord<{ crate::__private::has_word(__BYTES3, 9) }>,
            word_3_10: crate::__private::ValueWord<{ crate::__private::has_word(__BYTES3, 10) }>,
            word_3_11: crate::__private::ValueWord<{ crate::__private::has_word(__BYTES3, 11) }>,
            word_3_12: crate::__private::ValueWord<{ crate::__private::has_word(__BYTES3, 12) }>,
            word_3_13: crate::__private::ValueWord<{ crate::__private::has_word(__BYTES3, 13) }>,
            word_3_14: crate::__private::ValueWord<{ crate::__private::has_word(__BYTES3, 14) }>,
            word_3_15: crate::__private::ValueWord<{ crate::__private::has_word(__BYTES3, 15) }>,
        ) {
            unsafe {
                let crate::__private::core::option::Option::Some(thread_0) =
                    crate::__private::thread::<crate::__private::AnyBlock<3>, _, _>([last_0, last_1, last_2])
                else {
                    return;
                };
                let value_0 = crate::__private::read_matrix::<__Element0>(pointer_0, rows_0, cols_0);
                let value_1 = pointer_1;
                let value_2 = crate::__private::read_slice::<__Element2>(pointer_2, len_2);
                let value_3 = crate::__private::value::<__Element3>(
                    pointer_3,
                    || {
                        [
                            crate::__private::chunk(chunk_3_0),
                            crate::__private::chunk(chunk_3_1),
                            crate::__private::chunk(chunk_3_2),
                            crate::__private::chunk(chunk_3_3),
                            crate::__private::chunk(chunk_3_4),
                            crate::__private::chunk(chunk_3_5),
                            crate::__private::chunk(chunk_3_6),
                            crate::__private::chunk(chunk_3_7),
                            crate::__private::chunk(chunk_3_8),
                            crate::__private::chunk(chunk_3_9),
                            crate::__private::chunk(chunk_3_10),
                            crate::__private::chunk(chunk_3_11),
                            crate::__private::chunk(chunk_3_12),
                            crate::__private::chunk(chunk_3_13),
                            crate::__private::chunk(chunk_3_14),
                            crate::__private::chunk(chunk_3_15),
                            crate::__private::chunk(chunk_3_16),
                            crate::__private::chunk(chunk_3_17),
                            crate::__private::chunk(chunk_3_18),
                            crate::__private::chunk(chunk_3_19),
                            crate::__private::chunk(chunk_3_20),
                            crate::__private::chunk(chunk_3_21),
                            crate::__private::chunk(chunk_3_22),
                            crate::__private::chunk(chunk_3_23),
                            crate::__private::chunk(chunk_3_24),
                            crate::__private::chunk(chunk_3_25),
                            crate::__private::chunk(chunk_3_26),
                            crate::__private::chunk(chunk_3_27),
                            crate::__private::chunk(chunk_3_28),
                            crate::__private::chunk(chunk_3_29),
                            crate::__private::chunk(chunk_3_30),
                        ]
                    },
                    [
                        crate::__private::word(word_3_0),
                        crate::__private::word(word_3_1),
                        crate::__private::word(word_3_2),
                        crate::__private::word(word_3_3),
                        crate::__private::word(word_3_4),
                        crate::__private::word(word_3_5),
                        crate::__private::word(word_3_6),
                        crate::__private::word(word_3_7),
                        crate::__private::word(word_3_8),
                        crate::__private::word(word_3_9),
                        crate::__private::word(word_3_10),
                        crate::__private::word(word_3_11),
                        crate::__private::word(word_3_12),
                        crate::__private::word(word_3_13),
                        crate::__private::word(word_3_14),
                        crate::__private::word(word_3_15),
                    ],
                );
                crate::__private::core::hint::assert_unchecked(__condition_0(
                    crate::__private::MatrixExtent {
                        rows: rows_0 as crate::__private::core::primitive::usize,
                        cols: cols_0 as crate::__private::core::primitive::usize,
                    },
                    value_1,
                    crate::__private::SliceExtent { len: len_2 },
                    value_3,
                ));
                crate::__private::core::hint::assert_unchecked(__condition_1(
                    crate::__private::MatrixExtent {
                        rows: rows_0 as crate::__private::core::primitive::usize,
                        cols: cols_0 as crate::__private::core::primitive::usize,
                    },
                    value_1,
                    crate::__private::SliceExtent { len: len_2 },
                    value_3,
                ));
                crate::__private::core::assert!(
                    __condition_2(
                        crate::__private::MatrixExtent {
                            rows: rows_0 as crate::__private::core::primitive::usize,
                            cols: cols_0 as crate::__private::core::primitive::usize
                        },
                        value_1,
                        crate::__private::SliceExtent { len: len_2 },
                        value_3
                    ),
                    "the kernel requires `{}`",
                    "x.len() == pairs(&s)"
                );
                __call(thread_0, &value_0, value_1, value_2, value_3)
            }
        }
        #[unsafe(export_name = "__gridwright_layout_tested$7_0")]
        pub static __LAYOUT: [[crate::__private::core::primitive::u64; 4]; 7] = __RECORD;
        const __PATH: &crate::__private::core::primitive::str =
            crate::__private::core::concat!(crate::__private::core::module_path!(), "::tested");
        #[unsafe(export_name = "__gridwright_path_tested$7_0")]
        pub static __PATH_BYTES: [crate::__private::core::primitive::u8;
            crate::__private::core::primitive::str::len(__PATH)] = crate::__private::path_bytes(__PATH);
        #[unsafe(export_name = "__gridwright_threads_tested$7_0")]
        pub static __THREADS: crate::__private::core::primitive::u8 = 1;
    };
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    const _: () = crate::__private::Images::check(
        <tested as crate::__private::Signature>::IMAGES,
        <tested as crate::__private::Signature>::ENTRY,
        &__RECORD,
        &[
            8,
            8,
            8,
            8,
            4,
            4,
            crate::__private::core::mem::size_of::<usize>(),
            8,
            8,
            crate::__private::core::mem::size_of::<Settings>(),
        ],
        &[9],
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl crate::__private::Signature for tested {
        type Params = (&'static Matrix<f32>, usize, &'static [f32], Settings);
        const NAME: &'static crate::__private::core::primitive::str =
            crate::__private::Images::shown(Self::IMAGES, Self::ENTRY, "tested");
        const PARAMETERS: &'static [&'static crate::__private::core::primitive::str] = &["m", "n", "x", "s"];
        const ENTRY: &'static crate::__private::core::primitive::str = crate::__private::path_in_crate(
            crate::__private::core::concat!(crate::__private::core::module_path!(), "::tested"),
        );
        const IMAGES: &'static crate::__private::Images = &crate::__private::Images {
            missing: "its crate doesn't compile kernels for GPUs: add `gridwright-build` to the [build-dependencies] in Cargo.toml, and a build.rs with `fn main() { gridwright_build::compile_kernels() }`; or set GRIDWRIGHT_DEVICE=cpu",
            images: &[],
            cpu: crate::__private::CpuCode::All,
        };
        const BOUNDS: crate::__private::Bounds = crate::__private::Bounds {
            rank: if <Self::Params as crate::__private::ParamList>::RANK < 3 {
                <Self::Params as crate::__private::ParamList>::RANK
            } else {
                3
            },
            index: crate::__private::IndexWidth::Bits64,
            block: crate::__private::core::option::Option::None,
            most_threads: crate::__private::core::option::Option::None,
            whole_groups: false,
            tile: <Self::Params as crate::__private::ParamList>::TILE,
        };
        type Sizes = ();
        const PARTITIONS: &'static [crate::__private::PartitionLayout] = &[];
        const FIXED_BYTES: crate::__private::core::primitive::usize = 0;
        const CPU: crate::__private::CpuEntry =
            crate::__private::CpuEntry::Threads(crate::__private::run_chunk::<Self>);
        const IS_UNSAFE: crate::__private::core::primitive::bool = false;
        const VALUES_IN_PARTS: crate::__private::core::primitive::u32 = 2u32;
        fn require(
            arguments: &crate::__private::Raw<Self>,
            group: crate::__private::GroupExtent,
            lens: &[crate::__private::core::primitive::usize],
        ) -> crate::__private::core::result::Result<(), &'static crate::__private::core::primitive::str>
        {
            let _ = (arguments, &group, lens);
            let (extent_0, extent_1, extent_2, extent_3) =
                <Self::Params as crate::__private::ParamList>::extents(arguments);
            if !__condition_0(extent_0, extent_1, extent_2, extent_3) {
                return crate::__private::core::result::Result::Err("m.rows() * n / 2 >= x.len() - 1");
            }
            if !__condition_1(extent_0, extent_1, extent_2, extent_3) {
                return crate::__private::core::result::Result::Err("n.is_power_of_two()");
            }
            if !__condition_2(extent_0, extent_1, extent_2, extent_3) {
                return crate::__private::core::result::Result::Err("x.len() == pairs(&s)");
            }
            crate::__private::core::result::Result::Ok(())
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl crate::__private::ThreadKernel for tested {
        const DIRECT: crate::__private::core::primitive::u64 = 18446744073709551611u64;
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
                        __call(thread, value_0, value_1, value_2, value_3)
                    },
                )
            }
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    # [cfg_attr (not (test) , unsafe (export_name = crate :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , crate :: __private :: core :: module_path ! () , "::tested")))]
    # [cfg_attr (test , unsafe (export_name = crate :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , crate :: __private :: core :: module_path ! () , "::tested__in_tests")))]
    static UNIQUE: crate::__private::core::primitive::u8 = 0;
};
