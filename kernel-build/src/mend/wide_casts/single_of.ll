
; The float nearest to an unsigned integer, ties to even; infinite from half a place above the largest on.
define internal float @gridwright.float.of.u128(i128 %x) alwaysinline nounwind memory(none) {
  %zeros = call i128 @llvm.ctlz.i128(i128 %x, i1 false)
  %amount = and i128 %zeros, 127
  %aligned = shl i128 %x, %amount
; The mantissa, the bit behind it, and whether there is one behind that.
  %high = lshr i128 %aligned, 104
  %mantissa = trunc i128 %high to i32
  %middle = lshr i128 %aligned, 103
  %next = trunc i128 %middle to i1
  %low = and i128 %aligned, 10141204801825835211973625643007
  %more = icmp ne i128 %low, 0
  %odd = trunc i32 %mantissa to i1
  %beyond = or i1 %more, %odd
  %is.up = and i1 %next, %beyond
  %up = zext i1 %is.up to i32
  %rounded = add i32 %mantissa, %up
; With its first bit the mantissa adds one to the exponent.
  %zeros.narrow = trunc i128 %zeros to i32
  %field = sub i32 253, %zeros.narrow
  %exponent = shl i32 %field, 23
  %bits = add i32 %exponent, %rounded
  %is.zero = icmp eq i128 %x, 0
  %result.bits = select i1 %is.zero, i32 0, i32 %bits
  %result = bitcast i32 %result.bits to float
  ret float %result
}
