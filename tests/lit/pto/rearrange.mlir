// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s

// CHECK-LABEL: pto.func @columns(
// CHECK-SAME: %[[A:.*]]: memref<4x3xf32>, %[[B:.*]]: memref<2x2x2xf32>, %[[C:.*]]: memref<4x6xf32>)
// CHECK-SAME: attributes {kind = #pto.kind<movement>}
pto.func @columns(%a: memref<4x3xf32>, %b: memref<2x2x2xf32>, %c: memref<4x6xf32>) attributes {kind = #pto.kind<movement>} {
  // CHECK: pto.rearrange %[[A]], %[[B]] : memref<4x3xf32>, memref<2x2x2xf32> to %[[C]] : memref<4x6xf32> {copies = [
  // CHECK-SAME: {extents = array<i64: 4, 3>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 6, 1>, source_offset = 0 : i64, source_strides = array<i64: 3, 1>},
  // CHECK-SAME: {extents = array<i64: 4, 2>, operand = 1 : i64, result_offset = 3 : i64, result_strides = array<i64: 6, 1>, source_offset = 6 : i64, source_strides = array<i64: -2, 1>}
  // CHECK-SAME: ], fill = 1.500000e+00 : f64}
  pto.rearrange %a, %b : memref<4x3xf32>, memref<2x2x2xf32> to %c : memref<4x6xf32> {copies = [
      {extents = array<i64: 4, 3>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 6, 1>,
       source_offset = 0 : i64, source_strides = array<i64: 3, 1>},
      {extents = array<i64: 4, 2>, operand = 1 : i64, result_offset = 3 : i64, result_strides = array<i64: 6, 1>,
       source_offset = 6 : i64, source_strides = array<i64: -2, 1>}], fill = 1.5 : f64}
  pto.return
}

// CHECK-LABEL: pto.func @filled
pto.func @filled(%c: memref<4x6xbf16>) attributes {kind = #pto.kind<movement>} {
  // CHECK: pto.rearrange to %{{.*}} : memref<4x6xbf16> {copies = [], fill = 0.000000e+00 : f64}
  pto.rearrange to %c : memref<4x6xbf16> {copies = [], fill = 0.0 : f64}
  pto.return
}
