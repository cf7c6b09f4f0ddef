
; The rest of x / y with the quotient rounded towards zero, exact; it has the sign of x. NaN where x isn't finite, or y is zero or NaN.
define internal float @gridwright.remainder.f32(float %x, float %y) alwaysinline nounwind memory(none) {
start:
  %x.bits = bitcast float %x to i32
  %y.bits = bitcast float %y to i32
  %x.magnitude = and i32 %x.bits, 2147483647
  %y.magnitude = and i32 %y.bits, 2147483647
  %sign = and i32 %x.bits, -2147483648
  %x.not.finite = icmp uge i32 %x.magnitude, 2139095040
  %y.nan = icmp ugt i32 %y.magnitude, 2139095040
  %y.zero = icmp eq i32 %y.magnitude, 0
  %y.unfit = or i1 %y.nan, %y.zero
  %undefined = or i1 %x.not.finite, %y.unfit
  br i1 %undefined, label %nan, label %defined

nan:
  ret float 0x7FF8000000000000

defined:
  %is.rest = icmp ult i32 %x.magnitude, %y.magnitude
  br i1 %is.rest, label %same, label %divide

same:
  ret float %x

; A mantissa and the exponent of its last place. A subnormal number has the exponent of the next ones, and no bit before the point.
divide:
  %x.field = lshr i32 %x.magnitude, 23
  %x.subnormal = icmp eq i32 %x.field, 0
  %x.fraction = and i32 %x.magnitude, 8388607
  %x.whole = or i32 %x.fraction, 8388608
  %x.mantissa = select i1 %x.subnormal, i32 %x.fraction, i32 %x.whole
  %x.exponent = select i1 %x.subnormal, i32 1, i32 %x.field
  %y.field = lshr i32 %y.magnitude, 23
  %y.subnormal = icmp eq i32 %y.field, 0
  %y.fraction = and i32 %y.magnitude, 8388607
  %y.whole = or i32 %y.fraction, 8388608
  %y.mantissa = select i1 %y.subnormal, i32 %y.fraction, i32 %y.whole
  %y.exponent = select i1 %y.subnormal, i32 1, i32 %y.field
  %all.places = sub i32 %x.exponent, %y.exponent
  br label %step

; So many bits of the quotient at a time as a mantissa leaves room for.
step:
  %rest = phi i32 [ %x.mantissa, %divide ], [ %next.rest, %step ]
  %places = phi i32 [ %all.places, %divide ], [ %next.places, %step ]
  %is.last = icmp ult i32 %places, 8
  %width = select i1 %is.last, i32 %places, i32 8
  %shifted = shl i32 %rest, %width
  %next.rest = urem i32 %shifted, %y.mantissa
  %next.places = sub i32 %places, %width
  %is.done = icmp eq i32 %next.places, 0
  br i1 %is.done, label %done, label %step

; The rest times a power of two, in two exact steps, as the power may be subnormal.
done:
  %number = uitofp i32 %next.rest to float
  %power = sub i32 %y.exponent, 150
  %half = ashr i32 %power, 1
  %other.half = sub i32 %power, %half
  %half.field = add i32 %half, 127
  %other.field = add i32 %other.half, 127
  %half.bits = shl i32 %half.field, 23
  %other.bits = shl i32 %other.field, 23
  %half.power = bitcast i32 %half.bits to float
  %other.power = bitcast i32 %other.bits to float
  %once = fmul float %number, %half.power
  %twice = fmul float %once, %other.power
  %twice.bits = bitcast float %twice to i32
  %result.bits = or i32 %twice.bits, %sign
  %result = bitcast i32 %result.bits to float
  ret float %result
}
