// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline --ttnn-decompose-reductions=target=tensix --split-input-file %s | FileCheck %s --check-prefixes=CHECK,TILES
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline --ttnn-decompose-reductions=target=mncore --split-input-file %s | FileCheck %s --check-prefixes=CHECK,COLLAPSED

// Every kernel reduces rows and columns.

// CHECK-LABEL: func.func @rows
// CHECK-NOT: ttnn.reshape
// CHECK: "ttnn.sum"
// CHECK-NOT: ttnn.reshape
func.func @rows(%a: tensor<33x40xbf16>) -> tensor<33xbf16> {
  %0 = "ttir.sum"(%a) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<33x40xbf16>) -> tensor<33xbf16>
  return %0 : tensor<33xbf16>
}

// -----

// Sums of bf16 are rounded once.

// CHECK-LABEL: func.func @sums
// CHECK: %[[MOVED:.*]] = "ttnn.permute"(%{{.*}}) <{permutation = array<i64: 1, 0, 2, 3>}>
// CHECK: %[[MATRICES:.*]] = "ttnn.reshape"(%[[MOVED]]) <{shape = [3 : i32, 66 : i32, 40 : i32]}>
// CHECK: %[[SUMS:.*]] = "ttnn.sum"(%[[MATRICES]]) <{{.*}}dim_arg = [1 : i32, 2 : i32], keep_dim = true}>
// CHECK: "ttnn.reshape"(%[[SUMS]]) <{shape = [3 : i32]}>
func.func @sums(%a: tensor<2x3x33x40xbf16>) -> tensor<3xbf16> {
  %0 = "ttir.sum"(%a) <{dim_arg = [0 : i32, 2 : i32, 3 : i32], keep_dim = false}> : (tensor<2x3x33x40xbf16>) -> tensor<3xbf16>
  return %0 : tensor<3xbf16>
}

// -----

// Maxima are exact.

// CHECK-LABEL: func.func @maxima
// CHECK: %[[MATRICES:.*]] = "ttnn.max"(%{{.*}}) <{{.*}}dim_arg = [2 : i32, 3 : i32], keep_dim = true}>
// TILES: %[[ROWS:.*]] = "ttnn.reshape"(%[[MATRICES]]) <{shape = [2 : i32, 3 : i32]}>
// TILES: "ttnn.max"(%[[ROWS]])
// COLLAPSED: "ttnn.max"(%[[MATRICES]]) <{{.*}}dim_arg = [0 : i32], keep_dim = true}>
func.func @maxima(%a: tensor<2x3x33x40xbf16>) -> tensor<3xbf16> {
  %0 = "ttir.max"(%a) <{dim_arg = [0 : i32, 2 : i32, 3 : i32], keep_dim = false}> : (tensor<2x3x33x40xbf16>) -> tensor<3xbf16>
  return %0 : tensor<3xbf16>
}
