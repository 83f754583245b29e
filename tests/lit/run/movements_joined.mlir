// Movements that follow one another are one kernel, which gives the same bits.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s -o %t.tensix.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.tensix.mlir -o %t.tensix.ttnn
// RUN: ttrt run --device tensix --golden %t.tensix.ttnn | FileCheck %s
// RUN: ttmlir-opt --ttir-to-mncore-pipeline %s -o %t.mncore.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mncore.mlir -o %t.mncore.ttnn
// RUN: ttrt run --device mncore --golden %t.mncore.ttnn | FileCheck %s

// CHECK: reshape + permute {{ *}}0.0%
// CHECK: reshape + slice_static + reshape {{ *}}0.0%
// CHECK: permute + reshape + reverse + concat {{ *}}0.0%
// CHECK: reshape + permute + reshape {{ *}}0.0%
// CHECK: permute + reshape + pad {{ *}}0.0%
// CHECK: permute + reshape {{ *}}0.0%
// CHECK: golden: 6 of 6 results are within their bounds
func.func @forward(%a: tensor<40x96xf32>, %b: tensor<2x3x4x5xbf16>, %c: tensor<64x128xbf16>, %d: tensor<3x64x32xf32>) -> (tensor<3x40x32xf32>, tensor<40x32xf32>, tensor<10x6x4xbf16>, tensor<128x64xbf16>, tensor<24x9xbf16>, tensor<64x96xf32>) {
  %0 = "ttir.reshape"(%a) <{shape = [40 : i32, 3 : i32, 32 : i32]}> : (tensor<40x96xf32>) -> tensor<40x3x32xf32>
  %1 = "ttir.permute"(%0) <{permutation = array<i64: 1, 0, 2>}> : (tensor<40x3x32xf32>) -> tensor<3x40x32xf32>
  %2 = "ttir.slice_static"(%0) <{begins = [0 : i32, 2 : i32, 0 : i32], ends = [40 : i32, 3 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<40x3x32xf32>) -> tensor<40x1x32xf32>
  %3 = "ttir.reshape"(%2) <{shape = [40 : i32, 32 : i32]}> : (tensor<40x1x32xf32>) -> tensor<40x32xf32>
  %4 = "ttir.permute"(%b) <{permutation = array<i64: 3, 0, 1, 2>}> : (tensor<2x3x4x5xbf16>) -> tensor<5x2x3x4xbf16>
  %5 = "ttir.reshape"(%4) <{shape = [10 : i32, 3 : i32, 4 : i32]}> : (tensor<5x2x3x4xbf16>) -> tensor<10x3x4xbf16>
  %6 = "ttir.reverse"(%5) <{dimensions = array<i64: 1>}> : (tensor<10x3x4xbf16>) -> tensor<10x3x4xbf16>
  %7 = "ttir.concat"(%6, %5) <{dim = 1 : si32}> : (tensor<10x3x4xbf16>, tensor<10x3x4xbf16>) -> tensor<10x6x4xbf16>
  %8 = "ttir.reshape"(%c) <{shape = [64 : i32, 4 : i32, 32 : i32]}> : (tensor<64x128xbf16>) -> tensor<64x4x32xbf16>
  %9 = "ttir.permute"(%8) <{permutation = array<i64: 1, 2, 0>}> : (tensor<64x4x32xbf16>) -> tensor<4x32x64xbf16>
  %10 = "ttir.reshape"(%9) <{shape = [128 : i32, 64 : i32]}> : (tensor<4x32x64xbf16>) -> tensor<128x64xbf16>
  %11 = "ttir.permute"(%b) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x3x4x5xbf16>) -> tensor<3x2x4x5xbf16>
  %12 = "ttir.reshape"(%11) <{shape = [24 : i32, 5 : i32]}> : (tensor<3x2x4x5xbf16>) -> tensor<24x5xbf16>
  %13 = "ttir.pad"(%12) <{padding = array<i32: 0, 0, 2, 2>, value = 1.5 : f32}> : (tensor<24x5xbf16>) -> tensor<24x9xbf16>
  %14 = "ttir.permute"(%d) <{permutation = array<i64: 1, 0, 2>}> : (tensor<3x64x32xf32>) -> tensor<64x3x32xf32>
  %15 = "ttir.reshape"(%14) <{shape = [64 : i32, 96 : i32]}> : (tensor<64x3x32xf32>) -> tensor<64x96xf32>
  return %1, %3, %7, %10, %13, %15 : tensor<3x40x32xf32>, tensor<40x32xf32>, tensor<10x6x4xbf16>, tensor<128x64xbf16>, tensor<24x9xbf16>, tensor<64x96xf32>
}
