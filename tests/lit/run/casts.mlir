// Casts on the chip and on the interpreter: alone, before a product and after it, by every way to place them.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s | ttmlir-translate --ttnn-to-flatbuffer -o %t.ttnn
// RUN: ttrt run %t.ttnn --program layer --seed 3 --golden -o %t.npy | FileCheck %s
// CHECK: output 0: 33x97 f32
// CHECK: typecast {{.*}}%
// CHECK: linear + relu + typecast {{.*}}%
// CHECK: golden: 2 of 2 results are within their bounds
// RUN: ttmlir-opt --ttir-to-tensix-pipeline=fusion=all %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=IR
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.cluster.ttnn
// RUN: ttrt run %t.cluster.ttnn --program layer --seed 3 --golden -o %t.cluster.npy | FileCheck %s --check-prefix=CLUSTER
// CLUSTER: typecast + linear + relu + typecast {{.*}}%
// CLUSTER: golden: 1 of 1 results are within their bounds
// RUN: cmp %t.npy %t.cluster.npy
// RUN: ttrt run %t.cluster.ttnn --program layer --seed 3 --device interpreter --golden | FileCheck %s --check-prefix=CLUSTER

// What f32 has beyond bf16 is lost once: alone, in both directions, nothing else is.
// RUN: ttrt run %t.ttnn --program rounded --seed 3 --golden -o %t.rounded.npy | FileCheck %s --check-prefix=ROUNDED
// ROUNDED: golden: 2 of 2 results are within their bounds
// RUN: ttrt run %t.ttnn --program rounded --seed 3 --device reference -o %t.reference.npy
// RUN: cmp %t.rounded.npy %t.reference.npy
// RUN: ttrt run %t.ttnn --program rounded --seed 3 --device interpreter -o %t.interpreter.npy
// RUN: cmp %t.rounded.npy %t.interpreter.npy

// The vector kernel brings f32 pages to Dst, takes bf16 tiles out to push them and f32 tiles to store them.
// IR: tensix.program @layer_typecast_linear_relu_typecast_0_aiv_tensix
// IR: } pack {
// IR: tensix.noc_send bytes 2048
// IR: } read {
// IR: tensix.noc_read page {{.*}} bytes 4096
// IR: } write {
// IR: tensix.noc_write page {{.*}} bytes 4096

// Both factors may be cast; what is added is not rounded together with them, and has a kernel of its own.
// RUN: ttrt run %t.cluster.ttnn --program both --seed 3 --golden -o %t.both.npy | FileCheck %s --check-prefix=BOTH
// BOTH: typecast + typecast + matmul + add + typecast {{.*}}%
// BOTH: golden: 2 of 2 results are within their bounds
// RUN: ttrt run %t.ttnn --program both --seed 3 -o %t.apart.npy
// RUN: cmp %t.both.npy %t.apart.npy

func.func @layer(%x: tensor<33x65xf32>, %w: tensor<65x97xbf16>, %b: tensor<97xbf16>) -> tensor<33x97xf32> {
  %0 = "ttir.typecast"(%x) : (tensor<33x65xf32>) -> tensor<33x65xbf16>
  %1 = "ttir.linear"(%0, %w, %b) : (tensor<33x65xbf16>, tensor<65x97xbf16>, tensor<97xbf16>) -> tensor<33x97xbf16>
  %2 = "ttir.relu"(%1) : (tensor<33x97xbf16>) -> tensor<33x97xbf16>
  %3 = "ttir.typecast"(%2) : (tensor<33x97xbf16>) -> tensor<33x97xf32>
  return %3 : tensor<33x97xf32>
}

func.func @rounded(%x: tensor<3x70x33xf32>) -> tensor<3x70x33xf32> {
  %0 = "ttir.typecast"(%x) : (tensor<3x70x33xf32>) -> tensor<3x70x33xbf16>
  %1 = "ttir.typecast"(%0) : (tensor<3x70x33xbf16>) -> tensor<3x70x33xf32>
  return %1 : tensor<3x70x33xf32>
}

func.func @both(%x: tensor<2x33x65xf32>, %w: tensor<65x97xf32>, %s: tensor<33x97xf32>) -> tensor<2x33x97xf32> {
  %0 = "ttir.typecast"(%x) : (tensor<2x33x65xf32>) -> tensor<2x33x65xbf16>
  %1 = "ttir.typecast"(%w) : (tensor<65x97xf32>) -> tensor<65x97xbf16>
  %2 = "ttir.matmul"(%0, %1) : (tensor<2x33x65xbf16>, tensor<65x97xbf16>) -> tensor<2x33x97xbf16>
  %3 = "ttir.typecast"(%s) : (tensor<33x97xf32>) -> tensor<33x97xbf16>
  %4 = "ttir.add"(%2, %3) : (tensor<2x33x97xbf16>, tensor<33x97xbf16>) -> tensor<2x33x97xbf16>
  %5 = "ttir.typecast"(%4) : (tensor<2x33x97xbf16>) -> tensor<2x33x97xf32>
  return %5 : tensor<2x33x97xf32>
}
