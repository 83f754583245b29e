// A selection in the kernel of a reduction reads its operands with the valid extents of the reduced tile.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s -o %t.tensix.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.tensix.mlir -o %t.tensix.ttnn
// RUN: ttrt run --device tensix --golden %t.tensix.ttnn | FileCheck %s --check-prefix=GOLDEN
// RUN: ttmlir-opt --ttir-to-mncore-pipeline %s -o %t.mncore.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mncore.mlir -o %t.mncore.ttnn
// RUN: ttrt run --device mncore --golden %t.mncore.ttnn | FileCheck %s --check-prefix=GOLDEN
// RUN: ttmlir-opt --ttir-to-tensix-pipeline --mlir-print-ir-after convert-ttnn-to-pto %s -o %t.out 2>&1 | FileCheck %s

// CHECK-LABEL: pto.func @norms_sum_sqrt_where
// CHECK: %[[NORM:.*]] = pto.tsqrt {{.*}} -> <tensor<32x32xf32>, vec, valid = 32x1>
// CHECK: pto.tsel {{.*}} : {{.*}}<tensor<32x32xf32>, vec, valid = 32x1>, <tensor<32x32xf32>, vec, valid = 32x1> -> <tensor<32x32xf32>, vec, valid = 32x1>
// GOLDEN: golden: [[OPERATIONS:[0-9]+]] of [[OPERATIONS]] results are within their bounds
// GOLDEN: golden: [[OPERATIONS:[0-9]+]] of [[OPERATIONS]] results are within their bounds
func.func @norms(%x: tensor<40x70xf32>, %limit: tensor<40x1xf32>, %other: tensor<40x1xf32>) -> tensor<40x1xf32> {
  %0 = "ttir.sum"(%x) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<40x70xf32>) -> tensor<40x1xf32>
  %1 = "ttir.sqrt"(%0) : (tensor<40x1xf32>) -> tensor<40x1xf32>
  %2 = "ttir.lt"(%limit, %other) : (tensor<40x1xf32>, tensor<40x1xf32>) -> tensor<40x1xi1>
  %3 = "ttir.where"(%2, %other, %1) : (tensor<40x1xi1>, tensor<40x1xf32>, tensor<40x1xf32>) -> tensor<40x1xf32>
  return %3 : tensor<40x1xf32>
}
func.func @all(%x: tensor<4xf32>, %limit: tensor<f32>) -> tensor<f32> {
  %0 = "ttir.full"() <{fill_value = 0.0 : f32, shape = array<i32>}> : () -> tensor<f32>
  %1 = "ttir.max"(%x) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<4xf32>) -> tensor<f32>
  %2 = "ttir.le"(%limit, %0) : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %3 = "ttir.where"(%2, %0, %1) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
