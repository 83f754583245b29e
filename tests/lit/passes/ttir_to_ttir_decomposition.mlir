// RUN: ttmlir-opt --ttir-to-ttir-decomposition %s | FileCheck %s

// CHECK-LABEL: @softmax
// CHECK-SAME: (%[[A:[a-z0-9]*]]: tensor<4x8xf32>)
// CHECK-NEXT: %[[MAX:.*]] = "ttir.max"(%[[A]]) <{dim_arg = [0 : i32], keep_dim = true}> : (tensor<4x8xf32>) -> tensor<1x8xf32>
// CHECK-NEXT: %[[BELOW:.*]] = "ttir.subtract"(%[[A]], %[[MAX]]) : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[EXP:.*]] = "ttir.exp"(%[[BELOW]])
// CHECK-NEXT: %[[SUM:.*]] = "ttir.sum"(%[[EXP]]) <{dim_arg = [0 : i32], keep_dim = true}>
// CHECK-NEXT: %[[SHARES:.*]] = "ttir.div"(%[[EXP]], %[[SUM]])
// CHECK-NEXT: return %[[SHARES]]
func.func @softmax(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.softmax"(%a) <{dimension = -2 : si32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The output operand of the older spelling is no input.
// CHECK-LABEL: @output
// CHECK: "ttir.permute"(%{{.*}}) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x8xi32>) -> tensor<2x8x4xi32>
func.func @output(%a: tensor<2x4x8xi32>) -> tensor<2x8x4xi32> {
  %0 = ttir.empty() : tensor<2x8x4xi32>
  %1 = "ttir.transpose"(%a, %0) <{dim0 = 1 : si32, dim1 = 2 : si32}> : (tensor<2x4x8xi32>, tensor<2x8x4xi32>) -> tensor<2x8x4xi32>
  return %1 : tensor<2x8x4xi32>
}
