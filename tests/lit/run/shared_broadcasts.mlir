// RUN: ttmlir-opt --ttir-to-tensix-pipeline --ttir-to-mncore-pipeline %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run --device tensix --golden %t.ttnn | FileCheck %s --check-prefix=GOLDEN
// RUN: ttrt run --device mncore --golden %t.ttnn | FileCheck %s --check-prefix=GOLDEN

// Both chips run one file, in which operands are broadcast along some of the dimensions before the
// last two: shared kernels read them repeated.

// CHECK-LABEL: func.func @forward
// CHECK: "ttnn.repeat"{{.*}}repeat_dimensions = array<i64: 1, 6, 1, 1>{{.*}} -> tensor<2x6x64x40xbf16,
// CHECK: "ttnn.repeat"{{.*}}repeat_dimensions = array<i64: 1, 6, 1, 1>{{.*}} -> tensor<2x6x32x40xf32,
// CHECK-NOT: arith.divsi
// GOLDEN: repeat 0.0%
// GOLDEN: matmul
// GOLDEN: typecast + add
// GOLDEN: golden: 4 of 4 results are within their bounds
func.func @forward(%q: tensor<2x6x32x64xbf16>, %k: tensor<2x1x64x40xbf16>, %mask: tensor<2x1x32x40xf32>) -> tensor<2x6x32x40xf32> {
  %0 = "ttir.matmul"(%q, %k) : (tensor<2x6x32x64xbf16>, tensor<2x1x64x40xbf16>) -> tensor<2x6x32x40xbf16>
  %1 = "ttir.typecast"(%0) : (tensor<2x6x32x40xbf16>) -> tensor<2x6x32x40xf32>
  %2 = "ttir.add"(%1, %mask) : (tensor<2x6x32x40xf32>, tensor<2x1x32x40xf32>) -> tensor<2x6x32x40xf32>
  return %2 : tensor<2x6x32x40xf32>
}
