//! `cp.async.bulk` between all memories, `cp.async.bulk.tensor` and `tensormap`.

use gridwright_emulator::{
    Device, FindingKind, Launch, LaunchError, Module, Report, Swizzle, TensorElement, TensorMap,
};

use crate::harness::{HEAD, Parameters, download, fault, kernel, run, upload};

const THREADS: u32 = 64;

fn map(device_address: u64, rank: usize) -> TensorMap {
    TensorMap {
        element: TensorElement::Unsigned(4),
        address: device_address,
        rank,
        dimensions: [12, 6, 5, 4, 3],
        strides: [48, 288, 1440, 5760],
        tile: [8, 4, 2, 2, 2],
        steps: [1; 5],
        swizzle: Swizzle::None,
        fills_nan: false,
    }
}

fn coordinates(at: &[i32]) -> String {
    at.iter().map(i32::to_string).collect::<Vec<_>>().join(", ")
}

/// Runs a body in which `%rd1` is the address of a map in device memory, `%rd2` that of the result, `%r1` that of a tile of 16 KiB,
/// `%r8` that of a barrier, and `%p0` says that this is thread 0. `PARAMETER` is the address of the map among the parameters.
fn launch(device: &Device, map: &TensorMap, out: u64, body: &str) -> Result<Report, LaunchError> {
    let there = upload(device, &map.encode(), |byte: u8| [byte]);
    let mut parameters = map.encode().to_vec();
    parameters.extend(Parameters::default().wide(there).wide(out).0);
    let body = format!(
        ".reg .b32 %r<20>; .reg .b64 %rd<10>; .reg .pred %p<4>; .shared .align 1024 .b8 tile[16384];
         .shared .align 8 .b64 barrier; ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r0, %tid.x;
         mov.u32 %r1, tile; mov.u32 %r8, barrier; setp.eq.u32 %p0, %r0, 0;
         @%p0 mbarrier.init.shared.b64 [%r8], 1;\n@%p0 fence.proxy.async;\nbar.sync 0;\n{body}"
    )
    .replace("PARAMETER", "mov.b64 %rd1, m; cvta.param.u64 %rd1, %rd1;");
    let text = kernel(".param .align 64 .b8 m[128], .param .u64 x, .param .u64 y", &body);
    run(device, &text, &Launch::new([1, 1, 1], [THREADS, 1, 1], &parameters))
}

const WAIT: &str = "WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [%r8], 0;\n@!%p1 bra WAIT;\n";

/// Copies so many words of the tile to the result.
fn give(words: usize) -> String {
    format!(
        "shl.b32 %r2, %r0, 2; GIVE: setp.ge.u32 %p2, %r2, {}; @%p2 bra GIVEN; add.u32 %r3, %r1, %r2; ld.shared.u32 %r4, [%r3];
         cvt.u64.u32 %rd5, %r2; add.u64 %rd5, %rd5, %rd2; st.global.u32 [%rd5], %r4; add.u32 %r2, %r2, {}; bra GIVE; GIVEN:\n",
        4 * words,
        4 * THREADS
    )
}

/// The word of a tensor in memory, or none beyond it.
fn index(map: &TensorMap, at: &[i64]) -> Option<usize> {
    let mut byte = 0;
    for (axis, &at) in at.iter().enumerate() {
        if at < 0 || at >= map.dimensions[axis] as i64 {
            return None;
        }
        byte += at as usize * if axis == 0 { 4 } else { map.strides[axis - 1] as usize };
    }
    Some(byte / 4)
}

/// All places of a tile, the fastest axis first, and where each is in the tile.
fn places(map: &TensorMap, first: &[i32]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for axis in (0..map.rank).rev() {
        let step = if axis == 0 { 1 } else { map.steps[axis] };
        let count = map.tile[axis].div_ceil(step);
        all = all
            .iter()
            .flat_map(|rest: &Vec<i64>| {
                (0..count).map(move |i| {
                    let mut at = vec![i64::from(first[axis]) + i64::from(i * step)];
                    at.extend(rest);
                    at
                })
            })
            .collect();
    }
    all
}

const WORDS: usize = 12 * 6 * 5 * 4 * 3;

fn tensor(device: &Device) -> u64 {
    let words: Vec<u32> = (1..=WORDS as u32).collect();
    upload(device, &words, u32::to_le_bytes)
}

#[test]
fn tiles_of_all_ranks_are_loaded_with_zeros_beyond_the_tensor() {
    for rank in 1..=5 {
        for (first, steps) in
            [([0; 5], [1; 5]), ([-4, 3, -1, 3, 2], [1; 5]), ([8, -2, 4, 0, 1], [1, 2, 1, 2, 1])]
        {
            let device = Device::new();
            let map = TensorMap { steps, ..map(tensor(&device), rank) };
            let places = places(&map, &first);
            assert_eq!(places.len() * 4, map.tile_bytes());
            let out = upload(&device, &vec![7_u32; places.len()], u32::to_le_bytes);
            let body = format!(
                "{}@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], {};
                 @%p0 cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {{{}}}], [%r8];
                 {WAIT}{}",
                if rank % 2 == 0 { "PARAMETER\n" } else { "" },
                map.tile_bytes(),
                coordinates(&first[..rank]),
                give(places.len())
            );
            let report = launch(&device, &map, out, &body).unwrap();
            assert!(report.findings.is_empty(), "{:?}", report.findings);
            let result = download(&device, out, places.len(), u32::from_le_bytes);
            for (word, place) in result.iter().zip(&places) {
                let expected = index(&map, place).map_or(0, |index| index as u32 + 1);
                assert_eq!(*word, expected, "{rank} {place:?}");
            }
        }
    }
}

#[test]
fn tiles_are_stored_and_added_where_the_tensor_is() {
    for (operation, expected) in [
        ("cp.async.bulk.tensor", [100, 100]),
        ("cp.reduce.async.bulk.tensor.add", [100, 1]),
        ("cp.reduce.async.bulk.tensor.max", [100, 0]),
    ] {
        let device = Device::new();
        let address = tensor(&device);
        let map = map(address, 2);
        let opcode = match operation.rsplit_once('.') {
            Some((_, kind @ ("add" | "max"))) => {
                format!("cp.reduce.async.bulk.tensor.2d.global.shared::cta.{kind}.tile.bulk_group")
            }
            _ => "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group".to_owned(),
        };
        let body = format!(
            "shl.b32 %r2, %r0, 2; add.u32 %r2, %r2, %r1; mov.u32 %r3, 100; st.shared.u32 [%r2], %r3; fence.proxy.async; bar.sync 0;
             @%p0 {opcode} [%rd1, {{6, 4}}], [%r1];
             @%p0 cp.async.bulk.commit_group; @%p0 cp.async.bulk.wait_group.read 0;"
        );
        let report = launch(&device, &map, 0, &body).unwrap();
        assert!(report.findings.is_empty(), "{:?}", report.findings);
        let result = download(&device, address, WORDS, u32::from_le_bytes);
        let inside: Vec<usize> =
            places(&map, &[6, 4]).iter().filter_map(|place| index(&map, place)).collect();
        assert_eq!(inside.len(), 6 * 2);
        for (i, word) in result.iter().enumerate() {
            let old = i as u32 + 1;
            let new = match (inside.contains(&i), expected) {
                (false, _) => old,
                (true, [value, 100]) => value,
                (true, [value, 1]) => old + value,
                (true, [value, _]) => old.max(value),
            };
            assert_eq!(*word, new, "{operation} {i}");
        }
    }
}

#[test]
fn pieces_of_tiles_change_places_and_come_back() {
    for (swizzle, span, width) in
        [(Swizzle::Bytes128, 128, 32_usize), (Swizzle::Bytes64, 64, 16), (Swizzle::Bytes32, 32, 8)]
    {
        let device = Device::new();
        let words: Vec<u32> = (0..32 * 16).collect();
        let address = upload(&device, &words, u32::to_le_bytes);
        let map = TensorMap {
            dimensions: [32, 16, 1, 1, 1],
            strides: [128, 0, 0, 0],
            tile: [width as u32, 16, 1, 1, 1],
            swizzle,
            ..map(address, 2)
        };
        let count = width * 16;
        let out = upload(&device, &vec![0_u32; count], u32::to_le_bytes);
        // The tile goes back to where it was from, too: nothing changes there.
        let body = format!(
            "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], {};
             @%p0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {{0, 0}}], [%r8];
             {WAIT}{}bar.sync 0; @%p0 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd1, {{0, 0}}], [%r1];",
            count * 4,
            give(count)
        );
        let report = launch(&device, &map, out, &body).unwrap();
        assert!(report.findings.is_empty(), "{:?}", report.findings);
        let result = download(&device, out, count, u32::from_le_bytes);
        for row in 0..16 {
            for col in 0..width {
                // Pieces of 16 bytes: their number within a span, and that of the 128 bytes they are in.
                let byte = (row * width + col) * 4;
                let (line, piece) = (byte / 128, byte / 16);
                let pieces = span / 16;
                let moved = piece / pieces * pieces + ((piece % pieces) ^ (line % pieces));
                assert_eq!(result[(moved * 16 + byte % 16) / 4], (row * 32 + col) as u32, "{swizzle:?}");
            }
        }
        assert_eq!(download(&device, address, 512, u32::from_le_bytes), words);
    }
}

#[test]
fn kernels_change_maps() {
    let device = Device::new();
    let address = tensor(&device);
    // Of another tensor altogether.
    let before = TensorMap { element: TensorElement::Half, rank: 1, fills_nan: true, ..map(0, 1) };
    let after = TensorMap { tile: [4, 2, 1, 1, 1], steps: [1; 5], ..map(address, 2) };
    let target = upload(&device, &[0; 128], |byte: u8| [byte]);
    let body = format!(
        "mov.u64 %rd6, {target}; shl.b32 %r2, %r0, 1; add.u32 %r2, %r2, %r1; cvt.u64.u32 %rd5, %r0; shl.b64 %rd5, %rd5, 1;
         add.u64 %rd5, %rd5, %rd1; ld.global.u16 %r4, [%rd5]; st.shared.u16 [%r2], %r4; bar.sync 0;
         setp.ge.u32 %p3, %r0, 32; @%p3 bra ON;
         @!%p0 bra CHANGED;
         tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%r1], {address};
         tensormap.replace.tile.rank.shared::cta.b1024.b32 [%r1], 1;
         tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%r1], 2;
         tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r1], 0, 4;
         tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r1], 1, 2;
         tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r1], 1, 6;
         tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%r1], 0, 48;
         tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%r1], 1, 1;
         tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%r1], 0;
         tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%r1], 0;
         tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%r1], 0;
         CHANGED: bar.warp.sync -1;
         tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd6], [%r1], 128;
         @%p0 fence.proxy.tensormap::generic.acquire.gpu [%rd6], 128;
         ON: bar.sync 0;
         @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 32;
         @%p0 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd6, {{1, 1}}], [%r8];
         {WAIT}{}",
        give(8)
    )
    .replace("ld.global.u16 %r4", "ld.global.u16 %h1")
    .replace("st.shared.u16 [%r2], %r4", "st.shared.u16 [%r2], %h1");
    let out = upload(&device, &[0_u32; 8], u32::to_le_bytes);
    let body = format!(".reg .b16 %h<2>;\n{body}");
    let report = launch(&device, &before, out, &body).unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    let result = download(&device, out, 8, u32::from_le_bytes);
    let expected: Vec<u32> = places(&after, &[1, 1])
        .iter()
        .map(|place| index(&after, place).map_or(0, |index| index as u32 + 1))
        .collect();
    assert_eq!(result, expected);
}

#[test]
fn what_is_no_map_and_what_is_not_aligned_ends_the_launch() {
    let device = Device::new();
    let map = map(tensor(&device), 2);
    let load = |map: &str, tile: &str| {
        format!(
            "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 128;
             @%p0 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [{tile}], [{map}, {{0, 0}}], [%r8];\n{WAIT}"
        )
    };
    let wrong = format!("mov.u64 %rd6, {}; {}", map.address & !63, load("%rd6", "%r1"));
    let kind = fault(launch(&device, &map, 0, &wrong)).kind;
    assert!(matches!(kind, FindingKind::TensorMap { .. }), "{kind:?}");
    let crooked = load("%rd1", "%r1+64");
    assert_eq!(fault(launch(&device, &map, 0, &crooked)).kind.name(), "misaligned");
    let crooked = format!("add.u64 %rd6, %rd1, 16; {}", load("%rd6", "%r1"));
    assert_eq!(fault(launch(&device, &map, 0, &crooked)).kind.name(), "misaligned");
}

/// A launch of clusters of two groups of 32 threads. `%r1` is the address of 1024 bytes, `%r8` that of a barrier, `%r9` the rank,
/// `%r10` and `%r11` the addresses of both in the other group, and `%rd2` that of 32 words of the group's own.
fn pair(body: &str) -> Vec<u32> {
    let device = Device::new();
    let words: Vec<u32> = (0..64).collect();
    let x = upload(&device, &words, u32::to_le_bytes);
    let y = upload(&device, &[0; 64], u32::to_le_bytes);
    let parameters = Parameters::default().wide(x).wide(y).0;
    let body = format!(
        ".reg .b32 %r<20>; .reg .b64 %rd<10>; .reg .b16 %h<4>; .reg .pred %p<4>; .shared .align 128 .b8 tile[1024];
         .shared .align 8 .b64 barrier; ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r0, %tid.x;
         mov.u32 %r1, tile; mov.u32 %r8, barrier; setp.eq.u32 %p0, %r0, 0; mov.u32 %r9, %cluster_ctarank; xor.b32 %r2, %r9, 1;
         mapa.shared::cluster.u32 %r10, %r1, %r2; mapa.shared::cluster.u32 %r11, %r8, %r2; mul.wide.u32 %rd3, %r9, 128;
         add.u64 %rd2, %rd2, %rd3; mul.wide.u32 %rd3, %r0, 4; add.u64 %rd2, %rd2, %rd3; shl.b32 %r3, %r0, 2; add.u32 %r3, %r3, %r1;
         @%p0 mbarrier.init.shared.b64 [%r8], 1;\n@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 128;
         barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n{body}
         WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [%r8], 0;\n@!%p1 bra WAIT;
         ld.shared.u32 %r5, [%r3]; st.global.u32 [%rd2], %r5; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"
    );
    let text = kernel(".param .u64 x, .param .u64 y", &body);
    let mut launch = Launch::new([2, 1, 1], [32, 1, 1], &parameters);
    launch.cluster = [2, 1, 1];
    let report = run(&device, &text, &launch).unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    download(&device, y, 64, u32::from_le_bytes)
}

#[test]
fn groups_of_a_cluster_send_each_other_copies() {
    // The rank, or that of the other one, times 100, plus the thread.
    let store =
        "mad.lo.u32 %r4, %r9, 100, %r0; st.shared.u32 [%r3+512], %r4; fence.proxy.async; bar.sync 0;\n";
    let sent = pair(&format!(
        "{store}@%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r10], [%r1+512], 128, [%r11];"
    ));
    assert_eq!(sent, (0..64).map(|i| (1 - i / 32) * 100 + i % 32).collect::<Vec<u32>>());
    let added = pair(&format!(
        "st.shared.u32 [%r3], 7; {store}barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
         @%p0 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r10], [%r1+512], 128, [%r11];"
    ));
    assert_eq!(added, (0..64).map(|i| (1 - i / 32) * 100 + i % 32 + 7).collect::<Vec<u32>>());
    // Each half from one of the two, to both.
    let halves = pair(
        "mov.b16 %h1, 3; shl.b32 %r4, %r9, 6; add.u32 %r6, %r1, %r4; cvt.u64.u32 %rd5, %r4; add.u64 %rd5, %rd5, %rd1;
         @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r6], [%rd5], 64, [%r8], %h1;",
    );
    assert_eq!(halves, (0..64).map(|i| i % 32).collect::<Vec<u32>>());
}

#[test]
fn copies_out_of_a_group_are_stored_or_combined() {
    use half::f16;
    let run_one = |opcode: &str, old: &[u8], new: &[u8]| {
        let device = Device::new();
        let byte = |byte: u8| [byte];
        let (x, y) = (upload(&device, new, byte), upload(&device, old, byte));
        let parameters = Parameters::default().wide(x).wide(y).0;
        let body = format!(
            ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>; .shared .align 16 .b8 tile[128]; ld.param.u64 %rd1, [x];
             ld.param.u64 %rd2, [y]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd3, %r0, 4; add.u64 %rd3, %rd3, %rd1; ld.global.u32 %r2, [%rd3];
             mov.u32 %r1, tile; shl.b32 %r3, %r0, 2; add.u32 %r3, %r3, %r1; st.shared.u32 [%r3], %r2; fence.proxy.async.shared::cta;
             bar.sync 0; setp.eq.u32 %p0, %r0, 0; @%p0 {opcode} [%rd2], [%r1], {}; @%p0 cp.async.bulk.commit_group;
             @%p0 cp.async.bulk.wait_group 0;",
            new.len()
        );
        let text = kernel(".param .u64 x, .param .u64 y", &body);
        let launch = Launch::new([1, 1, 1], [new.len() as u32 / 4, 1, 1], &parameters);
        let report = run(&device, &text, &launch).unwrap();
        assert!(report.findings.is_empty(), "{:?}", report.findings);
        download(&device, y, old.len(), |[byte]: [u8; 1]| byte)
    };
    let (old, new): (Vec<u8>, Vec<u8>) = ((0..128).collect(), (64..192).collect());
    assert_eq!(run_one("cp.async.bulk.global.shared::cta.bulk_group", &old, &new), new);
    let words = |bytes: &[u8]| -> Vec<u32> {
        bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
    };
    for (kind, function) in [
        ("add.u32", u32::wrapping_add as fn(u32, u32) -> u32),
        ("min.s32", |old, new| (old as i32).min(new as i32) as u32),
        ("max.u32", u32::max),
        ("and.b32", |old, new| old & new),
        ("xor.b32", |old, new| old ^ new),
        ("inc.u32", |old, new| if old >= new { 0 } else { old + 1 }),
    ] {
        let result =
            run_one(&format!("cp.reduce.async.bulk.global.shared::cta.bulk_group.{kind}"), &old, &new);
        let expected: Vec<u32> =
            words(&old).into_iter().zip(words(&new)).map(|(old, new)| function(old, new)).collect();
        assert_eq!(words(&result), expected, "{kind}");
    }
    let halves = |values: [f32; 64]| -> Vec<u8> {
        values.iter().flat_map(|value| f16::from_f32(*value).to_le_bytes()).collect()
    };
    let (a, b) = (halves(std::array::from_fn(|i| i as f32)), halves([1.5; 64]));
    let sum = run_one("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16", &a, &b);
    assert_eq!(sum, halves(std::array::from_fn(|i| i as f32 + 1.5)));
    let most = run_one("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.f16", &a, &b);
    assert_eq!(most, halves(std::array::from_fn(|i| (i as f32).max(1.5))));
}

#[test]
fn forms_of_copies_are_those_of_the_hardware() {
    let parse = |form: &str| {
        let registers = ".reg .b32 %r<20>; .reg .b64 %rd<10>; .reg .b16 %h<4>; .reg .pred %p<3>;";
        Module::parse(&format!("{HEAD}.visible .entry k()\n{{\n{registers}\n{form}\nret;\n}}\n"))
    };
    for form in [
        "cp.async.bulk.mbarrier::complete_tx::bytes.shared::cluster.global [%r1],[%rd1],%r2,[%r3];",
        "cp.async.bulk.global.shared::cta.L2::cache_hint.bulk_group [%rd1],[%r1],%r2,%rd5;",
        "cp.async.bulk.prefetch.L2.global [%rd1],%r2;",
        "cp.async.bulk.tensor.2d.tile.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%r1],[%rd1,{0,%r1}],[%r3],%h1,%rd5;",
        "cp.async.bulk.prefetch.tensor.5d.L2.global [%rd1,{%r10,%r11,%r12,%r13,%r14}];",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64 [%rd1],[%r2],%r4;",
        "fence.proxy.alias;",
        "fence.proxy.tensormap::generic.release.cta;",
    ] {
        parse(form).unwrap_or_else(|error| panic!("{form}: {error}"));
    }
    for form in [
        "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1],[%rd1],%r2,[%r3],%h1;",
        "cp.async.bulk.shared::cluster.global [%r1],[%rd1],%r2,[%r3];",
        "cp.async.bulk.wait_group %r1;",
        "cp.async.bulk.read.wait_group 1;",
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.f32 [%r1],[%r2],%r4,[%r3];",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [%rd1],[%r2],%r4;",
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1],[%rd1,{%r1}],[%r3];",
        "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r1],[%rd1,{%r1,%r2,%r3}],[%r3],{%h1};",
        "tensormap.replace.tile.elemtype.global.b1024.b32 [%rd1],%r1;",
    ] {
        assert!(parse(form).is_err(), "{form}");
    }
}
