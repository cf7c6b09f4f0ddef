use super::{Bf16, Bf16x2, F16, F16x2};

#[test]
fn constants_are_what_they_are_called() {
    let values = [F16::ZERO, F16::ONE, F16::MAX, F16::MIN_POSITIVE, F16::EPSILON, F16::INFINITY];
    assert_eq!(values.map(F16::to_f32), [0.0, 1.0, 65504.0, 1.0 / 16384.0, 1.0 / 1024.0, f32::INFINITY]);
    let values = [Bf16::ZERO, Bf16::ONE, Bf16::MAX, Bf16::MIN_POSITIVE, Bf16::EPSILON, Bf16::INFINITY];
    let max = f32::MAX * (1.0 - 1.0 / 256.0) / (1.0 - 1.0 / 16_777_216.0);
    assert_eq!(values.map(Bf16::to_f32), [0.0, 1.0, max, f32::MIN_POSITIVE, 1.0 / 128.0, f32::INFINITY]);
    assert!(F16::NAN.is_nan() && Bf16::NAN.is_nan());
}

#[test]
fn each_number_of_16_bits_survives_32() {
    for bits in 0..=u16::MAX {
        let (half, brain) = (F16::from_bits(bits), Bf16::from_bits(bits));
        assert!(half.is_nan() || F16::from_f32(half.to_f32()).to_bits() == bits, "{bits:04x}");
        assert!(brain.is_nan() || Bf16::from_f32(brain.to_f32()).to_bits() == bits, "{bits:04x}");
        assert_eq!(half.is_nan(), half.to_f32().is_nan());
        assert_eq!(brain.is_nan(), brain.to_f32().is_nan());
        assert!(F16::from_f64(half.to_f64()) == half || half.is_nan());
    }
}

#[test]
fn not_a_number_stays_none_whatever_its_bits() {
    for bits in [0x7f80_0001, 0x7f80_ffff, 0x7fff_ffff, 0xff80_0001, 0x7fc0_0000] {
        let nan = f32::from_bits(bits);
        assert!(F16::from_f32(nan).is_nan() && Bf16::from_f32(nan).is_nan());
        assert!(F16::from_f32_towards_zero(nan).is_nan() && Bf16::from_f32_towards_zero(nan).is_nan());
        assert!(F16::from_f32_saturating(nan).is_nan() && Bf16::from_f32_saturating(nan).is_nan());
        assert!(
            F16x2::from_f32([nan, 1.0]).to_array()[0].is_nan()
                && Bf16x2::from_f32([1.0, nan]).to_array()[1].is_nan()
        );
    }
}

#[cfg(feature = "half")]
#[test]
fn the_types_of_half_are_the_same_bits() {
    for bits in 0..=u16::MAX {
        let (half, brain) = (half::f16::from_bits(bits), half::bf16::from_bits(bits));
        assert_eq!(half::f16::from(F16::from(half)).to_bits(), bits);
        assert_eq!(half::bf16::from(Bf16::from(brain)).to_bits(), bits);
        assert!(F16::from(half).to_f32() == half.to_f32() || half.is_nan());
        assert!(Bf16::from(brain).to_f32() == brain.to_f32() || brain.is_nan());
    }
    use gridwright_core::KernelArg;
    assert_eq!((F16::LAYOUT, Bf16::LAYOUT), (half::f16::LAYOUT, half::bf16::LAYOUT));
}
