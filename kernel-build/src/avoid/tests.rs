use super::avoid;

/// A kernel of these statements.
fn kernel(body: &str) -> String {
    let lines: String = body.lines().map(|line| format!("\t{}\n", line.trim())).collect();
    format!(
        ".version 7.0\n.visible .entry k(\n\t.param .u32 k_param_0\n)\n{{\n\t.reg .b64 \t%rd<9>;\n\n{lines}}}\n"
    )
}

/// The statements of the kernel, after the declaration.
fn avoided(body: &str) -> String {
    let text = avoid(&kernel(body));
    let start = text.find("\n\n").unwrap() + 2;
    text[start..text.rfind('}').unwrap()].lines().map(|line| format!("{}\n", line.trim())).collect()
}

fn stays(body: &str) -> bool {
    avoid(&kernel(body)) == kernel(body)
}

#[test]
fn a_difference_of_shifts_is_made_in_halves() {
    let shifts = "shl.b64 \t%rd2, %rd1, 31;\nshr.u64 \t%rd3, %rd1, 33;\n";
    assert_eq!(
        avoided(&format!("{shifts}sub.s64 \t%rd4, %rd2, %rd3;")),
        format!(
            "{shifts}{{ .reg .b32 %avoid_low<2>, %avoid_high<2>; mov.b64 \t{{%avoid_low0, %avoid_high0}}, %rd2; mov.b64 \t{{%avoid_low1, %avoid_high1}}, %rd3; sub.cc.u32 \t%avoid_low0, \
             %avoid_low0, %avoid_low1; subc.u32 \t%avoid_high0, %avoid_high0, %avoid_high1; mov.b64 \t%rd4, {{%avoid_low0, %avoid_high0}}; }}\n"
        )
    );
    assert!(avoided(&format!("{shifts}sub.s64 \t%rd4, %rd3, %rd2;")).contains("sub.cc.u32"));
    let copied = format!("{shifts}mov.b64 \t%rd5, %rd3;\nsub.s64 \t%rd4, %rd2, %rd5;");
    assert!(avoided(&copied).contains("sub.cc.u32"));
    let negated = format!("{shifts}neg.s64 \t%rd5, %rd3;\nadd.s64 \t%rd4, %rd2, %rd5;");
    assert!(avoided(&negated).contains("add.cc.u32"));
}

#[test]
fn a_sum_with_a_signed_shift_is_made_in_halves() {
    let shifts = "shl.b64 \t%rd2, %rd1, 8;\nshr.s64 \t%rd3, %rd1, 56;\n";
    for sum in ["add.s64 \t%rd4, %rd2, %rd3;", "add.s64 \t%rd4, %rd3, %rd2;"] {
        assert!(avoided(&format!("{shifts}{sum}")).contains("add.cc.u32"), "{sum}");
    }
}

#[test]
fn true_rotations_and_other_shifts_stay() {
    assert!(stays("shl.b64 \t%rd2, %rd1, 31;\nshr.u64 \t%rd3, %rd1, 33;\nadd.s64 \t%rd4, %rd2, %rd3;"));
    assert!(stays("shl.b64 \t%rd2, %rd1, 31;\nshr.s64 \t%rd3, %rd1, 33;\nxor.b64 \t%rd4, %rd2, %rd3;"));
    assert!(stays("shl.b64 \t%rd2, %rd1, 31;\nshr.u64 \t%rd3, %rd1, 32;\nsub.s64 \t%rd4, %rd2, %rd3;"));
    assert!(stays("shl.b64 \t%rd2, %rd1, 31;\nshr.u64 \t%rd3, %rd1, %r1;\nsub.s64 \t%rd4, %rd2, %rd3;"));
    assert!(stays("shl.b32 \t%r2, %r1, 8;\nshr.s32 \t%r3, %r1, 24;\nsub.s32 \t%r4, %r2, %r3;"));
}

#[test]
fn halves_are_negated_in_words() {
    let negated = "{ .reg .b32 %avoid_wide; cvt.s32.s16 \t%avoid_wide, %rs1; neg.s32 \t%avoid_wide, %avoid_wide; cvt.u16.u32 \t%rs2, %avoid_wide; }\n";
    assert_eq!(avoided("neg.s16 \t%rs2, %rs1;"), negated);
    assert_eq!(avoided("sub.s16 \t%rs2, 0, %rs1;"), negated);
    assert_eq!(
        avoided("mov.b16 \t%rs3, 0;\nsub.s16 \t%rs2, %rs3, %rs1;"),
        format!("mov.b16 \t%rs3, 0;\n{negated}")
    );
    // The register is a byte of memory on another way.
    assert!(stays("mov.b16 \t%rs3, 0;\n@%p1 ld.global.b8 \t%rs3, [%rd1];\nsub.s16 \t%rs2, %rs3, %rs1;"));
    assert_eq!(avoided("abs.s16 \t%rs2, %rs1;"), negated.replace("neg", "abs"));
    assert!(stays("sub.s16 \t%rs2, 1, %rs1;\nsub.s16 \t%rs3, %rs2, %rs1;\nadd.s16 \t%rs4, %rs1, 0;"));
}

#[test]
fn halves_of_which_only_16_bits_are_read_stay() {
    assert!(stays("abs.s16 \t%rs2, %rs1;\nadd.s16 \t%rs3, %rs2, %rs4;\nst.global.b16 \t[%rd1], %rs2;"));
    assert!(!stays("abs.s16 \t%rs2, %rs1;\nadd.s16 \t%rs3, %rs2, %rs4;\ncvt.u32.u16 \t%r1, %rs2;"));
}

#[test]
fn a_predicate_is_of_the_last_statement() {
    assert_eq!(
        avoided("@%p1 neg.s16 \t%rs2, %rs1;"),
        "{ .reg .b32 %avoid_wide; cvt.s32.s16 \t%avoid_wide, %rs1; neg.s32 \t%avoid_wide, %avoid_wide; @%p1 cvt.u16.u32 \t%rs2, %avoid_wide; }\n"
    );
}

#[test]
fn what_is_negated_for_a_maximum_of_three_is_no_negation() {
    let negated = "{ .reg .b32 %avoid_less; add.s32 \t%avoid_less, %r1, -1; not.b32 \t%r2, %avoid_less; }\n";
    for chain in [
        "max.s32 \t%r4, %r3, %r2;\nmax.s32 \t%r6, %r4, %r5;\n",
        "min.s32 \t%r4, %r2, %r3;\nmin.s32 \t%r6, %r5, %r4;\n",
        "max.s32 \t%r4, %r3, %r5;\nmax.s32 \t%r6, %r4, %r2;\n",
        "max.s32 \t%r4, %r3, %r2;\nmov.b32 \t%r7, %r4;\nmax.s32 \t%r6, %r7, 9;\n",
    ] {
        assert_eq!(avoided(&format!("neg.s32 \t%r2, %r1;\n{chain}")), format!("{negated}{chain}"));
        assert_eq!(avoided(&format!("sub.s32 \t%r2, 0, %r1;\n{chain}")), format!("{negated}{chain}"));
    }
}

#[test]
fn what_is_subtracted_from_a_register_that_may_hold_zero_is_no_negation() {
    let chain = "max.s32 \t%r4, %r3, %r2;\nmax.s32 \t%r6, %r4, %r5;";
    assert!(stays(&format!(
        "mov.b32 \t%r8, 0;\n@%p1 ld.global.b32 \t%r8, [%rd1];\nsub.s32 \t%r2, %r8, %r1;\n{chain}"
    )));
}

#[test]
fn negations_elsewhere_stay() {
    assert!(
        stays("neg.s32 \t%r2, %r1;\nmax.s32 \t%r4, %r3, %r2;\nadd.s32 \t%r5, %r4, %r2;"),
        "a maximum of two"
    );
    assert!(stays(
        "neg.s32 \t%r2, %r1;\nadd.s32 \t%r3, %r2, 1;\nmax.s32 \t%r4, %r3, %r5;\nmax.s32 \t%r6, %r4, %r7;"
    ));
    assert!(stays("abs.s32 \t%r2, %r1;\nmax.s32 \t%r4, %r3, %r2;\nmax.s32 \t%r6, %r4, %r5;"));
    assert!(stays("neg.s32 \t%r2, %r1;\nmax.s32 \t%r4, %r3, %r2;\nmin.s32 \t%r6, %r4, %r5;"), "a clamp");
}

#[test]
fn the_smallest_number_is_subtracted_by_a_minimum() {
    assert_eq!(
        avoided("sub.sat.s32 \t%r2, %r1, -2147483648;"),
        "{ .reg .b32 %avoid_sum; xor.b32 \t%avoid_sum, %r1, -2147483648; min.u32 \t%r2, %avoid_sum, 2147483647; }\n"
    );
    assert!(
        avoided("mov.b32 \t%r3, -2147483648;\nsub.sat.s32 \t%r2, %r1, %r3;")
            .contains("selp.b32 \t%r2, %avoid_t3, %avoid_t0, %avoid_wraps;")
    );
    assert!(stays("sub.sat.s32 \t%r2, %r1, -2147483647;\nsub.sat.s32 \t%r3, %r1, %r2;"));
}

#[test]
fn all_ones_that_meet_one_are_filled_in() {
    let of = |before: &str, after: &str| {
        avoided(&format!("{before}\n@%p1 bra \t$L__BB0_1;\nmov.b32 \t%r2, -1;\n$L__BB0_1:\n{after}"))
    };
    let written = "{ prmt.b32 \t%r2, 128, 0, 0x8888; }";
    assert!(of("mov.b32 \t%r2, 1065353216;", "ret;").contains(written));
    assert!(of("mov.b32 \t%r2, 0f3F800000;", "ret;").contains(written));
    assert!(of("mov.b32 \t%r3, 1065353216;", "mov.b32 \t%r3, %r2;").contains(written));
    assert!(of("mov.b32 \t%r3, 1065353216;\nmov.b32 \t%r2, %r3;", "ret;").contains(written));
    assert!(!of("mov.b32 \t%r2, 1;", "ret;").contains("prmt"));
    assert!(!of("mov.b32 \t%r3, 1065353216;", "ret;").contains("prmt"));
}

#[test]
fn a_signed_shift_of_a_set_sign_is_a_field() {
    let shifted = "{ bfe.s32 \t%r3, %r2, 3, 29; }\n";
    for set in ["or.b32 \t%r2, %r1, -2147483648;", "not.b32 \t%r2, %r1;", "xor.b32 \t%r2, %r1, -16;"] {
        assert_eq!(avoided(&format!("{set}\nshr.s32 \t%r3, %r2, 3;")), format!("{set}\n{shifted}"));
        assert!(stays(&format!(
            "{set}\nshr.u32 \t%r3, %r2, 3;\nshr.s32 \t%r4, %r2, %r5;\nshr.s32 \t%r4, %r2, 0;"
        )));
    }
    assert!(stays("or.b32 \t%r2, %r1, 1;\nshr.s32 \t%r3, %r2, 3;"));
}

#[test]
fn several_statements_of_a_line_are_found() {
    let line = "{ .reg .b16 %h; mov.b16 \t%h, %rs1; neg.s16 \t%rs2, %h; }";
    let expected = "{ .reg .b16 %h; mov.b16 \t%h, %rs1; { .reg .b32 %avoid_wide; cvt.s32.s16 \t%avoid_wide, %h; neg.s32 \t%avoid_wide, %avoid_wide; cvt.u16.u32 \t%rs2, %avoid_wide; } }\n";
    assert_eq!(avoided(line), expected);
}

#[test]
fn comments_labels_and_line_numbers_are_no_statements() {
    let before = "// neg.s16 \t%rs2, %rs1;\n/* neg.s16 \t%rs2, %rs1; */\n.loc\t1 2 3\n$L__BB0_1:";
    assert!(stays(&format!("{before}\nret;")));
    let text = avoided(&format!("{before}\nneg.s16 \t%rs2, %rs1; // as it was"));
    assert!(text.starts_with(before) && text.ends_with("%avoid_wide; } // as it was\n"), "{text}");
    assert!(text.contains("neg.s32"), "{text}");
}

#[test]
fn registers_of_another_function_are_others() {
    let first = kernel("shl.b64 \t%rd2, %rd1, 31;\nret;");
    let second = kernel("shr.u64 \t%rd3, %rd1, 33;\nsub.s64 \t%rd4, %rd2, %rd3;\nret;");
    let text = first + &second;
    assert_eq!(avoid(&text), text);
}

/// What comes of one of them is a vector's part, or of several lines, as products of matrices are.
#[test]
fn text_without_the_forms_stays_as_it_is() {
    assert!(stays(
        "mov.b64 \t{%r1, %r2}, %rd9;\nshfl.sync.idx.b32 \t%r2|%p1, %r5, %r6, 31, -1;\nst.shared.b32 [%rd1], %r1;"
    ));
    assert!(stays(
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64\n{%rd3, %rd4},\n{%rd5},\n{%rd6},\n{%rd3, %rd4};\nret;"
    ));
    assert!(stays(
        "{ // callseq 0, 0\n.param .b64 param0;\nst.param.b64 [param0], %rd4;\ncall.uni panic, (param0);\n} // callseq 0"
    ));
    for text in [
        "",
        "{\n\tneg.s16",
        "// a module\n.version 7.0\n.global .u32 x = {1};\n.visible .entry k()\n{\n\tret;\n}\n// the end",
    ] {
        assert_eq!(avoid(text), text);
    }
}

#[test]
fn a_clamp_that_begins_with_the_minimum_takes_its_maximum_of_bits() {
    let minimum = "min.f32 \t%r2, %r1, 0f3F800000;\n";
    // Right for NaN, too, which the register may hold where it is set a second time.
    let maximum = "{ .reg .b32 %avoid_bits; .reg .pred %avoid_number; mov.b32 \t%avoid_bits, %r2; max.s32 \t%avoid_bits, %avoid_bits, 0; setp.num.f32 \t%avoid_number, %r2, %r2; \
                   selp.b32 \t%avoid_bits, %avoid_bits, 0, %avoid_number; mov.b32 \t%r3, %avoid_bits; }\n";
    assert_eq!(avoided(&format!("{minimum}max.f32 \t%r3, %r2, 0f00000000;")), format!("{minimum}{maximum}"));
    assert_eq!(avoided(&format!("{minimum}max.f32 \t%r3, 0f00000000, %r2;")), format!("{minimum}{maximum}"));
    // The other order is right as one instruction, and other bounds are no such instruction.
    assert!(stays("max.f32 \t%r2, %r1, 0f00000000;\nmin.f32 \t%r3, %r2, 0f3F800000;"));
    assert!(stays("min.f32 \t%r2, %r1, 0f40000000;\nmax.f32 \t%r3, %r2, 0f00000000;"));
    assert!(stays("min.f32 \t%r2, %r1, 0f3F800000;\nmax.f32 \t%r3, %r2, 0fBF800000;"));
}
