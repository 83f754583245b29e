// Rows are looked up by a kernel on Tensix, and by the host for MN-Core 2. Random indices are in range; others are errors.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline --ttir-to-mncore-pipeline %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run %t.ttnn --device tensix --golden --seed 1
// RUN: ttrt run %t.ttnn --device mncore --golden --seed 2
// RUN: ttrt run %t.ttnn --device interpreter --golden --seed 3
// RUN: not ttrt run %t.ttnn --device reference --init arange 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not ttrt run %t.ttnn --device tensix --init arange 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not ttrt run %t.ttnn --device mncore --init arange 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not ttrt run %t.ttnn --device interpreter --init arange 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: ttmlir-opt --ttir-to-mncore-pipeline %s -o %t.alone.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.alone.mlir -o %t.alone.ttnn
// RUN: ttrt run %t.alone.ttnn --device mncore --golden
// RUN: ttrt check %t.alone.ttnn --device mncore

// CHECK: pto.rearrange {{.*}} lookup = {indices = 0 : i64, rows = 30 : i64}
// RANGE: index 30, element 30 of the indices, is not from 0 to below 30
func.func @floats(%i: tensor<2x40xi32>, %w: tensor<30x70xf32>) -> tensor<2x40x70xf32> {
  %0 = "ttir.embedding"(%i, %w) : (tensor<2x40xi32>, tensor<30x70xf32>) -> tensor<2x40x70xf32>
  return %0 : tensor<2x40x70xf32>
}

func.func @halves(%i: tensor<40xi32>, %w: tensor<1x100x33xbf16>) -> tensor<40x33xbf16> {
  %0 = "ttir.embedding"(%i, %w) : (tensor<40xi32>, tensor<1x100x33xbf16>) -> tensor<40x33xbf16>
  return %0 : tensor<40x33xbf16>
}

func.func @integers(%i: tensor<i32>, %w: tensor<9x3xi32>) -> tensor<3xi32> {
  %0 = "ttir.embedding"(%i, %w) : (tensor<i32>, tensor<9x3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
