
; As of `float`.
define internal double @gridwright.double.of.u128(i128 %x) alwaysinline nounwind memory(none) {
  %zeros = call i128 @llvm.ctlz.i128(i128 %x, i1 false)
  %amount = and i128 %zeros, 127
  %aligned = shl i128 %x, %amount
  %high = lshr i128 %aligned, 75
  %mantissa = trunc i128 %high to i64
  %middle = lshr i128 %aligned, 74
  %next = trunc i128 %middle to i1
  %low = and i128 %aligned, 18889465931478580854783
  %more = icmp ne i128 %low, 0
  %odd = trunc i64 %mantissa to i1
  %beyond = or i1 %more, %odd
  %is.up = and i1 %next, %beyond
  %up = zext i1 %is.up to i64
  %rounded = add i64 %mantissa, %up
  %zeros.narrow = trunc i128 %zeros to i64
  %field = sub i64 1149, %zeros.narrow
  %exponent = shl i64 %field, 52
  %bits = add i64 %exponent, %rounded
  %is.zero = icmp eq i128 %x, 0
  %result.bits = select i1 %is.zero, i64 0, i64 %bits
  %result = bitcast i64 %result.bits to double
  ret double %result
}
