#[allow(non_camel_case_types, missing_debug_implementations)]
struct matmul {}
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
#[doc(hidden)]
#[allow(non_snake_case)]
mod __matmul_called {
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
    pub fn matmul<__Given0, __Given1, __Given2, __Given3, __Given4, __Given5>(
        given_0: __Given0,
        given_1: __Given1,
        given_2: __Given2,
        given_3: __Given3,
        given_4: __Given4,
        given_5: __Given5,
    ) where
        for<'__called> &'__called (): ::gridwright::__private::Called,
    {
    }
}
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
#[doc(hidden)]
#[allow(clippy::wildcard_imports, hidden_glob_reexports, unused_imports, unreachable_pub)]
use __matmul_called::*;
#[allow(unexpected_cfgs)]
const _: () = {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    fn __body<'__workgroup, __Shape: ::gridwright::__private::GroupShape>(
        g: &Group<'_, __Shape>,
        a: &Matrix<f32>,
        b: &Matrix<f32>,
        mut c: PerThread<Matrix<f32>>,
        mut ta: Workgroup<'__workgroup, [[f32; T]; T]>,
        mut tb: Workgroup<'__workgroup, [[f32; T]; T]>,
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
    #[allow(unused_braces, unused_parens)]
    const __BLOCK: [::gridwright::__private::core::primitive::usize; 3] = [T, T, 1];
    type __Element0 = f32;
    type __Element1 = f32;
    type __Element2 = f32;
    type __Element3 = [[f32; T]; T];
    type __Element4 = [[f32; T]; T];
    #[inline(always)]
    #[allow(
        clippy::extra_unused_lifetimes,
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    fn __call<'__level, '__lent: '__level, __Shape: ::gridwright::__private::GroupShape>(
        given_0: &'__level Group<'_, __Shape>,
        given_1: &'__lent Matrix<f32>,
        given_2: &'__lent Matrix<f32>,
        given_3: PerThread<'__lent, Matrix<f32>>,
        given_4: Workgroup<'__lent, [[f32; T]; T]>,
        given_5: Workgroup<'__lent, [[f32; T]; T]>,
    ) {
        let () = __body(given_0, given_1, given_2, given_3, given_4, given_5);
    }
    #[inline(always)]
    #[allow(clippy::inline_always, clippy::needless_pass_by_value, clippy::too_many_arguments)]
    fn __condition_0(
        g: ::gridwright::__private::GroupExtent,
        a: <&'static Matrix<f32> as ::gridwright::__private::Param>::Extent,
        b: <&'static Matrix<f32> as ::gridwright::__private::Param>::Extent,
        c: <PerThread<'static, Matrix<f32>> as ::gridwright::__private::Param>::Extent,
    ) -> ::gridwright::__private::core::primitive::bool {
        let _ = (&g, &a, &b, &c);
        :: gridwright :: __private :: requires :: holds ((|| -> :: gridwright :: __private :: core :: option :: Option < :: gridwright :: __private :: core :: primitive :: bool > { :: gridwright :: __private :: core :: option :: Option :: Some (:: gridwright :: __private :: requires :: cols (& a) == :: gridwright :: __private :: requires :: rows (& b)) }) ())
    }
    const __RECORD: [[::gridwright::__private::core::primitive::u64; 4]; 8] = [
        [14283803053808911721, 6872483348761857021, 12194855337185438854, 11022405403592756634],
        [4, 2, 0, 0],
        [
            __BLOCK[0] as ::gridwright::__private::core::primitive::u64,
            __BLOCK[1] as ::gridwright::__private::core::primitive::u64,
            __BLOCK[2] as ::gridwright::__private::core::primitive::u64,
            0,
        ],
        ::gridwright::__private::Digest::words(
            <&'static Matrix<f32> as ::gridwright::__private::Param>::RECORD,
        ),
        ::gridwright::__private::Digest::words(
            <&'static Matrix<f32> as ::gridwright::__private::Param>::RECORD,
        ),
        ::gridwright::__private::Digest::words(
            <PerThread<'static, Matrix<f32>> as ::gridwright::__private::Param>::RECORD,
        ),
        ::gridwright::__private::Digest::words(::gridwright::__private::Layout::digest(
            ::gridwright::__private::Layout::of::<[[f32; T]; T]>(),
        )),
        ::gridwright::__private::Digest::words(::gridwright::__private::Layout::digest(
            ::gridwright::__private::Layout::of::<[[f32; T]; T]>(),
        )),
    ];
    const _: () = ::gridwright::__private::core::assert!(
        ::gridwright::__private::is_spelled(
            <&'static Matrix<f32> as ::gridwright::__private::Param>::SPELLING,
            "&Matrix<_>"
        ),
        "the type of `a`, `&Matrix<f32>`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
    );
    const _: () = ::gridwright::__private::core::assert!(
        ::gridwright::__private::is_spelled(
            <&'static Matrix<f32> as ::gridwright::__private::Param>::SPELLING,
            "&Matrix<_>"
        ),
        "the type of `b`, `&Matrix<f32>`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
    );
    const _: () = ::gridwright::__private::core::assert!(
        ::gridwright::__private::is_spelled(
            <PerThread<'static, Matrix<f32>> as ::gridwright::__private::Param>::SPELLING,
            "PerThread<Matrix<_>>"
        ),
        "the type of `c`, `PerThread<Matrix<f32>>`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
    );
    #[cfg(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), gridwright_entries))]
    const _: () = {
        #[unsafe(export_name = "matmul$7_0")]
        pub unsafe extern "gpu-kernel" fn __entry(
            pointer_0: &[__Element0; 0],
            rows_0: ::gridwright::__private::core::primitive::u32,
            cols_0: ::gridwright::__private::core::primitive::u32,
            pointer_1: &[__Element1; 0],
            rows_1: ::gridwright::__private::core::primitive::u32,
            cols_1: ::gridwright::__private::core::primitive::u32,
            pointer_2: ::gridwright::__private::core::ptr::NonNull<__Element2>,
            rows_2: ::gridwright::__private::core::primitive::u32,
            cols_2: ::gridwright::__private::core::primitive::u32,
            owners_x_2: ::gridwright::__private::core::primitive::u32,
            owners_y_2: ::gridwright::__private::core::primitive::u32,
        ) {
            unsafe {
                let group_0 = ::gridwright::__private::group::<
                    ::gridwright::__private::FixedBlock<{ __BLOCK[0] }, { __BLOCK[1] }, { __BLOCK[2] }>,
                    ::gridwright::__private::core::primitive::u32,
                    2,
                >();
                let cols_0 = rows_1;
                let value_0 = ::gridwright::__private::read_matrix::<__Element0>(pointer_0, rows_0, cols_0);
                let value_1 = ::gridwright::__private::read_matrix::<__Element1>(pointer_1, rows_1, cols_1);
                let value_2 = ::gridwright::__private::own_matrix::<
                    __Element2,
                    ::gridwright::__private::Linear,
                >(pointer_2, rows_2, cols_2, owners_x_2, owners_y_2);
                let mut memory_0 = ::gridwright::__private::memory();
                let value_3 = ::gridwright::__private::Memory::fixed::<__Element3>(&mut memory_0);
                let value_4 = ::gridwright::__private::Memory::fixed::<__Element4>(&mut memory_0);
                ::gridwright::__private::core::hint::assert_unchecked(__condition_0(
                    ::gridwright::__private::GroupExtent {
                        len: ::gridwright::__private::Threads::len(&group_0),
                    },
                    ::gridwright::__private::MatrixExtent {
                        rows: rows_0 as ::gridwright::__private::core::primitive::usize,
                        cols: cols_0 as ::gridwright::__private::core::primitive::usize,
                    },
                    ::gridwright::__private::MatrixExtent {
                        rows: rows_1 as ::gridwright::__private::core::primitive::usize,
                        cols: cols_1 as ::gridwright::__private::core::primitive::usize,
                    },
                    ::gridwright::__private::MatrixExtent {
                        rows: rows_2 as ::gridwright::__private::core::primitive::usize,
                        cols: cols_2 as ::gridwright::__private::core::primitive::usize,
                    },
                ));
                __call(&group_0, &value_0, &value_1, value_2, value_3, value_4)
            }
        }
        #[unsafe(export_name = "__gridwright_layout_matmul$7_0")]
        pub static __LAYOUT: [[::gridwright::__private::core::primitive::u64; 4]; 8] = __RECORD;
        const __PATH: &::gridwright::__private::core::primitive::str =
            ::gridwright::__private::core::concat!(::gridwright::__private::core::module_path!(), "::matmul");
        #[unsafe(export_name = "__gridwright_path_matmul$7_0")]
        pub static __PATH_BYTES: [::gridwright::__private::core::primitive::u8;
            ::gridwright::__private::core::primitive::str::len(__PATH)] =
            ::gridwright::__private::path_bytes(__PATH);
        #[unsafe(export_name = "__gridwright_bounds_matmul$7_0")]
        pub static __BOUNDS: [::gridwright::__private::core::primitive::u32; 5] = [
            __BLOCK[0] as ::gridwright::__private::core::primitive::u32,
            __BLOCK[1] as ::gridwright::__private::core::primitive::u32,
            __BLOCK[2] as ::gridwright::__private::core::primitive::u32,
            0,
            0,
        ];
    };
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    const _: () = ::gridwright::__private::core::assert!(
        __BLOCK[0] > 0,
        "a block has at least one thread along each axis: leave axes out that it doesn't have, or write 1"
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    const _: () = ::gridwright::__private::core::assert!(
        __BLOCK[1] > 0,
        "a block has at least one thread along each axis: leave axes out that it doesn't have, or write 1"
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    const _: () = ::gridwright::__private::Images::check(
        <matmul as ::gridwright::__private::Signature>::IMAGES,
        <matmul as ::gridwright::__private::Signature>::ENTRY,
        &__RECORD,
        &[8, 4, 4, 8, 4, 4, 8, 4, 4, 4, 4],
        &[],
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl ::gridwright::__private::Signature for matmul {
        type Params = (&'static Matrix<f32>, &'static Matrix<f32>, PerThread<'static, Matrix<f32>>);
        const NAME: &'static ::gridwright::__private::core::primitive::str =
            ::gridwright::__private::Images::shown(Self::IMAGES, Self::ENTRY, "matmul");
        const PARAMETERS: &'static [&'static ::gridwright::__private::core::primitive::str] =
            &["a", "b", "c"];
        const ENTRY: &'static ::gridwright::__private::core::primitive::str =
            ::gridwright::__private::path_in_crate(::gridwright::__private::core::concat!(
                ::gridwright::__private::core::module_path!(),
                "::matmul"
            ));
        const IMAGES: &'static ::gridwright::__private::Images = &::gridwright::__private::Images {
            missing: "its crate doesn't compile kernels for GPUs: add `gridwright-build` to the [build-dependencies] in Cargo.toml, and a build.rs with `fn main() { gridwright_build::compile_kernels() }`; or set GRIDWRIGHT_DEVICE=cpu",
            images: &[],
            cpu: ::gridwright::__private::CpuCode::All,
        };
        const BOUNDS: ::gridwright::__private::Bounds = ::gridwright::__private::Bounds {
            rank: if <Self::Params as ::gridwright::__private::ParamList>::RANK < 2 {
                <Self::Params as ::gridwright::__private::ParamList>::RANK
            } else {
                2
            },
            index: ::gridwright::__private::IndexWidth::Bits32,
            block: ::gridwright::__private::core::option::Option::Some(__BLOCK),
            most_threads: ::gridwright::__private::core::option::Option::None,
            whole_groups: true,
            tile: <Self::Params as ::gridwright::__private::ParamList>::TILE,
        };
        type Sizes = ();
        const PARTITIONS: &'static [::gridwright::__private::PartitionLayout] = &[];
        const FIXED_BYTES: ::gridwright::__private::core::primitive::usize =
            ::gridwright::__private::COLLECTIVE_BYTES
                + ::gridwright::__private::partition_bytes(::gridwright::__private::core::mem::size_of::<
                    [[f32; T]; T],
                >())
                + ::gridwright::__private::partition_bytes(::gridwright::__private::core::mem::size_of::<
                    [[f32; T]; T],
                >());
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
            let (extent_0, extent_1, extent_2) =
                <Self::Params as ::gridwright::__private::ParamList>::extents(arguments);
            if !__condition_0(group, extent_0, extent_1, extent_2) {
                return ::gridwright::__private::core::result::Result::Err("a.cols() == b.rows()");
            }
            ::gridwright::__private::core::result::Result::Ok(())
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
                        let value_3 = ::gridwright::__private::Memory::fixed::<__Element3>(&mut memory);
                        let value_4 = ::gridwright::__private::Memory::fixed::<__Element4>(&mut memory);
                        __call(group, value_0, value_1, value_2, value_3, value_4)
                    },
                )
            }
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    # [cfg_attr (not (test) , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::matmul")))]
    # [cfg_attr (test , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::matmul__in_tests")))]
    static UNIQUE: ::gridwright::__private::core::primitive::u8 = 0;
};
