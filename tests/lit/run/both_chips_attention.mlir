// An attention for both chips is one kernel, with local tensors on both.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline --ttir-to-mncore-pipeline=precision=single %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=KERNEL --input-file %t.mlir
// KERNEL: mncore.kernel @forward_matmul_max_subtract_exp_sum_divide_matmul_0_mncore implements @forward_matmul_max_subtract_exp_sum_divide_matmul_0
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run --golden --device tensix %t.ttnn | FileCheck %s
// RUN: ttrt run --golden --device mncore %t.ttnn | FileCheck %s
// CHECK: golden: [[COUNT:[0-9]+]] of [[COUNT]] results are within their bounds
func.func @forward(%q: tensor<2x40x32xbf16>, %k: tensor<2x32x50xbf16>, %v: tensor<2x50x32xbf16>) -> tensor<2x40x32xbf16> {
  %0 = "ttir.matmul"(%q, %k) : (tensor<2x40x32xbf16>, tensor<2x32x50xbf16>) -> tensor<2x40x50xbf16>
  %1 = "ttir.softmax"(%0) <{dimension = 2 : si32}> : (tensor<2x40x50xbf16>) -> tensor<2x40x50xbf16>
  %2 = "ttir.matmul"(%1, %v) : (tensor<2x40x50xbf16>, tensor<2x50x32xbf16>) -> tensor<2x40x32xbf16>
  return %2 : tensor<2x40x32xbf16>
}
