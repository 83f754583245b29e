// Multicast of operands in f32, and in products of several matrices, between which the tiles pass from one to the next.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=CODE
// CODE-DAG: work 64 grid [8, 8]
// CODE-DAG: work 192 grid [8, 8]
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run --device tensix --seed 1 --golden %t.ttnn | FileCheck %s
// CHECK: golden: {{([0-9]+)}} of {{[0-9]+}} results are within their bounds
// RUN: ttrt run --device tensix --seed 1 %t.ttnn --program single -o %t.single.npy
// RUN: ttrt run --device tensix --seed 1 %t.ttnn --program single --schedule-seed 2 --order-seed 4 --workers 7 -o %t.single.seed.npy
// RUN: cmp %t.single.npy %t.single.seed.npy
// RUN: ttrt run --device tensix --seed 1 %t.ttnn --program batch -o %t.batch.npy
// RUN: ttrt run --device tensix --seed 1 %t.ttnn --program batch --schedule-seed 5 --order-seed 3 --workers 12 -o %t.batch.seed.npy
// RUN: cmp %t.batch.npy %t.batch.seed.npy

func.func @single(%a: tensor<512x200xf32>, %b: tensor<200x512xf32>) -> tensor<512x512xf32> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<512x200xf32>, tensor<200x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

func.func @batch(%a: tensor<3x512x200xbf16>, %b: tensor<3x200x512xbf16>) -> tensor<3x512x512xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<3x512x200xbf16>, tensor<3x200x512xbf16>) -> tensor<3x512x512xbf16>
  return %0 : tensor<3x512x512xbf16>
}
