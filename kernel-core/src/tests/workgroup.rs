use std::string::ToString;

use crate::{
    COLLECTIVE_BYTES, LaunchConfig, Limits, MOST_PARTITIONS, PartitionLayout, Sets, WorkgroupError,
    WorkgroupMemory, partition_bytes,
};

const ONE: &[PartitionLayout] = &[PartitionLayout::of::<f32>("scratch")];
const THREE: &[PartitionLayout] = &[
    PartitionLayout::of::<f32>("sums"),
    PartitionLayout::of::<u8>("flags"),
    PartitionLayout::of::<[f32; 3]>("points"),
];

type OneOfThem = ((), f32);
type ThreeOfThem = ((((), f32), u8), [f32; 3]);

/// The memory of a config in groups of 64 threads, behind what collectives use.
fn resolve<N, W: Sets<N>>(
    config: &LaunchConfig<W>,
    partitions: &'static [PartitionLayout],
) -> Result<WorkgroupMemory, WorkgroupError> {
    config.workgroup_memory::<N>(partitions, COLLECTIVE_BYTES, 64, &Limits::PORTABLE)
}

fn one<W: Sets<OneOfThem>>(config: &LaunchConfig<W>) -> Result<WorkgroupMemory, WorkgroupError> {
    resolve(config, ONE)
}

fn threads() -> LaunchConfig {
    LaunchConfig::threads(64)
}

#[test]
fn a_kernel_without_partitions_has_what_is_fixed() {
    let memory = resolve::<(), _>(&threads(), &[]).unwrap();
    assert_eq!(memory, WorkgroupMemory { bytes: COLLECTIVE_BYTES, ..WorkgroupMemory::default() });
    assert!(memory.lens().is_empty());
    let of_threads = threads().workgroup_memory::<()>(&[], 0, 64, &Limits::PORTABLE).unwrap();
    assert_eq!(of_threads, WorkgroupMemory::default());
}

#[test]
fn pieces_are_rounded_up_to_sixteen_bytes() {
    assert_eq!([0, 1, 15, 16, 17].map(partition_bytes), [0, 16, 16, 16, 32]);
    assert_eq!(partition_bytes(usize::MAX), usize::MAX - 15);
    assert_eq!(one(&threads().workgroup::<f32>(1)).unwrap().bytes, COLLECTIVE_BYTES + 16);
    assert_eq!(one(&threads().workgroup::<f32>(5)).unwrap().bytes, COLLECTIVE_BYTES + 32);
}

#[test]
fn several_partitions_lie_in_the_order_of_the_parameters() {
    let config = threads().workgroup::<f32>(3).workgroup_per_thread::<u8>(2).workgroup::<[f32; 3]>(2);
    let memory = resolve::<ThreeOfThem, _>(&config, THREE).unwrap();
    assert_eq!(memory.lens(), [3, 128, 2]);
    assert_eq!(memory.bytes, COLLECTIVE_BYTES + 16 + 128 + 32);
}

#[test]
fn as_many_partitions_as_parameters_fit() {
    const MANY: &[PartitionLayout] = &[PartitionLayout::of::<u8>("bytes"); MOST_PARTITIONS];
    type Four<A> = ((((A, u8), u8), u8), u8);
    let config = threads().workgroup(1).workgroup(2).workgroup(3).workgroup(4);
    let config = config.workgroup(5).workgroup(6).workgroup(7).workgroup(8);
    let config = config.workgroup(9).workgroup(10).workgroup(11).workgroup(12);
    let memory = resolve::<Four<Four<Four<()>>>, _>(&config, MANY).unwrap();
    assert_eq!(memory.lens(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    assert_eq!(memory.bytes, COLLECTIVE_BYTES + 12 * 16);
}

#[test]
fn an_element_for_each_thread_is_as_many_as_the_group_has() {
    let memory = one(&threads().workgroup_per_thread::<f32>(3)).unwrap();
    assert_eq!((memory.lens(), memory.bytes), (&[192][..], COLLECTIVE_BYTES + 768));
}

#[test]
fn bytes_are_divided_into_elements() {
    let memory = one(&threads().dyn_workgroup_bytes(20)).unwrap();
    assert_eq!((memory.lens(), memory.bytes), (&[5][..], COLLECTIVE_BYTES + 32));
}

#[test]
fn bytes_that_are_not_whole_elements_are_refused() {
    let error = one(&threads().dyn_workgroup_bytes(21)).unwrap_err();
    assert_eq!(error, WorkgroupError::Uneven { partition: "scratch", bytes: 21, element: 4 });
    assert_eq!(
        error.to_string(),
        "21 bytes of workgroup memory for `scratch` aren't a multiple of 4, the bytes of its elements"
    );
}

#[test]
fn no_elements_are_refused_however_they_are_asked_for() {
    let zero = Err(WorkgroupError::Zero { partition: "scratch" });
    assert_eq!(one(&threads().workgroup::<f32>(0)), zero);
    assert_eq!(one(&threads().workgroup_per_thread::<f32>(0)), zero);
    assert_eq!(one(&threads().dyn_workgroup_bytes(0)), zero);
    let second = threads().workgroup::<f32>(1).workgroup::<u8>(0).workgroup::<[f32; 3]>(0);
    assert_eq!(
        resolve::<ThreeOfThem, _>(&second, THREE),
        Err(WorkgroupError::Zero { partition: "flags" }),
        "the first that is wrong is named"
    );
}

#[test]
fn the_limit_is_for_all_pieces_together() {
    let most = (Limits::PORTABLE.workgroup_memory - COLLECTIVE_BYTES) / 4;
    assert_eq!(one(&threads().workgroup::<f32>(most)).unwrap().bytes, Limits::PORTABLE.workgroup_memory);
    let error = one(&threads().workgroup::<f32>(most + 1)).unwrap_err();
    assert_eq!(error, WorkgroupError::OverLimit { bytes: 49_168, fixed: COLLECTIVE_BYTES, limit: 49_152 });
    assert_eq!(
        error.to_string(),
        "49168 bytes of workgroup memory a group, of which 1024 are for the kernel's arrays of fixed size and for \
         collectives, but the limit of the device is 49152; ask for fewer elements"
    );
}

#[test]
fn fixed_arrays_alone_can_be_over_the_limit() {
    let limit = Limits::PORTABLE.workgroup_memory;
    assert!(threads().workgroup_memory::<()>(&[], limit, 64, &Limits::PORTABLE).is_ok());
    let error = threads().workgroup_memory::<()>(&[], limit + 16, 64, &Limits::PORTABLE).unwrap_err();
    assert!(error.to_string().ends_with("give the kernel smaller arrays"), "{error}");
}

#[test]
fn bytes_that_overflow_are_reported_not_wrapped() {
    let overflow = |elements| Err(WorkgroupError::Overflow { partition: "scratch", elements, element: 4 });
    let most = usize::MAX;
    assert_eq!(one(&threads().workgroup::<f32>(most)), overflow(most as u128));
    assert_eq!(one(&threads().workgroup::<f32>(most / 4 + 1)), overflow(1 << 62));
    assert_eq!(one(&threads().workgroup_per_thread::<f32>(most)), overflow(most as u128 * 64));
    assert!(matches!(
        one(&threads().workgroup::<f32>(most / 4)),
        Err(WorkgroupError::OverLimit { bytes, .. }) if bytes == (1 << 64) + COLLECTIVE_BYTES as u128
    ));
    assert!(matches!(
        one(&threads().dyn_workgroup_bytes(most - 3)),
        Err(WorkgroupError::OverLimit { bytes, .. }) if bytes == (1 << 64) + COLLECTIVE_BYTES as u128
    ));
}

#[test]
fn sums_that_overflow_are_over_every_limit() {
    let limits = Limits { workgroup_memory: usize::MAX, ..Limits::PORTABLE };
    let config = threads().workgroup::<f32>(usize::MAX / 4).workgroup(usize::MAX).workgroup(1);
    let error = config.workgroup_memory::<ThreeOfThem>(THREE, usize::MAX, usize::MAX, &limits).unwrap_err();
    assert!(matches!(error, WorkgroupError::OverLimit { fixed: usize::MAX, limit: usize::MAX, .. }));
    let alone = threads().workgroup::<f32>(usize::MAX / 4);
    assert!(
        alone.workgroup_memory::<OneOfThem>(ONE, 0, 64, &limits).is_err(),
        "rounded up, it is one byte too many"
    );
}
