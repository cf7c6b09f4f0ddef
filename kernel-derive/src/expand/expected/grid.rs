#[allow(non_camel_case_types, missing_debug_implementations)]
struct turn {}
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
#[doc(hidden)]
#[allow(non_snake_case)]
mod __turn_called {
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
    pub fn turn<__Given0, __Given1, __Given2, __Given3>(
        given_0: __Given0,
        given_1: __Given1,
        given_2: __Given2,
        given_3: __Given3,
    ) where
        for<'__called> &'__called (): ::gridwright::__private::Called,
    {
    }
}
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
#[doc(hidden)]
#[allow(clippy::wildcard_imports, hidden_glob_reexports, unused_imports, unreachable_pub)]
use __turn_called::*;
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
        grid: &Grid<'_, __Shape>,
        by: f32,
        mut x: GridMemory<[f32]>,
        mut w: Workgroup<'__workgroup, [f32; 64]>,
    ) {
        grid.each(x.grid_stride_mut(), |_, x| x.for_each(|_, x| *x *= by));
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    impl turn {
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
    const __BLOCK: [::gridwright::__private::core::primitive::usize; 3] = [64, 1, 1];
    type __Element0 = f32;
    type __Element1 = f32;
    type __Element2 = [f32; 64];
    #[inline(always)]
    #[allow(
        clippy::extra_unused_lifetimes,
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    fn __call<'__level, '__lent: '__level, __Shape: ::gridwright::__private::GroupShape>(
        given_0: &'__level Grid<'_, __Shape>,
        given_1: f32,
        given_2: GridMemory<'__lent, [f32]>,
        given_3: Workgroup<'__lent, [f32; 64]>,
    ) {
        let () = __body(given_0, given_1, given_2, given_3);
    }
    const __RECORD: [[::gridwright::__private::core::primitive::u64; 4]; 6] = [
        [3176959688180402807, 10946507343958774047, 4473495309088702697, 15721539360228918442],
        [4, 1, 0, 0],
        [
            __BLOCK[0] as ::gridwright::__private::core::primitive::u64,
            __BLOCK[1] as ::gridwright::__private::core::primitive::u64,
            __BLOCK[2] as ::gridwright::__private::core::primitive::u64,
            0,
        ],
        ::gridwright::__private::Digest::words(<f32 as ::gridwright::__private::Param>::RECORD),
        ::gridwright::__private::Digest::words(
            <GridMemory<'static, [f32]> as ::gridwright::__private::Param>::RECORD,
        ),
        ::gridwright::__private::Digest::words(::gridwright::__private::Layout::digest(
            ::gridwright::__private::Layout::of::<[f32; 64]>(),
        )),
    ];
    const _: () = ::gridwright::__private::core::assert!(
        ::gridwright::__private::is_spelled(<f32 as ::gridwright::__private::Param>::SPELLING, "_")
            && ::gridwright::__private::Layout::is(
                <f32 as ::gridwright::__private::Param>::LAYOUT,
                ::gridwright::__private::Layout::of::<::gridwright::__private::core::primitive::f32>()
            ),
        "the type of `by`, `f32`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
    );
    const _: () = ::gridwright::__private::core::assert!(
        ::gridwright::__private::is_spelled(
            <GridMemory<'static, [f32]> as ::gridwright::__private::Param>::SPELLING,
            "GridMemory<[_]>"
        ),
        "the type of `x`, `GridMemory<[f32]>`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
    );
    #[cfg(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), gridwright_entries))]
    const _: () = {
        #[unsafe(export_name = "turn$7_0")]
        pub unsafe extern "gpu-kernel" fn __entry(
            pointer_0: __Element0,
            pointer_1: ::gridwright::__private::core::ptr::NonNull<__Element1>,
            len_1: ::gridwright::__private::core::primitive::usize,
            meeting_0: ::gridwright::__private::core::ptr::NonNull<
                ::gridwright::__private::core::primitive::u8,
            >,
        ) {
            unsafe {
                let grid_0 = ::gridwright::__private::grid::<
                    ::gridwright::__private::FixedBlock<{ __BLOCK[0] }, { __BLOCK[1] }, { __BLOCK[2] }>,
                    ::gridwright::__private::core::primitive::u32,
                >(meeting_0);
                let value_0 = pointer_0;
                let value_1 = ::gridwright::__private::grid_memory::<__Element1>(
                    pointer_1,
                    len_1,
                    ::gridwright::__private::Threads::len(&grid_0),
                );
                let mut memory_0 = ::gridwright::__private::memory();
                let value_2 = ::gridwright::__private::Memory::fixed::<__Element2>(&mut memory_0);
                __call(&grid_0, value_0, value_1, value_2)
            }
        }
        #[unsafe(export_name = "__gridwright_layout_turn$7_0")]
        pub static __LAYOUT: [[::gridwright::__private::core::primitive::u64; 4]; 6] = __RECORD;
        const __PATH: &::gridwright::__private::core::primitive::str =
            ::gridwright::__private::core::concat!(::gridwright::__private::core::module_path!(), "::turn");
        #[unsafe(export_name = "__gridwright_path_turn$7_0")]
        pub static __PATH_BYTES: [::gridwright::__private::core::primitive::u8;
            ::gridwright::__private::core::primitive::str::len(__PATH)] =
            ::gridwright::__private::path_bytes(__PATH);
        #[unsafe(export_name = "__gridwright_bounds_turn$7_0")]
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
    const _: () = ::gridwright::__private::Images::check(
        <turn as ::gridwright::__private::Signature>::IMAGES,
        <turn as ::gridwright::__private::Signature>::ENTRY,
        &__RECORD,
        &[::gridwright::__private::core::mem::size_of::<f32>(), 8, 8, 8],
        &[],
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl ::gridwright::__private::Signature for turn {
        type Params = (f32, GridMemory<'static, [f32]>);
        const NAME: &'static ::gridwright::__private::core::primitive::str =
            ::gridwright::__private::Images::shown(Self::IMAGES, Self::ENTRY, "turn");
        const PARAMETERS: &'static [&'static ::gridwright::__private::core::primitive::str] = &["by", "x"];
        const ENTRY: &'static ::gridwright::__private::core::primitive::str =
            ::gridwright::__private::path_in_crate(::gridwright::__private::core::concat!(
                ::gridwright::__private::core::module_path!(),
                "::turn"
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
            most_threads: ::gridwright::__private::core::option::Option::None,
            whole_groups: true,
            tile: <Self::Params as ::gridwright::__private::ParamList>::TILE,
        };
        type Sizes = ();
        const PARTITIONS: &'static [::gridwright::__private::PartitionLayout] = &[];
        const FIXED_BYTES: ::gridwright::__private::core::primitive::usize =
            ::gridwright::__private::COLLECTIVE_BYTES
                + ::gridwright::__private::partition_bytes(::gridwright::__private::core::mem::size_of::<
                    [f32; 64],
                >());
        const CPU: ::gridwright::__private::CpuEntry =
            ::gridwright::__private::CpuEntry::Grid(::gridwright::__private::run_grid::<Self>);
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
            ::gridwright::__private::core::result::Result::Ok(())
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl ::gridwright::__private::GridKernel for turn {
        type Block = ::gridwright::__private::FixedBlock<{ __BLOCK[0] }, { __BLOCK[1] }, { __BLOCK[2] }>;
        #[inline(always)]
        unsafe fn run<__Shape: ::gridwright::__private::GroupShape>(
            grid: &::gridwright::__private::Grid<'_, __Shape>,
            arguments: &::gridwright::__private::Raw<Self>,
            memory: ::gridwright::__private::Memory<'_>,
        ) {
            unsafe {
                ::gridwright::__private::with_grid_parameters::<Self::Params, __Shape, _>(
                    grid,
                    arguments,
                    |(value_0, value_1)| {
                        let mut memory = memory;
                        let value_2 = ::gridwright::__private::Memory::fixed::<__Element2>(&mut memory);
                        __call(grid, value_0, value_1, value_2)
                    },
                )
            }
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    # [cfg_attr (not (test) , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::turn")))]
    # [cfg_attr (test , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::turn__in_tests")))]
    static UNIQUE: ::gridwright::__private::core::primitive::u8 = 0;
};
