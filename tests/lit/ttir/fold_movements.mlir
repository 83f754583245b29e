// RUN: ttmlir-opt --ttir-fold-movements %s | FileCheck %s

// Movements are folded, and composites are not formed again.
// CHECK-LABEL: @composites_stay_decomposed
// CHECK-NEXT: "ttir.max"(%arg0) <{dim_arg = [1 : i32], keep_dim = true}>
// CHECK-NEXT: "ttir.subtract"
// CHECK-NEXT: "ttir.exp"
// CHECK-NEXT: "ttir.sum"
// CHECK-NEXT: "ttir.div"
func.func @composites_stay_decomposed(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.max"(%x) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x8xf32>) -> tensor<4xf32>
  %1 = "ttir.reshape"(%0) <{shape = [4 : i32, 1 : i32]}> : (tensor<4xf32>) -> tensor<4x1xf32>
  %2 = "ttir.subtract"(%x, %1) : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %3 = "ttir.exp"(%2) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = "ttir.sum"(%3) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %6 = "ttir.div"(%3, %4) : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  return %6 : tensor<4x8xf32>
}
