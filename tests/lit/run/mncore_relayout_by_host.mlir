// A quotient is 0 / 0 in its padding, and a product sums over that; so the host lays it out again, in the same layout, at
// another address: at the old one, it would leave the first kernel's padding in place.
// RUN: ttmlir-opt --ttir-to-mncore-pipeline=fusion=all %s -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: which @f_mean_multiply_divide_1 makes, is converted to another layout by the host: a product sums over its padding, which is not zero
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run %t.ttnn --device mncore --init ones --golden | FileCheck %s
// CHECK: golden: {{[0-9]+}} of {{[0-9]+}} results are within their bounds
func.func @f(%a0: tensor<160x17xf32>, %a1: tensor<17x17xf32>) -> tensor<160x17xf32> {
  %0 = "ttir.tanh"(%a0) : (tensor<160x17xf32>) -> tensor<160x17xf32>
  %1 = "ttir.mean"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<160x17xf32>) -> tensor<160x1xf32>
  %2 = "ttir.multiply"(%0, %1) : (tensor<160x17xf32>, tensor<160x1xf32>) -> tensor<160x17xf32>
  %3 = "ttir.div"(%0, %2) : (tensor<160x17xf32>, tensor<160x17xf32>) -> tensor<160x17xf32>
  %4 = "ttir.matmul"(%3, %a1) : (tensor<160x17xf32>, tensor<17x17xf32>) -> tensor<160x17xf32>
  %5 = "ttir.minimum"(%0, %4) : (tensor<160x17xf32>, tensor<160x17xf32>) -> tensor<160x17xf32>
  %6 = "ttir.rsqrt"(%5) : (tensor<160x17xf32>) -> tensor<160x17xf32>
  return %6 : tensor<160x17xf32>
}
