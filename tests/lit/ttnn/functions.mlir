// Functions, reductions and movement, to ttnn: most have the same name there.
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline %s | ttmlir-opt | FileCheck %s

// CHECK-LABEL: @elements
// CHECK: "ttnn.abs"
// CHECK: "ttnn.gelu"
// CHECK: "ttnn.leaky_relu"(%{{.*}}) <{parameter = 0.00999999977 : f32}>
// CHECK: "ttnn.clamp_scalar"(%{{.*}}) <{max = 3.000000e+00 : f32, min = 2.000000e+00 : f32}>
// CHECK: "ttnn.divide"
// CHECK: "ttnn.maximum"
// CHECK: "ttnn.clamp_tensor"
// CHECK: %[[T:.*]] = "ttnn.ge"(%{{.*}}) : {{.*}} -> tensor<32x64xbf16
// CHECK: "ttnn.where"(%[[T]]
// CHECK: "ttnn.floor"
// CHECK: "ttnn.log1p"
// CHECK: "ttnn.sin"
// CHECK: "ttnn.cos"
// CHECK: "ttnn.pow_tensor"(%{{.*}}, %{{.*}})
// CHECK: "ttnn.remainder"
// CHECK: "ttnn.atan2"
// CHECK: "ttnn.erfc"
// CHECK: %[[F:.*]] = "ttnn.isfinite"(%{{.*}}) : {{.*}} -> tensor<32x64xbf16
// CHECK: "ttnn.where"(%[[F]]
func.func @elements(%a: tensor<32x64xf32>, %b: tensor<64xf32>) -> tensor<32x64xf32> {
  %0 = "ttir.abs"(%a) : (tensor<32x64xf32>) -> tensor<32x64xf32>
  %1 = "ttir.gelu"(%0) : (tensor<32x64xf32>) -> tensor<32x64xf32>
  %2 = "ttir.leaky_relu"(%1) <{parameter = 0.01 : f32}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
  %3 = "ttir.clamp_scalar"(%2) <{max = 3.0 : f32, min = 2.0 : f32}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
  %4 = "ttir.div"(%3, %b) : (tensor<32x64xf32>, tensor<64xf32>) -> tensor<32x64xf32>
  %5 = "ttir.maximum"(%4, %a) : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  %6 = "ttir.clamp_tensor"(%5, %a, %b) : (tensor<32x64xf32>, tensor<32x64xf32>, tensor<64xf32>) -> tensor<32x64xf32>
  %7 = "ttir.ge"(%6, %a) : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xi1>
  %8 = "ttir.where"(%7, %6, %b) : (tensor<32x64xi1>, tensor<32x64xf32>, tensor<64xf32>) -> tensor<32x64xf32>
  %9 = "ttir.floor"(%8) : (tensor<32x64xf32>) -> tensor<32x64xf32>
  %10 = "ttir.log1p"(%9) : (tensor<32x64xf32>) -> tensor<32x64xf32>
  %11 = "ttir.sin"(%10) : (tensor<32x64xf32>) -> tensor<32x64xf32>
  %12 = "ttir.cos"(%11) : (tensor<32x64xf32>) -> tensor<32x64xf32>
  %13 = "ttir.pow"(%12, %b) : (tensor<32x64xf32>, tensor<64xf32>) -> tensor<32x64xf32>
  %14 = "ttir.remainder"(%13, %b) : (tensor<32x64xf32>, tensor<64xf32>) -> tensor<32x64xf32>
  %15 = "ttir.atan2"(%14, %b) : (tensor<32x64xf32>, tensor<64xf32>) -> tensor<32x64xf32>
  %16 = "ttir.erfc"(%15) : (tensor<32x64xf32>) -> tensor<32x64xf32>
  %17 = "ttir.isfinite"(%16) : (tensor<32x64xf32>) -> tensor<32x64xi1>
  %18 = "ttir.where"(%17, %16, %b) : (tensor<32x64xi1>, tensor<32x64xf32>, tensor<64xf32>) -> tensor<32x64xf32>
  return %18 : tensor<32x64xf32>
}

// CHECK-LABEL: @integers
// CHECK: "ttnn.bitwise_xor"{{.*}} -> tensor<32x64xsi32
// CHECK: "ttnn.bitwise_not"
// CHECK: "ttnn.logical_left_shift"
func.func @integers(%a: tensor<32x64xi32>, %b: tensor<64xi32>) -> tensor<32x64xi32> {
  %0 = "ttir.bitwise_xor"(%a, %b) : (tensor<32x64xi32>, tensor<64xi32>) -> tensor<32x64xi32>
  %1 = "ttir.bitwise_not"(%0) : (tensor<32x64xi32>) -> tensor<32x64xi32>
  %2 = "ttir.logical_left_shift"(%1, %b) : (tensor<32x64xi32>, tensor<64xi32>) -> tensor<32x64xi32>
  return %2 : tensor<32x64xi32>
}

// Softmax is decomposed. A transposition is a permutation, and permutations compose.
// CHECK-LABEL: @movement
// CHECK-SAME: (%[[A:[a-z0-9]*]]:
// CHECK: %[[MAX:.*]] = "ttnn.max"(%[[A]]) <{dim_arg = [1 : i32], keep_dim = true}> {{.*}} -> tensor<2x1x64xbf16,
// CHECK: %[[BELOW:.*]] = "ttnn.subtract"(%[[A]], %[[MAX]])
// CHECK: %[[EXP:.*]] = "ttnn.exp"(%[[BELOW]])
// CHECK: %[[SUM:.*]] = "ttnn.sum"(%[[EXP]]) <{dim_arg = [1 : i32], keep_dim = true}>
// CHECK: "ttnn.divide"(%[[EXP]], %[[SUM]])
// CHECK: "ttnn.permute"(%{{.*}}) <{permutation = array<i64: 1, 0, 2>}>
// CHECK-NOT: permute
func.func @movement(%a: tensor<2x32x64xbf16>) -> tensor<32x2x1xbf16> {
  %0 = "ttir.softmax"(%a) <{dimension = 1 : si32}> : (tensor<2x32x64xbf16>) -> tensor<2x32x64xbf16>
  %2 = "ttir.mean"(%0) <{dim_arg = [-1 : i32], keep_dim = true}> : (tensor<2x32x64xbf16>) -> tensor<2x32x1xbf16>
  %3 = "ttir.transpose"(%2) <{dim0 = -1 : si32, dim1 = 1 : si32}> : (tensor<2x32x1xbf16>) -> tensor<2x1x32xbf16>
  %4 = "ttir.permute"(%3) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x1x32xbf16>) -> tensor<32x2x1xbf16>
  return %4 : tensor<32x2x1xbf16>
}
