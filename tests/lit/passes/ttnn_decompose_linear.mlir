// RUN: ttmlir-opt --ttnn-layout --convert-ttir-to-ttnn --ttnn-decompose-linear --split-input-file %s | FileCheck %s
// RUN: ttmlir-opt --ttnn-layout --convert-ttir-to-ttnn --ttnn-decompose-linear=f32-bias --split-input-file %s | FileCheck %s --check-prefix=SPLIT

// CHECK-LABEL: @row
// SPLIT-LABEL: @row
// SPLIT-NEXT: "ttnn.linear"(%arg0, %arg1, %arg2)
// CHECK-NEXT: "ttnn.linear"(%arg0, %arg1, %arg2)
func.func @row(%a: tensor<4x8xbf16>, %b: tensor<8x6xbf16>, %bias: tensor<1x6xbf16>) -> tensor<4x6xbf16> {
  %0 = "ttir.linear"(%a, %b, %bias) : (tensor<4x8xbf16>, tensor<8x6xbf16>, tensor<1x6xbf16>) -> tensor<4x6xbf16>
  return %0 : tensor<4x6xbf16>
}

// The matrix unit of Tensix would cut a bias of f32.
// CHECK-LABEL: @row_of_f32
// CHECK-NEXT: "ttnn.linear"(%arg0, %arg1, %arg2)
// SPLIT-LABEL: @row_of_f32
// SPLIT-NEXT: %[[C:.*]] = "ttnn.matmul"(%arg0, %arg1)
// SPLIT-NEXT: "ttnn.add"(%[[C]], %arg2)
func.func @row_of_f32(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %bias: tensor<1x6xf32>) -> tensor<4x6xf32> {
  %0 = "ttir.linear"(%a, %b, %bias) : (tensor<4x8xf32>, tensor<8x6xf32>, tensor<1x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// CHECK-LABEL: @no_bias
// CHECK-NEXT: %[[C:.*]] = "ttnn.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = true}>
// CHECK-NEXT: return %[[C]]
func.func @no_bias(%a: tensor<4x8xbf16>, %b: tensor<6x8xbf16>) -> tensor<4x6xbf16> {
  %0 = "ttir.linear"(%a, %b) <{transpose_b = true}> : (tensor<4x8xbf16>, tensor<6x8xbf16>) -> tensor<4x6xbf16>
  return %0 : tensor<4x6xbf16>
}

// CHECK-LABEL: @many_rows
// CHECK-NEXT: %[[C:.*]] = "ttnn.matmul"(%arg0, %arg1) <{transpose_a = true, transpose_b = false}>
// CHECK-SAME: -> tensor<4x6xbf16, #
// CHECK-NEXT: %[[D:.*]] = "ttnn.add"(%[[C]], %arg2)
// CHECK-NEXT: return %[[D]]
func.func @many_rows(%a: tensor<8x4xbf16>, %b: tensor<8x6xbf16>, %bias: tensor<4x6xbf16>) -> tensor<4x6xbf16> {
  %0 = "ttir.linear"(%a, %b, %bias) <{transpose_a = true}> : (tensor<8x4xbf16>, tensor<8x6xbf16>, tensor<4x6xbf16>) -> tensor<4x6xbf16>
  return %0 : tensor<4x6xbf16>
}

// The product of two vectors is one number; the bias makes it a vector.
// CHECK-LABEL: @vectors
// CHECK-NEXT: %[[C:.*]] = "ttnn.matmul"(%arg0, %arg1)
// CHECK-SAME: -> tensor<1xbf16, #
// CHECK-NEXT: "ttnn.add"(%[[C]], %arg2)
func.func @vectors(%a: tensor<8xbf16>, %b: tensor<8xbf16>, %bias: tensor<8xbf16>) -> tensor<8xbf16> {
  %0 = "ttir.linear"(%a, %b, %bias) : (tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// CHECK-LABEL: @batch
// CHECK-NEXT: %[[C:.*]] = "ttnn.matmul"(%arg0, %arg1)
// CHECK-SAME: -> tensor<3x4x6xbf16, #
// CHECK-NEXT: "ttnn.add"(%[[C]], %arg2)
func.func @batch(%a: tensor<3x4x8xbf16>, %b: tensor<3x8x6xbf16>, %bias: tensor<6xbf16>) -> tensor<3x4x6xbf16> {
  %0 = "ttir.linear"(%a, %b, %bias) : (tensor<3x4x8xbf16>, tensor<3x8x6xbf16>, tensor<6xbf16>) -> tensor<3x4x6xbf16>
  return %0 : tensor<3x4x6xbf16>
}
