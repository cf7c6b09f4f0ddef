
; The rest of x / y, by Newton's method on the reciprocal as a float and two corrections: what LLVM makes of operands of 32 bits. Source:
; `AMDGPUCodeGenPrepare::expandDivRem32`.
define internal i32 @gridwright.rest.u32(i32 %x, i32 %y) alwaysinline nounwind memory(none) {
  %y.float = uitofp i32 %y to float
  %reciprocal = call float @llvm.amdgcn.rcp.f32(float %y.float)
  %scaled = fmul float %reciprocal, 0x41EFFFFFC0000000
  %estimate = fptoui float %scaled to i32
  %y.negated = sub i32 0, %y
  %error = mul i32 %y.negated, %estimate
  %estimate.wide = zext i32 %estimate to i64
  %error.wide = zext i32 %error to i64
  %product = mul i64 %estimate.wide, %error.wide
  %product.high = lshr i64 %product, 32
  %correction = trunc i64 %product.high to i32
  %better = add i32 %estimate, %correction
  %x.wide = zext i32 %x to i64
  %better.wide = zext i32 %better to i64
  %scaled.quotient = mul i64 %x.wide, %better.wide
  %quotient.high = lshr i64 %scaled.quotient, 32
  %quotient = trunc i64 %quotient.high to i32
  %taken = mul i32 %quotient, %y
  %rest = sub i32 %x, %taken
  %is.low = icmp uge i32 %rest, %y
  %quotient.next = add i32 %quotient, 1
  %quotient.1 = select i1 %is.low, i32 %quotient.next, i32 %quotient
  %rest.next = sub i32 %rest, %y
  %rest.1 = select i1 %is.low, i32 %rest.next, i32 %rest
  %is.still.low = icmp uge i32 %rest.1, %y
  %rest.last = sub i32 %rest.1, %y
  %result = select i1 %is.still.low, i32 %rest.last, i32 %rest.1
  ret i32 %result
}
