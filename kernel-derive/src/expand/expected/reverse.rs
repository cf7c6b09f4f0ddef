#[allow(non_camel_case_types, missing_debug_implementations)]
struct reverse {}
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
#[doc(hidden)]
#[allow(non_snake_case)]
mod __reverse_called {
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
    pub fn reverse<__Given0, __Given1, __Given2, __Given3, __Given4, __Given5>(
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
use __reverse_called::*;
#[allow(unexpected_cfgs)]
const _: () = {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    unsafe fn __body<'__workgroup>(
        t: Thread,
        x: *mut u32,
        y: *const [f32; 2],
        n: usize,
        mut tile: Workgroup<'__workgroup, [u32; 256]>,
        mut scratch: Workgroup<'__workgroup, [f32]>,
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
        ) -> ::gridwright::__private::core::result::Result<
            ::gridwright::__private::UnsafeKernel<Self>,
            ::gridwright::__private::Error,
        >
        where
            Self: ::gridwright::__private::Signature,
        {
            ::gridwright::__private::load_unsafe::<Self>(device)
        }
    }
    #[allow(unused_braces, unused_parens)]
    const __BLOCK: [::gridwright::__private::core::primitive::usize; 3] = [256, 1, 1];
    type __Element0 = *mut u32;
    type __Element1 = *const [f32; 2];
    type __Element2 = usize;
    type __Element3 = [u32; 256];
    type __Element4 = f32;
    #[inline(always)]
    #[allow(
        clippy::extra_unused_lifetimes,
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    unsafe fn __call<'__level, '__lent>(
        given_0: Thread,
        given_1: *mut u32,
        given_2: *const [f32; 2],
        given_3: usize,
        given_4: Workgroup<'__lent, [u32; 256]>,
        given_5: Workgroup<'__lent, [f32]>,
    ) {
        unsafe {
            let () = __body(given_0, given_1, given_2, given_3, given_4, given_5);
        }
    }
    #[inline(always)]
    #[allow(clippy::inline_always, clippy::needless_pass_by_value, clippy::too_many_arguments)]
    fn __condition_0(
        x: <*mut u32 as ::gridwright::__private::Param>::Extent,
        y: <*const [f32; 2] as ::gridwright::__private::Param>::Extent,
        n: <usize as ::gridwright::__private::Param>::Extent,
        scratch: ::gridwright::__private::SliceExtent,
    ) -> ::gridwright::__private::core::primitive::bool {
        let _ = (&x, &y, &n, &scratch);
        :: gridwright :: __private :: requires :: holds ((|| -> :: gridwright :: __private :: core :: option :: Option < :: gridwright :: __private :: core :: primitive :: bool > { :: gridwright :: __private :: core :: option :: Option :: Some (:: gridwright :: __private :: core :: convert :: identity :: < :: gridwright :: __private :: core :: primitive :: usize > (n) <= 1000) }) ())
    }
    const __RECORD: [[::gridwright::__private::core::primitive::u64; 4]; 8] = [
        [266334270361224878, 4136841072664586790, 3459827493993210783, 16571302621572614773],
        [4, 3, 0, 0],
        [
            __BLOCK[0] as ::gridwright::__private::core::primitive::u64,
            __BLOCK[1] as ::gridwright::__private::core::primitive::u64,
            __BLOCK[2] as ::gridwright::__private::core::primitive::u64,
            0,
        ],
        ::gridwright::__private::Digest::words(<*mut u32 as ::gridwright::__private::Param>::RECORD),
        ::gridwright::__private::Digest::words(<*const [f32; 2] as ::gridwright::__private::Param>::RECORD),
        ::gridwright::__private::Digest::words(<usize as ::gridwright::__private::Param>::RECORD),
        ::gridwright::__private::Digest::words(::gridwright::__private::Layout::digest(
            ::gridwright::__private::Layout::of::<[u32; 256]>(),
        )),
        ::gridwright::__private::Digest::words(::gridwright::__private::Layout::digest(
            ::gridwright::__private::Layout::of::<f32>(),
        )),
    ];
    const _: () = ::gridwright::__private::core::assert!(
        ::gridwright::__private::is_spelled(<usize as ::gridwright::__private::Param>::SPELLING, "_")
            && ::gridwright::__private::Layout::is(
                <usize as ::gridwright::__private::Param>::LAYOUT,
                ::gridwright::__private::Layout::of::<::gridwright::__private::core::primitive::usize>()
            ),
        "the type of `n`, `usize`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
    );
    #[cfg(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), gridwright_entries))]
    const _: () = {
        #[unsafe(export_name = "reverse$7_0")]
        pub unsafe extern "gpu-kernel" fn __entry(
            pointer_0: __Element0,
            pointer_1: __Element1,
            pointer_2: __Element2,
            len_4: ::gridwright::__private::core::primitive::u32,
        ) {
            unsafe {
                let thread_0 = ::gridwright::__private::thread_of_group::<
                    ::gridwright::__private::FixedBlock<{ __BLOCK[0] }, { __BLOCK[1] }, { __BLOCK[2] }>,
                    ::gridwright::__private::core::primitive::u32,
                    3,
                >();
                let value_0 = pointer_0;
                let value_1 = pointer_1;
                let value_2 = pointer_2;
                let mut memory_0 = ::gridwright::__private::memory_of_threads();
                let value_3 = ::gridwright::__private::Memory::fixed::<__Element3>(&mut memory_0);
                let size_4 = len_4 as ::gridwright::__private::core::primitive::usize;
                let value_4 = ::gridwright::__private::Memory::partition::<__Element4>(&mut memory_0, size_4);
                ::gridwright::__private::core::hint::assert_unchecked(__condition_0(
                    value_0,
                    value_1,
                    value_2,
                    ::gridwright::__private::SliceExtent {
                        len: len_4 as ::gridwright::__private::core::primitive::usize,
                    },
                ));
                __call(thread_0, value_0, value_1, value_2, value_3, value_4)
            }
        }
        #[unsafe(export_name = "__gridwright_layout_reverse$7_0")]
        pub static __LAYOUT: [[::gridwright::__private::core::primitive::u64; 4]; 8] = __RECORD;
        const __PATH: &::gridwright::__private::core::primitive::str = ::gridwright::__private::core::concat!(
            ::gridwright::__private::core::module_path!(),
            "::reverse"
        );
        #[unsafe(export_name = "__gridwright_path_reverse$7_0")]
        pub static __PATH_BYTES: [::gridwright::__private::core::primitive::u8;
            ::gridwright::__private::core::primitive::str::len(__PATH)] =
            ::gridwright::__private::path_bytes(__PATH);
        #[unsafe(export_name = "__gridwright_threads_reverse$7_0")]
        pub static __THREADS: ::gridwright::__private::core::primitive::u8 = 1;
        #[unsafe(export_name = "__gridwright_bounds_reverse$7_0")]
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
        <reverse as ::gridwright::__private::Signature>::IMAGES,
        <reverse as ::gridwright::__private::Signature>::ENTRY,
        &__RECORD,
        &[
            ::gridwright::__private::core::mem::size_of::<*mut u32>(),
            ::gridwright::__private::core::mem::size_of::<*const [f32; 2]>(),
            ::gridwright::__private::core::mem::size_of::<usize>(),
            4,
        ],
        &[],
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl ::gridwright::__private::Signature for reverse {
        type Params = (*mut u32, *const [f32; 2], usize);
        const NAME: &'static ::gridwright::__private::core::primitive::str =
            ::gridwright::__private::Images::shown(Self::IMAGES, Self::ENTRY, "reverse");
        const PARAMETERS: &'static [&'static ::gridwright::__private::core::primitive::str] =
            &["x", "y", "n"];
        const ENTRY: &'static ::gridwright::__private::core::primitive::str =
            ::gridwright::__private::path_in_crate(::gridwright::__private::core::concat!(
                ::gridwright::__private::core::module_path!(),
                "::reverse"
            ));
        const IMAGES: &'static ::gridwright::__private::Images = &::gridwright::__private::Images {
            missing: "its crate doesn't compile kernels for GPUs: add `gridwright-build` to the [build-dependencies] in Cargo.toml, and a build.rs with `fn main() { gridwright_build::compile_kernels() }`; or set GRIDWRIGHT_DEVICE=cpu",
            images: &[],
            cpu: ::gridwright::__private::CpuCode::All,
        };
        const BOUNDS: ::gridwright::__private::Bounds = ::gridwright::__private::Bounds {
            rank: if <Self::Params as ::gridwright::__private::ParamList>::RANK < 3 {
                <Self::Params as ::gridwright::__private::ParamList>::RANK
            } else {
                3
            },
            index: ::gridwright::__private::IndexWidth::Bits32,
            block: ::gridwright::__private::core::option::Option::Some(__BLOCK),
            most_threads: ::gridwright::__private::core::option::Option::None,
            whole_groups: true,
            tile: <Self::Params as ::gridwright::__private::ParamList>::TILE,
        };
        type Sizes = ((), f32);
        const PARTITIONS: &'static [::gridwright::__private::PartitionLayout] =
            &[::gridwright::__private::PartitionLayout::of::<f32>("scratch")];
        const FIXED_BYTES: ::gridwright::__private::core::primitive::usize = 0
            + ::gridwright::__private::partition_bytes(::gridwright::__private::core::mem::size_of::<
                [u32; 256],
            >());
        const CPU: ::gridwright::__private::CpuEntry = ::gridwright::__private::fibers::<Self>();
        const IS_UNSAFE: ::gridwright::__private::core::primitive::bool = true;
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
            if !__condition_0(
                extent_0,
                extent_1,
                extent_2,
                ::gridwright::__private::SliceExtent { len: lens[0] },
            ) {
                return ::gridwright::__private::core::result::Result::Err("n <= 1000");
            }
            ::gridwright::__private::core::result::Result::Ok(())
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
                        let value_3 = ::gridwright::__private::Memory::fixed::<__Element3>(&mut memory);
                        let size_4 = ::gridwright::__private::Memory::len(&memory, 0);
                        let value_4 =
                            ::gridwright::__private::Memory::partition::<__Element4>(&mut memory, size_4);
                        __call(thread, value_0, value_1, value_2, value_3, value_4)
                    },
                )
            }
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    # [cfg_attr (not (test) , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::reverse")))]
    # [cfg_attr (test , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::reverse__in_tests")))]
    static UNIQUE: ::gridwright::__private::core::primitive::u8 = 0;
};
