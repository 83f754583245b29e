// Two sums have a partial sum in common. It is computed once, and lives until both have read it.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s -o %t.mlir
// RUN: FileCheck --input-file=%t.mlir %s
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run --device tensix --golden %t.ttnn

// CHECK-LABEL: func.func @sums
// CHECK: %[[PARTIAL:.*]] = "ttnn.kernel_region"(%arg0)
// CHECK: "ttnn.deallocate"(%arg0)
// CHECK: "ttnn.kernel_region"(%[[PARTIAL]])
// CHECK-NOT: deallocate
// CHECK: "ttnn.kernel_region"(%[[PARTIAL]])
// CHECK: "ttnn.deallocate"(%[[PARTIAL]])
// CHECK-NOT: "ttnn.deallocate"(%[[PARTIAL]])
func.func @sums(%x: tensor<3x4x5xf32>) -> (tensor<3xf32>, tensor<f32>) {
  %0 = "ttir.sum"(%x) <{dim_arg = [1 : i32, 2 : i32], keep_dim = false}> : (tensor<3x4x5xf32>) -> tensor<3xf32>
  %1 = "ttir.sum"(%x) <{keep_dim = false}> : (tensor<3x4x5xf32>) -> tensor<f32>
  return %0, %1 : tensor<3xf32>, tensor<f32>
}
