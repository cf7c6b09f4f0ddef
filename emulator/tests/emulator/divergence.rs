//! Lanes part and meet again.

use gridwright_emulator::{Checks, Device, Launch, LaunchError};

use crate::harness::{Parameters, Random, download, fault, kernel, run};

const REGISTERS: &str = ".reg .b32 %r<20>; .reg .b64 %rd<10>; .reg .pred %p<6>;
    mov.u32 %r0, %tid.x; mul.wide.u32 %rd0, %r0, 4; ld.param.u64 %rd1, [x]; add.u64 %rd1, %rd1, %rd0; mov.u32 %r1, 0;\n";

/// What each thread leaves in `%r1`.
fn results(body: &str, threads: u32) -> Vec<u32> {
    let device = Device::new();
    let x = device.alloc(u64::from(threads) * 4).unwrap();
    let parameters = Parameters::default().wide(x).0;
    let text = kernel(".param .u64 x", &format!("{REGISTERS}{body}\nst.global.u32 [%rd1], %r1;"));
    let report = run(&device, &text, &Launch::new([1, 1, 1], [threads, 1, 1], &parameters)).unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    download(&device, x, threads as usize, u32::from_le_bytes)
}

#[test]
fn branches_meet_behind_both_sides() {
    let body = "and.b32 %r2, %r0, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra EVEN;
        add.u32 %r1, %r1, 10; bra JOIN; EVEN: add.u32 %r1, %r1, 20;
        JOIN: activemask.b32 %r3; popc.b32 %r3, %r3; add.u32 %r1, %r1, %r3;";
    let expected: Vec<u32> = (0..64).map(|i| if i % 2 == 0 { 52 } else { 42 }).collect();
    assert_eq!(results(body, 64), expected);
}

#[test]
fn loops_of_different_lengths_end_together() {
    let body = "mov.u32 %r2, 0; LOOP: setp.ge.u32 %p1, %r2, %r0; @%p1 bra DONE; add.u32 %r1, %r1, %r2; add.u32 %r2, %r2, 1;
        bra LOOP; DONE: activemask.b32 %r3; popc.b32 %r3, %r3; mad.lo.u32 %r1, %r3, 1000, %r1;";
    let expected: Vec<u32> = (0..32).map(|i: u32| i * i.saturating_sub(1) / 2 + 32000).collect();
    assert_eq!(results(body, 32), expected);
}

/// A shuffle in each branch with all members: no lane can go on until the others come to it.
#[test]
fn members_wait_for_each_other_from_a_loop() {
    let body =
        "mov.u32 %r2, %r0; SPIN: setp.eq.u32 %p1, %r2, 0; @%p1 bra MEET; sub.u32 %r2, %r2, 1; bra SPIN;
        MEET: shfl.sync.bfly.b32 %r1, %r0, 31, 31, -1;";
    let expected: Vec<u32> = (0..32).map(|i| i ^ 31).collect();
    assert_eq!(results(body, 32), expected);
}

#[test]
fn halves_of_a_warp_synchronise_alone() {
    let body = "setp.lt.u32 %p1, %r0, 16; @%p1 bra LOW;
        shfl.sync.idx.b32 %r1, %r0, 31, 31, 0xffff0000; bar.warp.sync 0xffff0000; bra END;
        LOW: shfl.sync.idx.b32 %r1, %r0, 3, 31, 0x0000ffff; bar.warp.sync 0x0000ffff;
        END: bar.warp.sync -1;";
    let expected: Vec<u32> = (0..32).map(|i| if i < 16 { 3 } else { 31 }).collect();
    assert_eq!(results(body, 32), expected);
}

/// Lanes meet at barriers of their warp in two places of the program.
#[test]
fn a_warp_meets_from_two_places() {
    let body = ".shared .u32 word; setp.ne.u32 %p1, %r0, 5; @%p1 bra REST;
        st.shared.u32 [word], 77; bar.warp.sync -1; bra END; REST: bar.warp.sync -1; END: ld.shared.u32 %r1, [word];";
    assert_eq!(results(body, 32), [77; 32]);
}

/// One lane waits in a loop for what another one of its warp does later.
#[test]
fn a_waiting_lane_does_not_starve_the_others() {
    let body = ".shared .u32 flag; setp.ne.u32 %p1, %r0, 9; @!%p1 bra SETS;
        WAITS: ld.volatile.shared.u32 %r2, [flag]; setp.ne.u32 %p2, %r2, 1; @%p2 bra WAITS; mov.u32 %r1, 1; bra END;
        SETS: st.volatile.shared.u32 [flag], 1; mov.u32 %r1, 2; END:";
    let device = Device::new();
    let x = device.alloc(64 * 4).unwrap();
    let parameters = Parameters::default().wide(x).0;
    let text = kernel(".param .u64 x", &format!("{REGISTERS}{body}\nst.global.u32 [%rd1], %r1;"));
    let mut launch = Launch::new([1, 1, 1], [64, 1, 1], &parameters);
    launch.checks.uninitialised_workgroup = false;
    launch.instruction_limit = 1 << 20;
    let report = run(&device, &text, &launch).unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    let expected: Vec<u32> = (0..64).map(|i| if i == 9 { 2 } else { 1 }).collect();
    assert_eq!(download(&device, x, 64, u32::from_le_bytes), expected);
}

#[test]
fn groups_of_a_cooperative_launch_wait_for_each_other() {
    let body = "ld.param.u64 %rd2, [x]; setp.ne.u32 %p1, %r0, 0; @%p1 bra MEET; membar.gl; red.global.add.u32 [%rd2], 1;
        WAITS: ld.acquire.gpu.global.u32 %r2, [%rd2]; setp.lt.u32 %p2, %r2, 7; @%p2 bra WAITS; MEET: bar.sync 0;";
    let device = Device::new();
    let x = device.alloc(4).unwrap();
    device.write(x, &[0; 4]).unwrap();
    let parameters = Parameters::default().wide(x).0;
    let text = kernel(".param .u64 x", &format!("{REGISTERS}{body}"));
    let mut launch = Launch::new([7, 1, 1], [64, 1, 1], &parameters);
    launch.cooperative = true;
    assert!(run(&device, &text, &launch).unwrap().findings.is_empty());
    launch.cooperative = false;
    launch.instruction_limit = 100_000;
    let one =
        Device::with_options(gridwright_emulator::DeviceOptions { host_threads: 1, ..device.options() });
    let x = one.alloc(4).unwrap();
    one.write(x, &[0; 4]).unwrap();
    let parameters = Parameters::default().wide(x).0;
    launch.parameters = &parameters;
    assert_eq!(fault(run(&one, &text, &launch)).kind.name(), "instruction limit");
}

#[test]
fn calls_return_to_where_each_lane_came_from() {
    let text = kernel(
        ".param .u64 x",
        &format!(
            "{REGISTERS}
            {{ .param .b32 n; .param .b32 result; st.param.b32 [n], %r0; call.uni (result), triangle, (n); ld.param.b32 %r1, [result]; }}
            activemask.b32 %r3; popc.b32 %r3, %r3; mad.lo.u32 %r1, %r3, 1000, %r1; st.global.u32 [%rd1], %r1;"
        ),
    ) + ".func (.param .b32 result) triangle(.param .b32 n)
        {
            .reg .b32 %r<4>; .reg .pred %p;
            ld.param.b32 %r1, [n]; mov.u32 %r2, 0; setp.eq.u32 %p, %r1, 0; @%p bra END;
            sub.u32 %r2, %r1, 1;
            { .param .b32 m; .param .b32 inner; st.param.b32 [m], %r2; call (inner), triangle, (m); ld.param.b32 %r2, [inner]; }
            add.u32 %r2, %r2, %r1;
            END: st.param.b32 [result], %r2; ret;
        }";
    let text = text.replacen(".visible", ".func (.param .b32 result) triangle(.param .b32 n);\n.visible", 1);
    let device = Device::new();
    let x = device.alloc(32 * 4).unwrap();
    let parameters = Parameters::default().wide(x).0;
    let mut launch = Launch::new([1, 1, 1], [32, 1, 1], &parameters);
    run(&device, &text, &launch).unwrap();
    let expected: Vec<u32> = (0..32).map(|i| i * (i + 1) / 2 + 32000).collect();
    assert_eq!(download(&device, x, 32, u32::from_le_bytes), expected);
    launch.stack_limit = 256;
    assert_eq!(fault(run(&device, &text, &launch)).kind.name(), "stack overflow");
}

/// Compilers name the parameters of each call alike: they belong to their blocks.
#[test]
fn calls_have_parameters_of_their_own() {
    let declared = ".func (.param .b32 r) narrow(.param .b32 n) { .reg .b32 %a; ld.param.b32 %a, [n]; add.u32 %a, %a, 1; st.param.b32 [r], %a; ret; }
        .func (.param .b64 r) wide(.param .b64 n) { .reg .b64 %a; ld.param.b64 %a, [n]; shl.b64 %a, %a, 1; st.param.b64 [r], %a; ret; }";
    let body = "{ .reg.b32 t; .param .b32 p0; .param .b32 r0; st.param.b32 [p0+0], %r0; call.uni (r0), narrow, (p0); ld.param.b32 %r1, [r0+0]; }
        cvt.u64.u32 %rd2, %r1;
        { .param .b64 p0; .param .b64 r0; st.param.b64 [p0+0], %rd2; call.uni (r0), wide, (p0); ld.param.b64 %rd2, [r0+0]; }
        cvt.u32.u64 %r1, %rd2;";
    let device = Device::new();
    let x = device.alloc(32 * 4).unwrap();
    let parameters = Parameters::default().wide(x).0;
    let text = kernel(".param .u64 x", &format!("{REGISTERS}{body}\nst.global.u32 [%rd1], %r1;"));
    let text = text.replacen(".visible", &format!("{declared}\n.visible"), 1);
    run(&device, &text, &Launch::new([1, 1, 1], [32, 1, 1], &parameters)).unwrap();
    assert_eq!(
        download(&device, x, 32, u32::from_le_bytes),
        (0..32).map(|i| 2 * (i + 1)).collect::<Vec<u32>>()
    );
}

#[test]
fn tables_of_branches() {
    let body = "and.b32 %r2, %r0, 3; TABLE: .branchtargets A, B, C, B; brx.idx %r2, TABLE;
        A: mov.u32 %r1, 10; bra END; B: mov.u32 %r1, 20; bra END; C: mov.u32 %r1, 30; END:
        activemask.b32 %r3; popc.b32 %r3, %r3; add.u32 %r1, %r1, %r3;";
    let expected: Vec<u32> = (0..32).map(|i| [42, 52, 62, 52][i % 4]).collect();
    assert_eq!(results(body, 32), expected);
}

#[test]
fn warp_operations() {
    let expected = |f: fn(u32) -> u32| (0..32).map(f).collect::<Vec<_>>();
    assert_eq!(
        results("shfl.sync.up.b32 %r1, %r0, 3, 0, -1;", 32),
        expected(|i| if i < 3 { i } else { i - 3 })
    );
    assert_eq!(
        results("shfl.sync.down.b32 %r1|%p1, %r0, 3, 31, -1; @!%p1 mov.u32 %r1, 99;", 32),
        expected(|i| if i > 28 { 99 } else { i + 3 })
    );
    // In segments of eight.
    assert_eq!(
        results("shfl.sync.down.b32 %r1, %r0, 3, 0x181f, -1;", 32),
        expected(|i| if i % 8 > 4 { i } else { i + 3 })
    );
    assert_eq!(results("shfl.sync.idx.b32 %r1, %r0, 2, 0x181f, -1;", 32), expected(|i| i / 8 * 8 + 2));
    assert_eq!(
        results("and.b32 %r2, %r0, 3; match.any.sync.b32 %r1, %r2, -1;", 32),
        expected(|i| 0x1111_1111 << (i % 4))
    );
    assert_eq!(
        results("setp.gt.u32 %p1, %r0, 29; vote.sync.ballot.b32 %r1, %p1, -1;", 32),
        [0xc000_0000; 32]
    );
    assert_eq!(results("redux.sync.add.s32 %r1, %r0, -1;", 32), [496; 32]);
    assert_eq!(results("sub.u32 %r2, %r0, 5; redux.sync.min.s32 %r1, %r2, -1;", 32), [-5_i32 as u32; 32]);
    assert_eq!(
        results("elect.sync %r2|%p1, -1; selp.u32 %r1, 1, 0, %p1;", 32),
        expected(|i| u32::from(i == 0))
    );
    assert_eq!(results("mov.u32 %r1, %lanemask_lt;", 32), expected(|i| (1 << i) - 1));
    assert_eq!(results("setp.lt.u32 %p1, %r0, 40; bar.red.popc.u32 %r1, 0, %p1;", 64), [40; 64]);
    assert_eq!(
        results("setp.lt.u32 %p1, %r0, 40; bar.red.or.pred %p2, 0, %p1; selp.u32 %r1, 1, 0, %p2;", 64),
        [1; 64]
    );
}

/// Random nests of branches and loops with barriers of the warp in between, against the same program for each lane.
#[test]
fn random_programs_give_what_each_lane_alone_gives() {
    for seed in 1..60 {
        let mut random = Random(seed * 0x9e37_79b9);
        let mut program = Program { random: &mut random, labels: 0, text: String::new() };
        let mut expected: Vec<u32> = (0..32).collect();
        program.block(3, &mut expected, &[true; 32]);
        let body = format!("mov.u32 %r1, %r0;\n{}", program.text);
        assert_eq!(results(&body, 32), expected, "{body}");
    }
}

struct Program<'r> {
    random: &'r mut Random,
    labels: u32,
    text: String,
}

impl Program<'_> {
    fn block(&mut self, depth: u32, values: &mut [u32], active: &[bool]) {
        for _ in 0..3 {
            let constant = self.random.next() as u32 % 100;
            let label = self.labels;
            self.labels += 1;
            match self.random.next() % 4 {
                0 if depth > 0 => {
                    let bit = self.random.next() % 4;
                    self.text += &format!(
                        "shr.u32 %r2, %r1, {bit}; and.b32 %r2, %r2, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra E{label};\n"
                    );
                    let taken: Vec<bool> = values.iter().map(|value| value >> bit & 1 == 0).collect();
                    let then: Vec<bool> =
                        active.iter().zip(&taken).map(|(active, taken)| *active && !taken).collect();
                    let other: Vec<bool> =
                        active.iter().zip(&taken).map(|(active, taken)| *active && *taken).collect();
                    self.block(depth - 1, values, &then);
                    self.text += &format!("bra J{label}; E{label}:\n");
                    self.block(depth - 1, values, &other);
                    self.text += &format!("J{label}:\n");
                }
                1 => {
                    // Each lane goes round as often as its value says.
                    self.text += &format!(
                        "and.b32 %r3, %r1, 7; L{label}: add.u32 %r1, %r1, {constant}; sub.u32 %r3, %r3, 1; setp.ge.s32 %p2, %r3, 0; @%p2 bra L{label};\n"
                    );
                    for (value, _) in values.iter_mut().zip(active).filter(|(_, active)| **active) {
                        *value = value.wrapping_add(((*value & 7) + 1).wrapping_mul(constant));
                    }
                }
                2 if active.iter().all(|active| *active) => {
                    self.text += "shfl.sync.bfly.b32 %r4, %r1, 5, 31, -1; xor.b32 %r1, %r1, %r4;\n";
                    let before = values.to_vec();
                    for (lane, value) in values.iter_mut().enumerate() {
                        *value ^= before[lane ^ 5];
                    }
                }
                _ => {
                    self.text += &format!("mad.lo.u32 %r1, %r1, 3, {constant};\n");
                    for (value, _) in values.iter_mut().zip(active).filter(|(_, active)| **active) {
                        *value = value.wrapping_mul(3).wrapping_add(constant);
                    }
                }
            }
        }
    }
}

#[test]
fn endless_loops_end() {
    let mut launch = Launch::new([1, 1, 1], [32, 1, 1], &[]);
    launch.instruction_limit = 10_000;
    launch.checks = Checks::NONE;
    let error = run(&Device::new(), &kernel("", "LOOP: bra LOOP;"), &launch).unwrap_err();
    let LaunchError::Fault { report, finding } = error else { panic!("{error}") };
    assert!(finding.to_string().contains("10000"), "{finding}");
    assert!((10_000..30_000).contains(&report.warp_instructions));
}
