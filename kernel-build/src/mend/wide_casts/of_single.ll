
; The whole part of a float's magnitude, at most the largest integer; zero of NaN.
define internal i128 @gridwright.u128.of.float(float %x) alwaysinline nounwind memory(none) {
  %bits = bitcast float %x to i32
  %magnitude = and i32 %bits, 2147483647
  %field = lshr i32 %magnitude, 23
  %wide = zext i32 %magnitude to i128
; The first bit is the highest, and what was above it is gone.
  %shifted = shl i128 %wide, 104
  %mantissa = or i128 %shifted, 170141183460469231731687303715884105728
  %distance = sub i32 254, %field
  %places = and i32 %distance, 127
  %amount = zext i32 %places to i128
  %whole = lshr i128 %mantissa, %amount
  %is.small = icmp ult i32 %magnitude, 1065353216
  %is.large = icmp uge i32 %magnitude, 2139095040
  %is.nan = icmp ugt i32 %magnitude, 2139095040
  %limited = select i1 %is.large, i128 -1, i128 %whole
  %is.none = or i1 %is.small, %is.nan
  %result = select i1 %is.none, i128 0, i128 %limited
  ret i128 %result
}
