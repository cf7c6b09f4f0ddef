use crate::{
    Bounds, Carveout, ConfigError, Dim, Geometry, GroupExtent, IndexWidth, LaunchConfig, Limits,
    VolumeExtent, requires,
};

mod chunk;
mod printed_line;
mod workgroup;

fn resolve(config: LaunchConfig, rank: u32) -> Result<Geometry, ConfigError> {
    config.resolve(&Bounds::of_rank(rank), &Limits::PORTABLE)
}

#[test]
fn threads_are_exact_and_groups_rounded_up() {
    let geometry = resolve(LaunchConfig::threads(1000).block(96), 1).unwrap();
    assert_eq!(geometry, Geometry { threads: [1000, 1, 1], block: [96, 1, 1], groups: [11, 1, 1] });
}

#[test]
fn a_grid_is_whole_groups() {
    let geometry = resolve(LaunchConfig::grid((3, 2), (16, 4)), 2).unwrap();
    assert_eq!(geometry.threads, [48, 8, 1]);
}

#[test]
fn zero_sizes_are_named() {
    assert_eq!(resolve(LaunchConfig::threads(0), 1), Err(ConfigError::Zero { what: "threads" }));
    assert_eq!(resolve(LaunchConfig::for_matrix(0, 8), 2), Err(ConfigError::Zero { what: "threads" }));
    assert_eq!(resolve(LaunchConfig::grid(0, 32), 1), Err(ConfigError::Zero { what: "workgroups" }));
    assert_eq!(
        resolve(LaunchConfig::threads(8).block(0), 1),
        Err(ConfigError::Zero { what: "threads in a workgroup" })
    );
}

#[test]
fn over_limit_sizes_give_the_value_and_the_limit() {
    let error = resolve(LaunchConfig::threads(1 << 33), 1).unwrap_err();
    assert_eq!(
        error.to_string_in_tests(),
        "8589934592 threads (rounded up to whole workgroups), but the limit is 4294967296; give the kernel 64-bit \
         indices with #[gpu_kernel(index = u64)]"
    );
    let error = resolve(LaunchConfig::threads(8).block(2048), 1).unwrap_err();
    assert!(matches!(error, ConfigError::OverLimit { value: 2048, limit: 1024, .. }));
    let error = resolve(LaunchConfig::threads(8).block((64, 64)), 1).unwrap_err();
    assert!(matches!(error, ConfigError::OverLimit { value: 4096, limit: 1024, .. }));
    let error = resolve(LaunchConfig::grid((1, 70_000), 1), 2).unwrap_err();
    assert!(matches!(error, ConfigError::OverLimit { value: 70_000, limit: 65_535, .. }));
}

#[test]
fn the_thread_limit_holds_after_rounding_up() {
    let n = (1 << 32) - 1;
    assert!(resolve(LaunchConfig::threads(n).block(256), 1).is_ok());
    // 2^32 - 1 is a multiple of 255 but not of 1000.
    let error = resolve(LaunchConfig::threads(n).block(1000), 1).unwrap_err();
    assert!(matches!(error, ConfigError::OverLimit { value: 4_294_968_000, .. }));
}

#[test]
fn products_that_overflow_are_reported_not_wrapped() {
    let huge = usize::MAX;
    assert!(resolve(LaunchConfig::for_matrix(huge, huge), 2).is_err());
    assert!(resolve(LaunchConfig::grid((huge, huge, huge), 1024), 3).is_err());
    assert!(resolve(LaunchConfig::threads(huge), 1).is_err());
}

#[test]
fn sixty_four_bit_indices_allow_more_threads() {
    let config = LaunchConfig::threads(1 << 33).block(1024);
    let bounds = Bounds { index: IndexWidth::Bits64, ..Bounds::of_rank(1) };
    assert!(config.resolve(&bounds, &Limits::PORTABLE).is_ok());
}

#[test]
fn a_launch_of_more_dimensions_than_the_kernel_is_refused() {
    assert_eq!(resolve(LaunchConfig::for_matrix(4, 4), 1), Err(ConfigError::Rank { launch: 2, kernel: 1 }));
    assert_eq!(
        resolve(LaunchConfig::grid((1, 1, 2), 32), 2),
        Err(ConfigError::Rank { launch: 3, kernel: 2 })
    );
    assert!(resolve(LaunchConfig::for_matrix(1, 4), 1).is_ok());
}

/// The kernel has `block = (16, 16)`.
#[test]
fn a_launch_over_a_matrix_counts_tiles_where_groups_own_them() {
    let bounds =
        Bounds { tile: Some([64, 32]), block: Some([16, 16, 1]), whole_groups: true, ..Bounds::of_rank(2) };
    for (rows, cols, groups) in [(1, 1, [1, 1, 1]), (32, 64, [1, 1, 1]), (33, 640, [10, 2, 1])] {
        let geometry = LaunchConfig::for_matrix(rows, cols).resolve(&bounds, &Limits::PORTABLE).unwrap();
        assert_eq!((geometry.groups, geometry.threads), (groups, [groups[0] * 16, groups[1] * 16, 1]));
    }
    // Threads and groups that are asked for are what they are.
    let geometry = LaunchConfig::grid((3, 4), (16, 16)).resolve(&bounds, &Limits::PORTABLE).unwrap();
    assert_eq!(geometry.groups, [3, 4, 1]);
    let geometry = LaunchConfig::threads(64).resolve(&bounds, &Limits::PORTABLE).unwrap();
    assert_eq!(geometry.groups, [4, 1, 1]);
    // As many groups as the grid may have, of tiles as large as they may be.
    let most = Bounds { tile: Some([usize::MAX; 2]), ..bounds };
    let geometry = LaunchConfig::for_matrix(usize::MAX, 1).resolve(&most, &Limits::PORTABLE).unwrap();
    assert_eq!(geometry.groups, [1, 1, 1]);
}

const TILED: Bounds = Bounds { block: Some([16, 16, 1]), ..Bounds::of_rank(2) };

#[test]
fn a_declared_block_is_taken_and_another_refused() {
    let matrix = LaunchConfig::for_matrix(20, 40);
    let geometry = matrix.resolve(&TILED, &Limits::PORTABLE).unwrap();
    assert_eq!(geometry, Geometry { threads: [40, 20, 1], block: [16, 16, 1], groups: [3, 2, 1] });
    assert_eq!(matrix.block((16, 16)).resolve(&TILED, &Limits::PORTABLE), Ok(geometry));
    assert!(LaunchConfig::grid((3, 2), (16, 16)).resolve(&TILED, &Limits::PORTABLE).is_ok());
    for other in [matrix.block((8, 32)), matrix.block(256), matrix.block(0), LaunchConfig::grid(4, (16, 8))] {
        let error = other.resolve(&TILED, &Limits::PORTABLE).unwrap_err();
        assert!(matches!(error, ConfigError::Block { declared: Dim { x: 16, y: 16, z: 1 }, .. }), "{error}");
    }
    let error = matrix.block((8, 32)).resolve(&TILED, &Limits::PORTABLE).unwrap_err();
    assert_eq!(
        error.to_string_in_tests(),
        "a block of (8, 32), but the kernel declares `block = (16, 16)`: give it that block, or none with \
         `LaunchConfig::threads`, `for_matrix` or `for_volume`"
    );
}

#[test]
fn a_declared_block_must_fit_the_device() {
    let small = Limits { threads_per_group: 128, ..Limits::PORTABLE };
    let error = LaunchConfig::for_matrix(4, 4).resolve(&TILED, &small).unwrap_err();
    assert!(matches!(error, ConfigError::OverLimit { value: 256, limit: 128, .. }));
}

#[test]
fn kernels_of_groups_run_whole_groups() {
    let kernel = Bounds { whole_groups: true, ..Bounds::of_rank(2) };
    let geometry = LaunchConfig::threads(1000).resolve(&kernel, &Limits::PORTABLE).unwrap();
    assert_eq!(geometry, Geometry { threads: [1024, 1, 1], block: [256, 1, 1], groups: [4, 1, 1] });
    let geometry = LaunchConfig::for_matrix(9, 33).resolve(&kernel, &Limits::PORTABLE).unwrap();
    assert_eq!(geometry, Geometry { threads: [64, 16, 1], block: [32, 8, 1], groups: [2, 2, 1] });
    assert_eq!(
        LaunchConfig::threads(0).resolve(&kernel, &Limits::PORTABLE),
        Err(ConfigError::Zero { what: "threads" })
    );
}

#[test]
fn rounding_up_to_whole_groups_counts_for_the_thread_limit_and_the_dimensions() {
    let of_groups = Bounds { whole_groups: true, ..Bounds::of_rank(1) };
    let n = (1 << 32) - 1;
    assert!(LaunchConfig::threads(n).block(1024).resolve(&of_groups, &Limits::PORTABLE).is_ok());
    let error = LaunchConfig::threads(n).block(1000).resolve(&of_groups, &Limits::PORTABLE).unwrap_err();
    assert!(matches!(error, ConfigError::OverLimit { value: 4_294_968_000, .. }));
    let huge = LaunchConfig::for_volume(usize::MAX, usize::MAX, usize::MAX);
    assert!(huge.resolve(&of_groups, &Limits::PORTABLE).is_err());
    // The second row of each group would own what the first owns.
    let tiled = Bounds { block: Some([16, 16, 1]), ..of_groups };
    let error = LaunchConfig::threads(100).resolve(&tiled, &Limits::PORTABLE).unwrap_err();
    assert_eq!(error, ConfigError::Rank { launch: 2, kernel: 1 });
}

#[test]
fn a_device_may_know_a_better_block_where_nobody_says_one() {
    let block = |config: LaunchConfig, bounds: &Bounds, best| {
        config.resolve_with(bounds, &Limits::PORTABLE, best).unwrap().block
    };
    let (line, matrix, free) =
        (LaunchConfig::threads(1000), LaunchConfig::for_matrix(100, 100), Bounds::of_rank(2));
    assert_eq!(block(line, &free, 1024), [1024, 1, 1]);
    assert_eq!(block(line, &free, 768), [512, 1, 1]);
    assert_eq!(block(line, &free, 0), [1, 1, 1]);
    assert_eq!(block(matrix, &free, 1024), [32, 32, 1]);
    assert_eq!(block(matrix, &free, 16), [16, 1, 1]);
    assert_eq!(block(line.block(64), &free, 1024), [64, 1, 1]);
    let declared = Bounds { block: Some([16, 16, 1]), ..free };
    assert_eq!(block(matrix, &declared, 1024), [16, 16, 1]);
    let few = Bounds { most_threads: Some(100), ..free };
    assert_eq!(block(line, &few, 1024), [64, 1, 1]);
    // 2³² threads are whole groups of every power of two.
    assert!(LaunchConfig::threads(1 << 32).resolve_with(&free, &Limits::PORTABLE, 768).is_ok());
}

#[test]
fn declared_most_threads_shrink_the_default_block_and_refuse_larger_ones() {
    let at_most = |threads| Bounds { most_threads: Some(threads), ..Bounds::of_rank(2) };
    let block = |config: LaunchConfig, most| config.resolve(&at_most(most), &Limits::PORTABLE).unwrap().block;
    let line = LaunchConfig::threads(1000);
    let matrix = LaunchConfig::for_matrix(100, 100);
    for (most, flat, square) in [
        (1024, [256, 1, 1], [32, 8, 1]),
        (256, [256, 1, 1], [32, 8, 1]),
        (255, [128, 1, 1], [32, 4, 1]),
        (33, [32, 1, 1], [32, 1, 1]),
        (31, [16, 1, 1], [16, 1, 1]),
        (1, [1, 1, 1], [1, 1, 1]),
    ] {
        assert_eq!((block(line, most), block(matrix, most)), (flat, square), "max_threads = {most}");
    }
    assert_eq!(block(line.block(96), 96), [96, 1, 1]);
    let error = line.block(97).resolve(&at_most(96), &Limits::PORTABLE).unwrap_err();
    assert_eq!(
        error.to_string_in_tests(),
        "97 threads in a workgroup, but the limit is 96; take a smaller block: the kernel declares this `max_threads`"
    );
    assert!(matches!(
        line.resolve(&at_most(0), &Limits::PORTABLE),
        Err(ConfigError::OverLimit { value: 1, limit: 0, .. })
    ));
}

#[test]
fn the_default_block_is_as_long_as_the_grid_has_to_be_short() {
    let of = |config: LaunchConfig| resolve(config, 3).map(|geometry| (geometry.block, geometry.groups));
    for (rows, block, groups) in [
        (524_280, [32, 8, 1], [1, 65_535, 1]),
        (524_281, [16, 16, 1], [1, 32_768, 1]),
        (16_776_960, [1, 256, 1], [3, 65_535, 1]),
    ] {
        assert_eq!(of(LaunchConfig::for_matrix(rows, 3)).unwrap(), (block, groups), "{rows} rows");
    }
    assert!(of(LaunchConfig::for_matrix(16_776_961, 3)).is_err());
    for (planes, block, groups) in [
        (65_535, [32, 8, 1], [1, 1, 65_535]),
        (65_536, [32, 4, 2], [1, 1, 32_768]),
        (300_000, [32, 1, 8], [1, 2, 37_500]),
        (4_194_240, [4, 1, 64], [1, 2, 65_535]),
    ] {
        assert_eq!(of(LaunchConfig::for_volume(planes, 2, 2)).unwrap(), (block, groups), "{planes} planes");
    }
    assert!(of(LaunchConfig::for_volume(4_194_241, 2, 2)).is_err());
    // What was asked for stays.
    assert!(of(LaunchConfig::for_matrix(524_281, 3).block((32, 8))).is_err());
    let few = Bounds { most_threads: Some(1), ..Bounds::of_rank(3) };
    assert!(LaunchConfig::for_matrix(65_536, 3).resolve(&few, &Limits::PORTABLE).is_err());
}

#[test]
fn volumes_are_columns_rows_and_planes() {
    let geometry = resolve(LaunchConfig::for_volume(3, 20, 100), 3).unwrap();
    assert_eq!(geometry, Geometry { threads: [100, 20, 3], block: [32, 8, 1], groups: [4, 3, 3] });
    assert_eq!(
        resolve(LaunchConfig::for_volume(2, 2, 2), 2),
        Err(ConfigError::Rank { launch: 3, kernel: 2 })
    );
    assert!(resolve(LaunchConfig::for_volume(1, 2, 2), 2).is_ok());
    let error = resolve(LaunchConfig::for_volume(65_536, 1, 1).block((32, 8)), 3).unwrap_err();
    assert!(matches!(error, ConfigError::OverLimit { value: 65_536, limit: 65_535, .. }));
}

#[test]
fn requires_sees_the_sizes_of_groups_and_volumes() {
    let volume = VolumeExtent { planes: 2, rows: 3, cols: 4 };
    assert_eq!((requires::planes(&volume), requires::rows(&volume), requires::cols(&volume)), (2, 3, 4));
    assert_eq!(requires::len(&GroupExtent { len: 256 }), 256);
}

#[test]
fn arithmetic_of_requires_fails_instead_of_wrapping() {
    assert_eq!(requires::add(usize::MAX, 1), None);
    assert_eq!(requires::sub(0_u32, 1), None);
    assert_eq!(requires::mul(1_i64 << 62, 2), None);
    assert_eq!(requires::div(1_u8, 0), None);
    assert_eq!(requires::rem(i32::MIN, -1), None);
    assert!(requires::is_power_of_two(64_usize));
    assert!(!requires::is_power_of_two(i8::MIN));
}

impl ConfigError {
    fn to_string_in_tests(self) -> std::string::String {
        std::format!("{self}")
    }
}

mod images {
    use std::boxed::Box;

    use crate::{Image, ImageEntry, ImageKind, ImageParameter, Images, Kind, Layout};

    const PARAMETERS: &[ImageParameter] =
        &[ImageParameter { offset: 0, size: 4 }, ImageParameter { offset: 8, size: 8 }];
    const ENTRY: ImageEntry = ImageEntry {
        name: "add_2",
        path: "sums::add",
        parameters: PARAMETERS,
        layout: &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
        parts: &[],
    };
    const RECORD: [[u64; 4]; 4] = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]];
    const IMAGES: Images = Images {
        missing: "",
        images: &[Image {
            architecture: "sm_80",
            compiled_for: "sm_80",
            kind: ImageKind::Ptx,
            bytes: &[],
            entries: &[ENTRY],
            panics: &[],
        }],
        cpu: crate::CpuCode::All,
    };

    #[test]
    fn an_image_that_agrees_passes_and_one_without_the_kernel_is_no_matter() {
        IMAGES.check("sums::add", &RECORD, &[4, 0, 8], &[1]);
        IMAGES.check("another", &[], &[], &[]);
    }

    #[test]
    fn code_objects_have_values_in_parts() {
        const PARTS: &[ImageParameter] = &[
            ImageParameter { offset: 0, size: 4 },
            ImageParameter { offset: 8, size: 8 },
            ImageParameter { offset: 16, size: 8 },
        ];
        let entries = &[ImageEntry { parameters: PARTS, ..ENTRY }];
        let image = Image { kind: ImageKind::CodeObject, entries, ..IMAGES.images[0] };
        let images = Images { images: Box::leak(Box::new([image])), ..IMAGES };
        images.check("sums::add", &RECORD, &[4, 12], &[1]);
        images.check("sums::add", &RECORD, &[0, 4, 16, 0], &[0, 2, 3]);
    }

    #[test]
    #[should_panic(expected = "at most 4096 bytes")]
    fn parameters_beyond_4_kib_are_refused_without_images_too() {
        IMAGES.check("another", &[], &[4, 8, 4080, 0], &[]);
        IMAGES.check("another", &[], &[4, 8, 4080, 4], &[]);
    }

    #[test]
    #[should_panic(expected = "number of parameters")]
    fn another_number_of_parameters_is_refused() {
        IMAGES.check("sums::add", &RECORD, &[4, 8, 8], &[]);
    }

    #[test]
    #[should_panic(expected = "size of a kernel's parameter")]
    fn another_size_is_refused() {
        IMAGES.check("sums::add", &RECORD, &[4, 4], &[]);
    }

    #[test]
    #[should_panic(expected = "on a kernel's parameter")]
    fn another_parameter_is_refused() {
        let [kernel, numbers, block, _] = RECORD;
        IMAGES.check("sums::add", &[kernel, numbers, block, [13, 14, 15, 17]], &[4, 8], &[]);
    }

    #[test]
    #[should_panic(expected = "on what a kernel is")]
    fn another_kernel_is_refused() {
        let [_, numbers, block, parameter] = RECORD;
        IMAGES.check("sums::add", &[[1, 2, 0, 4], numbers, block, parameter], &[4, 8], &[]);
    }

    #[test]
    #[should_panic(expected = "on what a kernel is")]
    fn another_block_is_refused() {
        let [kernel, numbers, _, parameter] = RECORD;
        IMAGES.check("sums::add", &[kernel, numbers, [9, 10, 11, 11], parameter], &[4, 8], &[]);
    }

    #[test]
    #[should_panic(expected = "on what a kernel takes")]
    fn a_record_of_another_length_is_refused() {
        IMAGES.check("sums::add", &RECORD[..1], &[4, 8], &[]);
    }

    #[test]
    fn layouts_tell_kinds_offsets_and_lengths_apart() {
        let pair = |second: Layout, offset| {
            Layout::structure(8, 4).field(0, Layout::of::<f32>()).field(offset, second).digest()
        };
        let all = [
            pair(Layout::of::<f32>(), 4),
            pair(Layout::of::<u32>(), 4),
            pair(Layout::of::<i32>(), 4),
            pair(Layout::of::<f32>(), 0),
            Layout::of::<[f32; 2]>().digest(),
            Layout::of::<[f32; 3]>().digest(),
            Layout::of::<f64>().digest(),
            Layout::primitive(Kind::Vector, 8).digest(),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|b| a != b), "layout {i}");
        }
    }
}

#[test]
fn clusters_divide_the_workgroups_along_each_axis() {
    let config = LaunchConfig::grid((8, 6), (4, 4));
    for cluster in [Dim::from(1), Dim::from(8), Dim::from((4, 2)), Dim::from((2, 3, 1))] {
        assert!(resolve(config.cluster(cluster), 2).is_ok(), "{cluster}");
    }
    for cluster in [Dim::from(3), Dim::from(16), Dim::from((1, 4)), Dim::from((1, 1, 2))] {
        let groups = Dim::from((8, 6));
        assert_eq!(resolve(config.cluster(cluster), 2), Err(ConfigError::Cluster { cluster, groups }));
    }
    for cluster in [Dim::from(0), Dim::from((2, 0)), Dim::from((2, 1, 0))] {
        let zero = Err(ConfigError::Zero { what: "workgroups in a cluster" });
        assert_eq!(resolve(config.cluster(cluster), 2), zero);
    }
    // Threads are rounded up to workgroups, not to clusters.
    assert!(resolve(LaunchConfig::threads(1000).block(128).cluster(4), 1).is_ok());
    let text = std::format!("{}", resolve(LaunchConfig::threads(1000).block(256).cluster(3), 1).unwrap_err());
    assert!(text.contains("clusters of 3") && text.contains("4 workgroups"), "{text}");
}

#[test]
fn a_preferred_share_of_memory_is_at_most_all_of_it() {
    let config = LaunchConfig::threads(1000);
    assert!(resolve(config.preferred_workgroup_memory(Carveout::Percent(100)), 1).is_ok());
    let error = resolve(config.preferred_workgroup_memory(Carveout::Percent(101)), 1);
    assert!(matches!(error, Err(ConfigError::OverLimit { value: 101, limit: 100, .. })), "{error:?}");
    let of = |bytes| Carveout::Bytes(bytes).percent_of(228 << 10);
    assert_eq!((of(0), of(1), of(114 << 10), of((114 << 10) + 1), of(usize::MAX)), (0, 1, 50, 51, 100));
    assert_eq!(Carveout::Bytes(7).percent_of(0), 100);
}

#[test]
fn attributes_stay_with_a_config_whatever_else_is_said() {
    let config = LaunchConfig::threads(1000).cluster(2).programmatic_dependent().cooperative();
    let expected = config.attributes();
    assert!(expected.cooperative && expected.programmatic_dependent && !expected.is_plain());
    assert_eq!(config.workgroup::<f32>(1).block(32).attributes(), expected);
    assert_eq!(config.dyn_workgroup_bytes(4).attributes(), expected);
}
