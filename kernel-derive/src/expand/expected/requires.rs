#[allow(non_camel_case_types, missing_debug_implementations)]
struct tested {}
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
        ) -> ::core::result::Result<crate::__private::Kernel<Self>, crate::__private::Error>
        where
            Self: crate::__private::Signature,
        {
            crate::__private::load::<Self>(device)
        }
    }
    #[cfg(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), gridwright_entries))]
    const _: () = {
        #[unsafe(export_name = "tested")]
        pub unsafe extern "gpu-kernel" fn __entry(
            last_0: ::core::primitive::u64,
            last_1: ::core::primitive::u64,
            last_2: ::core::primitive::u64,
            pointer_0: &[f32; 0],
            rows_0: ::core::primitive::u32,
            cols_0: ::core::primitive::u32,
            pointer_1: usize,
            pointer_2: &[f32; 0],
            len_2: ::core::primitive::usize,
            #[cfg(not(target_arch = "amdgpu"))] pointer_3: Settings,
            #[cfg(target_arch = "amdgpu")] pointer_3_0: ::core::primitive::u64,
            #[cfg(target_arch = "amdgpu")] pointer_3_1: ::core::primitive::u64,
            #[cfg(target_arch = "amdgpu")] pointer_3_2: ::core::primitive::u64,
            #[cfg(target_arch = "amdgpu")] pointer_3_3: ::core::primitive::u64,
            #[cfg(target_arch = "amdgpu")] pointer_3_4: ::core::primitive::u64,
            #[cfg(target_arch = "amdgpu")] pointer_3_5: ::core::primitive::u64,
            #[cfg(target_arch = "amdgpu")] pointer_3_6: ::core::primitive::u64,
            #[cfg(target_arch = "amdgpu")] pointer_3_7: ::core::primitive::u64,
            #[cfg(target_arch = "amdgpu")] pointer_3_8: ::core::primitive::u64,
            #[cfg(target_arch = "amdgpu")] pointer_3_9: ::core::primitive::u64,
            #[cfg(target_arch = "amdgpu")] pointer_3_10: ::core::primitive::u64,
            #[cfg(target_arch = "amdgpu")] pointer_3_11: ::core::primitive::u64,
            #[cfg(target_arch = "amdgpu")] pointer_3_12: ::core::primitive::u64,
            #[cfg(target_arch = "amdgpu")] pointer_3_13: ::core::primitive::u64,
            #[cfg(target_arch = "amdgpu")] pointer_3_14: ::core::primitive::u64,
            #[cfg(target_arch = "amdgpu")] pointer_3_15: ::core::primitive::u64,
        ) {
            unsafe {
                let ::core::option::Option::Some(thread_0) =
                    crate::__private::thread([last_0, last_1, last_2])
                else {
                    return;
                };
                let value_0 = crate::__private::read_matrix::<f32>(pointer_0, rows_0, cols_0);
                let value_1 = pointer_1;
                let value_2 = crate::__private::read_slice::<f32>(pointer_2, len_2);
                let value_3 = {
                    #[cfg(target_arch = "amdgpu")]
                    let pointer_3: Settings = crate::__private::by_words([
                        pointer_3_0,
                        pointer_3_1,
                        pointer_3_2,
                        pointer_3_3,
                        pointer_3_4,
                        pointer_3_5,
                        pointer_3_6,
                        pointer_3_7,
                        pointer_3_8,
                        pointer_3_9,
                        pointer_3_10,
                        pointer_3_11,
                        pointer_3_12,
                        pointer_3_13,
                        pointer_3_14,
                        pointer_3_15,
                    ]);
                    pointer_3
                };
                {
                    let m = crate::__private::MatrixExtent {
                        rows: rows_0 as ::core::primitive::usize,
                        cols: cols_0 as ::core::primitive::usize,
                    };
                    let n = value_1;
                    let x = crate::__private::SliceExtent { len: len_2 };
                    let s = value_3;
                    ::core::hint::assert_unchecked(
                        (|| -> ::core::option::Option<bool> {
                            ::core::option::Option::Some(
                                crate::__private::requires::div(
                                    crate::__private::requires::mul(
                                        crate::__private::requires::rows(&m),
                                        ::core::convert::identity::<::core::primitive::usize>(n),
                                    )?,
                                    2,
                                )? >= crate::__private::requires::sub(
                                    crate::__private::requires::len(&x),
                                    1,
                                )?,
                            )
                        })() == ::core::option::Option::Some(true),
                    );
                    ::core::hint::assert_unchecked(
                        (|| -> ::core::option::Option<bool> {
                            ::core::option::Option::Some(crate::__private::requires::is_power_of_two(
                                ::core::convert::identity::<::core::primitive::usize>(n),
                            ))
                        })() == ::core::option::Option::Some(true),
                    );
                    ::core::assert!(
                        (|| -> bool { x.len() == pairs(&s) })(),
                        "the kernel requires `{}`",
                        "x.len() == pairs(&s)"
                    );
                }
                __body(thread_0, &value_0, value_1, value_2, value_3)
            }
        }
        #[unsafe(export_name = "__gridwright_layout_tested")]
        pub static __LAYOUT: [::core::primitive::u64; 4usize] = [
            <&'static Matrix<f32> as crate::__private::Param>::LAYOUT.word(),
            <usize as crate::__private::Param>::LAYOUT.word(),
            <&'static [f32] as crate::__private::Param>::LAYOUT.word(),
            <Settings as crate::__private::Param>::LAYOUT.word(),
        ];
    };
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    const _: () = <tested as crate::__private::Signature>::IMAGES.check(
        "tested",
        &[
            <&'static Matrix<f32> as crate::__private::Param>::LAYOUT.word(),
            <usize as crate::__private::Param>::LAYOUT.word(),
            <&'static [f32] as crate::__private::Param>::LAYOUT.word(),
            <Settings as crate::__private::Param>::LAYOUT.word(),
        ],
        &[
            8usize,
            8usize,
            8usize,
            8,
            4,
            4,
            ::core::mem::size_of::<usize>(),
            8,
            8,
            ::core::mem::size_of::<Settings>(),
        ],
        &[
            8usize,
            8usize,
            8usize,
            8,
            4,
            4,
            ::core::mem::size_of::<usize>(),
            8,
            8,
            8,
            8,
            8,
            8,
            8,
            8,
            8,
            8,
            8,
            8,
            8,
            8,
            8,
            8,
            8,
            8,
        ],
    );
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl crate::__private::Signature for tested {
        type Params = (&'static Matrix<f32>, usize, &'static [f32], Settings);
        const NAME: &'static str = "tested";
        const PARAMETERS: &'static [&'static str] = &["m", "n", "x", "s"];
        const ENTRY: &'static str = "tested";
        const IMAGES: &'static crate::__private::Images = &crate::__private::Images {
            missing: "its crate doesn't compile kernels for GPUs: add `gridwright-build` to the [build-dependencies] in Cargo.toml, and a build.rs with `fn main() { gridwright_build::compile_kernels() }`; or set GRIDWRIGHT_DEVICE=cpu",
            images: &[],
        };
        const BOUNDS: crate::__private::Bounds = crate::__private::Bounds {
            rank: if <Self::Params as crate::__private::ParamList>::RANK < 3 {
                <Self::Params as crate::__private::ParamList>::RANK
            } else {
                3
            },
            index: crate::__private::IndexWidth::Bits64,
            block: ::core::option::Option::None,
            most_threads: ::core::option::Option::None,
            whole_groups: false,
            tile: <Self::Params as crate::__private::ParamList>::TILE,
        };
        type Sizes = ();
        const PARTITIONS: &'static [crate::__private::PartitionLayout] = &[];
        const FIXED_BYTES: ::core::primitive::usize = 0;
        const CPU: crate::__private::Cpu =
            crate::__private::Cpu::Threads(crate::__private::run_chunk::<Self>);
        const VALUES_IN_WORDS: ::core::primitive::u16 = 2u16;
        fn require(
            arguments: &crate::__private::Raw<Self>,
            group: crate::__private::GroupExtent,
            lens: &[::core::primitive::usize],
        ) -> ::core::result::Result<(), &'static str> {
            let _ = (arguments, &group, lens);
            let (m, n, x, s) = <Self::Params as crate::__private::ParamList>::extents(arguments);
            let _ = (&m, &n, &x, &s);
            if !((|| -> ::core::option::Option<bool> {
                ::core::option::Option::Some(
                    crate::__private::requires::div(
                        crate::__private::requires::mul(
                            crate::__private::requires::rows(&m),
                            ::core::convert::identity::<::core::primitive::usize>(n),
                        )?,
                        2,
                    )? >= crate::__private::requires::sub(crate::__private::requires::len(&x), 1)?,
                )
            })() == ::core::option::Option::Some(true))
            {
                return ::core::result::Result::Err("m.rows() * n / 2 >= x.len() - 1");
            }
            if !((|| -> ::core::option::Option<bool> {
                ::core::option::Option::Some(crate::__private::requires::is_power_of_two(
                    ::core::convert::identity::<::core::primitive::usize>(n),
                ))
            })() == ::core::option::Option::Some(true))
            {
                return ::core::result::Result::Err("n.is_power_of_two()");
            }
            if !((|| -> bool { x.len() == pairs(&s) })()) {
                return ::core::result::Result::Err("x.len() == pairs(&s)");
            }
            ::core::result::Result::Ok(())
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    unsafe impl crate::__private::ThreadKernel for tested {
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
                        __body(thread, value_0, value_1, value_2, value_3)
                    },
                )
            }
        }
    }
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    #[cfg_attr(
        not(test),
        unsafe(
            export_name = "gridwright_kernel_names_must_be_unique_in_a_crate__gridwright_derive_0_1_0__tested"
        )
    )]
    #[cfg_attr(
        test,
        unsafe(
            export_name = "gridwright_kernel_names_must_be_unique_in_a_crate__gridwright_derive_0_1_0__tested__in_tests"
        )
    )]
    static UNIQUE: u8 = 0;
};
