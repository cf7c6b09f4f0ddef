use super::optimise;

/// A kernel of these statements.
fn kernel(body: &str) -> String {
    let lines: String = body
        .lines()
        .map(|line| {
            if line.trim().ends_with(':') {
                format!("{}\n", line.trim())
            } else {
                format!("\t{}\n", line.trim())
            }
        })
        .collect();
    format!(".version 7.0\n.visible .entry k(\n\t.param .u32 k_param_0\n)\n{{\n{lines}}}\n")
}

fn barriers(body: &str) -> usize {
    optimise(&kernel(body)).matches("bar.sync").count()
}

#[test]
fn a_barrier_before_the_end_goes() {
    assert_eq!(barriers("st.shared.b32 [%rd1], %r1;\nbar.sync \t0;\nret;"), 0);
    assert_eq!(barriers("atom.shared.add.u32 %r1, [%rd1], 1;\nbar.sync \t0;\nret;"), 0);
}

#[test]
fn a_barrier_between_a_write_and_a_read_stays() {
    let of = |a: &str, b: &str| barriers(&format!("{a};\nbar.sync \t0;\n{b};\nret;"));
    assert_eq!(of("st.shared.b32 [%rd1], %r1", "ld.shared.b32 %r2, [%rd2]"), 1);
    assert_eq!(of("ld.shared.b32 %r2, [%rd2]", "st.shared.b32 [%rd1], %r1"), 1);
    assert_eq!(of("st.shared.b32 [%rd1], %r1", "st.shared.b32 [%rd2], %r1"), 1);
    assert_eq!(of("st.global.b32 [%rd1], %r1", "ld.global.b32 %r2, [%rd2]"), 1);
    assert_eq!(of("st.b32 [%rd1], %r1", "ld.shared.b32 %r2, [%rd2]"), 1);
    assert_eq!(of("st.shared.b32 [%rd1], %r1", "ld.b32 %r2, [%rd2]"), 1);
    assert_eq!(of("ld.shared.b32 %r1, [%rd1]", "atom.shared.add.u32 %r2, [%rd2], 1"), 1);
    assert_eq!(of("st.shared.b32 [%rd1], %r1", "ld.volatile.shared.b32 %r2, [%rd2]"), 1);
    assert_eq!(of("st.global.b32 [%rd1], %r1", "fence.acq_rel.gpu"), 1);
    assert_eq!(of("st.shared.b32 [%rd1], %r1", "an.unknown.opcode %r2"), 1);
    let load = "ldmatrix.sync.aligned.m8n8.x4.b16 {%r2, %r3, %r4, %r5}, [%rd2]";
    assert_eq!(of("st.shared.b32 [%rd1], %r1", load), 1);
    assert_eq!(of(load, "st.shared.b32 [%rd1], %r1"), 1);
    // A statement of several lines isn't understood, nor then the function: products of matrices.
    let multiply =
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64\n{%rd3, %rd4},\n{%rd5},\n{%rd6},\n{%rd3, %rd4}";
    assert_eq!(of("ld.shared.b32 %r1, [%rd1]", multiply), 1);
}

#[test]
fn a_barrier_between_accesses_that_do_not_concern_each_other_goes() {
    let of = |a: &str, b: &str| barriers(&format!("{a};\nbar.sync \t0;\n{b};\nret;"));
    assert_eq!(of("ld.shared.b32 %r1, [%rd1]", "ld.shared.b32 %r2, [%rd2]"), 0);
    assert_eq!(of("ld.shared.b32 %r1, [%rd1]", "st.global.b32 [%rd2], %r1"), 0);
    assert_eq!(of("st.shared.b32 [%rd1], %r1", "ld.global.nc.b32 %r2, [%rd2]"), 0);
    assert_eq!(of("st.local.b32 [%rd1], %r1", "ld.local.b32 %r2, [%rd2]"), 0);
    assert_eq!(of("ld.shared.b32 %r1, [%rd1]", "ldmatrix.sync.aligned.m8n8.x1.b16 {%r2}, [%rd2]"), 0);
}

/// The barrier that goes first leaves what it stood between to the next one.
#[test]
fn what_one_barrier_leaves_concerns_the_next() {
    let body = "st.shared.b32 [%rd1], %r1;\nbar.sync \t0;\nadd.s32 %r2, %r2, 1;\nbar.sync \t0;\nld.shared.b32 %r3, [%rd2];\nret;";
    assert_eq!(barriers(body), 1);
}

#[test]
fn a_loop_comes_back_to_its_beginning() {
    let body = "$L0:\nld.shared.b32 %r3, [%rd2];\nbar.sync \t0;\nadd.s32 %r1, %r1, 1;\nst.shared.b32 [%rd1], %r1;\nsetp.lt.u32 %p1, %r1, 9;\n@%p1 bra \t$L0;\nret;";
    assert_eq!(barriers(body), 1);
    let body = "$L0:\nst.shared.b32 [%rd1], %r1;\nbar.sync \t0;\nadd.s32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 9;\n@%p1 bra \t$L0;\nret;";
    assert_eq!(barriers(body), 1, "the store of the next turn comes after it");
    let body = "$L0:\nld.shared.b32 %r3, [%rd1];\nbar.sync \t0;\nadd.s32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 9;\n@%p1 bra \t$L0;\nret;";
    assert_eq!(barriers(body), 0);
}

/// A barrier of the cluster is one of the group, too, where its two halves follow each other.
#[test]
fn a_barrier_beside_one_of_the_cluster_goes() {
    let of = |cluster: &str| {
        let write = "st.shared.b32 [%rd1], %r1;";
        let (before, after) =
            (format!("{write}\nbar.sync \t0;\n{cluster}"), format!("{write}\n{cluster}\nbar.sync \t0;"));
        [before, after]
            .map(|body| barriers(&format!("{body}\nmapa.u64 %rd3, %rd2, %r2;\nld.b32 %r3, [%rd3];\nret;")))
    };
    assert_eq!(of("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;"), [0, 0]);
    assert_eq!(
        of("barrier.cluster.arrive.aligned;\nadd.s32 %r4, %r4, 1;\nbarrier.cluster.wait.aligned;"),
        [1, 1]
    );
    assert_eq!(of("barrier.cluster.arrive.aligned;\n$L0:\nbarrier.cluster.wait.aligned;"), [1, 1]);
    assert_eq!(of("@%p1 barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;"), [1, 1]);
    assert_eq!(of("barrier.cluster.arrive;\nbarrier.cluster.wait;"), [1, 1]);
}

#[test]
fn a_way_around_counts() {
    let body =
        "st.shared.b32 [%rd1], %r1;\nbar.sync \t0;\n@%p1 bra \t$L0;\nld.shared.b32 %r3, [%rd2];\n$L0:\nret;";
    assert_eq!(barriers(body), 1);
    let body =
        "@%p1 bra \t$L0;\nst.shared.b32 [%rd1], %r1;\n$L0:\nbar.sync \t0;\nld.shared.b32 %r3, [%rd2];\nret;";
    assert_eq!(barriers(body), 1);
}

#[test]
fn a_panic_concerns_nobody_and_a_call_that_returns_does() {
    let dying = "st.shared.b32 [%rd1], %r1;\nbar.sync \t0;\n@%p1 bra \t$L0;\nret;\n$L0:\n{ // callseq\n.param .b64 param0;\nst.param.b64 [param0], %rd4;\ncall.uni panic, (param0);\n} // callseq\nexit;\ntrap; exit;";
    assert_eq!(barriers(dying), 0);
    let returning = "st.shared.b32 [%rd1], %r1;\nbar.sync \t0;\ncall.uni helper, (param0);\nret;";
    assert_eq!(barriers(returning), 1);
}

#[test]
fn what_is_not_understood_stays() {
    assert_eq!(barriers("st.shared.b32 [%rd1], %r1;\n@%p1 bar.sync \t0;\nret;"), 1);
    assert_eq!(barriers("bar.sync \t1, 64;\nret;"), 1);
    assert_eq!(barriers("bar.sync \t0; ret;"), 1, "two in a line");
    assert_eq!(barriers("bar.sync \t0;\nbra \t$Nowhere;\nret;"), 1);
    assert_eq!(barriers("bar.sync \t0;\nbrx.idx \t%r1, $T;\nret;"), 1);
    assert_eq!(barriers("call.uni\nhelper;\nbar.sync \t0;\nret;"), 1, "a statement of two lines");
    let function = kernel("bar.sync \t0;\nret;").replace(".visible .entry", ".visible .func");
    assert_eq!(optimise(&function), function, "its caller isn't known");
}

#[test]
fn everything_else_is_copied() {
    let text = "// a module\n.version 7.0\n.target sm_80\n.global .u32 x = {1};\n\n.visible .entry k()\n{\n\tret;\n}\n// the end";
    assert_eq!(optimise(text), text);
    assert_eq!(optimise(""), "");
    assert_eq!(optimise("{\n\tbar.sync 0;\n"), "{\n\tbar.sync 0;\n", "no end");
}

#[test]
fn products_of_widened_numbers_are_narrow() {
    let body = "ld.param.b32 \t%rd1, [k_param_0];\ncvt.u64.u32 \t%rd2, %r1;\ncvt.u64.u32 \t%rd3, %r2;\nmul.lo.s64 \t%rd4, %rd2, %rd3;\nmul.lo.s64 \t%rd5, %rd1, %rd2;\nret;";
    let with = body.replace("ld.param", "mov.u32 \t%r1, %tid.x;\nmov.u32 \t%r2, %tid.y;\nld.param");
    let optimised = optimise(&kernel(&with));
    assert!(optimised.contains("\t{ mul.wide.u32 \t%rd4, %r1, %r2; }\n"), "{optimised}");
    assert!(
        optimised.contains("\t{ .reg .b32 %a; cvt.u32.u64 \t%a, %rd1; mul.wide.u32 \t%rd5, %a, %r1; }\n"),
        "{optimised}"
    );
    assert!(!optimised.contains("mul.lo"), "{optimised}");
    let optimised = optimise(&kernel(&with.replace("ret;", "mad.lo.s64 \t%rd6, %rd2, 132, %rd7;\nret;")));
    assert!(
        optimised.contains("\t{ .reg .b64 %c; mul.wide.u32 \t%c, %r1, 132; add.s64 \t%rd6, %c, %rd7; }\n"),
        "{optimised}"
    );
    let optimised = optimise(&kernel(&with.replace("ret;", "shl.b64 \t%rd6, %rd2, 2;\nret;")));
    assert!(optimised.contains("\t{ mul.wide.u32 \t%rd6, %r1, 4; }\n"), "{optimised}");
    let optimised = optimise(&kernel(&with.replace("ret;", "shl.b64 \t%rd6, %rd2, 32;\nret;")));
    assert!(optimised.contains("%rd2, 32"), "no factor of 32 bits: {optimised}");
    let optimised = optimise(&kernel(&with.replace("ret;", "mul.lo.s64 \t%rd6, %rd2, -132;\nret;")));
    assert!(optimised.contains("%rd2, -132"), "a negative number has 64 bits: {optimised}");
}

#[test]
fn a_row_beside_is_a_row_and_a_step() {
    let of = |step: &str, product: &str| {
        let body = format!(
            "mov.u32 \t%r1, %tid.x;\nmov.u32 \t%r2, %tid.y;\ncvt.u64.u32 \t%rd2, %r1;\ncvt.u64.u32 \t%rd3, %r2;\nadd.s64 \t%rd4, %rd2, {step};\n{product};\nret;"
        );
        optimise(&kernel(&body))
    };
    let next = "\t{ .reg .b64 %c; mul.wide.u32 \t%c, %r1, %r2; add.s64 \t%rd5, %c, %rd3; }\n";
    for product in ["mul.lo.s64 \t%rd5, %rd4, %rd3", "mul.lo.s64 \t%rd5, %rd3, %rd4"] {
        assert!(of("1", product).contains(next), "{product}");
        assert!(of("-1", product).contains(&next.replace("add", "sub")), "{product}");
        assert!(of("2", product).contains(product), "{product}");
        assert!(of("1;\nmov.b64 \t%rd4, %rd9", product).contains(product), "{product}");
    }
    assert!(of("-1", "mad.lo.s64 \t%rd5, %rd4, %rd3, %rd9").contains(
        "\t{ .reg .b64 %c; mul.wide.u32 \t%c, %r1, %r2; sub.s64 \t%c, %c, %rd3; add.s64 \t%rd5, %c, %rd9; }\n"
    ));
    assert!(of("1", "shl.b64 \t%rd5, %rd4, 2").contains("shl.b64"));
}

#[test]
fn products_of_what_changes_stay() {
    let of = |between: &str| {
        let body = format!(
            "mov.u32 \t%r1, %tid.x;\nmov.u32 \t%r2, %tid.y;\ncvt.u64.u32 \t%rd2, %r1;\ncvt.u64.u32 \t%rd3, %r2;\n{between};\nmul.lo.s64 \t%rd4, %rd2, %rd3;\nret;"
        );
        optimise(&kernel(&body)).contains("mul.lo.s64")
    };
    assert!(!of("add.s32 \t%r9, %r1, 1"));
    assert!(of("add.s32 \t%r1, %r1, 1"), "the narrow one changes");
    assert!(of("add.s64 \t%rd2, %rd2, 1"), "the wide one changes");
    assert!(of("@%p1 mov.b64 \t%rd3, 7"));
    assert!(of("mov.b64 \t{%r8, %r2}, %rd9"), "as a part of a vector");
    assert!(of("shfl.sync.idx.b32 \t%r2|%p1, %r5, %r6, 31, -1"));
    assert!(of("// begin inline asm\ncvt.u64.u32 %rd3, %r7;\n// end inline asm"));
}

#[test]
fn signed_widening_stays() {
    let body = "mov.u32 \t%r1, %tid.x;\nmov.u32 \t%r2, %tid.y;\ncvt.s64.s32 \t%rd2, %r1;\ncvt.u64.u32 \t%rd3, %r2;\nmul.lo.s64 \t%rd4, %rd2, %rd3;\nret;";
    assert!(optimise(&kernel(body)).contains("mul.lo.s64"));
}

/// What the device library writes for the value of lane `%r4`, in a kernel that goes on as given.
fn value_for_all(rest: &str) -> String {
    let vote = "mov.pred \t%p1, -1;\nvote.sync.ballot.b32 \t%r3, %p1, -1;";
    let mark = "// begin inline asm\n// unless threads end: mov.b32 %r5, %r4; without %r3";
    let code = "{ .reg .b32 %t; shf.r.wrap.b32 %t, %r3, %r3, %r4; add.u32 %r5, %r4, %t; }\n// end inline asm";
    kernel(&format!("{vote}\n{mark}\n{code}\nshfl.sync.idx.b32 \t%r6, %r7, %r5, 31, -1;\n{rest}"))
}

#[test]
fn where_no_thread_ends_a_value_is_of_the_lane_that_is_named() {
    let text = optimise(&value_for_all("ret;"));
    assert!(text.contains("\tmov.b32 %r5, %r4;\n"), "{text}");
    for gone in ["vote", "shf.r", "unless"] {
        assert!(!text.contains(gone), "{text}");
    }
    assert!(text.contains("shfl.sync.idx.b32 \t%r6, %r7, %r5, 31, -1;"), "{text}");
}

#[test]
fn where_a_thread_may_end_a_value_is_of_a_lane_that_lives() {
    for rest in [
        "exit;",
        "@%p2 exit;\nret;",
        "trap;",
        "trap; exit;",
        "{ // callseq 0, 0\ncall.uni panics, ();\n} // callseq 0\nret;",
        "{ call (%r8), %rd1, (), prototype_0; }\nret;",
    ] {
        let ptx = value_for_all(rest);
        assert_eq!(optimise(&ptx), ptx, "{rest}");
    }
}

#[test]
fn a_call_of_what_ends_no_thread_ends_none() {
    let function = |name: &str, body: &str| {
        format!(".func  (.param .b32 func_retval0) {name}(\n\t.param .b32 a\n)\n{{\n{body}\n}}\n")
    };
    let outer = function("outer", "\tcall.uni (retval0), inner, (param0);\n\tret;");
    let calls = value_for_all("call.uni (retval0), outer, (param0);\nret;");
    let quiet = format!("{}{outer}{calls}", function("inner", "\tret;"));
    assert!(!optimise(&quiet).contains("vote"), "{quiet}");
    let ends = format!("{}{outer}{calls}", function("inner", "\t@%p1 exit;\n\tret;"));
    assert_eq!(optimise(&ends), ends);
    let unknown = format!("{outer}{calls}");
    assert_eq!(optimise(&unknown), unknown);
    let plain = format!(".func plain()\n{{\n\tret;\n}}\n{}", value_for_all("call.uni plain, ();\nret;"));
    assert!(!optimise(&plain).contains("vote"), "{plain}");
}

#[test]
fn a_function_may_be_called_where_threads_have_ended() {
    let function = value_for_all("ret;").replace(".visible .entry k(", ".func k(");
    assert_eq!(optimise(&function), function);
}

#[test]
fn a_vote_that_is_read_elsewhere_stays() {
    let text = optimise(&value_for_all("popc.b32 \t%r8, %r3;\nret;"));
    assert!(text.contains("vote") && !text.contains("shf.r"), "{text}");
    // Two values of one vote.
    let once = value_for_all("ret;");
    let (_, again) = once.split_once("-1;\n\tvote").expect("a vote");
    let (_, again) = again.split_once('\n').expect("its end");
    let twice = once.replace("\tret;\n}\n", &again.replace("%r5", "%r9"));
    let text = optimise(&twice);
    assert!(!text.contains("vote") && text.contains("mov.b32 %r9, %r4;"), "{text}");
}

#[test]
fn only_one_kernel_of_several_ends_threads() {
    let (quiet, ends) = (value_for_all("ret;"), value_for_all("exit;").replace(" k(", " l("));
    let text = optimise(&format!("{quiet}{ends}"));
    assert_eq!((text.matches("vote").count(), text.matches("unless").count()), (1, 1), "{text}");
}

/// The last address of statements, without blanks.
fn address(body: &str) -> String {
    let text = optimise(&kernel(&format!("{body}\nst.global.b32 [%rd9], %r9;\nret;")));
    let line = text.lines().rev().find(|line| line.contains("%rd9,")).expect("an address");
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_column_is_added_to_its_row_before_both_are_bytes() {
    let row = "mul.wide.u32 %rd1, %r1, %r2;\nshl.b64 %rd2, %rd1, 2;\nadd.s64 %rd3, %rd4, %rd2;";
    let given =
        "mov.u32 %r1, %tid.y;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\nld.param.b64 %rd4, [k_param_0];";
    let col = "mul.wide.u32 %rd5, %r3, 4;\nadd.s64 %rd9, %rd3, %rd5;";
    let joined = "{ .reg .b64 %row, %col; cvt.u64.u32 %col, %r3; add.s64 %row, %rd1, %col; shl.b64 %row, %row, 2; \
                  add.s64 %rd9, %rd4, %row; }";
    assert_eq!(address(&format!("{given}\n{row}\n{col}")), joined);
    // Of a column that is wide already, and the sums the other way around.
    let other = "cvt.u64.u32 %rd6, %r3;\nshl.b64 %rd5, %rd6, 2;\nadd.s64 %rd9, %rd5, %rd3;";
    let joined = "{ .reg .b64 %row, %col; add.s64 %row, %rd1, %rd6; shl.b64 %row, %row, 2; add.s64 %rd9, %rd4, %row; }";
    assert_eq!(address(&format!("{given}\n{row}\n{other}")), joined);
}

#[test]
fn a_tile_of_shared_memory_is_indexed_before_it_is_addressed() {
    let given = "mov.u32 %r1, %tid.y;\nmov.u32 %r3, %tid.x;\nmov.b64 %rd4, shared;\ncvt.u64.u32 %rd1, %r1;";
    let col = "mul.wide.u32 %rd5, %r3, 4;\nadd.s64 %rd9, %rd3, %rd5;";
    for (row, times) in [
        ("shl.b64 %rd2, %rd1, 7;\nadd.s64 %rd3, %rd4, %rd2;", "mul.lo.s64 %row, %rd1, 32;"),
        ("mul.wide.u32 %rd2, %r1, 128;\nadd.s64 %rd3, %rd2, %rd4;", "mul.wide.u32 %row, %r1, 32;"),
        ("mad.lo.s64 %rd3, %rd1, 132, %rd4;", "mul.lo.s64 %row, %rd1, 33;"),
    ] {
        let text = address(&format!("{given}\n{row}\n{col}"));
        assert!(
            text.contains(times) && text.contains("shl.b64 %row, %row, 2; add.s64 %rd9, %rd4, %row;"),
            "{text}"
        );
    }
}

#[test]
fn a_row_that_others_use_or_that_a_loop_has_made_stays() {
    let given =
        "mov.u32 %r1, %tid.y;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\nld.param.b64 %rd4, [k_param_0];";
    let row = "mul.wide.u32 %rd1, %r1, %r2;\nshl.b64 %rd2, %rd1, 2;\nadd.s64 %rd3, %rd4, %rd2;";
    let col = "mul.wide.u32 %rd5, %r3, 4;\nadd.s64 %rd9, %rd3, %rd5;";
    let stays = "add.s64 %rd9, %rd3, %rd5;";
    for between in [
        "ld.global.b32 %r8, [%rd3+4];",
        "$L__BB0_1:",
        "@%p1 bra $L__BB0_2;\nmov.b32 %r8, 1;\n$L__BB0_2:",
        "add.s64 %rd3, %rd3, 8;",
        "@%p1 mov.b64 %rd1, 0;",
    ] {
        assert_eq!(address(&format!("{given}\n{row}\n{between}\n{col}")), stays, "{between}");
    }
    // Nor a row of other multiples than the column's.
    let row = "mul.wide.u32 %rd1, %r1, %r2;\nshl.b64 %rd2, %rd1, 1;\nadd.s64 %rd3, %rd4, %rd2;";
    assert_eq!(address(&format!("{given}\n{row}\n{col}")), stays);
    // Nor where the row is no product, whose sum with the column would be an instruction.
    let row = "cvt.u64.u32 %rd1, %r1;\nshl.b64 %rd2, %rd1, 2;\nadd.s64 %rd3, %rd4, %rd2;";
    assert_eq!(address(&format!("{given}\n{row}\n{col}")), stays);
}
