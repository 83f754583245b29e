// Forms of attention with other orders of dimensions are one kernel as well. On Tensix its bits are those of separate kernels, where
// elements are f32.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=KERNELS --input-file %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run --device tensix --seed 1 --golden %t.ttnn | FileCheck %s
// RUN: ttrt run --device interpreter --seed 1 --golden %t.ttnn | FileCheck %s
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="fusion=none" %s -o %t.apart.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.apart.mlir -o %t.apart.ttnn
// RUN: ttrt run --device tensix --seed 1 --program grouped %t.ttnn -o %t.grouped.npy
// RUN: ttrt run --device tensix --seed 1 --program grouped %t.apart.ttnn -o %t.grouped.apart.npy
// RUN: cmp %t.grouped.npy %t.grouped.apart.npy
// RUN: ttrt run --device tensix --seed 1 --program sums %t.ttnn -o %t.sums.npy
// RUN: ttrt run --device tensix --seed 1 --program sums %t.apart.ttnn -o %t.sums.apart.npy
// RUN: cmp %t.sums.npy %t.sums.apart.npy
// RUN: ttrt run --device tensix --seed 1 --program select %t.ttnn -o %t.select.npy
// RUN: ttrt run --device tensix --seed 1 --program select %t.apart.ttnn -o %t.select.apart.npy
// RUN: cmp %t.select.npy %t.select.apart.npy
// CHECK-COUNT-4: golden: [[COUNT:[0-9]+]] of [[COUNT]] results are within their bounds

// On MN-Core 2, too.
// RUN: ttmlir-opt --ttir-to-mncore-pipeline=precision=single %s -o %t.mncore.mlir
// RUN: FileCheck %s --check-prefix=KERNELS --input-file %t.mncore.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mncore.mlir -o %t.mncore.ttnn
// RUN: ttrt run --device mncore --seed 1 --golden %t.mncore.ttnn | FileCheck %s

// Heads share keys and values, as einsum writes it: values by weights, and heads in the columns.
// KERNELS-DAG: kernel = @grouped_matmul_divide_add_max_subtract_exp_sum_divide_matmul_
func.func @grouped(%q: tensor<2x40x6x24xf32>, %k: tensor<2x50x3x24xf32>, %v: tensor<2x50x3x40xf32>, %mask: tensor<40x50xf32>) -> tensor<2x40x240xf32> {
  %0 = "ttir.reshape"(%q) <{shape = [2 : i32, 40 : i32, 3 : i32, 2 : i32, 24 : i32]}> : (tensor<2x40x6x24xf32>) -> tensor<2x40x3x2x24xf32>
  %1 = "ttir.dot_general"(%k, %0) <{batch_dims_lhs = array<i64: 0, 2>, contract_dims_lhs = array<i64: 3>, batch_dims_rhs = array<i64: 0, 2>, contract_dims_rhs = array<i64: 4>}> : (tensor<2x50x3x24xf32>, tensor<2x40x3x2x24xf32>) -> tensor<2x3x50x40x2xf32>
  %2 = "ttir.permute"(%1) <{permutation = array<i64: 0, 1, 4, 3, 2>}> : (tensor<2x3x50x40x2xf32>) -> tensor<2x3x2x40x50xf32>
  %root = "ttir.full"() <{shape = array<i32: 2, 3, 2, 40, 50>, fill_value = 4.9 : f32}> : () -> tensor<2x3x2x40x50xf32>
  %3 = "ttir.div"(%2, %root) : (tensor<2x3x2x40x50xf32>, tensor<2x3x2x40x50xf32>) -> tensor<2x3x2x40x50xf32>
  %4 = "ttir.add"(%3, %mask) : (tensor<2x3x2x40x50xf32>, tensor<40x50xf32>) -> tensor<2x3x2x40x50xf32>
  %5 = "ttir.softmax"(%4) <{dimension = 4 : si32, numericStable = true}> : (tensor<2x3x2x40x50xf32>) -> tensor<2x3x2x40x50xf32>
  %6 = "ttir.dot_general"(%v, %5) <{batch_dims_lhs = array<i64: 0, 2>, contract_dims_lhs = array<i64: 1>, batch_dims_rhs = array<i64: 0, 1>, contract_dims_rhs = array<i64: 4>}> : (tensor<2x50x3x40xf32>, tensor<2x3x2x40x50xf32>) -> tensor<2x3x40x2x40xf32>
  %7 = "ttir.permute"(%6) <{permutation = array<i64: 0, 4, 1, 3, 2>}> : (tensor<2x3x40x2x40xf32>) -> tensor<2x40x3x2x40xf32>
  %8 = "ttir.reshape"(%7) <{shape = [2 : i32, 40 : i32, 240 : i32]}> : (tensor<2x40x3x2x40xf32>) -> tensor<2x40x240xf32>
  return %8 : tensor<2x40x240xf32>
}

// The softmax of bf16 scores is one of f32.
// KERNELS-DAG: kernel = @half_matmul_typecast_multiply_where_max_subtract_exp_sum_divide_typecast_matmul_
func.func @half(%q: tensor<2x4x33x32xbf16>, %k: tensor<2x2x33x32xbf16>, %v: tensor<2x2x33x32xbf16>) -> tensor<2x4x33x32xbf16> {
  %0 = "ttir.scaled_dot_product_attention"(%q, %k, %v) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<2x4x33x32xbf16>, tensor<2x2x33x32xbf16>, tensor<2x2x33x32xbf16>) -> tensor<2x4x33x32xbf16>
  return %0 : tensor<2x4x33x32xbf16>
}

// The sums divide the result instead of the weights.
// KERNELS-DAG: kernel = @sums_matmul_max_subtract_exp_sum_matmul_divide_
func.func @sums(%q: tensor<3x50x40xf32>, %k: tensor<3x40x70xf32>, %v: tensor<3x70x90xf32>) -> tensor<3x90x50xf32> {
  %0 = "ttir.matmul"(%q, %k) : (tensor<3x50x40xf32>, tensor<3x40x70xf32>) -> tensor<3x50x70xf32>
  %1 = "ttir.max"(%0) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<3x50x70xf32>) -> tensor<3x50x1xf32>
  %2 = "ttir.subtract"(%0, %1) : (tensor<3x50x70xf32>, tensor<3x50x1xf32>) -> tensor<3x50x70xf32>
  %3 = "ttir.exp"(%2) : (tensor<3x50x70xf32>) -> tensor<3x50x70xf32>
  %4 = "ttir.sum"(%3) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<3x50x70xf32>) -> tensor<3x50x1xf32>
  %5 = "ttir.matmul"(%3, %v) : (tensor<3x50x70xf32>, tensor<3x70x90xf32>) -> tensor<3x50x90xf32>
  %6 = "ttir.div"(%5, %4) : (tensor<3x50x90xf32>, tensor<3x50x1xf32>) -> tensor<3x50x90xf32>
  %7 = "ttir.permute"(%6) <{permutation = array<i64: 0, 2, 1>}> : (tensor<3x50x90xf32>) -> tensor<3x90x50xf32>
  return %7 : tensor<3x90x50xf32>
}

// A mask selects the quotients: more values than Dst has beside a running reduction.
// KERNELS-DAG: kernel = @select_matmul_max_subtract_exp_sum_divide_where_matmul_
func.func @select(%q: tensor<3x50x40xf32>, %k: tensor<3x70x40xf32>, %v: tensor<3x70x40xf32>, %mask: tensor<3x1x70xf32>, %else: tensor<1x1xf32>) -> tensor<3x50x40xf32> {
  %0 = "ttir.matmul"(%k, %q) <{transpose_b = true}> : (tensor<3x70x40xf32>, tensor<3x50x40xf32>) -> tensor<3x70x50xf32>
  %1 = "ttir.permute"(%0) <{permutation = array<i64: 0, 2, 1>}> : (tensor<3x70x50xf32>) -> tensor<3x50x70xf32>
  %2 = "ttir.softmax"(%1) <{dimension = 2 : si32, numericStable = true}> : (tensor<3x50x70xf32>) -> tensor<3x50x70xf32>
  %3 = "ttir.where"(%mask, %2, %else) : (tensor<3x1x70xf32>, tensor<3x50x70xf32>, tensor<1x1xf32>) -> tensor<3x50x70xf32>
  %4 = "ttir.matmul"(%3, %v) : (tensor<3x50x70xf32>, tensor<3x70x40xf32>) -> tensor<3x50x40xf32>
  return %4 : tensor<3x50x40xf32>
}
