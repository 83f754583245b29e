// Kernels of a function are compiled together: a result has the address and the layout that its reader expects.
//
// RUN: ttmlir-opt --ttir-to-mncore-pipeline %s --verify-diagnostics -o %t.mlir
// RUN: FileCheck %s < %t.mlir

// CHECK:      mncore.kernel @mlp_matmul_relu_0_mncore {{.*}} 2 : tensor<1x100x64xf32> [[MADE:".*"]]]
// CHECK:      mncore.kernel @mlp_matmul_1_mncore {{.*}} : tensor<1x100x64xf32> [[MADE]]
func.func @mlp(%x: tensor<100x40xf32>, %a: tensor<40x64xf32>, %b: tensor<64x10xf32>) -> tensor<100x10xf32> {
  %0 = "ttir.matmul"(%x, %a) : (tensor<100x40xf32>, tensor<40x64xf32>) -> tensor<100x64xf32>
  %1 = "ttir.relu"(%0) : (tensor<100x64xf32>) -> tensor<100x64xf32>
  %2 = "ttir.matmul"(%1, %b) : (tensor<100x64xf32>, tensor<64x10xf32>) -> tensor<100x10xf32>
  return %2 : tensor<100x10xf32>
}

// The exponential of padding is one, and the product would sum over it.
func.func @padding(%x: tensor<64x40xf32>, %a: tensor<40x10xf32>) -> tensor<64x10xf32> {
  %0 = "ttir.exp"(%x) : (tensor<64x40xf32>) -> tensor<64x40xf32>
  // expected-remark@+1 {{tensor 0 (1x64x40xf32), which @padding_exp_0 makes, is converted to another layout by the host: a product sums over its padding, which is not zero}}
  %1 = "ttir.matmul"(%0, %a) : (tensor<64x40xf32>, tensor<40x10xf32>) -> tensor<64x10xf32>
  return %1 : tensor<64x10xf32>
}

// The results of the sum are a column; the next operation reads it as a row.
func.func @views(%x: tensor<3x7x5xf32>, %y: tensor<3x7xf32>) -> tensor<3x7xf32> {
  %0 = "ttir.sum"(%x) <{dim_arg = [2 : i32], keep_dim = false}> : (tensor<3x7x5xf32>) -> tensor<3x7xf32>
  // expected-remark@+1 {{tensor 0 (1x3x7xf32), which @views_sum_0 makes, is converted to another layout by the host: it is read as other rows and columns than it was written as}}
  %1 = "ttir.add"(%0, %y) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
  return %1 : tensor<3x7xf32>
}
