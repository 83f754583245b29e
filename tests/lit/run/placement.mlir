// The same group on one core and on a cluster of cores leaves the same bits.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="placement=cluster" --print-memory-map %s -o %t.cluster.mlir 2>&1 | FileCheck %s --check-prefix=CLUSTER
// CLUSTER:      remark: memory of @forward_matmul_neg_0_aic on tensix: nothing
// CLUSTER:      remark: memory of @forward_matmul_neg_0_aiv on tensix:
// CLUSTER-NEXT: L1, 98304 to 1499136: used up to 131072, 1368064 bytes free after it
// CLUSTER-NEXT: 98304 to 131072 32768 bytes ring "forward_matmul_neg_0_c2v"
// RUN: FileCheck %s --input-file=%t.cluster.mlir
// CHECK: tensix.cluster @forward_matmul_neg_0_tensix implements @forward_matmul_neg_0
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="placement=same_core" --print-memory-map %s -o %t.core.mlir 2>&1 | FileCheck %s --check-prefix=CORE
// CORE: remark: memory of @forward_matmul_neg_0_aic on tensix: its rings are parts of Dst, on the core that it shares
// CORE: remark: memory of @forward_matmul_neg_0_aiv on tensix: its rings are parts of Dst, on the core that it shares
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.cluster.mlir -o %t.cluster.ttnn
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.core.mlir -o %t.core.ttnn
// RUN: ttrt run %t.cluster.ttnn --seed 3 --golden -o %t.cluster.npy | FileCheck %s --check-prefix=GOLDEN
// RUN: ttrt run %t.core.ttnn --seed 3 --golden -o %t.core.npy | FileCheck %s --check-prefix=GOLDEN
// GOLDEN: golden: 1 of 1 results are within their bounds
// RUN: cmp %t.cluster.npy %t.core.npy

func.func @forward(%a: tensor<96x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<96x64xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<96x64xbf16>, tensor<64x64xbf16>) -> tensor<96x64xbf16>
  %1 = "ttir.neg"(%0) : (tensor<96x64xbf16>) -> tensor<96x64xbf16>
  return %1 : tensor<96x64xbf16>
}
