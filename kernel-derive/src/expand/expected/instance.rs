library::deep::tiled! { [gridwright :: __private :: instance_of] { [gridwright] # [doc = r" Documented."] pub tiled_f32 library :: deep :: tiled < f32 , Scale , 16 > } }
library::Sort! { [gridwright :: __private :: implement] { [gridwright] (library :: Sort < u32 >) Key } }
#[doc = "Documented."]
#[allow(non_camel_case_types, missing_debug_implementations)]
pub struct tiled_f32 {}
#[allow(unexpected_cfgs)]
const _: () = {
    use gridwright::__private as __gridwright;
    type __Generic = library::deep::tiled<f32, Scale, 16>;
    const _: () = __gridwright::core::assert!(
        __gridwright::is_spelled(
            <__Generic as __gridwright::GenericKernel>::DESCRIPTION,
            "group g , u32 , on , cpu on , block 2 , max_threads false , min_groups true , first none , ( op : value __Part0 , n : number usize , x : spelled & [ __Part1 ] , z : placed __gridwright : : PerGroup < __gridwright : : Matrix < __Part2 > , __Part3 > , s : surface 2 __gridwright : : Surface < __Part4 , __Part5 > , tile : fixed __gridwright : : Workgroup < __Part6 > , w : spelled __gridwright : : Workgroup < [ __Part7 ] > ) , ( fixed \"x.len() == n\" , free 1 \"fits::<N>(x)\" ) "
        ),
        "the macro of this name is another kernel's than the type: name the kernel by the path of its own module"
    );
    #[allow(dead_code)]
    type __Rest0 = <__Generic as __gridwright::GenericKernel>::Parts;
    type __Part0 = <__Rest0 as __gridwright::Parts>::Head;
    #[allow(dead_code)]
    type __Rest1 = <__Rest0 as __gridwright::Parts>::Tail;
    type __Part1 = <__Rest1 as __gridwright::Parts>::Head;
    #[allow(dead_code)]
    type __Rest2 = <__Rest1 as __gridwright::Parts>::Tail;
    type __Part2 = <__Rest2 as __gridwright::Parts>::Head;
    #[allow(dead_code)]
    type __Rest3 = <__Rest2 as __gridwright::Parts>::Tail;
    type __Part3 = <__Rest3 as __gridwright::Parts>::Head;
    #[allow(dead_code)]
    type __Rest4 = <__Rest3 as __gridwright::Parts>::Tail;
    type __Part4 = <__Rest4 as __gridwright::Parts>::Head;
    #[allow(dead_code)]
    type __Rest5 = <__Rest4 as __gridwright::Parts>::Tail;
    type __Part5 = <__Rest5 as __gridwright::Parts>::Head;
    #[allow(dead_code)]
    type __Rest6 = <__Rest5 as __gridwright::Parts>::Tail;
    type __Part6 = <__Rest6 as __gridwright::Parts>::Head;
    #[allow(dead_code)]
    type __Rest7 = <__Rest6 as __gridwright::Parts>::Tail;
    type __Part7 = <__Rest7 as __gridwright::Parts>::Head;
    #[allow(dead_code)]
    type __Rest8 = <__Rest7 as __gridwright::Parts>::Tail;
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    fn __body<'__workgroup, __Shape: gridwright::__private::GroupShape>(
        g: &__gridwright::Group<'_, __Shape>,
        op: __Part0,
        n: __gridwright::core::primitive::usize,
        x: &[__Part1],
        z: __gridwright::PerGroup<__gridwright::Matrix<__Part2>, __Part3>,
        s: __gridwright::Surface<__Part4, __Part5>,
        tile: __gridwright::Workgroup<'__workgroup, __Part6>,
        w: __gridwright::Workgroup<'__workgroup, [__Part7]>,
    ) {
        __Generic::__body(g, op, n, x, z, s, tile, w)
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    impl tiled_f32 {
        #[doc = " Prepares this kernel for `device`, and checks that both agree on its parameters."]
        #[doc = ""]
        #[doc = " # Errors"]
        #[doc = ""]
        #[doc = " When the program holds no image of the kernel for the device, when the image differs from"]
        #[doc = " the host's idea of the parameters, and when the device refuses it."]
        pub fn load(
            device: &gridwright::__private::Device,
        ) -> gridwright::__private::core::result::Result<
            gridwright::__private::Kernel<Self>,
            gridwright::__private::Error,
        >
        where
            Self: gridwright::__private::Signature,
        {
            gridwright::__private::load::<Self>(device)
        }
    }
    #[allow(unused_braces, unused_parens)]
    const __BLOCK: [gridwright::__private::core::primitive::usize; 3] = [
        <__Generic as __gridwright::GenericKernel>::BLOCK[0usize],
        <__Generic as __gridwright::GenericKernel>::BLOCK[1usize],
        1,
    ];
    #[allow(unused_braces, unused_parens)]
    const __MIN_GROUPS: gridwright::__private::core::primitive::usize =
        <__Generic as __gridwright::GenericKernel>::MIN_GROUPS;
    type __Element0 = __Part0;
    type __Element1 = __gridwright::core::primitive::usize;
    type __Element2 = __Part1;
    type __Element3 = __Part2;
    type __Element4 = __gridwright::Surface<'static, __Part4, __Part5>;
    type __Element5 = __Part6;
    type __Element6 = __Part7;
    #[inline(always)]
    #[allow(
        clippy::extra_unused_lifetimes,
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    fn __call<'__level, '__lent: '__level, __Shape: gridwright::__private::GroupShape>(
        given_0: &'__level __gridwright::Group<'_, __Shape>,
        given_1: __Part0,
        given_2: __gridwright::core::primitive::usize,
        given_3: &'__lent [__Part1],
        given_4: __gridwright::PerGroup<'__lent, __gridwright::Matrix<__Part2>, __Part3>,
        given_5: __gridwright::Surface<'__lent, __Part4, __Part5>,
        given_6: __gridwright::Workgroup<'__lent, __Part6>,
        given_7: __gridwright::Workgroup<'__lent, [__Part7]>,
    ) {
        let () = __body(given_0, given_1, given_2, given_3, given_4, given_5, given_6, given_7);
    }
    #[inline(always)]
    #[allow(clippy::inline_always, clippy::needless_pass_by_value, clippy::too_many_arguments)]
    fn __condition_0(
        g: gridwright::__private::GroupExtent,
        op: <__Part0 as gridwright::__private::Param>::Extent,
        n: <__gridwright::core::primitive::usize as gridwright::__private::Param>::Extent,
        x: <&'static [__Part1] as gridwright::__private::Param>::Extent,
        z : < __gridwright :: PerGroup < 'static , __gridwright :: Matrix < __Part2 > , __Part3 > as gridwright :: __private :: Param > :: Extent,
        s: <__gridwright::Surface<'static, __Part4, __Part5> as gridwright::__private::Param>::Extent,
        w: gridwright::__private::SliceExtent,
    ) -> gridwright::__private::core::primitive::bool {
        let _ = (&g, &op, &n, &x, &z, &s, &w);
        gridwright :: __private :: requires :: holds ((|| -> gridwright :: __private :: core :: option :: Option < gridwright :: __private :: core :: primitive :: bool > { gridwright :: __private :: core :: option :: Option :: Some (gridwright :: __private :: requires :: len (& x) == gridwright :: __private :: core :: convert :: identity :: < gridwright :: __private :: core :: primitive :: usize > (n)) }) ())
    }
    #[inline(always)]
    #[allow(clippy::inline_always, clippy::needless_pass_by_value, clippy::too_many_arguments)]
    fn __condition_1(
        g: gridwright::__private::GroupExtent,
        op: <__Part0 as gridwright::__private::Param>::Extent,
        n: <__gridwright::core::primitive::usize as gridwright::__private::Param>::Extent,
        x: <&'static [__Part1] as gridwright::__private::Param>::Extent,
        z : < __gridwright :: PerGroup < 'static , __gridwright :: Matrix < __Part2 > , __Part3 > as gridwright :: __private :: Param > :: Extent,
        s: <__gridwright::Surface<'static, __Part4, __Part5> as gridwright::__private::Param>::Extent,
        w: gridwright::__private::SliceExtent,
    ) -> gridwright::__private::core::primitive::bool {
        let _ = (&g, &op, &n, &x, &z, &s, &w);
        __Generic::__condition_1(g, op, n, x, z, s, w)
    }
    const __RECORD : [[gridwright :: __private :: core :: primitive :: u64 ; 4] ; 10] = [[5068805662007028186 , 10895782622332402682 , 2221476820978398493 , 10319034877589388120] , [4 , 2 , 0 , 0] , [__BLOCK [0] as gridwright :: __private :: core :: primitive :: u64 , __BLOCK [1] as gridwright :: __private :: core :: primitive :: u64 , __BLOCK [2] as gridwright :: __private :: core :: primitive :: u64 , 0] , gridwright :: __private :: Digest :: words (< __Part0 as gridwright :: __private :: Param > :: RECORD) , gridwright :: __private :: Digest :: words (< __gridwright :: core :: primitive :: usize as gridwright :: __private :: Param > :: RECORD) , gridwright :: __private :: Digest :: words (< & 'static [__Part1] as gridwright :: __private :: Param > :: RECORD) , gridwright :: __private :: Digest :: words (< __gridwright :: PerGroup < 'static , __gridwright :: Matrix < __Part2 > , __Part3 > as gridwright :: __private :: Param > :: RECORD) , gridwright :: __private :: Digest :: words (< __gridwright :: Surface < 'static , __Part4 , __Part5 > as gridwright :: __private :: Param > :: RECORD) , gridwright :: __private :: Digest :: words (gridwright :: __private :: Layout :: digest (gridwright :: __private :: Layout :: of :: < __Part6 > ())) , gridwright :: __private :: Digest :: words (gridwright :: __private :: Layout :: digest (gridwright :: __private :: Layout :: of :: < __Part7 > ()))] ;
    const _: () = gridwright::__private::core::assert!(
        gridwright::__private::is_spelled(<__Part0 as gridwright::__private::Param>::SPELLING, "_"),
        "`op` isn't a value, as its type is spelled: behind another name there is a slice, a matrix, a view or a pointer. Write that itself, since how a kernel gets a parameter follows from how its type is spelled"
    );
    const _: () = gridwright::__private::core::assert!(
        gridwright::__private::is_spelled(
            <__gridwright::core::primitive::usize as gridwright::__private::Param>::SPELLING,
            "_"
        ) && gridwright::__private::Layout::is(
            <__gridwright::core::primitive::usize as gridwright::__private::Param>::LAYOUT,
            gridwright::__private::Layout::of::<gridwright::__private::core::primitive::usize>()
        ),
        "the type of `n`, `__gridwright::core::primitive::usize`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
    );
    const _ : () = gridwright :: __private :: core :: assert ! (gridwright :: __private :: is_spelled (< __gridwright :: PerGroup < 'static , __gridwright :: Matrix < __Part2 > , __Part3 > as gridwright :: __private :: Param > :: SPELLING , "PerGroup<Matrix<_>, PlacedTiles<_>>") , "the type of `z`, `__gridwright::PerGroup<__gridwright::Matrix<__Part2>, __Part3>`, is spelled as one of Gridwright's or of Rust's own, and is another of that name") ;
    const _: () = gridwright::__private::core::assert!(
        gridwright::__private::is_spelled(
            <__gridwright::Surface<'static, __Part4, __Part5> as gridwright::__private::Param>::SPELLING,
            "Surface<_>"
        ),
        "the type of `s`, `__gridwright::Surface<__Part4, __Part5>`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
    );
    const _: () = gridwright::__private::core::assert!(
        gridwright::__private::core::mem::size_of::<__Part0>() <= gridwright::__private::MOST_VALUE_BYTES,
        "`op` is too large: all parameters of a kernel take at most 4096 bytes; put it into a buffer, and take a slice of it (`&[T]`)"
    );
    #[cfg(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), gridwright_entries))]
    const _: () = {
        const __BYTES0: gridwright::__private::core::primitive::usize =
            gridwright::__private::core::mem::size_of::<__Element0>();
        #[unsafe(export_name = "tiled_f32$0_0")]
        pub unsafe extern "gpu-kernel" fn __entry(
            pointer_0: gridwright::__private::WholeValue<__Element0>,
            chunk_0_0: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 0) }>,
            chunk_0_1: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 1) }>,
            chunk_0_2: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 2) }>,
            chunk_0_3: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 3) }>,
            chunk_0_4: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 4) }>,
            chunk_0_5: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 5) }>,
            chunk_0_6: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 6) }>,
            chunk_0_7: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 7) }>,
            chunk_0_8: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 8) }>,
            chunk_0_9: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 9) }>,
            chunk_0_10: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 10) }>,
            chunk_0_11: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 11) }>,
            chunk_0_12: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 12) }>,
            chunk_0_13: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 13) }>,
            chunk_0_14: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 14) }>,
            chunk_0_15: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 15) }>,
            chunk_0_16: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 16) }>,
            chunk_0_17: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 17) }>,
            chunk_0_18: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 18) }>,
            chunk_0_19: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 19) }>,
            chunk_0_20: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 20) }>,
            chunk_0_21: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 21) }>,
            chunk_0_22: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 22) }>,
            chunk_0_23: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 23) }>,
            chunk_0_24: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 24) }>,
            chunk_0_25: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 25) }>,
            chunk_0_26: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 26) }>,
            chunk_0_27: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 27) }>,
            chunk_0_28: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 28) }>,
            chunk_0_29: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 29) }>,
            chunk_0_30: gridwright::__private::ValueChunk<{ gridwright::__private::has_chunk(__BYTES0, 30) }>,
            word_0_0: gridwright::__private::ValueWord<{ gridwright::__private::has_word(__BYTES0, 0) }>,
            word_0_1: gridwright::__private::ValueWord<{ gridwright::__private::has_word(__BYTES0, 1) }>,
            word_0_2: gridwright::__private::ValueWord<{ gridwright::__private::has_word(__BYTES0, 2) }>,
            word_0_3: gridwright::__private::ValueWord<{ gridwright::__private::has_word(__BYTES0, 3) }>,
            word_0_4: gridwright::__private::ValueWord<{ gridwright::__private::has_word(__BYTES0, 4) }>,
            word_0_5: gridwright::__private::ValueWord<{ gridwright::__private::has_word(__BYTES0, 5) }>,
            word_0_6: gridwright::__private::ValueWord<{ gridwright::__private::has_word(__BYTES0, 6) }>,
            word_0_7: gridwright::__private::ValueWord<{ gridwright::__private::has_word(__BYTES0, 7) }>,
            word_0_8: gridwright::__private::ValueWord<{ gridwright::__private::has_word(__BYTES0, 8) }>,
            word_0_9: gridwright::__private::ValueWord<{ gridwright::__private::has_word(__BYTES0, 9) }>,
            word_0_10: gridwright::__private::ValueWord<{ gridwright::__private::has_word(__BYTES0, 10) }>,
            word_0_11: gridwright::__private::ValueWord<{ gridwright::__private::has_word(__BYTES0, 11) }>,
            word_0_12: gridwright::__private::ValueWord<{ gridwright::__private::has_word(__BYTES0, 12) }>,
            word_0_13: gridwright::__private::ValueWord<{ gridwright::__private::has_word(__BYTES0, 13) }>,
            word_0_14: gridwright::__private::ValueWord<{ gridwright::__private::has_word(__BYTES0, 14) }>,
            word_0_15: gridwright::__private::ValueWord<{ gridwright::__private::has_word(__BYTES0, 15) }>,
            pointer_1: __Element1,
            pointer_2: &[__Element2; 0],
            len_2: gridwright::__private::core::primitive::usize,
            pointer_3: gridwright::__private::core::ptr::NonNull<__Element3>,
            rows_3: gridwright::__private::core::primitive::u32,
            cols_3: gridwright::__private::core::primitive::u32,
            row_3: gridwright::__private::core::primitive::u32,
            col_3: gridwright::__private::core::primitive::u32,
            numbers_3: &[gridwright::__private::core::primitive::u32; 0],
            count_3: gridwright::__private::core::primitive::usize,
            pointer_4: gridwright::__private::SurfaceArgument,
            fetched_4: gridwright::__private::core::primitive::u64,
            width_4: gridwright::__private::core::primitive::u32,
            height_4: gridwright::__private::core::primitive::u32,
            depth_4: gridwright::__private::core::primitive::u32,
            sampling_4: gridwright::__private::core::primitive::u32,
            len_6: gridwright::__private::core::primitive::u32,
        ) {
            unsafe {
                let group_0 = gridwright::__private::group::<
                    gridwright::__private::FixedBlock<{ __BLOCK[0] }, { __BLOCK[1] }, { __BLOCK[2] }>,
                    gridwright::__private::core::primitive::u32,
                    2,
                >();
                let value_0 = gridwright::__private::value::<__Element0>(
                    pointer_0,
                    || {
                        [
                            gridwright::__private::chunk(chunk_0_0),
                            gridwright::__private::chunk(chunk_0_1),
                            gridwright::__private::chunk(chunk_0_2),
                            gridwright::__private::chunk(chunk_0_3),
                            gridwright::__private::chunk(chunk_0_4),
                            gridwright::__private::chunk(chunk_0_5),
                            gridwright::__private::chunk(chunk_0_6),
                            gridwright::__private::chunk(chunk_0_7),
                            gridwright::__private::chunk(chunk_0_8),
                            gridwright::__private::chunk(chunk_0_9),
                            gridwright::__private::chunk(chunk_0_10),
                            gridwright::__private::chunk(chunk_0_11),
                            gridwright::__private::chunk(chunk_0_12),
                            gridwright::__private::chunk(chunk_0_13),
                            gridwright::__private::chunk(chunk_0_14),
                            gridwright::__private::chunk(chunk_0_15),
                            gridwright::__private::chunk(chunk_0_16),
                            gridwright::__private::chunk(chunk_0_17),
                            gridwright::__private::chunk(chunk_0_18),
                            gridwright::__private::chunk(chunk_0_19),
                            gridwright::__private::chunk(chunk_0_20),
                            gridwright::__private::chunk(chunk_0_21),
                            gridwright::__private::chunk(chunk_0_22),
                            gridwright::__private::chunk(chunk_0_23),
                            gridwright::__private::chunk(chunk_0_24),
                            gridwright::__private::chunk(chunk_0_25),
                            gridwright::__private::chunk(chunk_0_26),
                            gridwright::__private::chunk(chunk_0_27),
                            gridwright::__private::chunk(chunk_0_28),
                            gridwright::__private::chunk(chunk_0_29),
                            gridwright::__private::chunk(chunk_0_30),
                        ]
                    },
                    [
                        gridwright::__private::word(word_0_0),
                        gridwright::__private::word(word_0_1),
                        gridwright::__private::word(word_0_2),
                        gridwright::__private::word(word_0_3),
                        gridwright::__private::word(word_0_4),
                        gridwright::__private::word(word_0_5),
                        gridwright::__private::word(word_0_6),
                        gridwright::__private::word(word_0_7),
                        gridwright::__private::word(word_0_8),
                        gridwright::__private::word(word_0_9),
                        gridwright::__private::word(word_0_10),
                        gridwright::__private::word(word_0_11),
                        gridwright::__private::word(word_0_12),
                        gridwright::__private::word(word_0_13),
                        gridwright::__private::word(word_0_14),
                        gridwright::__private::word(word_0_15),
                    ],
                );
                let value_1 = pointer_1;
                let value_2 = gridwright::__private::read_slice::<__Element2>(pointer_2, len_2);
                let value_3 = gridwright::__private::per_group_placed::<__Element3, _, _, _>(
                    pointer_3,
                    rows_3,
                    cols_3,
                    row_3,
                    col_3,
                    numbers_3,
                    count_3,
                    gridwright::__private::Group::index(&group_0),
                );
                let value_4 = gridwright::__private::surface(
                    pointer_4, fetched_4, width_4, height_4, depth_4, sampling_4,
                );
                let mut memory_0 = gridwright::__private::memory();
                let value_5 = gridwright::__private::Memory::fixed::<__Element5>(&mut memory_0);
                let size_6 = len_6 as gridwright::__private::core::primitive::usize;
                let value_6 = gridwright::__private::Memory::partition::<__Element6>(&mut memory_0, size_6);
                gridwright::__private::core::hint::assert_unchecked(__condition_0(
                    gridwright::__private::GroupExtent { len: gridwright::__private::Threads::len(&group_0) },
                    value_0,
                    value_1,
                    gridwright::__private::SliceExtent { len: len_2 },
                    gridwright::__private::MatrixExtent {
                        rows: rows_3 as gridwright::__private::core::primitive::usize,
                        cols: cols_3 as gridwright::__private::core::primitive::usize,
                    },
                    gridwright::__private::TextureExtent { extent: [width_4, height_4, depth_4] },
                    gridwright::__private::SliceExtent {
                        len: len_6 as gridwright::__private::core::primitive::usize,
                    },
                ));
                gridwright::__private::core::assert!(
                    __condition_1(
                        gridwright::__private::GroupExtent {
                            len: gridwright::__private::Threads::len(&group_0)
                        },
                        value_0,
                        value_1,
                        gridwright::__private::SliceExtent { len: len_2 },
                        gridwright::__private::MatrixExtent {
                            rows: rows_3 as gridwright::__private::core::primitive::usize,
                            cols: cols_3 as gridwright::__private::core::primitive::usize
                        },
                        gridwright::__private::TextureExtent { extent: [width_4, height_4, depth_4] },
                        gridwright::__private::SliceExtent {
                            len: len_6 as gridwright::__private::core::primitive::usize
                        }
                    ),
                    "the kernel requires `{}`",
                    "fits::<N>(x)"
                );
                __call(&group_0, value_0, value_1, value_2, value_3, value_4, value_5, value_6)
            }
        }
        #[unsafe(export_name = "__gridwright_layout_tiled_f32$0_0")]
        pub static __LAYOUT: [[gridwright::__private::core::primitive::u64; 4]; 10] = __RECORD;
        const __PATH: &gridwright::__private::core::primitive::str =
            gridwright::__private::core::concat!(gridwright::__private::core::module_path!(), "::tiled_f32");
        #[unsafe(export_name = "__gridwright_path_tiled_f32$0_0")]
        pub static __PATH_BYTES: [gridwright::__private::core::primitive::u8;
            gridwright::__private::core::primitive::str::len(__PATH)] =
            gridwright::__private::path_bytes(__PATH);
        #[unsafe(export_name = "__gridwright_bounds_tiled_f32$0_0")]
        pub static __BOUNDS: [gridwright::__private::core::primitive::u32; 5] = [
            __BLOCK[0] as gridwright::__private::core::primitive::u32,
            __BLOCK[1] as gridwright::__private::core::primitive::u32,
            __BLOCK[2] as gridwright::__private::core::primitive::u32,
            0,
            __MIN_GROUPS as gridwright::__private::core::primitive::u32,
        ];
    };
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    const _: () = gridwright::__private::core::assert!(
        __BLOCK[0] > 0,
        "a block has at least one thread along each axis: leave axes out that it doesn't have, or write 1"
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    const _: () = gridwright::__private::core::assert!(
        __BLOCK[1] > 0,
        "a block has at least one thread along each axis: leave axes out that it doesn't have, or write 1"
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    const _: () = gridwright::__private::core::assert!(
        __MIN_GROUPS > 0,
        "at least one group fits a GPU's core: raise `min_groups`, or leave it out"
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    const _: () = gridwright::__private::Images::check(
        <tiled_f32 as gridwright::__private::Signature>::IMAGES,
        <tiled_f32 as gridwright::__private::Signature>::ENTRY,
        &__RECORD,
        &[
            gridwright::__private::core::mem::size_of::<__Part0>(),
            gridwright::__private::core::mem::size_of::<__gridwright::core::primitive::usize>(),
            8,
            8,
            8,
            4,
            4,
            4,
            4,
            8,
            8,
            8,
            8,
            4,
            4,
            4,
            4,
            4,
        ],
        &[0],
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl gridwright::__private::Signature for tiled_f32 {
        type Params = (
            __Part0,
            __gridwright::core::primitive::usize,
            &'static [__Part1],
            __gridwright::PerGroup<'static, __gridwright::Matrix<__Part2>, __Part3>,
            __gridwright::Surface<'static, __Part4, __Part5>,
        );
        const NAME: &'static gridwright::__private::core::primitive::str =
            gridwright::__private::Images::shown(Self::IMAGES, Self::ENTRY, "tiled_f32");
        const PARAMETERS: &'static [&'static gridwright::__private::core::primitive::str] =
            &["op", "n", "x", "z", "s"];
        const ENTRY: &'static gridwright::__private::core::primitive::str =
            gridwright::__private::path_in_crate(gridwright::__private::core::concat!(
                gridwright::__private::core::module_path!(),
                "::tiled_f32"
            ));
        const IMAGES: &'static gridwright::__private::Images = &gridwright::__private::Images {
            missing: "its crate doesn't compile kernels for GPUs: add `gridwright-build` to the [build-dependencies] in Cargo.toml, and a build.rs with `fn main() { gridwright_build::compile_kernels() }`; or set GRIDWRIGHT_DEVICE=cpu",
            images: &[],
            cpu: gridwright::__private::CpuCode::All,
        };
        const BOUNDS: gridwright::__private::Bounds = gridwright::__private::Bounds {
            rank: if <Self::Params as gridwright::__private::ParamList>::RANK < 2 {
                <Self::Params as gridwright::__private::ParamList>::RANK
            } else {
                2
            },
            index: gridwright::__private::IndexWidth::Bits32,
            block: gridwright::__private::core::option::Option::Some(__BLOCK),
            most_threads: gridwright::__private::core::option::Option::None,
            whole_groups: true,
            tile: <Self::Params as gridwright::__private::ParamList>::TILE,
        };
        type Sizes = ((), __Part7);
        const PARTITIONS: &'static [gridwright::__private::PartitionLayout] =
            &[gridwright::__private::PartitionLayout::of::<__Part7>("w")];
        const FIXED_BYTES: gridwright::__private::core::primitive::usize =
            gridwright::__private::COLLECTIVE_BYTES
                + gridwright::__private::partition_bytes(
                    gridwright::__private::core::mem::size_of::<__Part6>(),
                );
        const CPU: gridwright::__private::CpuEntry =
            gridwright::__private::CpuEntry::Groups(gridwright::__private::run_groups::<Self>);
        const IS_UNSAFE: gridwright::__private::core::primitive::bool = false;
        const VALUES_IN_PARTS: gridwright::__private::core::primitive::u32 = 1u32;
        fn require(
            arguments: &gridwright::__private::Raw<Self>,
            group: gridwright::__private::GroupExtent,
            lens: &[gridwright::__private::core::primitive::usize],
        ) -> gridwright::__private::core::result::Result<
            (),
            &'static gridwright::__private::core::primitive::str,
        > {
            let _ = (arguments, &group, lens);
            let (extent_0, extent_1, extent_2, extent_3, extent_4) =
                <Self::Params as gridwright::__private::ParamList>::extents(arguments);
            if !__condition_0(
                group,
                extent_0,
                extent_1,
                extent_2,
                extent_3,
                extent_4,
                gridwright::__private::SliceExtent { len: lens[0] },
            ) {
                return gridwright::__private::core::result::Result::Err("x.len() == n");
            }
            if !__condition_1(
                group,
                extent_0,
                extent_1,
                extent_2,
                extent_3,
                extent_4,
                gridwright::__private::SliceExtent { len: lens[0] },
            ) {
                return gridwright::__private::core::result::Result::Err("fits::<N>(x)");
            }
            gridwright::__private::core::result::Result::Ok(())
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl gridwright::__private::Instance<__Generic> for tiled_f32 {}
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl gridwright::__private::GroupKernel for tiled_f32 {
        type Block = gridwright::__private::FixedBlock<{ __BLOCK[0] }, { __BLOCK[1] }, { __BLOCK[2] }>;
        #[inline(always)]
        unsafe fn run<__Shape: gridwright::__private::GroupShape>(
            group: &gridwright::__private::Group<'_, __Shape>,
            arguments: &gridwright::__private::Raw<Self>,
            memory: gridwright::__private::Memory<'_>,
        ) {
            unsafe {
                gridwright::__private::with_parameters::<Self::Params, __Shape, _>(
                    group,
                    arguments,
                    |(value_0, value_1, value_2, value_3, value_4)| {
                        let mut memory = memory;
                        let value_5 = gridwright::__private::Memory::fixed::<__Element5>(&mut memory);
                        let size_6 = gridwright::__private::Memory::len(&memory, 0);
                        let value_6 =
                            gridwright::__private::Memory::partition::<__Element6>(&mut memory, size_6);
                        __call(group, value_0, value_1, value_2, value_3, value_4, value_5, value_6)
                    },
                )
            }
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    # [cfg_attr (not (test) , unsafe (export_name = gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , gridwright :: __private :: core :: module_path ! () , "::tiled_f32")))]
    # [cfg_attr (test , unsafe (export_name = gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , gridwright :: __private :: core :: module_path ! () , "::tiled_f32__in_tests")))]
    static UNIQUE: gridwright::__private::core::primitive::u8 = 0;
};
