use super::*;

/// The body of a function of two arguments, mended.
fn mended(family: Family, body: &str) -> String {
    let ir = format!("define i64 @\"f\"(i64 %a, i64 %b) {{\nstart:\n{body}}}\n");
    let mended = mend(family, &ir);
    let start = mended.ir.find("start:\n").unwrap() + "start:\n".len();
    let end = start + mended.ir[start..].find("}\n").unwrap();
    mended.ir[start..end].to_owned()
}

#[test]
fn what_has_no_wrong_form_stays_as_it_is() {
    let ir = "; a comment\ndefine void @f() {\nstart:\n  %x = add nuw i32 %a, 1\n  ret void\n}\n\nattributes #0 = { nounwind }";
    for family in [Family::Nvidia, Family::Amd] {
        let mended = mend(family, ir);
        assert!(matches!(mended.ir, Cow::Borrowed(same) if same == ir));
        assert!(mended.found.is_empty());
    }
}

#[test]
fn a_form_is_named_with_its_function() {
    let ir = "define float @\"a::b\"(float %x) {\n  %r = frem float %x, %x\n  ret float %r\n}\n";
    let found = mend(Family::Nvidia, ir).found;
    assert_eq!(found.into_iter().collect::<Vec<_>>(), [("a remainder of floats", "a::b")]);
}

#[test]
fn division_on_amd_is_of_values_of_which_nothing_is_known() {
    assert_eq!(
        mended(Family::Amd, "  %q = udiv i32 %x, %y, !dbg !3\n"),
        "  %gridwright.1 = call i32 asm \"s_mov_b32 $0, 0\", \"=s\"()\n  %gridwright.2 = or i32 %x, %gridwright.1\n  %q = udiv i32 \
         %gridwright.2, %y, !dbg !3\n"
    );
    let wide = mended(Family::Amd, "  %q = urem i64 %x, %y\n");
    assert!(wide.contains("zext i32 %gridwright.1 to i64"), "{wide}");
    let signed = mended(Family::Amd, "  %q = srem i64 %x, %y\n");
    assert!(signed.contains(" = urem i64 ") && signed.contains("ashr i64 %x, 63"), "{signed}");
    let narrow = mended(Family::Amd, "  %q = sdiv i16 %x, %y\n");
    assert!(
        narrow.contains("sext i16 %y to i32") && narrow.ends_with("%q = trunc i32 %gridwright.5 to i16\n"),
        "{narrow}"
    );
    let vector = mended(Family::Amd, "  %q = udiv <2 x i32> %x, %y\n");
    assert!(vector.contains("shufflevector <2 x i32>"), "{vector}");
    assert_eq!(mended(Family::Amd, "  %q = udiv i32 %x, 10\n"), "  %q = udiv i32 %x, 10\n");
    assert_eq!(mended(Family::Nvidia, "  %q = udiv i32 %x, %y\n"), "  %q = udiv i32 %x, %y\n");
}

#[test]
fn zero_minus_a_float_on_amd_is_no_negation() {
    let single = mended(Family::Amd, "  %d = fsub float 0.000000e+00, %x\n");
    assert!(single.ends_with("  %d = fsub float %gridwright.2, %x\n"), "{single}");
    assert!(mended(Family::Amd, "  %d = fsub double 0.000000e+00, %x\n").contains("bitcast i64"));
    for same in [
        "  %d = fsub float -0.000000e+00, %x\n",
        "  %d = fsub nsz float 0.000000e+00, %x\n",
        "  %d = fsub float %y, %x\n",
    ] {
        assert_eq!(mended(Family::Amd, same), same);
    }
}

#[test]
fn a_guarded_shift_on_nvidia_keeps_a_guard_of_64_bits() {
    let guard = |kind: &str| {
        format!("  %c = icmp ult {kind} %b, 64\n  %s = shl i64 %a, %n\n  %r = select i1 %c, i64 %s, i64 0\n")
    };
    let wide = mended(Family::Nvidia, &guard("i64"));
    assert!(wide.contains("asm \"mov.b64 $0, $1;\", \"=l,l\"(i64 %s)"), "{wide}");
    assert!(wide.ends_with("%r = select i1 %c, i64 %gridwright.1, i64 0\n"), "{wide}");
    assert_eq!(mended(Family::Nvidia, &guard("i32")), guard("i32"));
}

#[test]
fn a_remainder_of_floats_on_nvidia_is_a_call() {
    let ir = "define double @f(double %x) {\n  %r = frem double %x, %x\n  %s = frem <2 x float> %v, %w\n  ret double %r\n}\n";
    let mended = mend(Family::Nvidia, ir);
    assert!(mended.ir.contains("%r = call double @gridwright.remainder.f64(double %x, double %x)"));
    assert_eq!(mended.ir.matches("call float @gridwright.remainder.f32(").count(), 2);
    assert_eq!(mended.ir.matches("define internal").count(), 2);
}

#[test]
fn a_product_of_bytes_on_amd_is_hidden_from_a_sum_unless_that_is_of_four() {
    let square =
        "  %p = and i32 %x, 255\n  %q = mul i32 %p, %p\n  %m = and i32 %q, 1\n  %s = add i32 %q, %m\n";
    assert!(mended(Family::Amd, square).contains("%q = mul i32 %gridwright.3, %p"));
    let alone = "  %p = and i32 %x, 255\n  %q = mul i32 %p, %p\n  %m = shl i32 %q, 1\n";
    assert_eq!(mended(Family::Amd, alone), alone);
    let four: String = (0..4)
        .map(|n| format!("  %a{n} = and i32 %x{n}, 255\n  %b{n} = zext i8 %y{n} to i32\n  %q{n} = mul i32 %a{n}, %b{n}\n"))
        .collect();
    let sum = "  %s1 = add i32 %q0, %q1\n  %s2 = add i32 %s1, %q2\n  %s3 = add i32 %s2, %q3\n  %s4 = add i32 %s3, %c\n";
    let four = format!("{four}{sum}");
    assert_eq!(mended(Family::Amd, &four), four);
}

#[test]
fn a_choice_between_loaded_values_is_a_defined_one() {
    let loads = "  %l = load i32, ptr %p, align 4\n  %m = load i32, ptr %q, align 4\n";
    let chosen = format!("{loads}  %r = select i1 %c, i32 %l, i32 %m\n");
    for family in [Family::Nvidia, Family::Amd] {
        let mended = mended(family, &chosen);
        assert!(
            mended.ends_with("freeze i1 %c\n  %r = select i1 %gridwright.1, i32 %l, i32 %m\n"),
            "{mended}"
        );
    }
    let other = format!("{loads}  %r = select i1 %c, i32 %l, i32 7\n");
    assert_eq!(mended(Family::Amd, &other), other);
}
