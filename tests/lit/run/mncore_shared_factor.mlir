// Two products of one kernel with the same right factor read it from one place in DRAM: it is one argument.
// RUN: ttmlir-opt --ttir-to-mncore-pipeline %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=KERNEL
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run %t.ttnn --device mncore --golden --seed 1 | FileCheck %s

// KERNEL: mncore.kernel @forward_matmul_max_subtract_exp_sum_divide_matmul{{[a-z_]*}}_0_mncore {{.*}} inputs 2 tensors
// CHECK: golden: 3 of 3 results are within their bounds

func.func @forward(%a: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %0 = "ttir.matmul"(%a, %w) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %1 = "ttir.softmax"(%0) <{dimension = 1 : si32}> : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = "ttir.matmul"(%1, %w) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %3 = "ttir.softmax"(%2) <{dimension = 1 : si32}> : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %3 : tensor<64x64xbf16>
}
