#[allow(non_camel_case_types, missing_debug_implementations)]
struct histogram {}
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
#[doc(hidden)]
#[allow(non_snake_case)]
mod __histogram_called {
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
    pub fn histogram<__Given0, __Given1, __Given2, __Given3>(
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
use __histogram_called::*;
#[allow(unexpected_cfgs)]
const _: () = {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    fn __body(t: Thread, x: &[u8], bins: Atomic<[u32]>, mut seen: PerThread<Volume<u32>>) {}
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    impl histogram {
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
    const __BLOCK: [::gridwright::__private::core::primitive::usize; 3] = [256, 1, 1];
    type __Element0 = u8;
    type __Element1 = u32;
    type __Element2 = u32;
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
        given_1: &'__lent [u8],
        given_2: Atomic<'__lent, [u32]>,
        given_3: PerThread<'__lent, Volume<u32>>,
    ) {
        let () = __body(given_0, given_1, given_2, given_3);
    }
    const __RECORD: [[::gridwright::__private::core::primitive::u64; 4]; 6] = [
        [4298126539711191928, 11117002466545842770, 1389419675836821679, 196260376287928156],
        [8, 3, 0, 0],
        [
            __BLOCK[0] as ::gridwright::__private::core::primitive::u64,
            __BLOCK[1] as ::gridwright::__private::core::primitive::u64,
            __BLOCK[2] as ::gridwright::__private::core::primitive::u64,
            0,
        ],
        ::gridwright::__private::Digest::words(<&'static [u8] as ::gridwright::__private::Param>::RECORD),
        ::gridwright::__private::Digest::words(
            <Atomic<'static, [u32]> as ::gridwright::__private::Param>::RECORD,
        ),
        ::gridwright::__private::Digest::words(
            <PerThread<'static, Volume<u32>> as ::gridwright::__private::Param>::RECORD,
        ),
    ];
    const _: () = ::gridwright::__private::core::assert!(
        ::gridwright::__private::is_spelled(
            <Atomic<'static, [u32]> as ::gridwright::__private::Param>::SPELLING,
            "Atomic<[_]>"
        ),
        "the type of `bins`, `Atomic<[u32]>`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
    );
    const _: () = ::gridwright::__private::core::assert!(
        ::gridwright::__private::is_spelled(
            <PerThread<'static, Volume<u32>> as ::gridwright::__private::Param>::SPELLING,
            "PerThread<Volume<_>>"
        ),
        "the type of `seen`, `PerThread<Volume<u32>>`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
    );
    #[cfg(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), gridwright_entries))]
    const _: () = {
        #[unsafe(export_name = "histogram$7_0")]
        pub unsafe extern "gpu-kernel" fn __entry(
            last_0: ::gridwright::__private::core::primitive::u64,
            last_1: ::gridwright::__private::core::primitive::u64,
            last_2: ::gridwright::__private::core::primitive::u64,
            pointer_0: &[__Element0; 0],
            len_0: ::gridwright::__private::core::primitive::usize,
            pointer_1: ::gridwright::__private::core::ptr::NonNull<__Element1>,
            len_1: ::gridwright::__private::core::primitive::usize,
            pointer_2: ::gridwright::__private::core::ptr::NonNull<__Element2>,
            planes_2: ::gridwright::__private::core::primitive::u32,
            rows_2: ::gridwright::__private::core::primitive::u32,
            cols_2: ::gridwright::__private::core::primitive::u32,
            owners_x_2: ::gridwright::__private::core::primitive::u32,
            owners_y_2: ::gridwright::__private::core::primitive::u32,
            owners_z_2: ::gridwright::__private::core::primitive::u32,
        ) {
            unsafe {
                let ::gridwright::__private::core::option::Option::Some(thread_0) =
                    ::gridwright::__private::thread::<
                        ::gridwright::__private::FixedBlock<{ __BLOCK[0] }, { __BLOCK[1] }, { __BLOCK[2] }>,
                        _,
                        _,
                    >([last_0, last_1, last_2])
                else {
                    return;
                };
                let value_0 = ::gridwright::__private::read_slice::<__Element0>(pointer_0, len_0);
                let value_1 = ::gridwright::__private::atomic::<__Element1>(pointer_1, len_1);
                let value_2 =
                    ::gridwright::__private::own_volume::<__Element2, ::gridwright::__private::Linear>(
                        pointer_2, planes_2, rows_2, cols_2, owners_x_2, owners_y_2, owners_z_2,
                    );
                __call(thread_0, value_0, value_1, value_2)
            }
        }
        #[unsafe(export_name = "__gridwright_layout_histogram$7_0")]
        pub static __LAYOUT: [[::gridwright::__private::core::primitive::u64; 4]; 6] = __RECORD;
        const __PATH: &::gridwright::__private::core::primitive::str = ::gridwright::__private::core::concat!(
            ::gridwright::__private::core::module_path!(),
            "::histogram"
        );
        #[unsafe(export_name = "__gridwright_path_histogram$7_0")]
        pub static __PATH_BYTES: [::gridwright::__private::core::primitive::u8;
            ::gridwright::__private::core::primitive::str::len(__PATH)] =
            ::gridwright::__private::path_bytes(__PATH);
        #[unsafe(export_name = "__gridwright_threads_histogram$7_0")]
        pub static __THREADS: ::gridwright::__private::core::primitive::u8 = 1;
        #[unsafe(export_name = "__gridwright_bounds_histogram$7_0")]
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
        <histogram as ::gridwright::__private::Signature>::IMAGES,
        <histogram as ::gridwright::__private::Signature>::ENTRY,
        &__RECORD,
        &[8, 8, 8, 8, 8, 8, 8, 8, 4, 4, 4, 4, 4, 4],
        &[],
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl ::gridwright::__private::Signature for histogram {
        type Params = (&'static [u8], Atomic<'static, [u32]>, PerThread<'static, Volume<u32>>);
        const NAME: &'static ::gridwright::__private::core::primitive::str =
            ::gridwright::__private::Images::shown(Self::IMAGES, Self::ENTRY, "histogram");
        const PARAMETERS: &'static [&'static ::gridwright::__private::core::primitive::str] =
            &["x", "bins", "seen"];
        const ENTRY: &'static ::gridwright::__private::core::primitive::str =
            ::gridwright::__private::path_in_crate(::gridwright::__private::core::concat!(
                ::gridwright::__private::core::module_path!(),
                "::histogram"
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
            index: ::gridwright::__private::IndexWidth::Bits64,
            block: ::gridwright::__private::core::option::Option::Some(__BLOCK),
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
    unsafe impl ::gridwright::__private::ThreadKernel for histogram {
        const DIRECT: ::gridwright::__private::core::primitive::u64 = 18446744073709551614u64;
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
                    |thread, (value_0, value_1, value_2)| __call(thread, value_0, value_1, value_2),
                )
            }
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    # [cfg_attr (not (test) , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::histogram")))]
    # [cfg_attr (test , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::histogram__in_tests")))]
    static UNIQUE: ::gridwright::__private::core::primitive::u8 = 0;
};
