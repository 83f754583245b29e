// MN-Core 2 computes a normalisation in one kernel, whose results are those of kernels of their own but for roundings.
// RUN: ttmlir-opt --ttir-to-mncore-pipeline %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=KERNELS --input-file %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run --device mncore --seed 1 --golden --memory-canaries %t.ttnn | FileCheck %s
// CHECK-COUNT-4: golden: [[COUNT:[0-9]+]] of [[COUNT]] results are within their bounds

// Rows over all L2Bs, with padding.
// KERNELS: mncore.kernel @softmax_max_subtract_exp_sum_divide_0_mncore
func.func @softmax(%x: tensor<1100x70xf32>) -> tensor<1100x70xf32> {
  %0 = "ttir.softmax"(%x) <{dimension = 1 : si32}> : (tensor<1100x70xf32>) -> tensor<1100x70xf32>
  return %0 : tensor<1100x70xf32>
}

// Matrices over L2Bs, the last of them in part.
// KERNELS: mncore.kernel @matrices_max_subtract_exp_sum_divide_0_mncore
func.func @matrices(%x: tensor<11x9x33xbf16>) -> tensor<11x9x33xbf16> {
  %0 = "ttir.softmax"(%x) <{dimension = 2 : si32}> : (tensor<11x9x33xbf16>) -> tensor<11x9x33xbf16>
  return %0 : tensor<11x9x33xbf16>
}

// The mean, and then the variance about it.
// KERNELS: mncore.kernel @layer_mean_subtract_multiply_mean_add_rsqrt_multiply_multiply_add_0_mncore
func.func @layer(%x: tensor<3000x20xf32>, %scale: tensor<20xf32>, %shift: tensor<20xf32>) -> tensor<3000x20xf32> {
  %0 = "ttir.layer_norm"(%x, %scale, %shift) <{normalized_shape = array<i64: 20>, epsilon = 1.0e-5 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<3000x20xf32>, tensor<20xf32>, tensor<20xf32>) -> tensor<3000x20xf32>
  return %0 : tensor<3000x20xf32>
}

// Shares of sums: the division is rounded to bf16 only with what is added to it.
// KERNELS: mncore.kernel @shares_abs_sum_divide_add_0_mncore
func.func @shares(%x: tensor<900x40xbf16>, %y: tensor<900x1xbf16>) -> tensor<900x40xbf16> {
  %0 = "ttir.abs"(%x) : (tensor<900x40xbf16>) -> tensor<900x40xbf16>
  %1 = "ttir.sum"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<900x40xbf16>) -> tensor<900x1xbf16>
  %2 = "ttir.div"(%0, %1) : (tensor<900x40xbf16>, tensor<900x1xbf16>) -> tensor<900x40xbf16>
  %3 = "ttir.add"(%2, %y) : (tensor<900x40xbf16>, tensor<900x1xbf16>) -> tensor<900x40xbf16>
  return %3 : tensor<900x40xbf16>
}
