// Data movements have kernels of their own with an index map; equal ones share a kernel.
// RUN: ttmlir-opt --ttcore-register-device --convert-ttnn-to-pto %s | FileCheck %s
// RUN: ttmlir-opt --convert-ttnn-to-pto=target=mncore %s | FileCheck %s

// CHECK-LABEL: pto.func @moves_permute_1(
// CHECK-SAME: %[[A:.*]]: memref<4x8x2xf32>, %[[R:.*]]: memref<8x4x2xf32>) attributes {kind = #pto.kind<movement>}
// CHECK-NEXT: pto.rearrange %[[A]] : memref<4x8x2xf32> to %[[R]] : memref<8x4x2xf32> {copies = [
// CHECK-SAME: {extents = array<i64: 8, 4, 2>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 8, 2, 1>, source_offset = 0 : i64, source_strides = array<i64: 2, 16, 1>}
// CHECK-SAME: ], fill = 0.000000e+00 : f64}
// CHECK-NEXT: pto.return
// CHECK-NOT: pto.rearrange
// CHECK-LABEL: func.func @moves
// CHECK: ttnn.kernel_region
// CHECK-SAME: kernel = @moves_permute_1
// CHECK: ttnn.permute
// CHECK: ttnn.kernel_region
// CHECK-SAME: kernel = @moves_permute_1
// CHECK: ttnn.kernel_region
// CHECK-SAME: kernel = @moves_add_0
func.func @moves(%a: tensor<4x8x2xf32>, %b: tensor<4x8x2xf32>) -> tensor<8x4x2xf32> {
  %0 = "ttnn.permute"(%a) <{permutation = array<i64: 1, 0, 2>}> : (tensor<4x8x2xf32>) -> tensor<8x4x2xf32>
  %1 = "ttnn.permute"(%b) <{permutation = array<i64: 1, 0, 2>}> : (tensor<4x8x2xf32>) -> tensor<8x4x2xf32>
  %2 = "ttnn.add"(%0, %1) : (tensor<8x4x2xf32>, tensor<8x4x2xf32>) -> tensor<8x4x2xf32>
  return %2 : tensor<8x4x2xf32>
}

// A permutation of the last two dimensions only is computed by tiles.
// CHECK: pto.ttrans
// CHECK-LABEL: func.func @transposes
func.func @transposes(%a: tensor<4x8x2xf32>) -> tensor<4x2x8xf32> {
  %0 = "ttnn.permute"(%a) <{permutation = array<i64: 0, 2, 1>}> : (tensor<4x8x2xf32>) -> tensor<4x2x8xf32>
  return %0 : tensor<4x2x8xf32>
}
