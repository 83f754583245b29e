// RUN: ttmlir-opt --ttnn-layout --convert-ttir-to-ttnn --ttnn-transpose-factors %s | FileCheck %s

// CHECK-LABEL: @right
// CHECK-NEXT: %[[B:.*]] = "ttnn.permute"(%arg1) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x6x8xbf16, #{{.*}}>) -> tensor<2x8x6xbf16, #
// CHECK-NEXT: %[[C:.*]] = "ttnn.matmul"(%arg0, %[[B]]) <{transpose_a = false, transpose_b = false}>
// CHECK-NEXT: return %[[C]]
func.func @right(%a: tensor<2x4x8xbf16>, %b: tensor<2x6x8xbf16>) -> tensor<2x4x6xbf16> {
  %0 = "ttir.matmul"(%a, %b) <{transpose_b = true}> : (tensor<2x4x8xbf16>, tensor<2x6x8xbf16>) -> tensor<2x4x6xbf16>
  return %0 : tensor<2x4x6xbf16>
}

// CHECK-LABEL: @both
// CHECK-NEXT: %[[A:.*]] = "ttnn.permute"(%arg0)
// CHECK-NEXT: %[[B:.*]] = "ttnn.permute"(%arg1)
// CHECK-NEXT: %[[C:.*]] = "ttnn.linear"(%[[A]], %[[B]], %arg2)
// CHECK-NEXT: return %[[C]]
func.func @both(%a: tensor<8x4xbf16>, %b: tensor<6x8xbf16>, %c: tensor<6xbf16>) -> tensor<4x6xbf16> {
  %0 = "ttir.linear"(%a, %b, %c) <{transpose_a = true, transpose_b = true}> : (tensor<8x4xbf16>, tensor<6x8xbf16>, tensor<6xbf16>) -> tensor<4x6xbf16>
  return %0 : tensor<4x6xbf16>
}

// Of a vector there is nothing to transpose.
// CHECK-LABEL: @vector
// CHECK-NEXT: %[[C:.*]] = "ttnn.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = false}>
// CHECK-NEXT: return %[[C]]
func.func @vector(%a: tensor<8xbf16>, %b: tensor<8x6xbf16>) -> tensor<6xbf16> {
  %0 = "ttir.matmul"(%a, %b) <{transpose_a = true}> : (tensor<8xbf16>, tensor<8x6xbf16>) -> tensor<6xbf16>
  return %0 : tensor<6xbf16>
}
