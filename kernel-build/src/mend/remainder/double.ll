
; The rest of x / y with the quotient rounded towards zero, exact; it has the sign of x. NaN where x isn't finite, or y is zero or NaN.
define internal double @gridwright.remainder.f64(double %x, double %y) alwaysinline nounwind memory(none) {
start:
  %x.bits = bitcast double %x to i64
  %y.bits = bitcast double %y to i64
  %x.magnitude = and i64 %x.bits, 9223372036854775807
  %y.magnitude = and i64 %y.bits, 9223372036854775807
  %sign = and i64 %x.bits, -9223372036854775808
  %x.not.finite = icmp uge i64 %x.magnitude, 9218868437227405312
  %y.nan = icmp ugt i64 %y.magnitude, 9218868437227405312
  %y.zero = icmp eq i64 %y.magnitude, 0
  %y.unfit = or i1 %y.nan, %y.zero
  %undefined = or i1 %x.not.finite, %y.unfit
  br i1 %undefined, label %nan, label %defined

nan:
  ret double 0x7FF8000000000000

defined:
  %is.rest = icmp ult i64 %x.magnitude, %y.magnitude
  br i1 %is.rest, label %same, label %divide

same:
  ret double %x

; A mantissa and the exponent of its last place. A subnormal number has the exponent of the next ones, and no bit before the point.
divide:
  %x.field = lshr i64 %x.magnitude, 52
  %x.subnormal = icmp eq i64 %x.field, 0
  %x.fraction = and i64 %x.magnitude, 4503599627370495
  %x.whole = or i64 %x.fraction, 4503599627370496
  %x.mantissa = select i1 %x.subnormal, i64 %x.fraction, i64 %x.whole
  %x.exponent = select i1 %x.subnormal, i64 1, i64 %x.field
  %y.field = lshr i64 %y.magnitude, 52
  %y.subnormal = icmp eq i64 %y.field, 0
  %y.fraction = and i64 %y.magnitude, 4503599627370495
  %y.whole = or i64 %y.fraction, 4503599627370496
  %y.mantissa = select i1 %y.subnormal, i64 %y.fraction, i64 %y.whole
  %y.exponent = select i1 %y.subnormal, i64 1, i64 %y.field
  %all.places = sub i64 %x.exponent, %y.exponent
  br label %step

; So many bits of the quotient at a time as a mantissa leaves room for.
step:
  %rest = phi i64 [ %x.mantissa, %divide ], [ %next.rest, %step ]
  %places = phi i64 [ %all.places, %divide ], [ %next.places, %step ]
  %is.last = icmp ult i64 %places, 11
  %width = select i1 %is.last, i64 %places, i64 11
  %shifted = shl i64 %rest, %width
  %next.rest = urem i64 %shifted, %y.mantissa
  %next.places = sub i64 %places, %width
  %is.done = icmp eq i64 %next.places, 0
  br i1 %is.done, label %done, label %step

; The rest times a power of two, in two exact steps, as the power may be subnormal.
done:
  %number = uitofp i64 %next.rest to double
  %power = sub i64 %y.exponent, 1075
  %half = ashr i64 %power, 1
  %other.half = sub i64 %power, %half
  %half.field = add i64 %half, 1023
  %other.field = add i64 %other.half, 1023
  %half.bits = shl i64 %half.field, 52
  %other.bits = shl i64 %other.field, 52
  %half.power = bitcast i64 %half.bits to double
  %other.power = bitcast i64 %other.bits to double
  %once = fmul double %number, %half.power
  %twice = fmul double %once, %other.power
  %twice.bits = bitcast double %twice to i64
  %result.bits = or i64 %twice.bits, %sign
  %result = bitcast i64 %result.bits to double
  ret double %result
}
