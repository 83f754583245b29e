// MN-Core 2 computes matrices of few rows as one matrix, if each row is computed alike.
// RUN: ttmlir-opt --ttir-to-mncore-pipeline=fusion=none %s -o %t.mlir
// RUN: grep "mncore.kernel" %t.mlir | FileCheck %s --check-prefix=KERNELS
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run --device mncore --seed 1 --golden --memory-canaries %t.ttnn | FileCheck %s
// CHECK-COUNT-8: golden: [[COUNT:[0-9]+]] of [[COUNT]] results are within their bounds

// One row for all matrices, each of one row.
// KERNELS: @heads_multiply_0_mncore {{.*}}tensor<1x4x16xf32>{{.*}}tensor<1x1x16xf32>{{.*}}tensor<1x4x16xf32>
func.func @heads(%x: tensor<4x1x16xf32>, %y: tensor<1x16xf32>) -> tensor<4x1x16xf32> {
  %0 = "ttir.multiply"(%x, %y) : (tensor<4x1x16xf32>, tensor<1x16xf32>) -> tensor<4x1x16xf32>
  return %0 : tensor<4x1x16xf32>
}

// A column, and one element.
// KERNELS: @columns_add_0_mncore {{.*}}tensor<1x21x33xf32>{{.*}}tensor<1x21x1xf32>
// KERNELS: @columns_subtract_1_mncore {{.*}}tensor<1x21x33xf32>{{.*}}tensor<1x1x1xf32>
func.func @columns(%x: tensor<3x7x33xf32>, %y: tensor<3x7x1xf32>, %z: tensor<1x1xf32>) -> tensor<3x7x33xf32> {
  %0 = "ttir.add"(%x, %y) : (tensor<3x7x33xf32>, tensor<3x7x1xf32>) -> tensor<3x7x33xf32>
  %1 = "ttir.subtract"(%0, %z) : (tensor<3x7x33xf32>, tensor<1x1xf32>) -> tensor<3x7x33xf32>
  return %1 : tensor<3x7x33xf32>
}

// Reductions of rows, in bf16.
// KERNELS: @softmax_max_0_mncore {{.*}}tensor<1x16x40xbf16>{{.*}}tensor<1x16x1xbf16>
func.func @softmax(%x: tensor<2x8x40xbf16>) -> tensor<2x8x40xbf16> {
  %0 = "ttir.softmax"(%x) <{dimension = 2 : si32}> : (tensor<2x8x40xbf16>) -> tensor<2x8x40xbf16>
  return %0 : tensor<2x8x40xbf16>
}

// Flags and choices of integers.
// KERNELS: @chosen_where_0_mncore {{.*}}tensor<1x10x9xi32>{{.*}}tensor<1x1x9xi32>{{.*}}tensor<1x10x1xi32>
func.func @chosen(%x: tensor<5x2x9xi32>, %y: tensor<1x9xi32>, %z: tensor<5x2x1xi32>) -> tensor<5x2x9xi32> {
  %0 = "ttir.where"(%x, %y, %z) : (tensor<5x2x9xi32>, tensor<1x9xi32>, tensor<5x2x1xi32>) -> tensor<5x2x9xi32>
  return %0 : tensor<5x2x9xi32>
}

// A row for each matrix, or a matrix for all: the matrices stay apart.
// KERNELS: @rows_add_0_mncore {{.*}}tensor<3x7x33xf32>{{.*}}tensor<3x1x33xf32>
func.func @rows(%x: tensor<3x7x33xf32>, %y: tensor<3x1x33xf32>) -> tensor<3x7x33xf32> {
  %0 = "ttir.add"(%x, %y) : (tensor<3x7x33xf32>, tensor<3x1x33xf32>) -> tensor<3x7x33xf32>
  return %0 : tensor<3x7x33xf32>
}
// KERNELS: @matrix_add_0_mncore {{.*}}tensor<3x7x33xf32>{{.*}}tensor<1x7x33xf32>
func.func @matrix(%x: tensor<3x7x33xf32>, %y: tensor<7x33xf32>) -> tensor<3x7x33xf32> {
  %0 = "ttir.add"(%x, %y) : (tensor<3x7x33xf32>, tensor<7x33xf32>) -> tensor<3x7x33xf32>
  return %0 : tensor<3x7x33xf32>
}

// A reduction of columns.
// KERNELS: @sums_sum_0_mncore {{.*}}tensor<3x7x33xf32>{{.*}}tensor<3x1x33xf32>
func.func @sums(%x: tensor<3x7x33xf32>) -> tensor<3x1x33xf32> {
  %0 = "ttir.sum"(%x) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<3x7x33xf32>) -> tensor<3x1x33xf32>
  return %0 : tensor<3x1x33xf32>
}

// More rows.
// KERNELS: @many_exp_0_mncore {{.*}}tensor<3x9x33xf32>
func.func @many(%x: tensor<3x9x33xf32>) -> tensor<3x9x33xf32> {
  %0 = "ttir.exp"(%x) : (tensor<3x9x33xf32>) -> tensor<3x9x33xf32>
  return %0 : tensor<3x9x33xf32>
}
