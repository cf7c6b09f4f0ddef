#[allow(non_camel_case_types, missing_debug_implementations)]
struct matmul {}
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
        a: &Matrix<f32>,
        b: &Matrix<f32>,
        mut c: PerThread<Matrix<f32>>,
        mut ta: Workgroup<[[f32; T]; T]>,
        mut tb: Workgroup<[[f32; T]; T]>,
    ) {
        let mut acc = g.private(0.0_f32);
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    impl matmul {
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
    #[allow(unused_braces, unused_parens)]
    const __BLOCK: [::core::primitive::usize; 3] = [T, T, 1];
    #[cfg(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), gridwright_entries))]
    const _: () = {
        #[unsafe(export_name = "matmul")]
        pub unsafe extern "gpu-kernel" fn __entry(
            pointer_0: &[f32; 0],
            rows_0: ::core::primitive::u32,
            cols_0: ::core::primitive::u32,
            pointer_1: &[f32; 0],
            rows_1: ::core::primitive::u32,
            cols_1: ::core::primitive::u32,
            pointer_2: ::core::ptr::NonNull<f32>,
            rows_2: ::core::primitive::u32,
            cols_2: ::core::primitive::u32,
        ) {
            unsafe {
                let group_0 = ::gridwright::__private::group::<
                    ::gridwright::__private::FixedBlock<{ __BLOCK[0] }, { __BLOCK[1] }, { __BLOCK[2] }>,
                    ::core::primitive::u32,
                    2,
                >();
                let cols_0 = rows_1;
                let value_0 = ::gridwright::__private::read_matrix::<f32>(pointer_0, rows_0, cols_0);
                let value_1 = ::gridwright::__private::read_matrix::<f32>(pointer_1, rows_1, cols_1);
                let value_2 = ::gridwright::__private::own_matrix::<f32, ::gridwright::__private::Linear>(
                    pointer_2, rows_2, cols_2,
                );
                let mut memory_0 = ::gridwright::__private::memory();
                let value_3 = memory_0.fixed::<[[f32; T]; T]>();
                let value_4 = memory_0.fixed::<[[f32; T]; T]>();
                {
                    let g = ::gridwright::__private::GroupExtent { len: group_0.len() };
                    let a = ::gridwright::__private::MatrixExtent {
                        rows: rows_0 as ::core::primitive::usize,
                        cols: cols_0 as ::core::primitive::usize,
                    };
                    let b = ::gridwright::__private::MatrixExtent {
                        rows: rows_1 as ::core::primitive::usize,
                        cols: cols_1 as ::core::primitive::usize,
                    };
                    let c = ::gridwright::__private::MatrixExtent {
                        rows: rows_2 as ::core::primitive::usize,
                        cols: cols_2 as ::core::primitive::usize,
                    };
                    ::core::hint::assert_unchecked(
                        (|| -> ::core::option::Option<bool> {
                            ::core::option::Option::Some(
                                ::gridwright::__private::requires::cols(&a)
                                    == ::gridwright::__private::requires::rows(&b),
                            )
                        })() == ::core::option::Option::Some(true),
                    );
                }
                __body(&group_0, &value_0, &value_1, value_2, value_3, value_4)
            }
        }
        #[unsafe(export_name = "__gridwright_layout_matmul")]
        pub static __LAYOUT: [::core::primitive::u64; 8usize] = [
            <&'static Matrix<f32> as ::gridwright::__private::Param>::LAYOUT.word(),
            <&'static Matrix<f32> as ::gridwright::__private::Param>::LAYOUT.word(),
            <PerThread<'static, Matrix<f32>> as ::gridwright::__private::Param>::LAYOUT.word(),
            ::gridwright::__private::Layout::of::<[[f32; T]; T]>().word(),
            ::gridwright::__private::Layout::of::<[[f32; T]; T]>().word(),
            __BLOCK[0] as ::core::primitive::u64,
            __BLOCK[1] as ::core::primitive::u64,
            __BLOCK[2] as ::core::primitive::u64,
        ];
        #[unsafe(export_name = "__gridwright_group_matmul")]
        pub static __GROUP: ::core::primitive::u8 = 1;
        #[unsafe(export_name = "__gridwright_bounds_matmul")]
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
    const _: () = ::core::assert!(
        __BLOCK[1] > 0,
        "a block has at least one thread along each axis: leave axes out that it doesn't have, or write 1"
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    const _: () = <matmul as ::gridwright::__private::Signature>::IMAGES.check(
        "matmul",
        &[
            <&'static Matrix<f32> as ::gridwright::__private::Param>::LAYOUT.word(),
            <&'static Matrix<f32> as ::gridwright::__private::Param>::LAYOUT.word(),
            <PerThread<'static, Matrix<f32>> as ::gridwright::__private::Param>::LAYOUT.word(),
            ::gridwright::__private::Layout::of::<[[f32; T]; T]>().word(),
            ::gridwright::__private::Layout::of::<[[f32; T]; T]>().word(),
            __BLOCK[0] as ::core::primitive::u64,
            __BLOCK[1] as ::core::primitive::u64,
            __BLOCK[2] as ::core::primitive::u64,
        ],
        &[8, 4, 4, 8, 4, 4, 8, 4, 4],
        &[8, 4, 4, 8, 4, 4, 8, 4, 4],
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl ::gridwright::__private::Signature for matmul {
        type Params = (&'static Matrix<f32>, &'static Matrix<f32>, PerThread<'static, Matrix<f32>>);
        const NAME: &'static str = "matmul";
        const PARAMETERS: &'static [&'static str] = &["a", "b", "c"];
        const ENTRY: &'static str = "matmul";
        const IMAGES: &'static ::gridwright::__private::Images = &::gridwright::__private::Images {
            missing: "its crate doesn't compile kernels for GPUs: add `gridwright-build` to the [build-dependencies] in Cargo.toml, and a build.rs with `fn main() { gridwright_build::compile_kernels() }`; or set GRIDWRIGHT_DEVICE=cpu",
            images: &[],
        };
        const BOUNDS: ::gridwright::__private::Bounds = ::gridwright::__private::Bounds {
            rank: if <Self::Params as ::gridwright::__private::ParamList>::RANK < 2 {
                <Self::Params as ::gridwright::__private::ParamList>::RANK
            } else {
                2
            },
            index: ::gridwright::__private::IndexWidth::Bits32,
            block: ::core::option::Option::Some(__BLOCK),
            most_threads: ::core::option::Option::None,
            whole_groups: true,
            tile: <Self::Params as ::gridwright::__private::ParamList>::TILE,
        };
        type Sizes = ();
        const PARTITIONS: &'static [::gridwright::__private::PartitionLayout] = &[];
        const FIXED_BYTES: ::core::primitive::usize = ::gridwright::__private::COLLECTIVE_BYTES
            + ::gridwright::__private::partition_bytes(::core::mem::size_of::<[[f32; T]; T]>())
            + ::gridwright::__private::partition_bytes(::core::mem::size_of::<[[f32; T]; T]>());
        const CPU: ::gridwright::__private::Cpu =
            ::gridwright::__private::Cpu::Groups(::gridwright::__private::run_groups::<Self>);
        fn require(
            arguments: &::gridwright::__private::Raw<Self>,
            group: ::gridwright::__private::GroupExtent,
            lens: &[::core::primitive::usize],
        ) -> ::core::result::Result<(), &'static str> {
            let _ = (arguments, &group, lens);
            let (a, b, c) = <Self::Params as ::gridwright::__private::ParamList>::extents(arguments);
            let _ = (&a, &b, &c);
            let g = group;
            let _ = &g;
            if !((|| -> ::core::option::Option<bool> {
                ::core::option::Option::Some(
                    ::gridwright::__private::requires::cols(&a)
                        == ::gridwright::__private::requires::rows(&b),
                )
            })() == ::core::option::Option::Some(true))
            {
                return ::core::result::Result::Err("a.cols() == b.rows()");
            }
            ::core::result::Result::Ok(())
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl ::gridwright::__private::GroupKernel for matmul {
        type Block = ::gridwright::__private::FixedBlock<{ __BLOCK[0] }, { __BLOCK[1] }, { __BLOCK[2] }>;
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
                    |(value_0, value_1, value_2)| {
                        let mut memory = memory;
                        let value_3 = memory.fixed::<[[f32; T]; T]>();
                        let value_4 = memory.fixed::<[[f32; T]; T]>();
                        __body(group, value_0, value_1, value_2, value_3, value_4)
                    },
                )
            }
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    #[cfg_attr(
        not(test),
        unsafe(
            export_name = "gridwright_kernel_names_must_be_unique_in_a_crate__gridwright_derive_0_1_0__matmul"
        )
    )]
    #[cfg_attr(
        test,
        unsafe(
            export_name = "gridwright_kernel_names_must_be_unique_in_a_crate__gridwright_derive_0_1_0__matmul__in_tests"
        )
    )]
    static UNIQUE: u8 = 0;
};
