// All tensors of an attention get batch dimensions, rows of queries and columns of keys, in this order; no movement is left between the
// products.
// RUN: ttmlir-opt --ttir-arrange-attention --canonicalize %s | FileCheck %s

// CHECK-LABEL: func.func @values_first(
// CHECK-NEXT: %[[S:.*]] = "ttir.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = true}>
// CHECK-NEXT: %[[E:.*]] = "ttir.exp"(%[[S]])
// CHECK-NEXT: %[[V:.*]] = "ttir.matmul"(%[[E]], %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<2x3x5x7xf32>, tensor<2x3x7x4xf32>) -> tensor<2x3x5x4xf32>
// CHECK-NEXT: %[[P:.*]] = "ttir.permute"(%[[V]]) <{permutation = array<i64: 0, 1, 3, 2>}>
// CHECK-NEXT: "ttir.permute"(%[[P]])
func.func @values_first(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x7x8xf32>, %v: tensor<2x3x7x4xf32>) -> tensor<2x5x3x4xf32> {
  %0 = "ttir.matmul"(%q, %k) <{transpose_b = true}> : (tensor<2x3x5x8xf32>, tensor<2x3x7x8xf32>) -> tensor<2x3x5x7xf32>
  %1 = "ttir.exp"(%0) : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %2 = "ttir.matmul"(%v, %1) <{transpose_a = true, transpose_b = true}> : (tensor<2x3x7x4xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x4x5xf32>
  %3 = "ttir.permute"(%2) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x4x5xf32>) -> tensor<2x5x3x4xf32>
  return %3 : tensor<2x5x3x4xf32>
}

// CHECK-LABEL: func.func @keys_first(
// CHECK-NEXT: %[[S:.*]] = "ttir.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = true}> : (tensor<2x5x8xf32>, tensor<2x7x8xf32>) -> tensor<2x5x7xf32>
// CHECK-NEXT: %[[E:.*]] = "ttir.exp"(%[[S]])
// CHECK-NEXT: %[[SUM:.*]] = "ttir.sum"(%[[E]]) <{dim_arg = [2 : i32], keep_dim = true}>
// CHECK-NEXT: %[[D:.*]] = "ttir.div"(%[[E]], %[[SUM]])
// CHECK-NEXT: %[[V:.*]] = "ttir.matmul"(%[[D]], %arg2) <{transpose_a = false, transpose_b = false}>
// CHECK-NEXT: return %[[V]]
func.func @keys_first(%q: tensor<2x5x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x4xf32>) -> tensor<2x5x4xf32> {
  %0 = "ttir.matmul"(%k, %q) <{transpose_b = true}> : (tensor<2x7x8xf32>, tensor<2x5x8xf32>) -> tensor<2x7x5xf32>
  %1 = "ttir.exp"(%0) : (tensor<2x7x5xf32>) -> tensor<2x7x5xf32>
  %2 = "ttir.sum"(%1) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<2x7x5xf32>) -> tensor<2x1x5xf32>
  %3 = "ttir.div"(%1, %2) : (tensor<2x7x5xf32>, tensor<2x1x5xf32>) -> tensor<2x7x5xf32>
  %4 = "ttir.matmul"(%3, %v) <{transpose_a = true}> : (tensor<2x7x5xf32>, tensor<2x7x4xf32>) -> tensor<2x5x4xf32>
  return %4 : tensor<2x5x4xf32>
}

// CHECK-LABEL: func.func @heads_that_share_keys(
// CHECK-NEXT: %[[Q0:.*]] = "ttir.reshape"(%arg0) <{shape = [3 : i32, 5 : i32, 2 : i32, 8 : i32]}>
// CHECK-NEXT: %[[Q1:.*]] = "ttir.permute"(%[[Q0]]) <{permutation = array<i64: 0, 2, 1, 3>}>
// CHECK-NEXT: %[[Q:.*]] = "ttir.reshape"(%[[Q1]]) <{shape = [3 : i32, 10 : i32, 8 : i32]}>
// CHECK-NEXT: %[[S:.*]] = "ttir.matmul"(%[[Q]], %arg1)
// CHECK-NEXT: %[[M0:.*]] = "ttir.reshape"(%arg3) <{shape = [1 : i32, 1 : i32, 5 : i32, 7 : i32]}>
// CHECK-NEXT: %[[M1:.*]] = "ttir.repeat"(%[[M0]]) <{repeat_dimensions = array<i64: 1, 2, 1, 1>}>
// CHECK-NEXT: %[[M:.*]] = "ttir.reshape"(%[[M1]]) <{shape = [1 : i32, 10 : i32, 7 : i32]}>
// CHECK-NEXT: %[[A:.*]] = "ttir.add"(%[[S]], %[[M]])
// CHECK-NEXT: %[[B0:.*]] = "ttir.permute"(%arg4) <{permutation = array<i64: 1, 0, 2, 3>}>
// CHECK-NEXT: %[[B:.*]] = "ttir.reshape"(%[[B0]]) <{shape = [3 : i32, 10 : i32, 7 : i32]}>
// CHECK-NEXT: %[[C:.*]] = "ttir.add"(%[[A]], %[[B]])
// CHECK-NEXT: %[[E:.*]] = "ttir.exp"(%[[C]])
// CHECK-NEXT: %[[V:.*]] = "ttir.matmul"(%[[E]], %arg2)
// CHECK-NEXT: %[[R:.*]] = "ttir.reshape"(%[[V]]) <{shape = [3 : i32, 2 : i32, 5 : i32, 4 : i32]}>
// CHECK-NEXT: %[[P:.*]] = "ttir.permute"(%[[R]]) <{permutation = array<i64: 0, 2, 1, 3>}>
// CHECK-NEXT: "ttir.reshape"(%[[P]]) <{shape = [3 : i32, 10 : i32, 4 : i32]}>
func.func @heads_that_share_keys(%q: tensor<3x10x8xf32>, %k: tensor<3x7x8xf32>, %v: tensor<3x7x4xf32>, %mask: tensor<5x7xf32>, %bias: tensor<2x3x5x7xf32>) -> tensor<3x10x4xf32> {
  %0 = "ttir.matmul"(%q, %k) <{transpose_b = true}> : (tensor<3x10x8xf32>, tensor<3x7x8xf32>) -> tensor<3x10x7xf32>
  %1 = "ttir.reshape"(%0) <{shape = [3 : i32, 5 : i32, 2 : i32, 7 : i32]}> : (tensor<3x10x7xf32>) -> tensor<3x5x2x7xf32>
  %2 = "ttir.permute"(%1) <{permutation = array<i64: 2, 0, 1, 3>}> : (tensor<3x5x2x7xf32>) -> tensor<2x3x5x7xf32>
  %3 = "ttir.add"(%2, %mask) : (tensor<2x3x5x7xf32>, tensor<5x7xf32>) -> tensor<2x3x5x7xf32>
  %4 = "ttir.add"(%3, %bias) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %5 = "ttir.exp"(%4) : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %6 = "ttir.permute"(%5) <{permutation = array<i64: 1, 2, 0, 3>}> : (tensor<2x3x5x7xf32>) -> tensor<3x5x2x7xf32>
  %7 = "ttir.reshape"(%6) <{shape = [3 : i32, 10 : i32, 7 : i32]}> : (tensor<3x5x2x7xf32>) -> tensor<3x10x7xf32>
  %8 = "ttir.matmul"(%7, %v) : (tensor<3x10x7xf32>, tensor<3x7x4xf32>) -> tensor<3x10x4xf32>
  return %8 : tensor<3x10x4xf32>
}

// CHECK-LABEL: func.func @batch_is_split(
// CHECK-NEXT: %[[Q:.*]] = "ttir.reshape"(%arg0) <{shape = [2 : i32, 3 : i32, 5 : i32, 8 : i32]}>
// CHECK-NEXT: %[[K:.*]] = "ttir.reshape"(%arg1)
// CHECK-NEXT: %[[S:.*]] = "ttir.matmul"(%[[Q]], %[[K]])
// CHECK-NEXT: %[[A:.*]] = "ttir.add"(%[[S]], %arg3)
// CHECK-NEXT: %[[E:.*]] = "ttir.exp"(%[[A]])
// CHECK-NEXT: %[[V:.*]] = "ttir.reshape"(%arg2)
// CHECK-NEXT: %[[R:.*]] = "ttir.matmul"(%[[E]], %[[V]])
// CHECK-NEXT: "ttir.reshape"(%[[R]]) <{shape = [6 : i32, 5 : i32, 4 : i32]}>
func.func @batch_is_split(%q: tensor<6x5x8xf32>, %k: tensor<6x7x8xf32>, %v: tensor<6x7x4xf32>, %mask: tensor<2x1x5x7xf32>) -> tensor<6x5x4xf32> {
  %0 = "ttir.matmul"(%q, %k) <{transpose_b = true}> : (tensor<6x5x8xf32>, tensor<6x7x8xf32>) -> tensor<6x5x7xf32>
  %1 = "ttir.reshape"(%0) <{shape = [2 : i32, 3 : i32, 5 : i32, 7 : i32]}> : (tensor<6x5x7xf32>) -> tensor<2x3x5x7xf32>
  %2 = "ttir.add"(%1, %mask) : (tensor<2x3x5x7xf32>, tensor<2x1x5x7xf32>) -> tensor<2x3x5x7xf32>
  %3 = "ttir.exp"(%2) : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %4 = "ttir.reshape"(%3) <{shape = [6 : i32, 5 : i32, 7 : i32]}> : (tensor<2x3x5x7xf32>) -> tensor<6x5x7xf32>
  %5 = "ttir.matmul"(%4, %v) : (tensor<6x5x7xf32>, tensor<6x7x4xf32>) -> tensor<6x5x4xf32>
  return %5 : tensor<6x5x4xf32>
}

// CHECK-LABEL: func.func @reduction_without_its_dimension(
// CHECK: %[[S:.*]] = "ttir.matmul"({{.*}}) -> tensor<1x2x5x7xf32>
// CHECK: %[[M:.*]] = "ttir.max"(%[[S]]) <{dim_arg = [3 : i32], keep_dim = true}>
// CHECK: %[[D:.*]] = "ttir.subtract"(%[[S]], %[[M]])
// CHECK: %[[E:.*]] = "ttir.exp"(%[[D]])
// CHECK: %[[W:.*]] = "ttir.multiply"(%[[E]], %arg3)
// CHECK: "ttir.matmul"(%[[W]],
func.func @reduction_without_its_dimension(%q: tensor<2x5x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x4xf32>, %scale: tensor<1x1x1x1xf32>) -> tensor<2x5x4xf32> {
  %0 = "ttir.matmul"(%q, %k) <{transpose_b = true}> : (tensor<2x5x8xf32>, tensor<2x7x8xf32>) -> tensor<2x5x7xf32>
  %1 = "ttir.max"(%0) <{dim_arg = [2 : i32], keep_dim = false}> : (tensor<2x5x7xf32>) -> tensor<2x5xf32>
  %2 = "ttir.reshape"(%1) <{shape = [2 : i32, 5 : i32, 1 : i32]}> : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
  %3 = "ttir.subtract"(%0, %2) : (tensor<2x5x7xf32>, tensor<2x5x1xf32>) -> tensor<2x5x7xf32>
  %4 = "ttir.exp"(%3) : (tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %5 = "ttir.multiply"(%4, %scale) : (tensor<2x5x7xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x5x7xf32>
  %6 = "ttir.reshape"(%5) <{shape = [2 : i32, 5 : i32, 7 : i32]}> : (tensor<1x2x5x7xf32>) -> tensor<2x5x7xf32>
  %7 = "ttir.matmul"(%6, %v) : (tensor<2x5x7xf32>, tensor<2x7x4xf32>) -> tensor<2x5x4xf32>
  return %7 : tensor<2x5x4xf32>
}

// CHECK-LABEL: func.func @sums_divide_the_result(
// CHECK-NEXT: %[[S:.*]] = "ttir.matmul"(%arg0, %arg1)
// CHECK-NEXT: %[[E:.*]] = "ttir.exp"(%[[S]])
// CHECK-NEXT: %[[W:.*]] = "ttir.typecast"(%[[E]])
// CHECK-NEXT: %[[SUM:.*]] = "ttir.sum"(%[[W]])
// CHECK-NEXT: %[[P:.*]] = "ttir.matmul"(%[[E]], %arg2) <{transpose_a = false, transpose_b = false}>
// CHECK-NEXT: %[[C:.*]] = "ttir.typecast"(%[[P]])
// CHECK-NEXT: %[[D:.*]] = "ttir.div"(%[[C]], %[[SUM]])
// CHECK-NEXT: return %[[D]]
func.func @sums_divide_the_result(%q: tensor<2x5x8xbf16>, %k: tensor<2x7x8xbf16>, %v: tensor<2x7x4xbf16>) -> tensor<2x5x4xf32> {
  %0 = "ttir.matmul"(%q, %k) <{transpose_b = true}> : (tensor<2x5x8xbf16>, tensor<2x7x8xbf16>) -> tensor<2x5x7xbf16>
  %1 = "ttir.exp"(%0) : (tensor<2x5x7xbf16>) -> tensor<2x5x7xbf16>
  %2 = "ttir.typecast"(%1) : (tensor<2x5x7xbf16>) -> tensor<2x5x7xf32>
  %3 = "ttir.sum"(%2) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<2x5x7xf32>) -> tensor<2x5x1xf32>
  %4 = "ttir.matmul"(%v, %1) <{transpose_a = true, transpose_b = true}> : (tensor<2x7x4xbf16>, tensor<2x5x7xbf16>) -> tensor<2x4x5xbf16>
  %5 = "ttir.permute"(%4) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x5xbf16>) -> tensor<2x5x4xbf16>
  %6 = "ttir.typecast"(%5) : (tensor<2x5x4xbf16>) -> tensor<2x5x4xf32>
  %7 = "ttir.div"(%6, %3) : (tensor<2x5x4xf32>, tensor<2x5x1xf32>) -> tensor<2x5x4xf32>
  return %7 : tensor<2x5x4xf32>
}

// Keys without heads are broadcast to those of the values.
// CHECK-LABEL: func.func @keys_for_all_heads(
// CHECK-NEXT: %[[Q:.*]] = "ttir.reshape"(%arg0) <{shape = [2 : i32, 3 : i32, 5 : i32, 8 : i32]}>
// CHECK-NEXT: %[[K:.*]] = "ttir.reshape"(%arg1) <{shape = [2 : i32, 1 : i32, 7 : i32, 8 : i32]}>
// CHECK-NEXT: %[[S:.*]] = "ttir.matmul"(%[[Q]], %[[K]])
// CHECK-NEXT: %[[E:.*]] = "ttir.exp"(%[[S]])
// CHECK-NEXT: "ttir.matmul"(%[[E]], %arg2)
func.func @keys_for_all_heads(%q: tensor<2x15x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x3x7x4xf32>) -> tensor<2x3x5x4xf32> {
  %0 = "ttir.matmul"(%q, %k) <{transpose_b = true}> : (tensor<2x15x8xf32>, tensor<2x7x8xf32>) -> tensor<2x15x7xf32>
  %1 = "ttir.exp"(%0) : (tensor<2x15x7xf32>) -> tensor<2x15x7xf32>
  %2 = "ttir.reshape"(%1) <{shape = [2 : i32, 3 : i32, 5 : i32, 7 : i32]}> : (tensor<2x15x7xf32>) -> tensor<2x3x5x7xf32>
  %3 = "ttir.matmul"(%2, %v) : (tensor<2x3x5x7xf32>, tensor<2x3x7x4xf32>) -> tensor<2x3x5x4xf32>
  return %3 : tensor<2x3x5x4xf32>
}

// Keys and values are not repeated for heads that share them. These heads become rows.
// CHECK-LABEL: func.func @keys_are_repeated(
// CHECK-NEXT: %[[K0:.*]] = "ttir.reshape"(%arg1) <{shape = [7 : i32, 3 : i32, 1 : i32, 8 : i32]}>
// CHECK-NEXT: %[[V0:.*]] = "ttir.reshape"(%arg2) <{shape = [3 : i32, 1 : i32, 7 : i32, 4 : i32]}>
// CHECK-NEXT: %[[Q:.*]] = "ttir.reshape"(%arg0) <{shape = [3 : i32, 10 : i32, 8 : i32]}>
// CHECK-NEXT: %[[K1:.*]] = "ttir.reshape"(%[[K0]]) <{shape = [7 : i32, 3 : i32, 8 : i32]}>
// CHECK-NEXT: %[[K:.*]] = "ttir.permute"(%[[K1]]) <{permutation = array<i64: 1, 0, 2>}>
// CHECK-NEXT: %[[S:.*]] = "ttir.matmul"(%[[Q]], %[[K]]) <{transpose_a = false, transpose_b = true}>
// CHECK-NEXT: %[[E:.*]] = "ttir.exp"(%[[S]])
// CHECK-NEXT: %[[V:.*]] = "ttir.reshape"(%[[V0]]) <{shape = [3 : i32, 7 : i32, 4 : i32]}>
// CHECK-NEXT: %[[P:.*]] = "ttir.matmul"(%[[E]], %[[V]]) <{transpose_a = false, transpose_b = false}>
// CHECK-NEXT: %[[R:.*]] = "ttir.reshape"(%[[P]]) <{shape = [6 : i32, 5 : i32, 4 : i32]}>
// CHECK-NEXT: return %[[R]]
func.func @keys_are_repeated(%q: tensor<6x5x8xf32>, %k: tensor<7x3x8xf32>, %v: tensor<3x7x4xf32>) -> tensor<6x5x4xf32> {
  %0 = "ttir.reshape"(%k) <{shape = [7 : i32, 3 : i32, 1 : i32, 8 : i32]}> : (tensor<7x3x8xf32>) -> tensor<7x3x1x8xf32>
  %1 = "ttir.repeat"(%0) <{repeat_dimensions = array<i64: 1, 1, 2, 1>}> : (tensor<7x3x1x8xf32>) -> tensor<7x3x2x8xf32>
  %2 = "ttir.reshape"(%1) <{shape = [7 : i32, 6 : i32, 8 : i32]}> : (tensor<7x3x2x8xf32>) -> tensor<7x6x8xf32>
  %3 = "ttir.permute"(%2) <{permutation = array<i64: 1, 0, 2>}> : (tensor<7x6x8xf32>) -> tensor<6x7x8xf32>
  %4 = "ttir.reshape"(%v) <{shape = [3 : i32, 1 : i32, 7 : i32, 4 : i32]}> : (tensor<3x7x4xf32>) -> tensor<3x1x7x4xf32>
  %5 = "ttir.repeat"(%4) <{repeat_dimensions = array<i64: 1, 2, 1, 1>}> : (tensor<3x1x7x4xf32>) -> tensor<3x2x7x4xf32>
  %6 = "ttir.reshape"(%5) <{shape = [6 : i32, 7 : i32, 4 : i32]}> : (tensor<3x2x7x4xf32>) -> tensor<6x7x4xf32>
  %7 = "ttir.matmul"(%q, %3) <{transpose_b = true}> : (tensor<6x5x8xf32>, tensor<6x7x8xf32>) -> tensor<6x5x7xf32>
  %8 = "ttir.exp"(%7) : (tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %9 = "ttir.matmul"(%8, %6) : (tensor<6x5x7xf32>, tensor<6x7x4xf32>) -> tensor<6x5x4xf32>
  return %9 : tensor<6x5x4xf32>
}

// In order already.
// CHECK-LABEL: func.func @in_order(
// CHECK-NEXT: "ttir.matmul"(%arg0, %arg1)
// CHECK-NEXT: "ttir.add"
// CHECK-NEXT: "ttir.exp"
// CHECK-NEXT: "ttir.sum"
// CHECK-NEXT: "ttir.div"
// CHECK-NEXT: "ttir.matmul"
func.func @in_order(%q: tensor<2x5x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x4xf32>, %mask: tensor<7xf32>) -> tensor<2x5x4xf32> {
  %0 = "ttir.matmul"(%q, %k) <{transpose_b = true}> : (tensor<2x5x8xf32>, tensor<2x7x8xf32>) -> tensor<2x5x7xf32>
  %1 = "ttir.add"(%0, %mask) : (tensor<2x5x7xf32>, tensor<7xf32>) -> tensor<2x5x7xf32>
  %2 = "ttir.exp"(%1) : (tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %3 = "ttir.sum"(%2) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<2x5x7xf32>) -> tensor<2x5x1xf32>
  %4 = "ttir.div"(%2, %3) : (tensor<2x5x7xf32>, tensor<2x5x1xf32>) -> tensor<2x5x7xf32>
  %5 = "ttir.matmul"(%4, %v) : (tensor<2x5x7xf32>, tensor<2x7x4xf32>) -> tensor<2x5x4xf32>
  return %5 : tensor<2x5x4xf32>
}

// The following are no attention that could be arranged.

// The weights are a result, too.
// CHECK-LABEL: func.func @weights_are_returned(
// CHECK-NEXT: "ttir.matmul"(%arg1, %arg0)
// CHECK-NEXT: "ttir.exp"
// CHECK-NEXT: "ttir.matmul"({{.*}}, %arg2) <{transpose_a = true
func.func @weights_are_returned(%q: tensor<2x5x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x4xf32>) -> (tensor<2x7x5xf32>, tensor<2x5x4xf32>) {
  %0 = "ttir.matmul"(%k, %q) <{transpose_b = true}> : (tensor<2x7x8xf32>, tensor<2x5x8xf32>) -> tensor<2x7x5xf32>
  %1 = "ttir.exp"(%0) : (tensor<2x7x5xf32>) -> tensor<2x7x5xf32>
  %2 = "ttir.matmul"(%1, %v) <{transpose_a = true}> : (tensor<2x7x5xf32>, tensor<2x7x4xf32>) -> tensor<2x5x4xf32>
  return %1, %2 : tensor<2x7x5xf32>, tensor<2x5x4xf32>
}

// The softmax is one along queries.
// CHECK-LABEL: func.func @sum_of_queries(
// CHECK-NEXT: "ttir.matmul"(%arg1, %arg0)
// CHECK-NEXT: "ttir.exp"
// CHECK-NEXT: "ttir.sum"
// CHECK-NEXT: "ttir.div"
// CHECK-NEXT: "ttir.matmul"({{.*}}, %arg2) <{transpose_a = true
func.func @sum_of_queries(%q: tensor<2x5x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x4xf32>) -> tensor<2x5x4xf32> {
  %0 = "ttir.matmul"(%k, %q) <{transpose_b = true}> : (tensor<2x7x8xf32>, tensor<2x5x8xf32>) -> tensor<2x7x5xf32>
  %1 = "ttir.exp"(%0) : (tensor<2x7x5xf32>) -> tensor<2x7x5xf32>
  %2 = "ttir.sum"(%1) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<2x7x5xf32>) -> tensor<2x7x1xf32>
  %3 = "ttir.div"(%1, %2) : (tensor<2x7x5xf32>, tensor<2x7x1xf32>) -> tensor<2x7x5xf32>
  %4 = "ttir.matmul"(%3, %v) <{transpose_a = true}> : (tensor<2x7x5xf32>, tensor<2x7x4xf32>) -> tensor<2x5x4xf32>
  return %4 : tensor<2x5x4xf32>
}

// The second product sums along heads.
// CHECK-LABEL: func.func @sum_along_heads(
// CHECK-NEXT: "ttir.matmul"(%arg0, %arg1)
// CHECK-NEXT: "ttir.exp"
// CHECK-NEXT: "ttir.permute"
// CHECK-NEXT: "ttir.matmul"({{.*}}, %arg2)
func.func @sum_along_heads(%q: tensor<3x5x8xf32>, %k: tensor<3x7x8xf32>, %v: tensor<5x3x4xf32>) -> tensor<5x7x4xf32> {
  %0 = "ttir.matmul"(%q, %k) <{transpose_b = true}> : (tensor<3x5x8xf32>, tensor<3x7x8xf32>) -> tensor<3x5x7xf32>
  %1 = "ttir.exp"(%0) : (tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %2 = "ttir.permute"(%1) <{permutation = array<i64: 1, 2, 0>}> : (tensor<3x5x7xf32>) -> tensor<5x7x3xf32>
  %3 = "ttir.matmul"(%2, %v) : (tensor<5x7x3xf32>, tensor<5x3x4xf32>) -> tensor<5x7x4xf32>
  return %3 : tensor<5x7x4xf32>
}

// Scores of some heads are not a tensor with these axes.
// CHECK-LABEL: func.func @slice(
// CHECK-NEXT: "ttir.matmul"(%arg0, %arg1)
// CHECK-NEXT: "ttir.exp"
// CHECK-NEXT: "ttir.slice_static"
// CHECK-NEXT: "ttir.matmul"(%arg2,
// CHECK-NEXT: "ttir.permute"
func.func @slice(%q: tensor<2x5x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<7x4xf32>) -> tensor<1x5x4xf32> {
  %0 = "ttir.matmul"(%q, %k) <{transpose_b = true}> : (tensor<2x5x8xf32>, tensor<2x7x8xf32>) -> tensor<2x5x7xf32>
  %1 = "ttir.exp"(%0) : (tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %2 = "ttir.slice_static"(%1) <{begins = [0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 5 : i32, 7 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x5x7xf32>) -> tensor<1x5x7xf32>
  %3 = "ttir.matmul"(%v, %2) <{transpose_a = true, transpose_b = true}> : (tensor<7x4xf32>, tensor<1x5x7xf32>) -> tensor<1x4x5xf32>
  %4 = "ttir.permute"(%3) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x4x5xf32>) -> tensor<1x5x4xf32>
  return %4 : tensor<1x5x4xf32>
}

// Added scores of other queries have other axes of the same extent.
// CHECK-LABEL: func.func @transposed_sum(
// CHECK-NEXT: "ttir.matmul"(%arg0, %arg1)
// CHECK-NEXT: "ttir.permute"
// CHECK-NEXT: "ttir.add"
// CHECK-NEXT: "ttir.exp"
// CHECK-NEXT: "ttir.matmul"(%arg2,
func.func @transposed_sum(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x4xf32>) -> tensor<4x5xf32> {
  %0 = "ttir.matmul"(%q, %k) <{transpose_b = true}> : (tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<5x5xf32>
  %1 = "ttir.permute"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<5x5xf32>) -> tensor<5x5xf32>
  %2 = "ttir.add"(%0, %1) : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>
  %3 = "ttir.exp"(%2) : (tensor<5x5xf32>) -> tensor<5x5xf32>
  %4 = "ttir.matmul"(%v, %3) <{transpose_a = true, transpose_b = true}> : (tensor<5x4xf32>, tensor<5x5xf32>) -> tensor<4x5xf32>
  return %4 : tensor<4x5xf32>
}
