// A tensor with one column takes part in the stages of an attention on MN-Core 2: it is the same for all keys.
// RUN: ttmlir-opt --ttir-to-mncore-pipeline %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=KERNEL --input-file %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run --device mncore --seed 1 --golden %t.ttnn | FileCheck %s
// KERNEL: mncore.kernel @sink_matmul_max_maximum_{{.*}}_matmul_0_mncore
// CHECK: golden: 1 of 1 results are within their bounds
func.func @sink(%q: tensor<3x40x16xf32>, %k: tensor<3x16x50xf32>, %v: tensor<3x50x8xf32>, %sink: tensor<3x40x1xf32>) -> tensor<3x40x8xf32> {
  %0 = "ttir.matmul"(%q, %k) : (tensor<3x40x16xf32>, tensor<3x16x50xf32>) -> tensor<3x40x50xf32>
  %1 = "ttir.max"(%0) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<3x40x50xf32>) -> tensor<3x40x1xf32>
  %2 = "ttir.maximum"(%1, %sink) : (tensor<3x40x1xf32>, tensor<3x40x1xf32>) -> tensor<3x40x1xf32>
  %3 = "ttir.subtract"(%0, %2) : (tensor<3x40x50xf32>, tensor<3x40x1xf32>) -> tensor<3x40x50xf32>
  %4 = "ttir.exp"(%3) : (tensor<3x40x50xf32>) -> tensor<3x40x50xf32>
  %5 = "ttir.sum"(%4) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<3x40x50xf32>) -> tensor<3x40x1xf32>
  %6 = "ttir.subtract"(%sink, %2) : (tensor<3x40x1xf32>, tensor<3x40x1xf32>) -> tensor<3x40x1xf32>
  %7 = "ttir.exp"(%6) : (tensor<3x40x1xf32>) -> tensor<3x40x1xf32>
  %8 = "ttir.add"(%5, %7) : (tensor<3x40x1xf32>, tensor<3x40x1xf32>) -> tensor<3x40x1xf32>
  %9 = "ttir.div"(%4, %8) : (tensor<3x40x50xf32>, tensor<3x40x1xf32>) -> tensor<3x40x50xf32>
  %10 = "ttir.matmul"(%9, %v) : (tensor<3x40x50xf32>, tensor<3x50x8xf32>) -> tensor<3x40x8xf32>
  return %10 : tensor<3x40x8xf32>
}
