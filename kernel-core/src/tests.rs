use crate::{ConfigError, Geometry, IndexWidth, LaunchConfig, Limits, requires};

fn resolve(config: LaunchConfig, rank: u32) -> Result<Geometry, ConfigError> {
    config.resolve(rank, IndexWidth::Bits32, &Limits::PORTABLE)
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
    assert!(config.resolve(1, IndexWidth::Bits64, &Limits::PORTABLE).is_ok());
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
    use crate::{Image, ImageEntry, ImageKind, ImageParameter, Images, Kind, Layout};

    const PARAMETERS: &[ImageParameter] =
        &[ImageParameter { offset: 0, size: 4 }, ImageParameter { offset: 8, size: 8 }];
    const ENTRY: ImageEntry = ImageEntry { name: "add", parameters: PARAMETERS, layout: &[7, 8] };
    const IMAGES: Images = Images {
        missing: "",
        images: &[Image { architecture: "sm_80", kind: ImageKind::Ptx, bytes: &[], entries: &[ENTRY] }],
    };

    #[test]
    fn an_image_that_agrees_passes_and_one_without_the_kernel_is_no_matter() {
        IMAGES.check("add", &[7, 8], &[4, 8], &[]);
        IMAGES.check("another", &[], &[], &[]);
    }

    #[test]
    #[should_panic(expected = "number of parameters")]
    fn another_number_of_parameters_is_refused() {
        IMAGES.check("add", &[7, 8], &[4, 8, 8], &[]);
    }

    #[test]
    #[should_panic(expected = "size of a kernel's parameter")]
    fn another_size_is_refused() {
        IMAGES.check("add", &[7, 8], &[4, 4], &[]);
    }

    #[test]
    #[should_panic(expected = "layout of a kernel's arguments")]
    fn another_layout_is_refused() {
        IMAGES.check("add", &[7, 9], &[4, 8], &[]);
    }

    #[test]
    fn layouts_tell_kinds_offsets_and_lengths_apart() {
        let pair = |second: Layout, offset| {
            Layout::structure(8, 4).field(0, Layout::of::<f32>()).field(offset, second).word()
        };
        let all = [
            pair(Layout::of::<f32>(), 4),
            pair(Layout::of::<u32>(), 4),
            pair(Layout::of::<i32>(), 4),
            pair(Layout::of::<f32>(), 0),
            Layout::of::<[f32; 2]>().word(),
            Layout::of::<[f32; 3]>().word(),
            Layout::of::<f64>().word(),
            Layout::primitive(Kind::Vector, 8).word(),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|b| a != b), "layout {i}");
        }
    }
}
