
; As of `float`.
define internal i128 @gridwright.u128.of.double(double %x) alwaysinline nounwind memory(none) {
  %bits = bitcast double %x to i64
  %magnitude = and i64 %bits, 9223372036854775807
  %field = lshr i64 %magnitude, 52
  %wide = zext i64 %magnitude to i128
  %shifted = shl i128 %wide, 75
  %mantissa = or i128 %shifted, 170141183460469231731687303715884105728
  %distance = sub i64 1150, %field
  %places = and i64 %distance, 127
  %amount = zext i64 %places to i128
  %whole = lshr i128 %mantissa, %amount
  %is.small = icmp ult i64 %magnitude, 4607182418800017408
  %is.large = icmp uge i64 %magnitude, 5183643171103440896
  %is.nan = icmp ugt i64 %magnitude, 9218868437227405312
  %limited = select i1 %is.large, i128 -1, i128 %whole
  %is.none = or i1 %is.small, %is.nan
  %result = select i1 %is.none, i128 0, i128 %limited
  ret i128 %result
}
