// Kernels that move elements stream boxes of tensors to boxes of the result, one after the other.
// RUN: ttmlir-opt --convert-pto-to-mncore %s | FileCheck %s

// CHECK-LABEL: mncore.kernel @columns_mncore implements @columns inputs 2 tensors [
// CHECK-SAME: 0 : tensor<1x4x3xf32> "{{[^"]*}}@DRAM+0", 1 : tensor<2x2x2xf32> "{{[^"]*}}" view "[4, 2] from 6 by [-2, 1]",
// CHECK-SAME: 2 : tensor<1x4x5xf32> "{{[^"]*}}" view "[4, 3] from 0 by [5, 1]", 2 : tensor<1x4x5xf32> "{{[^"]*}}" view "[4, 2] from 3 by [5, 1]"] {
// CHECK: mncore.pipeline "elements"
// CHECK-NOT: mncore.alu
// CHECK: mncore.pipeline "elements"
// CHECK-NOT: mncore.alu
// CHECK: mncore.kernel @amid_mncore implements @amid inputs 1 tensors [
// CHECK-SAME: 0 : tensor<1x4x5xbf16> "{{[^"]*}}", 1 : tensor<1x40x40xbf16> "{{[^"]*}}", 1 : tensor<1x40x40xbf16> "{{[^"]*}}" view "[4, 5] from 41 by [40, 1]"] {
// CHECK-NEXT: mncore.pipeline "elements"
// CHECK: mncore.pipeline "fetch"
// CHECK: mncore.pipeline "elements"
pto.func @columns(%a: memref<4x3xf32>, %b: memref<2x2x2xf32>, %c: memref<4x5xf32>) attributes {kind = #pto.kind<movement>} {
  pto.rearrange %a, %b : memref<4x3xf32>, memref<2x2x2xf32> to %c : memref<4x5xf32> {copies = [
      {extents = array<i64: 4, 3>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 5, 1>,
       source_offset = 0 : i64, source_strides = array<i64: 3, 1>},
      {extents = array<i64: 4, 2>, operand = 1 : i64, result_offset = 3 : i64, result_strides = array<i64: 5, 1>,
       source_offset = 6 : i64, source_strides = array<i64: -2, 1>}], fill = 0.0 : f64}
  pto.return
}

// Elements that no copy writes are filled first.
pto.func @amid(%a: memref<4x5xbf16>, %r: memref<40x40xbf16>) attributes {kind = #pto.kind<movement>} {
  pto.rearrange %a : memref<4x5xbf16> to %r : memref<40x40xbf16> {copies = [
      {extents = array<i64: 4, 5>, operand = 0 : i64, result_offset = 41 : i64, result_strides = array<i64: 40, 1>,
       source_offset = 0 : i64, source_strides = array<i64: 5, 1>}], fill = -1.0 : f64}
  pto.return
}
