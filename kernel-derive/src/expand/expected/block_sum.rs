#[allow(non_camel_case_types, missing_debug_implementations)]
struct block_sum {}
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
#[doc(hidden)]
#[allow(non_snake_case)]
mod __block_sum_called {
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
    pub fn block_sum<__Given0, __Given1, __Given2, __Given3>(
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
use __block_sum_called::*;
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
        x: &[f32],
        mut out: PerGroup<[f32]>,
        mut scratch: Workgroup<'__workgroup, [f32]>,
    ) {
        g.each(scratch.elements_mut(), |t, s| *s = x.get(t.index()).copied().unwrap_or(0.0));
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    impl block_sum {
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
    type __Element0 = f32;
    type __Element1 = f32;
    type __Element2 = f32;
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
        given_1: &'__lent [f32],
        given_2: PerGroup<'__lent, [f32]>,
        given_3: Workgroup<'__lent, [f32]>,
    ) {
        let () = __body(given_0, given_1, given_2, given_3);
    }
    #[inline(always)]
    #[allow(clippy::inline_always, clippy::needless_pass_by_value, clippy::too_many_arguments)]
    fn __condition_0(
        g: ::gridwright::__private::GroupExtent,
        x: <&'static [f32] as ::gridwright::__private::Param>::Extent,
        out: <PerGroup<'static, [f32]> as ::gridwright::__private::Param>::Extent,
        scratch: ::gridwright::__private::SliceExtent,
    ) -> ::gridwright::__private::core::primitive::bool {
        let _ = (&g, &x, &out, &scratch);
        :: gridwright :: __private :: requires :: holds ((|| -> :: gridwright :: __private :: core :: option :: Option < :: gridwright :: __private :: core :: primitive :: bool > { :: gridwright :: __private :: core :: option :: Option :: Some (:: gridwright :: __private :: requires :: len (& scratch) == :: gridwright :: __private :: requires :: len (& g)) }) ())
    }
    #[inline(always)]
    #[allow(clippy::inline_always, clippy::needless_pass_by_value, clippy::too_many_arguments)]
    fn __condition_1(
        g: ::gridwright::__private::GroupExtent,
        x: <&'static [f32] as ::gridwright::__private::Param>::Extent,
        out: <PerGroup<'static, [f32]> as ::gridwright::__private::Param>::Extent,
        scratch: ::gridwright::__private::SliceExtent,
    ) -> ::gridwright::__private::core::primitive::bool {
        let _ = (&g, &x, &out, &scratch);
        :: gridwright :: __private :: requires :: holds ((|| -> :: gridwright :: __private :: core :: option :: Option < :: gridwright :: __private :: core :: primitive :: bool > { :: gridwright :: __private :: core :: option :: Option :: Some (:: gridwright :: __private :: requires :: is_power_of_two (:: gridwright :: __private :: requires :: len (& g))) }) ())
    }
    const __RECORD: [[::gridwright::__private::core::primitive::u64; 4]; 6] = [
        [16209521828702238155, 4746970359539204211, 13722617648250250320, 17956735189073796956],
        [4, 1, 0, 0],
        [0, 0, 0, 0],
        ::gridwright::__private::Digest::words(<&'static [f32] as ::gridwright::__private::Param>::RECORD),
        ::gridwright::__private::Digest::words(
            <PerGroup<'static, [f32]> as ::gridwright::__private::Param>::RECORD,
        ),
        ::gridwright::__private::Digest::words(::gridwright::__private::Layout::digest(
            ::gridwright::__private::Layout::of::<f32>(),
        )),
    ];
    const _: () = ::gridwright::__private::core::assert!(
        ::gridwright::__private::is_spelled(
            <PerGroup<'static, [f32]> as ::gridwright::__private::Param>::SPELLING,
            "PerGroup<[_]>"
        ),
        "the type of `out`, `PerGroup<[f32]>`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
    );
    #[cfg(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), gridwright_entries))]
    const _: () = {
        #[unsafe(export_name = "block_sum$7_0")]
        pub unsafe extern "gpu-kernel" fn __entry(
            pointer_0: &[__Element0; 0],
            len_0: ::gridwright::__private::core::primitive::usize,
            pointer_1: ::gridwright::__private::core::ptr::NonNull<__Element1>,
            len_1: ::gridwright::__private::core::primitive::usize,
            len_2: ::gridwright::__private::core::primitive::u32,
        ) {
            unsafe {
                let group_0 = ::gridwright::__private::group::<
                    ::gridwright::__private::AnyBlock<1>,
                    ::gridwright::__private::core::primitive::u32,
                    1,
                >();
                let value_0 = ::gridwright::__private::read_slice::<__Element0>(pointer_0, len_0);
                let value_1 = ::gridwright::__private::per_group::<__Element1>(
                    pointer_1,
                    len_1,
                    ::gridwright::__private::Group::index(&group_0),
                );
                let mut memory_0 = ::gridwright::__private::memory();
                let size_2 = len_2 as ::gridwright::__private::core::primitive::usize;
                let value_2 = ::gridwright::__private::Memory::partition::<__Element2>(&mut memory_0, size_2);
                ::gridwright::__private::core::hint::assert_unchecked(__condition_0(
                    ::gridwright::__private::GroupExtent {
                        len: ::gridwright::__private::Threads::len(&group_0),
                    },
                    ::gridwright::__private::SliceExtent { len: len_0 },
                    ::gridwright::__private::SliceExtent { len: len_1 },
                    ::gridwright::__private::SliceExtent {
                        len: len_2 as ::gridwright::__private::core::primitive::usize,
                    },
                ));
                ::gridwright::__private::core::hint::assert_unchecked(__condition_1(
                    ::gridwright::__private::GroupExtent {
                        len: ::gridwright::__private::Threads::len(&group_0),
                    },
                    ::gridwright::__private::SliceExtent { len: len_0 },
                    ::gridwright::__private::SliceExtent { len: len_1 },
                    ::gridwright::__private::SliceExtent {
                        len: len_2 as ::gridwright::__private::core::primitive::usize,
                    },
                ));
                __call(&group_0, value_0, value_1, value_2)
            }
        }
        #[unsafe(export_name = "__gridwright_layout_block_sum$7_0")]
        pub static __LAYOUT: [[::gridwright::__private::core::primitive::u64; 4]; 6] = __RECORD;
        const __PATH: &::gridwright::__private::core::primitive::str = ::gridwright::__private::core::concat!(
            ::gridwright::__private::core::module_path!(),
            "::block_sum"
        );
        #[unsafe(export_name = "__gridwright_path_block_sum$7_0")]
        pub static __PATH_BYTES: [::gridwright::__private::core::primitive::u8;
            ::gridwright::__private::core::primitive::str::len(__PATH)] =
            ::gridwright::__private::path_bytes(__PATH);
    };
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    const _: () = ::gridwright::__private::Images::check(
        <block_sum as ::gridwright::__private::Signature>::IMAGES,
        <block_sum as ::gridwright::__private::Signature>::ENTRY,
        &__RECORD,
        &[8, 8, 8, 8, 4],
        &[],
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl ::gridwright::__private::Signature for block_sum {
        type Params = (&'static [f32], PerGroup<'static, [f32]>);
        const NAME: &'static ::gridwright::__private::core::primitive::str =
            ::gridwright::__private::Images::shown(Self::IMAGES, Self::ENTRY, "block_sum");
        const PARAMETERS: &'static [&'static ::gridwright::__private::core::primitive::str] = &["x", "out"];
        const ENTRY: &'static ::gridwright::__private::core::primitive::str =
            ::gridwright::__private::path_in_crate(::gridwright::__private::core::concat!(
                ::gridwright::__private::core::module_path!(),
                "::block_sum"
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
            whole_groups: true,
            tile: <Self::Params as ::gridwright::__private::ParamList>::TILE,
        };
        type Sizes = ((), f32);
        const PARTITIONS: &'static [::gridwright::__private::PartitionLayout] =
            &[::gridwright::__private::PartitionLayout::of::<f32>("scratch")];
        const FIXED_BYTES: ::gridwright::__private::core::primitive::usize =
            ::gridwright::__private::COLLECTIVE_BYTES;
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
            let (extent_0, extent_1) =
                <Self::Params as ::gridwright::__private::ParamList>::extents(arguments);
            if !__condition_0(
                group,
                extent_0,
                extent_1,
                ::gridwright::__private::SliceExtent { len: lens[0] },
            ) {
                return ::gridwright::__private::core::result::Result::Err("scratch.len() == g.len()");
            }
            if !__condition_1(
                group,
                extent_0,
                extent_1,
                ::gridwright::__private::SliceExtent { len: lens[0] },
            ) {
                return ::gridwright::__private::core::result::Result::Err("g.len().is_power_of_two()");
            }
            ::gridwright::__private::core::result::Result::Ok(())
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl ::gridwright::__private::GroupKernel for block_sum {
        type Block = ::gridwright::__private::AnyBlock<1>;
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
                    |(value_0, value_1)| {
                        let mut memory = memory;
                        let size_2 = ::gridwright::__private::Memory::len(&memory, 0);
                        let value_2 =
                            ::gridwright::__private::Memory::partition::<__Element2>(&mut memory, size_2);
                        __call(group, value_0, value_1, value_2)
                    },
                )
            }
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    # [cfg_attr (not (test) , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::block_sum")))]
    # [cfg_attr (test , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::block_sum__in_tests")))]
    static UNIQUE: ::gridwright::__private::core::primitive::u8 = 0;
};
