//! Clusters: registers, `mapa`, accesses to other groups' memory, `barrier.cluster`, and what is found where it is missing.

use gridwright_emulator::{Device, DeviceOptions, Finding, FindingKind, Launch, LaunchError, Report};

use crate::harness::{Parameters, download, fault, kernel, run};

/// Threads of a group, and groups.
const THREADS: u32 = 64;
const GROUPS: u32 = 12;

/// Runs a body in which `%rd2` is the generic address of the thread's word of `word`, `%r0` its number, `%r1` the rank of the next
/// group of the cluster, and `%rd4` the address of the thread's word of the results.
fn launch(body: &str, cluster: u32, host_threads: usize) -> (Result<Report, LaunchError>, Vec<u32>) {
    let device = Device::new();
    let device = Device::with_options(DeviceOptions { host_threads, ..device.options() });
    let count = (THREADS * GROUPS) as usize;
    let x = device.alloc(4 * count as u64).unwrap();
    device.fill(x, &[0; 4], count as u64).unwrap();
    let parameters = Parameters::default().wide(x).0;
    let body = format!(
        ".reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .pred %p<4>; .shared .align 16 .b8 word[256];
         mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r1, %r1, {THREADS}, %r0;
         ld.param.u64 %rd1, [x]; mul.wide.u32 %rd4, %r1, 4; add.u64 %rd4, %rd4, %rd1;
         mov.u64 %rd2, word; cvta.shared.u64 %rd2, %rd2; mul.wide.u32 %rd3, %r0, 4; add.u64 %rd2, %rd2, %rd3;
         mov.u32 %r1, %cluster_ctarank; add.u32 %r1, %r1, 1; mov.u32 %r2, %cluster_nctarank; rem.u32 %r1, %r1, %r2;
         {body}
         END: st.global.u32 [%rd4], %r5;"
    );
    let mut launch = Launch::new([GROUPS, 1, 1], [THREADS, 1, 1], &parameters);
    launch.cluster = [cluster, 1, 1];
    let result = run(&device, &kernel(".param .u64 x", &body), &launch);
    (result, download(&device, x, count, u32::from_le_bytes))
}

fn findings(body: &str) -> Vec<Finding> {
    launch(body, 4, 3).0.unwrap().findings
}

const BARRIER: &str = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";

/// Each thread writes its position in the launch, and reads that of the same thread of the next group of its cluster.
fn exchange(before: &str, read: &str, after: &str) -> String {
    format!(
        "mov.u32 %r3, %ctaid.x; mad.lo.u32 %r3, %r3, {THREADS}, %r0; st.u32 [%rd2], %r3;
         {before} {read} {after}"
    )
}

const READ: &str = "mapa.u64 %rd5, %rd2, %r1; ld.u32 %r5, [%rd5];";

#[test]
fn groups_read_each_others_memory() {
    for (cluster, host_threads) in [(1, 2), (2, 1), (4, 3), (6, 8), (12, 2)] {
        for read in [
            READ,
            "mapa.u64 %rd5, %rd2, %r1; cvta.to.shared.u64 %rd5, %rd5; ld.shared::cluster.u32 %r5, [%rd5];",
            "cvta.to.shared.u64 %rd5, %rd2; mapa.shared::cluster.u64 %rd5, %rd5, %r1; ld.shared::cluster.u32 %r5, [%rd5];",
            "cvta.to.shared.u64 %rd5, %rd2; cvt.u32.u64 %r6, %rd5; mapa.shared::cluster.u32 %r6, %r6, %r1;
             ld.shared::cluster.u32 %r5, [%r6];",
        ] {
            let (report, results) = launch(&exchange(BARRIER, read, BARRIER), cluster, host_threads);
            let report = report.unwrap();
            assert!(report.findings.is_empty(), "{:?}", report.findings);
            assert_eq!(report.groups, GROUPS.into());
            let expected = (0..GROUPS * THREADS).map(|i| {
                let (group, thread) = (i / THREADS, i % THREADS);
                (group / cluster * cluster + (group % cluster + 1) % cluster) * THREADS + thread
            });
            assert!(results.into_iter().eq(expected), "{cluster} {read}");
        }
    }
}

#[test]
fn atomics_of_a_cluster_add_up() {
    // Each group's first word: what all threads of its neighbour add to it.
    let body = format!(
        "mov.u32 %r5, 0; setp.ne.u32 %p1, %r0, 0; @!%p1 st.u32 [%rd2], 0; {BARRIER}
         mov.u64 %rd6, word; cvta.shared.u64 %rd6, %rd6; mapa.u64 %rd6, %rd6, %r1; red.add.u32 [%rd6], %r0; {BARRIER}
         @%p1 bra END; ld.u32 %r5, [%rd2];"
    );
    let (report, results) = launch(&body, 3, 2);
    assert!(report.as_ref().unwrap().findings.is_empty(), "{report:?}");
    let sum = THREADS * (THREADS - 1) / 2;
    assert!(results.chunks(THREADS as usize).all(|group| group[0] == sum), "{results:?}");
}

#[test]
fn registers_say_where_a_group_is() {
    let device = Device::new();
    let (grid, cluster) = ([4_u32, 6, 2], [2_u32, 3, 1]);
    let count = grid.iter().product::<u32>() as usize;
    let registers = [
        "%clusterid.x",
        "%clusterid.y",
        "%clusterid.z",
        "%cluster_ctaid.y",
        "%cluster_ctarank",
        "%nclusterid.y",
    ];
    let x = device.alloc(4 * (count * registers.len()) as u64).unwrap();
    let parameters = Parameters::default().wide(x).0;
    let stores: String = registers
        .iter()
        .enumerate()
        .map(|(i, register)| format!("mov.u32 %r4, {register}; st.global.u32 [%rd1+{}], %r4;", 4 * i))
        .collect();
    let body = format!(
        ".reg .b32 %r<5>; .reg .b64 %rd<3>; ld.param.u64 %rd1, [x]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y;
         mov.u32 %r3, %ctaid.z; mad.lo.u32 %r2, %r3, 6, %r2; mad.lo.u32 %r1, %r2, 4, %r1;
         mul.wide.u32 %rd2, %r1, {}; add.u64 %rd1, %rd1, %rd2; {stores}",
        4 * registers.len()
    );
    let mut launch = Launch::new(grid, [1, 1, 1], &parameters);
    launch.cluster = cluster;
    assert!(run(&device, &kernel(".param .u64 x", &body), &launch).unwrap().findings.is_empty());
    let results = download(&device, x, count * registers.len(), u32::from_le_bytes);
    for (number, values) in results.chunks(registers.len()).enumerate() {
        let (gx, gy, gz) = (number as u32 % 4, number as u32 / 4 % 6, number as u32 / 24);
        assert_eq!(values, [gx / 2, gy / 3, gz, gy % 3, gy % 3 * 2 + gx % 2, 2], "group {number}");
    }
}

#[test]
fn missing_barriers_of_the_cluster_are_found() {
    let kinds = |findings: Vec<Finding>| {
        let mut kinds: Vec<_> = findings.iter().map(|finding| finding.kind.name()).collect();
        kinds.dedup();
        kinds
    };
    // A barrier of the group orders nothing between groups.
    let found = kinds(findings(&exchange("bar.sync 0;", READ, BARRIER)));
    assert!(found.contains(&"race") || found.contains(&"uninitialised"), "{found:?}");
    // What is written behind the read, without a barrier between the two.
    let found = findings(&exchange(BARRIER, READ, &format!("st.u32 [%rd2], 0; {BARRIER}")));
    assert_eq!(kinds(found), ["race"]);
    let found = findings(&exchange(BARRIER, READ, &format!("{BARRIER} st.u32 [%rd2], 0;")));
    assert_eq!(kinds(found), [""; 0]);
    // Nobody waits between the two.
    let found =
        findings(&exchange("barrier.cluster.arrive;", READ, &format!("barrier.cluster.wait; {BARRIER}")));
    assert!(!found.is_empty());
    // What nobody wrote.
    assert_eq!(kinds(findings(&format!("{BARRIER} {READ} {BARRIER}"))), ["uninitialised"]);
}

#[test]
fn a_group_that_has_ended_has_no_memory() {
    // All but the first group of each cluster end at once: without waiting, and where the others read.
    let leave = format!(
        "{BARRIER} mov.u32 %r6, %cluster_ctarank; setp.ne.u32 %p2, %r6, 0; mov.u32 %r5, 0; @%p2 bra END;"
    );
    // The first one reads behind a barrier, to which those that have exited count as having come.
    let finding = fault(launch(&exchange(&leave, &format!("{BARRIER} {READ}"), ""), 4, 2).0);
    assert!(matches!(finding.kind, FindingKind::GroupEnded { .. }), "{finding}");
    assert!(finding.to_string().contains("has ended"), "{finding}");
}

#[test]
fn accesses_beyond_the_cluster_and_its_memory_end_the_launch() {
    let read = |rank: &str, offset: u32| {
        let read = format!("mov.u32 %r7, {rank}; mapa.u64 %rd5, %rd2, %r7; ld.u32 %r5, [%rd5+{offset}];");
        fault(launch(&exchange(BARRIER, &read, BARRIER), 4, 2).0)
    };
    assert!(matches!(read("4", 0).kind, FindingKind::OutOfBounds(_)));
    assert!(matches!(read("1", 256).kind, FindingKind::OutOfBounds(_)));
    assert!(matches!(read("1", 2).kind, FindingKind::Misaligned(_)));
}

#[test]
fn a_group_that_never_comes_is_a_deadlock() {
    // Half of the groups wait for the cluster twice, the others once and then for a thread of their own that doesn't come.
    let body = format!(
        "mov.u32 %r5, 0; mov.u32 %r6, %cluster_ctarank; setp.eq.u32 %p2, %r6, 0; {BARRIER}
         @%p2 barrier.sync 1, 128; @!%p2 barrier.cluster.arrive; @!%p2 barrier.cluster.wait;"
    );
    assert!(matches!(fault(launch(&body, 2, 1).0).kind, FindingKind::Deadlock { .. }));
}

#[test]
fn who_has_exited_counts_as_having_come() {
    // Odd threads exit; the others meet twice.
    let body =
        "mov.u32 %r5, 0; and.b32 %r6, %r0, 1; setp.eq.u32 %p2, %r6, 1; @%p2 exit;
         barrier.cluster.arrive; barrier.cluster.wait; mov.u32 %r5, 7; barrier.cluster.arrive.relaxed; barrier.cluster.wait.acquire;";
    let (report, results) = launch(body, 4, 2);
    assert!(report.unwrap().findings.is_empty());
    assert!(results.iter().enumerate().all(|(i, &x)| x == if i % 2 == 0 { 7 } else { 0 }), "{results:?}");
}

#[test]
fn clusters_that_cannot_be_are_refused() {
    let device = Device::new();
    let text = kernel("", "ret;");
    for cluster in [[0, 1, 1], [5, 1, 1], [1, 2, 1], [32, 1, 1], [4, 8, 1]] {
        let mut launch = Launch::new([32, 9, 1], [1, 1, 1], &[]);
        launch.cluster = cluster;
        let result = run(&device, &text, &launch);
        assert!(matches!(result, Err(LaunchError::Configuration { what: "the cluster", .. })), "{cluster:?}");
    }
}

/// All threads of the next group arrive at each group's barrier, with a store that its bytes count.
#[test]
fn threads_arrive_at_another_groups_barrier() {
    let text = |wait: &str, arrive: &str| {
        format!(
            ".shared .align 8 .b64 bar; .reg .b64 %b, %c; .reg .b32 %n; mov.u64 %b, bar; cvta.shared.u64 %c, %b; mapa.u64 %c, %c, %r1;
             mov.u32 %r5, 0; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r3, %r3, {THREADS}, %r0; st.u32 [%rd2], 0;
             setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.shared.b64 [%b], {}; {BARRIER}
             mapa.u64 %rd5, %rd2, %r1; cvta.to.shared.u64 %c, %c; cvta.to.shared.u64 %rd6, %rd5; {arrive}
             {wait}
             ld.u32 %r5, [%rd2]; {BARRIER}",
            THREADS + 1
        )
    };
    let own = "@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd7, [%b], 256;";
    let wait = "WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [%b], 0; @!%p2 bra WAIT;";
    let store = "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%rd6], %r3, [%c];";
    let arrive = "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%c];";
    let expected = (0..GROUPS * THREADS).map(|i| {
        let (group, thread) = (i / THREADS, i % THREADS);
        (group / 4 * 4 + (group + 3) % 4) * THREADS + thread
    });
    for arrive in [
        format!("{own} {store} {arrive}"),
        format!("{own} st.shared::cluster.u32 [%rd6], %r3; mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%c], 4; {arrive}"),
        format!(
            "{own} st.shared::cluster.u32 [%rd6], %r3; mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%c], 4;
             mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%c], 8;"
        ),
    ] {
        let (report, results) = launch(&text(wait, &arrive), 4, 2);
        let report = report.unwrap_or_else(|error| panic!("{arrive}: {error}"));
        assert!(report.findings.is_empty(), "{arrive}: {:?}", report.findings);
        assert!(results.into_iter().eq(expected.clone()), "{arrive}");
    }
    // Nobody waits for what the others do.
    let found = findings(&text("", &format!("{own} {store} {arrive}")));
    assert!(found.iter().any(|finding| finding.kind.name() == "race"), "{found:?}");
    // Only its own group waits.
    let waits = wait.replace("[%b]", "[%c]").replace("shared::cta", "shared::cluster");
    let problem = fault(launch(&text(&waits, &format!("{own} {store} {arrive}")), 4, 1).0);
    assert!(problem.to_string().contains("only its own group waits"), "{problem}");
}
