// Tiles that are split between two vector kernels, on clusters of three tiles of the chip, give the same bits as one core.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s | ttmlir-translate --ttnn-to-flatbuffer -o %t.core.ttnn
// RUN: ttrt run %t.core.ttnn --seed 2 --golden -o %t.core.npy | FileCheck %s
// CHECK: golden: 1 of 1 results are within their bounds

// RUN: ttmlir-opt --ttir-to-tensix-pipeline="placement=cluster split=up_down block=2x2" %s -o %t.rows.mlir
// RUN: FileCheck %s --input-file=%t.rows.mlir --check-prefix=TILES
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.rows.mlir -o %t.rows.ttnn
// RUN: ttrt run %t.rows.ttnn --seed 2 -o %t.rows.npy
// RUN: cmp %t.core.npy %t.rows.npy
// RUN: ttrt run %t.rows.ttnn --seed 2 --workers 3 --schedule-seed 9 --order-seed 4 -o %t.rows.npy
// RUN: cmp %t.core.npy %t.rows.npy

// RUN: ttmlir-opt --ttir-to-tensix-pipeline="placement=cluster split=left_right block=2x2 slot-num=1" %s -o %t.columns.mlir
// RUN: FileCheck %s --input-file=%t.columns.mlir --check-prefix=TILES
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.columns.mlir -o %t.columns.ttnn
// RUN: ttrt run %t.columns.ttnn --seed 2 -o %t.columns.npy
// RUN: cmp %t.core.npy %t.columns.npy
// RUN: ttrt run %t.columns.ttnn --seed 2 --workers 3 --schedule-seed 9 --order-seed 4 -o %t.columns.npy
// RUN: cmp %t.core.npy %t.columns.npy
// TILES: tensix.cluster {{.*}} tiles [@forward_matmul_neg_0_aic_tensix, @forward_matmul_neg_0_aiv_1_tensix, @forward_matmul_neg_0_aiv_2_tensix]

func.func @forward(%a: tensor<128x96xbf16>, %b: tensor<96x128xbf16>) -> tensor<128x128xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<128x96xbf16>, tensor<96x128xbf16>) -> tensor<128x128xbf16>
  %1 = "ttir.neg"(%0) : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  return %1 : tensor<128x128xbf16>
}
