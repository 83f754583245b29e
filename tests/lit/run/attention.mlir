// An attention is one kernel on Tensix, whose scores stay in the L1 of a tile. Its bits are those of separate kernels: no size is a
// multiple of the tile's.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run --device tensix --seed 1 --golden %t.ttnn -o %t.npy | FileCheck %s
// CHECK: matmul + multiply + add + max + subtract + exp + sum + divide + matmul
// CHECK: golden: {{([0-9]+)}} of {{[0-9]+}} results are within their bounds
// RUN: ttrt run --device interpreter --seed 1 --golden %t.ttnn | FileCheck %s
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="fusion=none" %s -o %t.apart.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.apart.mlir -o %t.apart.ttnn
// RUN: ttrt run --device tensix --seed 1 %t.apart.ttnn -o %t.apart.npy
// RUN: cmp %t.npy %t.apart.npy

// In other orders of threads and of memory requests, on other tiles.
// RUN: ttrt run --device tensix --seed 1 %t.ttnn --schedule-seed 3 --order-seed 5 --workers 3 -o %t.seed.npy
// RUN: cmp %t.npy %t.seed.npy
// RUN: ttrt run --device tensix --seed 1 %t.ttnn --schedule-seed 20 --order-seed 22 --workers 3 -o %t.stage.npy
// RUN: cmp %t.npy %t.stage.npy

// On Blackhole.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="mock-system-desc-arch=blackhole" %s -o %t.blackhole.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.blackhole.mlir -o %t.blackhole.ttnn
// RUN: ttrt run --device tensix --seed 1 --golden %t.blackhole.ttnn | FileCheck %s

// On MN-Core 2 the scores stay in the local memories of the PEs. Sums have another order than in separate kernels.
// RUN: ttmlir-opt --ttir-to-mncore-pipeline=precision=single %s -o %t.mncore.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mncore.mlir -o %t.mncore.ttnn
// RUN: ttrt run --device mncore --seed 1 --golden %t.mncore.ttnn | FileCheck %s
// RUN: ttmlir-opt --ttir-to-mncore-pipeline="precision=single fusion=none" %s -o %t.mncore.apart.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mncore.apart.mlir -o %t.mncore.apart.ttnn
// RUN: ttrt run --device mncore --seed 1 --golden %t.mncore.apart.ttnn | FileCheck %s --check-prefix=APART
// APART: golden: [[COUNT:[0-9]+]] of [[COUNT]] results are within their bounds

// Stages wait for each other: without that, a core changes what others still use.
// RUN: ttmlir-opt %t.mlir | sed '/tensix.await counter 4 /d' > %t.early.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.early.mlir -o %t.early.ttnn
// RUN: not ttrt run --device tensix --seed 1 --schedule-seed 2 %t.early.ttnn 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: hazard: {{writes|changes}}
func.func @forward(%q: tensor<3x50x40xf32>, %k: tensor<3x40x70xf32>, %v: tensor<3x70x90xf32>, %mask: tensor<50x70xf32>, %more: tensor<1x90xf32>) -> tensor<3x50x90xf32> {
  %half = "ttir.full"() <{shape = array<i32: 3, 50, 70>, fill_value = 0.5 : f32}> : () -> tensor<3x50x70xf32>
  %0 = "ttir.matmul"(%q, %k) : (tensor<3x50x40xf32>, tensor<3x40x70xf32>) -> tensor<3x50x70xf32>
  %1 = "ttir.multiply"(%0, %half) : (tensor<3x50x70xf32>, tensor<3x50x70xf32>) -> tensor<3x50x70xf32>
  %2 = "ttir.add"(%1, %mask) : (tensor<3x50x70xf32>, tensor<50x70xf32>) -> tensor<3x50x70xf32>
  %3 = "ttir.softmax"(%2) <{dimension = 2 : si32}> : (tensor<3x50x70xf32>) -> tensor<3x50x70xf32>
  %4 = "ttir.matmul"(%3, %v) : (tensor<3x50x70xf32>, tensor<3x70x90xf32>) -> tensor<3x50x90xf32>
  %5 = "ttir.add"(%4, %more) : (tensor<3x50x90xf32>, tensor<1x90xf32>) -> tensor<3x50x90xf32>
  return %5 : tensor<3x50x90xf32>
}
