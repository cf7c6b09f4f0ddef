#[doc = r" y = a * x + y."]
#[allow(non_camel_case_types, missing_debug_implementations)]
pub struct saxpy {}
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
const _: () = {
    const _: () = ::gridwright::__private::core::assert!(
        ::gridwright::__private::core::mem::size_of::<u32>() as ::gridwright::__private::core::primitive::u64
            == 4u64,
        "in `../kernel-image/src/fixtures/two.ptx` parameter 0 of `saxpy` has 4 bytes: declare a type of as many"
    );
    const _: () = ::gridwright::__private::core::assert!(
        ::gridwright::__private::core::mem::size_of::<f32>() as ::gridwright::__private::core::primitive::u64
            == 4u64,
        "in `../kernel-image/src/fixtures/two.ptx` parameter 1 of `saxpy` has 4 bytes: declare a type of as many"
    );
    const _: () = ::gridwright::__private::core::assert!(
        ::gridwright::__private::core::mem::size_of::<*const f32>()
            as ::gridwright::__private::core::primitive::u64
            == 8u64,
        "in `../kernel-image/src/fixtures/two.ptx` parameter 2 of `saxpy` has 8 bytes: declare a type of as many"
    );
    const _: () = ::gridwright::__private::core::assert!(
        ::gridwright::__private::core::mem::size_of::<*mut f32>()
            as ::gridwright::__private::core::primitive::u64
            == 8u64,
        "in `../kernel-image/src/fixtures/two.ptx` parameter 3 of `saxpy` has 8 bytes: declare a type of as many"
    );
    const __PARAMETERS: [::gridwright::__private::ImageParameter; 4usize] =
        ::gridwright::__private::ImageParameter::in_order([
            (
                ::gridwright::__private::core::mem::size_of::<u32>(),
                ::gridwright::__private::core::mem::align_of::<u32>(),
            ),
            (
                ::gridwright::__private::core::mem::size_of::<f32>(),
                ::gridwright::__private::core::mem::align_of::<f32>(),
            ),
            (
                ::gridwright::__private::core::mem::size_of::<*const f32>(),
                ::gridwright::__private::core::mem::align_of::<*const f32>(),
            ),
            (
                ::gridwright::__private::core::mem::size_of::<*mut f32>(),
                ::gridwright::__private::core::mem::align_of::<*mut f32>(),
            ),
        ]);
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
            ::gridwright::__private::UnsafeKernel<Self>,
            ::gridwright::__private::Error,
        > {
            ::gridwright::__private::load_unsafe::<Self>(device)
        }
    }
    unsafe impl ::gridwright::__private::Signature for saxpy {
        type Params = (u32, f32, *const f32, *mut f32);
        type Sizes = ();
        const NAME: &'static ::gridwright::__private::core::primitive::str = "saxpy";
        const PARAMETERS: &'static [&'static ::gridwright::__private::core::primitive::str] =
            &["n", "a", "x", "y"];
        const ENTRY: &'static ::gridwright::__private::core::primitive::str = "saxpy";
        const IMAGES: &'static ::gridwright::__private::Images = &::gridwright::__private::Images {
            missing: "",
            images: &[::gridwright::__private::Image {
                architecture: "sm_80",
                compiled_for: "sm_80",
                kind: ::gridwright::__private::ImageKind::Ptx,
                bytes: ::gridwright::__private::core::include_bytes!(
                    "kernel-derive/../kernel-image/src/fixtures/two.ptx"
                ),
                entries: &[::gridwright::__private::ImageEntry {
                    name: "saxpy",
                    path: "saxpy",
                    parameters: &__PARAMETERS,
                    layout: &[],
                    parts: &[],
                }],
                panics: &[],
            }],
            cpu: ::gridwright::__private::CpuCode::All,
        };
        const BOUNDS: ::gridwright::__private::Bounds = ::gridwright::__private::Bounds {
            whole_groups: true,
            ..::gridwright::__private::Bounds::of_rank(3)
        };
        const PARTITIONS: &'static [::gridwright::__private::PartitionLayout] = &[];
        const FIXED_BYTES: ::gridwright::__private::core::primitive::usize = 0;
        const CPU: ::gridwright::__private::CpuEntry = ::gridwright::__private::CpuEntry::Foreign;
        const IS_UNSAFE: ::gridwright::__private::core::primitive::bool = true;
        fn require(
            _: &::gridwright::__private::Raw<Self>,
            _: ::gridwright::__private::GroupExtent,
            _: &[::gridwright::__private::core::primitive::usize],
        ) -> ::gridwright::__private::core::result::Result<
            (),
            &'static ::gridwright::__private::core::primitive::str,
        > {
            ::gridwright::__private::core::result::Result::Ok(())
        }
    }
};
