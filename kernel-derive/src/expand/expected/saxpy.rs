#[doc = r" y = a*x + y, one thread an element."]
#[allow(clippy::many_single_char_names)]
#[allow(non_camel_case_types, missing_debug_implementations)]
pub struct saxpy {}
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
#[doc(hidden)]
#[allow(non_snake_case)]
mod __saxpy_called {
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
    pub fn saxpy<__Given0, __Given1, __Given2, __Given3>(
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
pub use __saxpy_called::*;
#[allow(clippy::many_single_char_names)]
#[allow(unexpected_cfgs)]
const _: () = {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        elided_lifetimes_in_paths
    )]
    fn __body(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
        if let Some(y) = <::gridwright::__private::PerThread<'_, [f32], _>>::get_mut(&mut y, t) {
            *y = a.mul_add(x[t.index()], *y);
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    impl saxpy {
        #[doc = " Prepares this kernel for `device`, and checks that both agree on its parameters."]
        #[doc = ""]
        #[doc = " # Errors"]
        #[doc = ""]
        #[doc = " When the program holds no image of the kernel for the device, when the image differs from"]
        #[doc = " the host's idea of the parameters, and when the device refuses it."]
        pub fn load(
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
    fn __call<'__level, '__lent: '__level>(
        given_0: Thread,
        given_1: f32,
        given_2: &'__lent [f32],
        given_3: PerThread<'__lent, [f32]>,
    ) {
        let () = __body(given_0, given_1, given_2, given_3);
    }
    #[inline(always)]
    #[allow(clippy::inline_always, clippy::needless_pass_by_value, clippy::too_many_arguments)]
    fn __condition_0(
        a: <f32 as ::gridwright::__private::Param>::Extent,
        x: <&'static [f32] as ::gridwright::__private::Param>::Extent,
        y: <PerThread<'static, [f32]> as ::gridwright::__private::Param>::Extent,
    ) -> ::gridwright::__private::core::primitive::bool {
        let _ = (&a, &x, &y);
        :: gridwright :: __private :: requires :: holds ((|| -> :: gridwright :: __private :: core :: option :: Option < :: gridwright :: __private :: core :: primitive :: bool > { :: gridwright :: __private :: core :: option :: Option :: Some (:: gridwright :: __private :: requires :: len (& x) == :: gridwright :: __private :: requires :: len (& y)) }) ())
    }
    const __RECORD: [[::gridwright::__private::core::primitive::u64; 4]; 6] = [
        [12355583659430330753, 17890528536916025512, 12942378446636892356, 17452005734429636243],
        [4, 1, 0, 0],
        [0, 0, 0, 0],
        ::gridwright::__private::Digest::words(<f32 as ::gridwright::__private::Param>::RECORD),
        ::gridwright::__private::Digest::words(<&'static [f32] as ::gridwright::__private::Param>::RECORD),
        ::gridwright::__private::Digest::words(
            <PerThread<'static, [f32]> as ::gridwright::__private::Param>::RECORD,
        ),
    ];
    const _: () = ::gridwright::__private::core::assert!(
        ::gridwright::__private::is_spelled(<f32 as ::gridwright::__private::Param>::SPELLING, "_")
            && ::gridwright::__private::Layout::is(
                <f32 as ::gridwright::__private::Param>::LAYOUT,
                ::gridwright::__private::Layout::of::<::gridwright::__private::core::primitive::f32>()
            ),
        "the type of `a`, `f32`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
    );
    const _: () = ::gridwright::__private::core::assert!(
        ::gridwright::__private::is_spelled(
            <PerThread<'static, [f32]> as ::gridwright::__private::Param>::SPELLING,
            "PerThread<[_]>"
        ),
        "the type of `y`, `PerThread<[f32]>`, is spelled as one of Gridwright's or of Rust's own, and is another of that name"
    );
    #[cfg(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), gridwright_entries))]
    const _: () = {
        #[unsafe(export_name = "saxpy$7_0")]
        pub unsafe extern "gpu-kernel" fn __entry(
            last_0: ::gridwright::__private::core::primitive::u32,
            pointer_0: __Element0,
            pointer_1: &[__Element1; 0],
            len_1: ::gridwright::__private::core::primitive::usize,
            pointer_2: ::gridwright::__private::core::ptr::NonNull<__Element2>,
            len_2: ::gridwright::__private::core::primitive::usize,
            owned_2: ::gridwright::__private::core::primitive::u32,
        ) {
            unsafe {
                let thread_0 =
                    ::gridwright::__private::any_thread::<::gridwright::__private::AnyBlock<1>, _, _>([
                        last_0,
                    ]);
                let len_1 = len_2;
                let value_0 = pointer_0;
                let value_1 = ::gridwright::__private::read_slice::<__Element1>(pointer_1, len_1);
                let value_2 =
                    ::gridwright::__private::own_slice::<__Element2, ::gridwright::__private::Linear, _>(
                        pointer_2, len_2, owned_2,
                    );
                ::gridwright::__private::core::hint::assert_unchecked(__condition_0(
                    value_0,
                    ::gridwright::__private::SliceExtent { len: len_1 },
                    ::gridwright::__private::SliceExtent { len: len_2 },
                ));
                __call(thread_0, value_0, value_1, value_2)
            }
        }
        #[unsafe(export_name = "__gridwright_layout_saxpy$7_0")]
        pub static __LAYOUT: [[::gridwright::__private::core::primitive::u64; 4]; 6] = __RECORD;
        const __PATH: &::gridwright::__private::core::primitive::str =
            ::gridwright::__private::core::concat!(::gridwright::__private::core::module_path!(), "::saxpy");
        #[unsafe(export_name = "__gridwright_path_saxpy$7_0")]
        pub static __PATH_BYTES: [::gridwright::__private::core::primitive::u8;
            ::gridwright::__private::core::primitive::str::len(__PATH)] =
            ::gridwright::__private::path_bytes(__PATH);
        #[unsafe(export_name = "__gridwright_threads_saxpy$7_0")]
        pub static __THREADS: ::gridwright::__private::core::primitive::u8 = 1;
    };
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    const _: () = ::gridwright::__private::Images::check(
        <saxpy as ::gridwright::__private::Signature>::IMAGES,
        <saxpy as ::gridwright::__private::Signature>::ENTRY,
        &__RECORD,
        &[4, ::gridwright::__private::core::mem::size_of::<f32>(), 8, 8, 8, 8, 4],
        &[],
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl ::gridwright::__private::Signature for saxpy {
        type Params = (f32, &'static [f32], PerThread<'static, [f32]>);
        const NAME: &'static ::gridwright::__private::core::primitive::str =
            ::gridwright::__private::Images::shown(Self::IMAGES, Self::ENTRY, "saxpy");
        const PARAMETERS: &'static [&'static ::gridwright::__private::core::primitive::str] =
            &["a", "x", "y"];
        const ENTRY: &'static ::gridwright::__private::core::primitive::str =
            ::gridwright::__private::path_in_crate(::gridwright::__private::core::concat!(
                ::gridwright::__private::core::module_path!(),
                "::saxpy"
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
            if !__condition_0(extent_0, extent_1, extent_2) {
                return ::gridwright::__private::core::result::Result::Err("x.len() == y.len()");
            }
            ::gridwright::__private::core::result::Result::Ok(())
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl ::gridwright::__private::ThreadKernel for saxpy {
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
    # [cfg_attr (not (test) , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::saxpy")))]
    # [cfg_attr (test , unsafe (export_name = :: gridwright :: __private :: core :: concat ! ("gridwright_kernel_names_must_be_unique_in_a_module__gridwright_derive_0_1_0__" , :: gridwright :: __private :: core :: module_path ! () , "::saxpy__in_tests")))]
    static UNIQUE: ::gridwright::__private::core::primitive::u8 = 0;
};
