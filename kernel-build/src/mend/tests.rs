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
fn division_of_32_bits_on_amd_is_a_function() {
    assert_eq!(
        mended(Family::Amd, "  %q = udiv i32 %x, %y, !dbg !3\n"),
        "  %q = call i32 @gridwright.quotient.u32(i32 %x, i32 %y)\n"
    );
    let signed = mended(Family::Amd, "  %q = srem i32 %x, %y\n");
    assert!(signed.contains("@gridwright.rest.u32(i32 %gridwright.1, i32 %gridwright.2)"), "{signed}");
    assert!(signed.contains("ashr i32 %x, 31"), "{signed}");
    let vector = mended(Family::Amd, "  %q = udiv <2 x i32> %x, %y\n");
    assert_eq!(vector.matches("call i32 @gridwright.quotient.u32").count(), 2, "{vector}");
}

#[test]
fn division_of_other_widths_on_amd_hides_what_is_narrow() {
    let wide = mended(Family::Amd, "  %q = urem i64 %x, %y\n");
    assert!(wide.ends_with("  %q = urem i64 %gridwright.3, %y\n"), "{wide}");
    let signed = mended(Family::Amd, "  %q = sdiv i64 %x, %y\n");
    assert!(signed.contains(" = udiv i64 ") && signed.contains("call i64 @llvm.abs.i64"), "{signed}");
    let narrow = mended(Family::Amd, "  %q = sdiv i16 %x, %y\n");
    assert!(narrow.starts_with("  %gridwright.1 = sext i16 %x to i32\n"), "{narrow}");
    assert!(narrow.ends_with("  %q = trunc i32 %gridwright.3 to i16\n"), "{narrow}");
    let widened = "  %u = zext i32 %x to i64\n  %v = zext i32 %y to i64\n  %q = udiv i64 %u, %v\n";
    assert!(mended(Family::Amd, widened).contains("call i32 @gridwright.quotient.u32"));
}

#[test]
fn division_that_is_right_stays() {
    for same in [
        "  %q = udiv i32 %x, 10\n",
        "  %q = udiv i16 %x, %y\n",
        "  %n = and i32 %x, 4194303\n  %q = urem i32 %n, %y\n",
        "  %n = tail call noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()\n  %q = udiv i32 %n, %y\n",
    ] {
        assert_eq!(mended(Family::Amd, same), same);
    }
    assert_eq!(mended(Family::Nvidia, "  %q = udiv i32 %x, %y\n"), "  %q = udiv i32 %x, %y\n");
    let wider = "  %n = and i32 %x, 8388607\n  %q = urem i32 %n, %y\n";
    assert_ne!(mended(Family::Amd, wider), wider);
}

#[test]
fn zero_minus_a_float_on_amd_is_no_negation() {
    let single = mended(Family::Amd, "  %d = fsub float 0.000000e+00, %x\n");
    assert!(single.ends_with("  %d = fsub float %gridwright.2, %x\n"), "{single}");
    let sum = mended(Family::Amd, "  %n = fneg float %x\n  %d = fadd float %n, 0.000000e+00\n");
    assert!(sum.ends_with("  %d = fsub float %gridwright.2, %x\n"), "{sum}");
    assert!(mended(Family::Amd, "  %d = fsub half 0xH0000, %x\n").contains("bitcast i16"));
    for same in [
        "  %d = fsub double 0.000000e+00, %x\n",
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
    let more = "  %d = and i1 %c, %e\n  %s = lshr i32 %a, %n\n  %r = select i1 %d, i32 %s, i32 0\n";
    assert!(mended(Family::Nvidia, more).contains("\"=r,r\"(i32 %s)"));
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
    let parts = "  %v = zext <4 x i8> %x to <4 x i32>\n  %p = extractelement <4 x i32> %v, i64 0\n  %n = add i32 %p, -3\n  %q = mul i32 %p, \
                 %n\n  %s = add i32 %q, %y\n";
    assert!(mended(Family::Amd, parts).contains("%q = mul i32 %gridwright.3, %n"));
    let wide = "  %x = load i32, ptr %a, align 4\n  %q = mul i32 %x, 3\n  %s = add i32 %q, %y\n";
    assert_eq!(mended(Family::Amd, wide), wide);
    let sizes = "  %v = load <2 x i16>, ptr %a, align 2\n  %e = extractelement <2 x i16> %v, i64 0\n  %p = zext i16 %e to i32\n  %i = tail \
                 call i32 @id()\n  %q = mul i32 %p, %i\n  %s = add i32 %q, %y\n";
    assert_eq!(mended(Family::Amd, sizes), sizes);
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

#[test]
fn the_carry_of_a_second_sum_on_amd_is_its_own() {
    let sums = "  %p = add i32 %x, %y\n  %z = zext i1 %c to i32\n  %s = add i32 %p, %z\n";
    let looked_at = format!("{sums}  %o = icmp ult i32 %s, %p\n");
    assert!(mended(Family::Amd, &looked_at).contains("  %s = add i32 %gridwright.2, %z\n"));
    let both = format!("{looked_at}  %q = icmp ult i32 %p, %x\n");
    for same in [sums, &both] {
        assert_eq!(mended(Family::Amd, same), same);
    }
}

#[test]
fn halves_on_amd_are_shifted_by_a_number_that_is_not_known() {
    let shift = mended(Family::Amd, "  %s = ashr exact i16 %x, 8\n");
    assert!(shift.ends_with("  %s = ashr i16 %x, %gridwright.2\n"), "{shift}");
    let three = mended(Family::Amd, "  %s = ashr <3 x i16> %x, splat (i16 8)\n");
    assert_eq!(three.matches("= ashr i16 ").count(), 3, "{three}");
    let quotient = mended(Family::Amd, "  %s = sdiv i16 %x, 300\n");
    assert!(quotient.contains("sext i16 300 to i32") && quotient.contains("sdiv i32"), "{quotient}");
    for same in [
        "  %s = ashr i16 %x, 7\n",
        "  %s = ashr <2 x i16> %x, splat (i16 8)\n",
        "  %s = ashr i32 %x, 8\n",
        "  %s = lshr i16 %x, 8\n",
    ] {
        assert_eq!(mended(Family::Amd, same), same);
    }
}

#[test]
fn floats_and_integers_of_128_bits_are_converted_by_functions() {
    for family in [Family::Nvidia, Family::Amd] {
        let saturating = mended(family, "  %r = tail call i128 @llvm.fptosi.sat.i128.f64(double %x)\n");
        assert!(saturating.contains("call i128 @gridwright.u128.of.double(double %x)"), "{saturating}");
        assert!(mended(family, "  %r = fptoui half %x to i128\n").contains("fpext half %x to float"));
        let back = mended(family, "  %r = uitofp nneg i128 %x to float\n");
        assert!(back.contains("%r = call float @gridwright.float.of.u128(i128 %x)"), "{back}");
        let signed = mended(family, "  %r = sitofp i128 %x to double\n");
        assert!(signed.contains("@llvm.abs.i128(i128 %x") && signed.contains("%r = select i1"), "{signed}");
        for same in [
            "  %r = uitofp i64 %x to float\n",
            "  %r = tail call i64 @llvm.fptosi.sat.i64.f64(double %x)\n",
            "  %r = fptosi float %x to i32\n",
        ] {
            assert_eq!(mended(family, same), same);
        }
    }
}
