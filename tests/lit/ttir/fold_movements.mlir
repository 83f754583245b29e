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

// A reshape that drops dimensions of extent 1 precedes a permutation, which the product absorbs.
// CHECK-LABEL: @products_of_heads
// CHECK-NEXT: %[[HEADS:.*]] = "ttir.reshape"(%arg0) <{shape = [128 : i32, 12 : i32, 32 : i32]}>
// CHECK-NEXT: "ttir.dot_general"(%arg1, %[[HEADS]]) <{batch_dims_lhs = array<i64: 0>, batch_dims_rhs = array<i64: 1>, contract_dims_lhs = array<i64: 2>, contract_dims_rhs = array<i64: 2>}>
func.func @products_of_heads(%k: tensor<1x128x12x32xf32>, %q: tensor<12x128x32xf32>) -> tensor<12x128x128xf32> {
  %0 = "ttir.permute"(%k) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x128x12x32xf32>) -> tensor<1x12x32x128xf32>
  %1 = "ttir.reshape"(%0) <{shape = [12 : i32, 32 : i32, 128 : i32]}> : (tensor<1x12x32x128xf32>) -> tensor<12x32x128xf32>
  %2 = "ttir.dot_general"(%q, %1) <{batch_dims_lhs = array<i64: 0>, batch_dims_rhs = array<i64: 0>, contract_dims_lhs = array<i64: 2>, contract_dims_rhs = array<i64: 1>}> : (tensor<12x128x32xf32>, tensor<12x32x128xf32>) -> tensor<12x128x128xf32>
  return %2 : tensor<12x128x128xf32>
}

// Other reshapes stay behind.
// CHECK-LABEL: @merged_heads
// CHECK-NEXT: "ttir.permute"(%arg0)
// CHECK-NEXT: "ttir.reshape"
func.func @merged_heads(%x: tensor<12x128x32xf32>) -> tensor<128x384xf32> {
  %0 = "ttir.permute"(%x) <{permutation = array<i64: 1, 0, 2>}> : (tensor<12x128x32xf32>) -> tensor<128x12x32xf32>
  %1 = "ttir.reshape"(%0) <{shape = [128 : i32, 384 : i32]}> : (tensor<128x12x32xf32>) -> tensor<128x384xf32>
  return %1 : tensor<128x384xf32>
}

// Dimensions of extent 1 that are dropped before a product and restored after it stay.
// CHECK-LABEL: @dropped_and_restored
// CHECK-NEXT: %[[PRODUCT:.*]] = "ttir.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = true}> : (tensor<1x2x64x32xf32>, tensor<2x48x32xf32>) -> tensor<1x2x64x48xf32>
// CHECK-NEXT: return %[[PRODUCT]]
func.func @dropped_and_restored(%a: tensor<1x2x64x32xf32>, %b: tensor<2x48x32xf32>) -> tensor<1x2x64x48xf32> {
  %0 = "ttir.reshape"(%a) <{shape = [2 : i32, 64 : i32, 32 : i32]}> : (tensor<1x2x64x32xf32>) -> tensor<2x64x32xf32>
  %1 = "ttir.matmul"(%0, %b) <{transpose_b = true}> : (tensor<2x64x32xf32>, tensor<2x48x32xf32>) -> tensor<2x64x48xf32>
  %2 = "ttir.reshape"(%1) <{shape = [1 : i32, 2 : i32, 64 : i32, 48 : i32]}> : (tensor<2x64x48xf32>) -> tensor<1x2x64x48xf32>
  return %2 : tensor<1x2x64x48xf32>
}

// CHECK-LABEL: @dropped
// CHECK-NEXT: "ttir.reshape"
// CHECK-NEXT: "ttir.matmul"
func.func @dropped(%a: tensor<1x2x64x32xf32>, %b: tensor<2x48x32xf32>) -> tensor<2x64x48xf32> {
  %0 = "ttir.reshape"(%a) <{shape = [2 : i32, 64 : i32, 32 : i32]}> : (tensor<1x2x64x32xf32>) -> tensor<2x64x32xf32>
  %1 = "ttir.matmul"(%0, %b) <{transpose_b = true}> : (tensor<2x64x32xf32>, tensor<2x48x32xf32>) -> tensor<2x64x48xf32>
  return %1 : tensor<2x64x48xf32>
}
