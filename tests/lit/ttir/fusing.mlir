// Sequences of operations that frameworks export are replaced by the operation that they compute.
// RUN: ttmlir-opt --ttir-fusing %s | FileCheck %s

// CHECK-LABEL: @reshape_of_reshape
// CHECK-NEXT: %[[R:.*]] = "ttir.reshape"(%arg0) <{shape = [6 : i32]}>
// CHECK-NEXT: return %[[R]]
func.func @reshape_of_reshape(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  %0 = "ttir.reshape"(%x) <{shape = [3 : i32, 2 : i32]}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ttir.reshape"(%0) <{shape = [6 : i32]}> : (tensor<3x2xf32>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}

// CHECK-LABEL: @reshape_there_and_back
// CHECK-NEXT: return %arg0
func.func @reshape_there_and_back(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "ttir.reshape"(%x) <{shape = [6 : i32]}> : (tensor<2x3xf32>) -> tensor<6xf32>
  %1 = "ttir.reshape"(%0) <{shape = [2 : i32, 3 : i32]}> : (tensor<6xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: @permutations_compose
// CHECK-NEXT: %[[P:.*]] = "ttir.permute"(%arg0) <{permutation = array<i64: 2, 0, 1>}>
// CHECK-NEXT: return %[[P]]
func.func @permutations_compose(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %0 = "ttir.permute"(%x) <{permutation = array<i64: 1, 2, 0>}> : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = "ttir.permute"(%0) <{permutation = array<i64: 1, 2, 0>}> : (tensor<3x4x2xf32>) -> tensor<4x2x3xf32>
  return %1 : tensor<4x2x3xf32>
}

// CHECK-LABEL: @permutations_cancel
// CHECK-NEXT: return %arg0
func.func @permutations_cancel(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "ttir.permute"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ttir.permute"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: @unit_dimensions_move
// CHECK-NEXT: "ttir.reshape"(%arg0) <{shape = [20 : i32]}>
func.func @unit_dimensions_move(%x: tensor<1x4x5xf32>) -> tensor<20xf32> {
  %0 = "ttir.permute"(%x) <{permutation = array<i64: 1, 0, 2>}> : (tensor<1x4x5xf32>) -> tensor<4x1x5xf32>
  %1 = "ttir.reshape"(%0) <{shape = [20 : i32]}> : (tensor<4x1x5xf32>) -> tensor<20xf32>
  return %1 : tensor<20xf32>
}

// CHECK-LABEL: @reduction_keeps_dimension
// CHECK-NEXT: "ttir.max"(%arg0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<4x8xf32>) -> tensor<4x1xf32>
// CHECK-NEXT: return
func.func @reduction_keeps_dimension(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %0 = "ttir.max"(%x) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x8xf32>) -> tensor<4xf32>
  %1 = "ttir.reshape"(%0) <{shape = [4 : i32, 1 : i32]}> : (tensor<4xf32>) -> tensor<4x1xf32>
  return %1 : tensor<4x1xf32>
}

// The reduction would be computed twice, or another dimension is added.
// CHECK-LABEL: @reduction_stays
// CHECK-NEXT: keep_dim = false
// CHECK-NEXT: "ttir.reshape"
// CHECK-NEXT: keep_dim = false
// CHECK-NEXT: "ttir.reshape"
func.func @reduction_stays(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4x1xf32>, tensor<1x4xf32>) {
  %0 = "ttir.max"(%x) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x8xf32>) -> tensor<4xf32>
  %1 = "ttir.reshape"(%0) <{shape = [4 : i32, 1 : i32]}> : (tensor<4xf32>) -> tensor<4x1xf32>
  %2 = "ttir.min"(%x) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x8xf32>) -> tensor<4xf32>
  %3 = "ttir.reshape"(%2) <{shape = [1 : i32, 4 : i32]}> : (tensor<4xf32>) -> tensor<1x4xf32>
  return %0, %1, %3 : tensor<4xf32>, tensor<4x1xf32>, tensor<1x4xf32>
}

// CHECK-LABEL: @reduction_of_bf16
// CHECK-NEXT: "ttir.sum"(%arg0) {{.*}} : (tensor<4x8xbf16>) -> tensor<4xbf16>
// CHECK-NEXT: return
func.func @reduction_of_bf16(%x: tensor<4x8xbf16>) -> tensor<4xbf16> {
  %0 = "ttir.typecast"(%x) : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %1 = "ttir.sum"(%0) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x8xf32>) -> tensor<4xf32>
  %2 = "ttir.typecast"(%1) : (tensor<4xf32>) -> tensor<4xbf16>
  return %2 : tensor<4xbf16>
}

// CHECK-LABEL: @means
// CHECK-NEXT: "ttir.mean"(%arg0) <{dim_arg = [1 : i32], keep_dim = true}>
// CHECK-NEXT: "ttir.mean"(%arg0) <{dim_arg = [0 : i32], keep_dim = false}>
// CHECK-NEXT: return
func.func @means(%x: tensor<4x6xf32>) -> (tensor<4x1xf32>, tensor<6xf32>) {
  %0 = "ttir.sum"(%x) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<4x6xf32>) -> tensor<4x1xf32>
  %1 = "ttir.constant"() <{value = dense<6.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %2 = "ttir.div"(%0, %1) : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %3 = "ttir.sum"(%x) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<4x6xf32>) -> tensor<6xf32>
  %4 = "ttir.constant"() <{value = dense<0.25> : tensor<6xf32>}> : () -> tensor<6xf32>
  %5 = "ttir.multiply"(%4, %3) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %2, %5 : tensor<4x1xf32>, tensor<6xf32>
}

// Another divisor is not a mean.
// CHECK-LABEL: @no_mean
// CHECK: "ttir.sum"
// CHECK: "ttir.div"
func.func @no_mean(%x: tensor<4x6xf32>) -> tensor<4x1xf32> {
  %0 = "ttir.sum"(%x) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<4x6xf32>) -> tensor<4x1xf32>
  %1 = "ttir.constant"() <{value = dense<5.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %2 = "ttir.div"(%0, %1) : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  return %2 : tensor<4x1xf32>
}

// CHECK-LABEL: @product_of_permuted
// CHECK-NEXT: "ttir.dot_general"(%arg0, %arg1)
// CHECK-SAME: contract_dims_lhs = array<i64: 1>, contract_dims_rhs = array<i64: 1>
func.func @product_of_permuted(%a: tensor<4x8xf32>, %w: tensor<6x8xf32>) -> tensor<4x6xf32> {
  %0 = "ttir.permute"(%w) <{permutation = array<i64: 1, 0>}> : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %1 = "ttir.dot_general"(%a, %0) <{batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64: 1>, batch_dims_rhs = array<i64>, contract_dims_rhs = array<i64: 0>}> : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}

// The remaining dimensions would change their order.
// CHECK-LABEL: @product_of_reordered
// CHECK-NEXT: "ttir.permute"
// CHECK-NEXT: "ttir.dot_general"
func.func @product_of_reordered(%a: tensor<4x8xf32>, %w: tensor<8x6x7xf32>) -> tensor<4x7x6xf32> {
  %0 = "ttir.permute"(%w) <{permutation = array<i64: 0, 2, 1>}> : (tensor<8x6x7xf32>) -> tensor<8x7x6xf32>
  %1 = "ttir.dot_general"(%a, %0) <{batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64: 1>, batch_dims_rhs = array<i64>, contract_dims_rhs = array<i64: 0>}> : (tensor<4x8xf32>, tensor<8x7x6xf32>) -> tensor<4x7x6xf32>
  return %1 : tensor<4x7x6xf32>
}

// CHECK-LABEL: @product_of_permuted_factors
// CHECK-NEXT: "ttir.dot_general"(%arg0, %arg1)
// CHECK-SAME: batch_dims_lhs = array<i64: 1>, batch_dims_rhs = array<i64: 0>, contract_dims_lhs = array<i64: 2>, contract_dims_rhs = array<i64: 2>
func.func @product_of_permuted_factors(%a: tensor<4x3x8xf32>, %w: tensor<3x6x8xf32>) -> tensor<3x4x6xf32> {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 1, 0, 2>}> : (tensor<4x3x8xf32>) -> tensor<3x4x8xf32>
  %1 = "ttir.permute"(%w) <{permutation = array<i64: 0, 2, 1>}> : (tensor<3x6x8xf32>) -> tensor<3x8x6xf32>
  %2 = "ttir.dot_general"(%0, %1) <{batch_dims_lhs = array<i64: 0>, contract_dims_lhs = array<i64: 2>, batch_dims_rhs = array<i64: 0>, contract_dims_rhs = array<i64: 1>}> : (tensor<3x4x8xf32>, tensor<3x8x6xf32>) -> tensor<3x4x6xf32>
  return %2 : tensor<3x4x6xf32>
}

// CHECK-LABEL: @silu
// CHECK-NEXT: "ttir.silu"(%arg0)
// CHECK-NEXT: return
func.func @silu(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "ttir.sigmoid"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "ttir.multiply"(%x, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: @gelu_erfc
// CHECK-NEXT: "ttir.gelu"(%arg0)
// CHECK-NEXT: return
func.func @gelu_erfc(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "ttir.constant"() <{value = dense<0.5> : tensor<8xf32>}> : () -> tensor<8xf32>
  %1 = "ttir.multiply"(%x, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = "ttir.neg"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = "ttir.constant"() <{value = dense<0.707106769> : tensor<8xf32>}> : () -> tensor<8xf32>
  %4 = "ttir.multiply"(%2, %3) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %5 = "ttir.erfc"(%4) : (tensor<8xf32>) -> tensor<8xf32>
  %6 = "ttir.multiply"(%1, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %6 : tensor<8xf32>
}

// CHECK-LABEL: @gelu_erf
// CHECK-NEXT: "ttir.gelu"(%arg0)
// CHECK-NEXT: return
func.func @gelu_erf(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "ttir.constant"() <{value = dense<1.41421354> : tensor<8xf32>}> : () -> tensor<8xf32>
  %1 = "ttir.div"(%x, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = "ttir.erf"(%1) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = "ttir.constant"() <{value = dense<1.0> : tensor<8xf32>}> : () -> tensor<8xf32>
  %4 = "ttir.add"(%2, %3) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %5 = "ttir.multiply"(%x, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %6 = "ttir.constant"() <{value = dense<2.0> : tensor<8xf32>}> : () -> tensor<8xf32>
  %7 = "ttir.div"(%5, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %7 : tensor<8xf32>
}

// 0.7 is not the inverse of the root of two.
// CHECK-LABEL: @no_gelu
// CHECK-NOT: ttir.gelu
// CHECK: "ttir.erfc"
func.func @no_gelu(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "ttir.constant"() <{value = dense<0.5> : tensor<8xf32>}> : () -> tensor<8xf32>
  %1 = "ttir.multiply"(%x, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = "ttir.constant"() <{value = dense<-0.7> : tensor<8xf32>}> : () -> tensor<8xf32>
  %4 = "ttir.multiply"(%x, %3) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %5 = "ttir.erfc"(%4) : (tensor<8xf32>) -> tensor<8xf32>
  %6 = "ttir.multiply"(%1, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %6 : tensor<8xf32>
}

// CHECK-LABEL: @softmax
// CHECK-NEXT: "ttir.softmax"(%arg0) <{dimension = 1 : si32, numericStable = true}>
// CHECK-NEXT: return
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.max"(%x) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x8xf32>) -> tensor<4xf32>
  %1 = "ttir.reshape"(%0) <{shape = [4 : i32, 1 : i32]}> : (tensor<4xf32>) -> tensor<4x1xf32>
  %2 = "ttir.subtract"(%x, %1) : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %3 = "ttir.exp"(%2) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = "ttir.sum"(%3) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x8xf32>) -> tensor<4xf32>
  %5 = "ttir.reshape"(%4) <{shape = [4 : i32, 1 : i32]}> : (tensor<4xf32>) -> tensor<4x1xf32>
  %6 = "ttir.div"(%3, %5) : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  return %6 : tensor<4x8xf32>
}

// The sum is along another dimension.
// CHECK-LABEL: @no_softmax
// CHECK-NOT: ttir.softmax
// CHECK: "ttir.div"
func.func @no_softmax(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "ttir.max"(%x) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<4x4xf32>) -> tensor<4x1xf32>
  %2 = "ttir.subtract"(%x, %0) : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  %3 = "ttir.exp"(%2) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = "ttir.sum"(%3) <{dim_arg = [0 : i32], keep_dim = true}> : (tensor<4x4xf32>) -> tensor<1x4xf32>
  %6 = "ttir.div"(%3, %4) : (tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  return %6 : tensor<4x4xf32>
}

// CHECK-LABEL: @layer_norm
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>
// CHECK: "ttir.layer_norm"(%[[X]], {{.*}}) <{epsilon = 9.99999974E-6 : f32, normalized_shape = array<i64: 8>}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT: return
func.func @layer_norm(%x: tensor<4x8xf32>, %w: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %n = "ttir.constant"() <{value = dense<8.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %0 = "ttir.sum"(%x) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %1 = "ttir.div"(%0, %n) : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %2 = "ttir.subtract"(%x, %1) : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %3 = "ttir.square"(%2) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = "ttir.mean"(%3) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %e = "ttir.constant"() <{value = dense<1.0e-5> : tensor<4x1xf32>}> : () -> tensor<4x1xf32>
  %5 = "ttir.add"(%4, %e) : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  %6 = "ttir.rsqrt"(%5) : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %7 = "ttir.multiply"(%2, %6) : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %8 = "ttir.reshape"(%w) <{shape = [1 : i32, 8 : i32]}> : (tensor<8xf32>) -> tensor<1x8xf32>
  %9 = "ttir.multiply"(%7, %8) : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %10 = "ttir.reshape"(%b) <{shape = [1 : i32, 8 : i32]}> : (tensor<8xf32>) -> tensor<1x8xf32>
  %11 = "ttir.add"(%9, %10) : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  return %11 : tensor<4x8xf32>
}

// CHECK-LABEL: @rms_norm
// CHECK: "ttir.rms_norm"(%arg0, %arg1)
// CHECK-NEXT: return
func.func @rms_norm(%x: tensor<4x8xf32>, %w: tensor<8xf32>) -> tensor<4x8xf32> {
  %3 = "ttir.multiply"(%x, %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = "ttir.mean"(%3) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %e = "ttir.constant"() <{value = dense<1.0e-5> : tensor<4x1xf32>}> : () -> tensor<4x1xf32>
  %5 = "ttir.add"(%e, %4) : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  %6 = "ttir.rsqrt"(%5) : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %7 = "ttir.multiply"(%6, %x) : (tensor<4x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %9 = "ttir.multiply"(%7, %w) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %9 : tensor<4x8xf32>
}

// The mean is along the first dimension: no norm of the last ones.
// CHECK-LABEL: @no_norm
// CHECK-NOT: rms_norm
// CHECK: "ttir.rsqrt"
func.func @no_norm(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %3 = "ttir.square"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = "ttir.mean"(%3) <{dim_arg = [0 : i32], keep_dim = true}> : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %e = "ttir.constant"() <{value = dense<1.0e-5> : tensor<1x8xf32>}> : () -> tensor<1x8xf32>
  %5 = "ttir.add"(%4, %e) : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  %6 = "ttir.rsqrt"(%5) : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %7 = "ttir.multiply"(%x, %6) : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  return %7 : tensor<4x8xf32>
}

// A quotient of integers is rounded.
// CHECK-LABEL: @sum_of_integers_divided
// CHECK-NEXT: "ttir.sum"
// CHECK-NEXT: "ttir.constant"
// CHECK-NEXT: "ttir.div"
func.func @sum_of_integers_divided(%x: tensor<4x8xi32>) -> tensor<4x1xi32> {
  %0 = "ttir.sum"(%x) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<4x8xi32>) -> tensor<4x1xi32>
  %1 = "ttir.constant"() <{value = dense<8> : tensor<4x1xi32>}> : () -> tensor<4x1xi32>
  %2 = "ttir.div"(%0, %1) : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi32>
  return %2 : tensor<4x1xi32>
}
