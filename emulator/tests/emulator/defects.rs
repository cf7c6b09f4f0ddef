//! Known defects, each seeded into a real compiler's PTX: the kernel as it was compiled passes all checks, and with the defect the
//! checks say what is wrong, where, and who did it.
//!
//! Each row of [`DEFECTS`] is an edit and what has to be found. Where that is, the test works out from the text that was edited,
//! never from the report. An edit whose line isn't there any more fails.

use gridwright_emulator::{
    Device, DeviceOptions, Finding, FindingKind, Launch, LaunchError, Module, SourceLocation,
};

use crate::harness::{Parameters, upload};

/// Bytes in front of a group kernel's memory that its collectives use.
const COLLECTIVES: u32 = 1024;

const SOURCE: &str = include_str!("../ptx/nvcc.cu");

/// A kernel, with sizes and inputs on which nothing is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kernel {
    /// 4 groups of 256 threads, 1000 elements.
    VectorAdd,
    /// 4 groups of 256 threads, 1000 elements.
    BlockSum,
    /// 2 groups of 256 threads, 600 elements.
    Collective,
    Several,
    /// 4 groups of 256 threads, 1000 elements.
    Scan,
    AddSums,
    /// 2 groups of 256 threads, 20000 bytes.
    Histogram,
    /// Groups of 32 by 32 threads, of 70 rows and 45 columns.
    TransposePadded,
    TransposeTiled,
    /// Groups of 16 by 16 threads, 50 by 70 times 70 by 37.
    MatrixMul,
    /// 4 groups of 256 threads, 1000 elements.
    BulkCopy,
    /// By nvcc: 5 groups of 256 threads, 10000 bytes, of which two in a row are the same.
    NvccHistogram,
    /// By nvcc: groups of 32 by 8 threads, 70 rows and 45 columns.
    NvccTranspose,
    /// By nvcc: 32 threads.
    NvccIndexed,
}

/// What a kernel is launched with.
struct Setting {
    grid: [u32; 3],
    block: [u32; 3],
    workgroup_bytes: u32,
    buffers: Vec<u64>,
    parameters: Vec<u8>,
}

impl Kernel {
    /// The PTX and the entry.
    fn text(self) -> (&'static str, &'static str) {
        match self {
            Self::VectorAdd => (include_str!("../ptx/rustc/vector_add.ptx"), "vector_add"),
            Self::BlockSum => (include_str!("../ptx/rustc/block_sum.ptx"), "block_sum"),
            Self::Collective => (include_str!("../ptx/rustc/reduction.ptx"), "collective"),
            Self::Several => (include_str!("../ptx/rustc/reduction.ptx"), "several"),
            Self::Scan => (include_str!("../ptx/rustc/scan.ptx"), "scan_groups"),
            Self::AddSums => (include_str!("../ptx/rustc/scan.ptx"), "add_sums"),
            Self::Histogram => (include_str!("../ptx/rustc/histogram.ptx"), "histogram_256"),
            Self::TransposePadded => (include_str!("../ptx/rustc/transpose.ptx"), "transpose_padded"),
            Self::TransposeTiled => (include_str!("../ptx/rustc/transpose.ptx"), "transpose_tiled"),
            Self::MatrixMul => (include_str!("../ptx/rustc/matrix_mul.ptx"), "matrix_mul_load_tile"),
            Self::BulkCopy => (include_str!("../ptx/rustc/bulk_copy.ptx"), "reversed"),
            Self::NvccHistogram => (include_str!("../ptx/nvcc.ptx"), "histogram"),
            Self::NvccTranspose => (include_str!("../ptx/nvcc.ptx"), "transpose"),
            Self::NvccIndexed => (include_str!("../ptx/nvcc.ptx"), "indexed"),
        }
    }

    fn setting(self, device: &Device) -> Setting {
        let floats = |count: usize| upload(device, &vec![1_f32; count], f32::to_le_bytes);
        let words = |count: usize| upload(device, &vec![1_u32; count], u32::to_le_bytes);
        let fresh = |bytes: u64| device.alloc(bytes).unwrap();
        let all = Parameters::default();
        let (grid, block, workgroup_bytes, buffers, parameters) = match self {
            Self::VectorAdd => {
                let buffers = vec![floats(1000), floats(1000), fresh(4000)];
                let all = buffers.iter().fold(all.narrow(999), |all, &at| all.wide(at).wide(1000));
                ([4, 1, 1], [256, 1, 1], 0, buffers, all.narrow(1000))
            }
            Self::BlockSum => {
                let buffers = vec![floats(1000), fresh(16)];
                let all = all.wide(buffers[0]).wide(1000).wide(buffers[1]).wide(4).narrow(256);
                ([4, 1, 1], [256, 1, 1], COLLECTIVES + 1024, buffers, all)
            }
            Self::Collective | Self::Several => {
                let buffers = vec![floats(600), fresh(8)];
                let all = all.wide(buffers[0]).wide(600).wide(buffers[1]).wide(2);
                ([2, 1, 1], [256, 1, 1], COLLECTIVES + 1024, buffers, all)
            }
            Self::Scan => {
                let buffers = vec![words(1000), fresh(4000), fresh(16)];
                let all = all.wide(buffers[0]).wide(1000).wide(buffers[1]).wide(1000).narrow(1000);
                ([4, 1, 1], [256, 1, 1], COLLECTIVES, buffers.clone(), all.wide(buffers[2]).wide(4))
            }
            Self::AddSums => {
                let buffers = vec![words(4), words(1000)];
                let all = all.wide(buffers[0]).wide(4).wide(buffers[1]).wide(1000).narrow(1000);
                ([4, 1, 1], [256, 1, 1], COLLECTIVES, buffers, all)
            }
            Self::Histogram => {
                let buffers = vec![words(5000), words(256)];
                let all = all.wide(2).wide(buffers[0]).wide(20_000).wide(buffers[1]).wide(256);
                ([2, 1, 1], [256, 1, 1], COLLECTIVES + 8 * 1024, buffers, all)
            }
            Self::TransposePadded | Self::TransposeTiled => {
                let buffers = vec![floats(70 * 45), fresh(70 * 45 * 4)];
                let all = all.wide(buffers[0]).narrow(70).narrow(45).wide(buffers[1]).narrow(45).narrow(70);
                let cols = if self == Self::TransposePadded { 33 } else { 32 };
                ([3, 2, 1], [32, 32, 1], COLLECTIVES + 32 * cols * 4, buffers, all)
            }
            Self::MatrixMul => {
                let sizes = [(50, 70), (70, 37), (50, 37)];
                let buffers = vec![floats(50 * 70), floats(70 * 37), fresh(50 * 37 * 4)];
                let all = buffers
                    .iter()
                    .zip(sizes)
                    .fold(all, |all, (&at, (rows, cols))| all.wide(at).narrow(rows).narrow(cols));
                ([3, 4, 1], [16, 16, 1], COLLECTIVES + 2 * 16 * 16 * 4, buffers, all)
            }
            Self::BulkCopy => {
                let buffers = vec![floats(1000), fresh(4000)];
                let all = all.wide(buffers[0]).wide(1000).wide(buffers[1]).wide(1000).narrow(1000);
                ([4, 1, 1], [256, 1, 1], COLLECTIVES + 1024, buffers, all)
            }
            Self::NvccHistogram => {
                let data: Vec<u8> = (0..10_000).map(|i| (i / 2) as u8).collect();
                let buffers = vec![upload(device, &data, |byte| [byte]), words(256)];
                (
                    [5, 1, 1],
                    [256, 1, 1],
                    0,
                    buffers.clone(),
                    all.wide(buffers[0]).narrow(10_000).wide(buffers[1]),
                )
            }
            Self::NvccTranspose => {
                let buffers = vec![floats(70 * 45), fresh(70 * 45 * 4)];
                let all = all.wide(buffers[0]).wide(buffers[1]).narrow(70).narrow(45);
                ([2, 3, 1], [32, 8, 1], 0, buffers, all)
            }
            Self::NvccIndexed => {
                let buffers = vec![words(32)];
                ([1, 1, 1], [32, 1, 1], 0, buffers.clone(), all.wide(buffers[0]).narrow(3).wide(100).wide(7))
            }
        };
        Setting { grid, block, workgroup_bytes, buffers, parameters: parameters.0 }
    }
}

/// A line of the entry: the first, the second … of so many that read the same.
#[derive(Debug, Clone, Copy)]
struct Line {
    text: &'static str,
    number: usize,
    of: usize,
}

const fn only(text: &'static str) -> Line {
    Line { text, number: 1, of: 1 }
}

const fn nth(number: usize, of: usize, text: &'static str) -> Line {
    Line { text, number, of }
}

/// No edit changes the number of lines.
#[derive(Debug, Clone, Copy)]
enum Edit {
    Without(Line),
    Instead(Line, &'static str),
    /// On the same line, before what is there.
    Before(Line, &'static str),
    /// The launch gives other bytes of workgroup memory.
    WorkgroupBytes(u32),
    /// The host has freed a buffer before the launch.
    Freed(usize),
}

/// Where something happened, and who did it.
#[derive(Debug, Clone, Copy)]
struct Place {
    line: Line,
    group: [u32; 3],
    thread: [u32; 3],
}

#[derive(Debug, Clone, Copy)]
struct Found {
    kind: &'static str,
    place: Place,
    /// The other side of a race.
    with: Option<Place>,
}

/// By a thread of the first group.
const fn by(x: u32, line: Line) -> Place {
    at([0, 0, 0], [x, 0, 0], line)
}

const fn at(group: [u32; 3], thread: [u32; 3], line: Line) -> Place {
    Place { line, group, thread }
}

const fn found(kind: &'static str, place: Place) -> Found {
    Found { kind, place, with: None }
}

const fn race(place: Place, with: Place) -> Found {
    Found { kind: "race", place, with: Some(with) }
}

struct Defect {
    name: &'static str,
    kernel: Kernel,
    edits: &'static [Edit],
    /// What is found first, in order: a defect may have consequences, which aren't listed. Groups run one after the other here, and
    /// in a group each warp up to its next barrier.
    found: &'static [Found],
}

use Edit::{Before, Freed, Instead, Without, WorkgroupBytes};

const EXPECT: &str = "mbarrier.arrive.expect_tx.shared.b64 _, [%rd34], %r6;";
const COPY: &str =
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%rd35], [%rd36], %r6, [%rd34];";

const DEFECTS: &[Defect] = &[
    // Elements and who has them: 1000 elements, so that thread 232 of group 3 is the first without one.
    Defect {
        name: "the test for threads beyond the end is missing",
        kernel: Kernel::VectorAdd,
        edits: &[Without(only("@%p1 bra $L__BB0_2;"))],
        found: &[found("out of bounds", at([3, 0, 0], [232, 0, 0], only("ld.global.nc.b32 %r6, [%rd2];")))],
    },
    Defect {
        name: "that test is off by one",
        kernel: Kernel::VectorAdd,
        edits: &[Instead(only("setp.ge.u32 %p1, %r5, %r4;"), "setp.gt.u32 %p1, %r5, %r4;")],
        found: &[found("out of bounds", at([3, 0, 0], [232, 0, 0], only("ld.global.nc.b32 %r6, [%rd2];")))],
    },
    Defect {
        name: "elements are twice as far apart as they are",
        kernel: Kernel::VectorAdd,
        edits: &[Instead(only("mul.wide.u32 %rd10, %r5, 4;"), "mul.wide.u32 %rd10, %r5, 8;")],
        found: &[found("out of bounds", at([1, 0, 0], [244, 0, 0], only("ld.global.nc.b32 %r6, [%rd2];")))],
    },
    Defect {
        name: "elements are half as far apart as they are",
        kernel: Kernel::VectorAdd,
        edits: &[Instead(only("mul.wide.u32 %rd10, %r5, 4;"), "mul.wide.u32 %rd10, %r5, 2;")],
        found: &[found("misaligned", by(1, only("ld.global.nc.b32 %r6, [%rd2];")))],
    },
    Defect {
        name: "a store of elements that are too wide",
        kernel: Kernel::VectorAdd,
        edits: &[Instead(only("st.global.b32 [%rd1], %r8;"), "st.global.b64 [%rd1], %rd10;")],
        found: &[found("misaligned", by(1, only("st.global.b32 [%rd1], %r8;")))],
    },
    Defect {
        name: "parameters in the wrong order: a length is an address",
        kernel: Kernel::VectorAdd,
        edits: &[Instead(
            only("ld.param.b64 %rd6, [vector_add_param_1];"),
            "ld.param.b64 %rd6, [vector_add_param_2];",
        )],
        found: &[found("out of bounds", by(0, only("ld.global.nc.b32 %r6, [%rd2];")))],
    },
    Defect {
        name: "parameters in the wrong order: the fresh output is read",
        kernel: Kernel::VectorAdd,
        edits: &[Instead(
            only("ld.param.b64 %rd6, [vector_add_param_1];"),
            "ld.param.b64 %rd6, [vector_add_param_5];",
        )],
        found: &[found("uninitialised", by(0, only("ld.global.nc.b32 %r6, [%rd2];")))],
    },
    Defect {
        name: "the host freed an input",
        kernel: Kernel::VectorAdd,
        edits: &[Freed(1)],
        found: &[found("use after free", by(0, only("ld.global.nc.b32 %r7, [%rd3];")))],
    },
    Defect {
        name: "an address in another space than the store's",
        kernel: Kernel::VectorAdd,
        edits: &[Instead(only("st.global.b32 [%rd1], %r8;"), "st.shared.b32 [%rd1], %r8;")],
        found: &[found("out of bounds", by(0, only("st.global.b32 [%rd1], %r8;")))],
    },
    Defect {
        name: "groups are counted with half their size",
        kernel: Kernel::VectorAdd,
        edits: &[Instead(only("mad.lo.s32 %r5, %r1, %r2, %r3;"), "mad.lo.s32 %r5, %r1, 128, %r3;")],
        found: &[race(
            at([1, 0, 0], [0, 0, 0], only("st.global.b32 [%rd1], %r8;")),
            by(128, only("st.global.b32 [%rd1], %r8;")),
        )],
    },
    Defect {
        name: "the lane in the place of the thread",
        kernel: Kernel::VectorAdd,
        edits: &[Instead(only("mov.u32 %r3, %tid.x;"), "mov.u32 %r3, %laneid;")],
        found: &[race(by(32, only("st.global.b32 [%rd1], %r8;")), by(0, only("st.global.b32 [%rd1], %r8;")))],
    },
    Defect {
        name: "a group's elements overlap with the next one's",
        kernel: Kernel::AddSums,
        edits: &[Instead(only("shl.b32 %r5, %r3, 8;"), "shl.b32 %r5, %r3, 7;")],
        found: &[race(
            at([1, 0, 0], [0, 0, 0], only("ld.global.b32 %r8, [%rd4];")),
            by(128, only("st.global.b32 [%rd4], %r9;")),
        )],
    },
    Defect {
        name: "an atomic addition to device memory is a store",
        kernel: Kernel::Histogram,
        edits: &[Instead(
            only("atom.global.add.u32 %r152, [%rd176], %r151;"),
            "st.global.b32 [%rd176], %r151;",
        )],
        found: &[race(
            at([1, 0, 0], [0, 0, 0], only("atom.global.add.u32 %r152, [%rd176], %r151;")),
            by(0, only("atom.global.add.u32 %r152, [%rd176], %r151;")),
        )],
    },
    // Workgroup memory and barriers.
    Defect {
        name: "no barrier before others' elements are read",
        kernel: Kernel::BlockSum,
        edits: &[Without(nth(1, 3, "bar.sync 0;"))],
        found: &[
            race(
                by(128, only("st.shared.b32 [%rd6+1024], %r11;")),
                by(0, only("ld.shared.b32 %r7, [%rd11+1024];")),
            ),
            // Thread 0 adds element 128, which thread 128 hasn't written, and stores the sum in the end.
            found("uninitialised", by(0, only("ld.shared.b32 %r7, [%rd11+1024];"))),
        ],
    },
    Defect {
        name: "no barrier in the loop",
        kernel: Kernel::BlockSum,
        edits: &[Without(nth(2, 3, "bar.sync 0;"))],
        found: &[
            // Inside of the first warp: thread 0 adds element 16, which thread 16 changed in the turn before.
            race(
                by(0, only("ld.shared.b32 %r7, [%rd11+1024];")),
                by(16, only("st.shared.b32 [%rd6+1024], %r9;")),
            ),
            race(
                by(1, only("ld.shared.b32 %r1, [gpu_launch_sized_workgroup_mem+1024];")),
                by(0, only("st.shared.b32 [%rd6+1024], %r9;")),
            ),
            // The second warp comes later: thread 0 has added element 32.
            race(
                by(32, only("st.shared.b32 [%rd6+1024], %r9;")),
                by(0, only("ld.shared.b32 %r7, [%rd11+1024];")),
            ),
        ],
    },
    Defect {
        name: "no barrier before memory is used again",
        kernel: Kernel::Scan,
        edits: &[Without(nth(2, 4, "bar.sync 0;"))],
        found: &[race(
            by(255, only("st.shared.b32 [gpu_launch_sized_workgroup_mem], %r4;")),
            by(0, only("ld.shared.b32 %r37, [gpu_launch_sized_workgroup_mem];")),
        )],
    },
    Defect {
        name: "no barrier between a tile's rows and its columns",
        kernel: Kernel::TransposePadded,
        edits: &[Without(nth(1, 2, "bar.sync 0;"))],
        found: &[
            found("uninitialised", by(1, only("ld.shared.b32 %r13, [%rd26+1024];"))),
            race(
                at([0, 0, 0], [0, 1, 0], only("st.shared.b32 [%rd5+1024], %r14;")),
                by(1, only("ld.shared.b32 %r13, [%rd26+1024];")),
            ),
        ],
    },
    Defect {
        name: "no barrier before the next tile",
        kernel: Kernel::MatrixMul,
        edits: &[Without(nth(2, 3, "bar.sync 0;"))],
        found: &[race(
            by(0, only("st.shared.b32 [%rd13+1024], %r57;")),
            by(1, only("ld.shared.b32 %r8, [%rd7+1024];")),
        )],
    },
    Defect {
        name: "memory isn't initialised",
        kernel: Kernel::BlockSum,
        edits: &[Without(only("st.shared.b32 [%rd6+1024], %r11;"))],
        found: &[
            found("uninitialised", by(0, only("ld.shared.b32 %r7, [%rd11+1024];"))),
            found("uninitialised", by(0, only("ld.shared.b32 %r8, [%rd6+1024];"))),
        ],
    },
    Defect {
        name: "half of each element is initialised",
        kernel: Kernel::BlockSum,
        edits: &[Instead(
            only("st.shared.b32 [%rd6+1024], %r11;"),
            "{ .reg .b16 %half; cvt.u16.u32 %half, %r11; st.shared.b16 [%rd6+1024], %half; }",
        )],
        found: &[found("uninitialised", by(0, only("ld.shared.b32 %r7, [%rd11+1024];")))],
    },
    Defect {
        name: "one row of counters isn't zeroed",
        kernel: Kernel::Histogram,
        edits: &[Without(only("st.shared.b32 [%rd4+3072], 0;"))],
        // Each warp counts in a row of its own, the third in this one: all bytes are 1 or 0.
        found: &[found("uninitialised", by(64, only("atom.shared.add.u32 %r4, [%rd26+1024], 1;")))],
    },
    Defect {
        name: "a turn with twice as many threads as it has elements",
        kernel: Kernel::Several,
        edits: &[Instead(only("setp.gt.u32 %p7, %r29, 63;"), "setp.gt.u32 %p7, %r29, 127;")],
        found: &[race(
            by(64, only("st.shared.b32 [%rd8+1024], %r10;")),
            by(0, only("ld.shared.b32 %r8, [%rd8+1280];")),
        )],
    },
    Defect {
        name: "all threads do what one should",
        kernel: Kernel::Several,
        edits: &[Without(only("@%p13 bra $L__BB4_24;"))],
        found: &[race(
            by(1, only("st.shared.b32 [%rd8+1024], %r28;")),
            by(0, only("ld.shared.b32 %r26, [%rd8+1028];")),
        )],
    },
    Defect {
        name: "all lanes write what one should",
        kernel: Kernel::Scan,
        edits: &[Without(only("@%p12 bra $L__BB1_4;"))],
        found: &[race(by(1, only("st.shared.b32 [%rd6], %r2;")), by(0, only("st.shared.b32 [%rd6], %r2;")))],
    },
    Defect {
        name: "an offset that is one element too large",
        kernel: Kernel::Several,
        edits: &[Instead(only("ld.shared.b32 %r5, [%rd8+1536];"), "ld.shared.b32 %r5, [%rd8+1540];")],
        found: &[found("out of bounds", by(127, only("ld.shared.b32 %r5, [%rd8+1536];")))],
    },
    Defect {
        name: "an offset between elements",
        kernel: Kernel::TransposePadded,
        edits: &[Instead(only("ld.shared.b32 %r13, [%rd26+1024];"), "ld.shared.b32 %r13, [%rd26+1026];")],
        found: &[found("misaligned", by(0, only("ld.shared.b32 %r13, [%rd26+1024];")))],
    },
    Defect {
        name: "columns are twice as far apart as they are",
        kernel: Kernel::TransposeTiled,
        edits: &[Instead(only("shl.b64 %rd24, %rd3, 7;"), "shl.b64 %rd24, %rd3, 8;")],
        found: &[found("out of bounds", by(16, only("ld.shared.b32 %r13, [%rd27+1024];")))],
    },
    Defect {
        name: "a launch with the bytes of the tile that isn't padded",
        kernel: Kernel::TransposePadded,
        edits: &[WorkgroupBytes(COLLECTIVES + 32 * 32 * 4)],
        // The last row begins 31 * 33 elements behind the first: one of it has room.
        found: &[found("out of bounds", at([0, 0, 0], [1, 31, 0], only("st.shared.b32 [%rd5+1024], %r14;")))],
    },
    Defect {
        name: "an address in workgroup memory that isn't converted",
        kernel: Kernel::BlockSum,
        edits: &[Instead(only("ld.shared.b32 %r7, [%rd11+1024];"), "ld.b32 %r7, [%rd11+1024];")],
        found: &[found("out of bounds", by(0, only("ld.shared.b32 %r7, [%rd11+1024];")))],
    },
    // Barriers and lanes that diverge.
    Defect {
        name: "some lanes of a warp are at another barrier",
        kernel: Kernel::Several,
        edits: &[Instead(only("@%p9 bra $L__BB4_16;"), "@%p9 bra $L__BB4_18;")],
        // The sixth and the seventh barrier; threads from 16 on are at the seventh.
        found: &[found("divergent barrier", by(16, nth(6, 10, "bar.sync 0;")))],
    },
    Defect {
        name: "some threads leave before a barrier",
        kernel: Kernel::BlockSum,
        edits: &[Instead(only("@%p1 bra $L__BB0_2;"), "@%p1 exit;")],
        found: &[found(
            "uninitialised",
            // Thread 104 reads it, and thread 0 stores the sum.
            at([3, 0, 0], [0, 0, 0], only("ld.shared.b32 %r7, [%rd11+1024];")),
        )],
    },
    Defect {
        name: "a barrier of more threads than there are",
        kernel: Kernel::BlockSum,
        edits: &[Instead(nth(1, 3, "bar.sync 0;"), "bar.sync 0, 512;")],
        found: &[found("deadlock", by(0, nth(1, 3, "bar.sync 0;")))],
    },
    Defect {
        name: "a shuffle that one lane doesn't get to",
        kernel: Kernel::Collective,
        edits: &[Before(
            only("shfl.sync.idx.b32 %r15, %r36, %r14, 31, -1;"),
            "setp.ne.b32 %p6, %r13, 0; @%p6",
        )],
        // It waits at the next one, for ever.
        found: &[found("deadlock", by(0, only("shfl.sync.idx.b32 %r18, %r16, %r17, 31, -1;")))],
    },
    Defect {
        name: "a shuffle whose members are half of the warp",
        kernel: Kernel::Collective,
        edits: &[Instead(
            only("shfl.sync.idx.b32 %r15, %r36, %r14, 31, -1;"),
            "shfl.sync.idx.b32 %r15, %r36, %r14, 31, 65535;",
        )],
        found: &[found("not a member", by(16, only("shfl.sync.idx.b32 %r15, %r36, %r14, 31, -1;")))],
    },
    Defect {
        name: "a lane leaves before the warp's shuffle",
        kernel: Kernel::Collective,
        edits: &[Before(only("xor.b32 %r14, %r13, 16;"), "setp.eq.b32 %p6, %r13, 31; @%p6 exit;")],
        found: &[
            // Lane 15 asks for the value of lane 31.
            found("inactive source", by(15, only("shfl.sync.idx.b32 %r15, %r36, %r14, 31, -1;"))),
        ],
    },
    // With lines of the source.
    Defect {
        name: "counters aren't zeroed",
        kernel: Kernel::NvccHistogram,
        edits: &[Without(only("st.shared.u32 [%r2], %r11;"))],
        found: &[found("uninitialised", by(0, only("atom.shared.add.u32 %r17, [%r16], 1;")))],
    },
    Defect {
        name: "no barrier between zeroing and counting",
        kernel: Kernel::NvccHistogram,
        edits: &[Without(nth(1, 2, "bar.sync 0;"))],
        found: &[race(
            by(2, only("atom.shared.add.u32 %r17, [%r16], 1;")),
            by(1, only("st.shared.u32 [%r2], %r11;")),
        )],
    },
    Defect {
        name: "no barrier between counting and adding up",
        kernel: Kernel::NvccHistogram,
        edits: &[Without(nth(2, 2, "bar.sync 0;"))],
        found: &[race(
            by(0, only("ld.shared.u32 %r18, [%r2];")),
            by(1, only("atom.shared.add.u32 %r17, [%r16], 1;")),
        )],
    },
    Defect {
        name: "an atomic addition is a load, an addition and a store",
        kernel: Kernel::NvccHistogram,
        edits: &[Instead(
            only("atom.shared.add.u32 %r17, [%r16], 1;"),
            "ld.shared.u32 %r17, [%r16]; add.u32 %r17, %r17, 1; st.shared.u32 [%r16], %r17;",
        )],
        found: &[race(
            by(0, only("atom.shared.add.u32 %r17, [%r16], 1;")),
            by(1, only("atom.shared.add.u32 %r17, [%r16], 1;")),
        )],
    },
    Defect {
        name: "a loop with one turn too many",
        kernel: Kernel::NvccHistogram,
        edits: &[Instead(only("setp.lt.s32 %p2, %r20, %r8;"), "setp.le.s32 %p2, %r20, %r8;")],
        // 10000 is seven turns of 5 groups and 1040 threads.
        found: &[found("out of bounds", at([4, 0, 0], [16, 0, 0], only("ld.global.u8 %rs1, [%rd5];")))],
    },
    Defect {
        name: "a tile that isn't waited for",
        kernel: Kernel::NvccTranspose,
        edits: &[Without(only("bar.sync 0;"))],
        found: &[
            // The eighth row below is by the same warp.
            race(by(8, only("ld.shared.f32 %f5, [%r13];")), by(0, only("st.shared.f32 [%r7+1056], %f2;"))),
            found("uninitialised", by(1, only("ld.shared.f32 %f5, [%r13];"))),
        ],
    },
    Defect {
        name: "an index into a thread's own array isn't wrapped",
        kernel: Kernel::NvccIndexed,
        edits: &[Instead(only("and.b64 %rd17, %rd16, 60;"), "mov.b64 %rd17, %rd16;")],
        // The array has 16 elements, and the index is 3 above the thread's.
        found: &[found("out of bounds", by(13, only("ld.local.u32 %r1, [%rd18];")))],
    },
    Defect {
        name: "a divisor that is zero",
        kernel: Kernel::NvccIndexed,
        edits: &[Instead(only("add.s32 %r27, %r3, 1;"), "add.s32 %r27, %r3, -3;")],
        found: &[found("division by zero", by(0, only("rem.u32 %r30, %r29, %r28;")))],
    },
    // A copy of 1024 bytes that thread 0 begins and waits for, to a tile that is read from its end.
    Defect {
        name: "nobody waits for the copy",
        kernel: Kernel::BulkCopy,
        edits: &[
            Instead(only("setp.eq.b32 %p10, %r7, 0;"), "setp.eq.b32 %p10, %r7, 2;"),
            Without(only("mbarrier.inval.shared.b64 [%rd43];")),
        ],
        found: &[found("uninitialised", by(0, only("ld.shared.b32 %r10, [%rd18+1024];")))],
    },
    Defect {
        name: "the barrier goes before the copy has come",
        kernel: Kernel::BulkCopy,
        edits: &[Instead(only("setp.eq.b32 %p10, %r7, 0;"), "setp.eq.b32 %p10, %r7, 2;")],
        found: &[found("misused mbarrier", by(0, only("mbarrier.inval.shared.b64 [%rd43];")))],
    },
    Defect {
        name: "no barrier of the group behind the copy",
        kernel: Kernel::BulkCopy,
        edits: &[Without(only("bar.sync 0;"))],
        found: &[race(by(32, only("ld.shared.b32 %r10, [%rd18+1024];")), by(0, only(COPY)))],
    },
    Defect {
        name: "a barrier that wasn't initialised",
        kernel: Kernel::BulkCopy,
        edits: &[Without(only("mbarrier.init.shared.b64 [%rd34], 1;"))],
        found: &[found("uninitialised", by(0, only(EXPECT))), found("misused mbarrier", by(0, only(EXPECT)))],
    },
    Defect {
        name: "a barrier that waits for more threads than come",
        kernel: Kernel::BulkCopy,
        edits: &[Instead(
            only("mbarrier.init.shared.b64 [%rd34], 1;"),
            "mbarrier.init.shared.b64 [%rd34], 0;",
        )],
        found: &[found("misused mbarrier", by(0, only("mbarrier.init.shared.b64 [%rd34], 1;")))],
    },
    Defect {
        name: "the copy begins a word late",
        kernel: Kernel::BulkCopy,
        edits: &[Instead(only("and.b64 %rd26, %rd25, 12;"), "mov.b64 %rd26, 4;")],
        found: &[found("misaligned", by(0, only(COPY)))],
    },
    Defect {
        name: "all threads begin the copy",
        kernel: Kernel::BulkCopy,
        edits: &[Instead(only("setp.eq.b32 %p3, %r1, 0;"), "setp.ge.u32 %p3, %r1, 0;")],
        found: &[race(
            by(1, only("mbarrier.init.shared.b64 [%rd34], 1;")),
            by(0, only("mbarrier.init.shared.b64 [%rd34], 1;")),
        )],
    },
];

/// A text's lines, with one space between words.
fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// The numbers of the lines of an entry, from 0.
fn entry_lines(lines: &[String], entry: &str) -> std::ops::Range<usize> {
    let start = lines.iter().position(|line| *line == format!(".visible .entry {entry}(")).unwrap();
    let length = lines[start..].iter().position(|line| line == "}").unwrap();
    start..start + length
}

impl Line {
    /// Its number in the text, from 0.
    fn find(self, lines: &[String], entry: &str) -> usize {
        let all: Vec<usize> = entry_lines(lines, entry).filter(|&line| lines[line] == self.text).collect();
        assert_eq!(all.len(), self.of, "{entry} has `{}` at {all:?}", self.text);
        all[self.number - 1]
    }
}

/// What the `.loc` before a line says; line 0 is nowhere.
fn source_of(lines: &[String], entry: &str, line: usize) -> Option<SourceLocation> {
    let start = entry_lines(lines, entry).start;
    let loc = lines[start..line].iter().rev().find_map(|line| line.strip_prefix(".loc "))?;
    let mut numbers = loc.split([' ', ',']);
    let file = format!(".file {} ", numbers.next()?);
    let name = lines.iter().find_map(|line| line.strip_prefix(&file))?.trim_matches('"').to_owned();
    let [line, column] = [numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?];
    (line > 0).then_some(SourceLocation { file: name, line, column })
}

/// Launches a kernel with edits. One host thread, so that groups run one after the other.
fn run(kernel: Kernel, edits: &[Edit]) -> Vec<Finding> {
    let (text, entry) = kernel.text();
    let device = Device::with_options(DeviceOptions { host_threads: 1, ..DeviceOptions::default() });
    let mut setting = kernel.setting(&device);
    let original = lines(text);
    let mut edited = original.clone();
    for edit in edits {
        match *edit {
            Without(line) => edited[line.find(&original, entry)].clear(),
            Instead(line, new) => new.clone_into(&mut edited[line.find(&original, entry)]),
            Before(line, new) => edited[line.find(&original, entry)] = format!("{new} {}", line.text),
            WorkgroupBytes(bytes) => setting.workgroup_bytes = bytes,
            Freed(buffer) => device.free(setting.buffers[buffer]).unwrap(),
        }
    }
    let module = Module::parse(&edited.join("\n")).unwrap_or_else(|error| panic!("{entry}: {error}"));
    let mut launch = Launch::new(setting.grid, setting.block, &setting.parameters);
    launch.dynamic_shared = setting.workgroup_bytes;
    match device.launch(&device.load(&module).unwrap(), entry, &launch) {
        Ok(report) => report.findings,
        Err(LaunchError::Fault { finding, report }) => {
            let mut findings = report.findings;
            findings.push(*finding);
            findings
        }
        Err(error) => panic!("{entry}: {error}"),
    }
}

impl Place {
    /// As a finding has it: line, source, group, thread.
    fn expected(self, kernel: Kernel) -> (u32, Option<SourceLocation>, [u32; 3], [u32; 3]) {
        let (text, entry) = kernel.text();
        let lines = lines(text);
        let line = self.line.find(&lines, entry);
        (line as u32 + 1, source_of(&lines, entry, line), self.group, self.thread)
    }
}

fn is_as_expected(found: &Finding, expected: &Found, kernel: Kernel) -> bool {
    let other = match &found.kind {
        FindingKind::Race { other, .. } => {
            Some((other.line, other.source.clone(), other.group, other.thread))
        }
        _ => None,
    };
    found.kind.name() == expected.kind
        && found.kernel == kernel.text().1
        && (found.line, found.source.clone(), found.group, found.thread) == expected.place.expected(kernel)
        && other == expected.with.map(|place| place.expected(kernel))
}

#[test]
fn each_seeded_defect_is_found_where_it_is_and_nothing_without_it() {
    let mut wrong = Vec::new();
    for Defect { name, kernel, edits, found } in DEFECTS {
        let clean = run(*kernel, &[]);
        assert!(clean.is_empty(), "{kernel:?} without a defect: {clean:?}");
        let all = run(*kernel, edits);
        // In this order, and the first one first: others may be between.
        let mut rest = all.iter();
        let begins = all.iter().zip(*found).take(1).all(|(one, first)| is_as_expected(one, first, *kernel));
        let are_as_expected = begins
            && !found.is_empty()
            && found.iter().all(|expected| rest.any(|one| is_as_expected(one, expected, *kernel)));
        if !are_as_expected {
            let all: Vec<String> = all.iter().map(ToString::to_string).collect();
            wrong.push(format!("{name}: expected {found:#?}\nfound:\n  {}", all.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// What `.loc` says is what the source has there.
#[test]
fn findings_name_the_line_of_the_source() {
    for (name, text) in [
        ("no barrier between counting and adding up", "atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);"),
        ("a loop with one turn too many", "atomicAdd(&bins[data[i]], 1);"),
        ("a tile that isn't waited for", "= tile[threadIdx.x][threadIdx.y + j];"),
        (
            "an index into a thread's own array isn't wrapped",
            "x[threadIdx.x] = local[(n + threadIdx.x) & 15]",
        ),
    ] {
        let defect = DEFECTS.iter().find(|defect| defect.name == name).unwrap();
        let all = run(defect.kernel, defect.edits);
        let source = all[0].source.as_ref().unwrap();
        assert_eq!(source.file, "nvcc.cu", "{name}");
        let line = SOURCE.lines().nth(source.line as usize - 1).unwrap();
        assert!(line.contains(text), "{name}: {line}");
        assert!(all[0].to_string().contains(&format!("(nvcc.cu:{}:", source.line)), "{name}: {}", all[0]);
    }
}

#[test]
#[should_panic(expected = "vector_add has `@%p1 bra $L__BB0_9;` at []")]
fn an_edit_that_does_not_apply_fails() {
    run(Kernel::VectorAdd, &[Without(only("@%p1 bra $L__BB0_9;"))]);
}
