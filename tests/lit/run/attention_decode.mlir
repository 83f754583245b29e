// An attention of one query, with heads of four columns of tiles, leaves the bits of separate kernels.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run --device tensix --seed 1 --golden %t.ttnn -o %t.npy | FileCheck %s
// CHECK: matmul + multiply + max + subtract + exp + sum + divide + matmul
// CHECK: golden: [[COUNT:[0-9]+]] of [[COUNT]] results are within their bounds
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="fusion=none" %s -o %t.apart.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.apart.mlir -o %t.apart.ttnn
// RUN: ttrt run --device tensix --seed 1 %t.apart.ttnn -o %t.apart.npy
// RUN: cmp %t.npy %t.apart.npy
func.func @decode(%q: tensor<4x1x128xf32>, %k: tensor<4x128x45xf32>, %v: tensor<4x45x128xf32>) -> tensor<4x1x128xf32> {
  %scale = "ttir.full"() <{shape = array<i32: 1, 1>, fill_value = 0.0883 : f32}> : () -> tensor<1x1xf32>
  %0 = "ttir.matmul"(%q, %k) : (tensor<4x1x128xf32>, tensor<4x128x45xf32>) -> tensor<4x1x45xf32>
  %1 = "ttir.multiply"(%0, %scale) : (tensor<4x1x45xf32>, tensor<1x1xf32>) -> tensor<4x1x45xf32>
  %2 = "ttir.softmax"(%1) <{dimension = 2 : si32}> : (tensor<4x1x45xf32>) -> tensor<4x1x45xf32>
  %3 = "ttir.matmul"(%2, %v) : (tensor<4x1x45xf32>, tensor<4x45x128xf32>) -> tensor<4x1x128xf32>
  return %3 : tensor<4x1x128xf32>
}
