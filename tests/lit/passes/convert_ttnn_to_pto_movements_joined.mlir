// A movement that only movements read joins their kernels, with a composed index map.
// RUN: ttmlir-opt --ttcore-register-device --convert-ttnn-to-pto %s | FileCheck %s
// RUN: ttmlir-opt --ttcore-register-device --convert-ttnn-to-pto=fusion=none %s | FileCheck %s --check-prefix=NONE

// CHECK-LABEL: pto.func @heads_reshape_permute_0(%arg0: memref<128x384xf32>, %arg1: memref<12x128x32xf32>)
// CHECK: {extents = array<i64: 12, 128, 32>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 4096, 32, 1>, source_offset = 0 : i64, source_strides = array<i64: 32, 384, 1>}
// CHECK-LABEL: pto.func @heads_reshape_slice_static_1(
// CHECK-LABEL: func.func @heads
// CHECK: "ttnn.kernel_region"(%arg0)
// CHECK-SAME: kernel = @heads_reshape_permute_0
// CHECK: "ttnn.reshape"
// CHECK: "ttnn.permute"
// CHECK: "ttnn.kernel_region"(%arg0)
// CHECK-SAME: kernel = @heads_reshape_slice_static_1
// CHECK: "ttnn.reshape"
// CHECK: "ttnn.slice_static"
// CHECK-NOT: kernel_region
// CHECK: return
// NONE-LABEL: func.func @heads
// NONE-COUNT-3: "ttnn.kernel_region"
func.func @heads(%x: tensor<128x384xf32>) -> (tensor<12x128x32xf32>, tensor<128x1x32xf32>) {
  %0 = "ttnn.reshape"(%x) <{shape = [128 : i32, 12 : i32, 32 : i32]}> : (tensor<128x384xf32>) -> tensor<128x12x32xf32>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 1, 0, 2>}> : (tensor<128x12x32xf32>) -> tensor<12x128x32xf32>
  %2 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 3 : i32, 0 : i32], ends = [128 : i32, 4 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<128x12x32xf32>) -> tensor<128x1x32xf32>
  return %1, %2 : tensor<12x128x32xf32>, tensor<128x1x32xf32>
}

// Two inputs of one movement join it.
// CHECK-LABEL: func.func @both
// CHECK: "ttnn.kernel_region"(%arg1, %arg0)
// CHECK: "ttnn.permute"
// CHECK: "ttnn.permute"
// CHECK: "ttnn.concat"
// CHECK-NOT: kernel_region
// CHECK: return
func.func @both(%a: tensor<2x3x4xf32>, %b: tensor<2x3x4xf32>) -> tensor<6x2x4xf32> {
  %0 = "ttnn.permute"(%a) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %1 = "ttnn.permute"(%b) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %2 = "ttnn.concat"(%0, %1) <{dim = 0 : si32}> : (tensor<3x2x4xf32>, tensor<3x2x4xf32>) -> tensor<6x2x4xf32>
  return %2 : tensor<6x2x4xf32>
}

// A movement that something else reads, or whose elements are not regular for the next one, has its
// own kernel.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-4: "ttnn.kernel_region"
func.func @apart(%a: tensor<4x6xf32>, %b: tensor<4x6x2xf32>) -> (tensor<6x4xf32>, tensor<24xf32>, tensor<6x5xf32>) {
  %0 = "ttnn.reshape"(%a) <{shape = [6 : i32, 4 : i32]}> : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %1 = "ttnn.reshape"(%0) <{shape = [24 : i32]}> : (tensor<6x4xf32>) -> tensor<24xf32>
  %2 = "ttnn.permute"(%b) <{permutation = array<i64: 2, 1, 0>}> : (tensor<4x6x2xf32>) -> tensor<2x6x4xf32>
  %3 = "ttnn.reshape"(%2) <{shape = [48 : i32]}> : (tensor<2x6x4xf32>) -> tensor<48xf32>
  %4 = "ttnn.slice_static"(%3) <{begins = [3 : i32], ends = [33 : i32], step = [1 : i32]}> : (tensor<48xf32>) -> tensor<30xf32>
  %5 = "ttnn.reshape"(%4) <{shape = [6 : i32, 5 : i32]}> : (tensor<30xf32>) -> tensor<6x5xf32>
  return %0, %1, %5 : tensor<6x4xf32>, tensor<24xf32>, tensor<6x5xf32>
}
