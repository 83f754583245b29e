// The tiles that execute a product form a grid and multicast its operands: each row of tiles the left one through NoC 0, each column the
// right one through NoC 1. A bias and a tensor that is added are read by every tile.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=CODE
// CODE: work 64 grid [8, 8]
// CODE: tensix.noc_post counter 8 of %{{.*}} transaction %{{.*}} noc 1
// CODE: tensix.noc_post counter 7 of %{{.*}} transaction %{{[0-9a-z_]*$}}
// CODE: tensix.noc_send {{.*}} broadcast
// CODE: tensix.noc_wait transaction %{{.*}} until %{{.*}}
// CODE: tensix.noc_post counter 5 of %{{.*}} transaction %{{.*}} broadcast
// CODE: tensix.noc_send {{.*}} noc 1 broadcast
// CODE: tensix.noc_wait transaction %{{.*}} until %{{.*}} noc 1
// CODE: tensix.noc_post counter 6 of %{{.*}} transaction %{{.*}} noc 1 broadcast
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run --device tensix --seed 1 --golden %t.ttnn -o %t.npy | FileCheck %s
// CHECK: golden: 1 of 1 results are within their bounds

// In other orders of threads and of memory requests, in grids of other extents, which pass over the result more often.
// RUN: ttrt run --device tensix --seed 1 %t.ttnn --schedule-seed 3 --order-seed 5 -o %t.seed.npy
// RUN: cmp %t.npy %t.seed.npy
// RUN: ttrt run --device tensix --seed 1 %t.ttnn --schedule-seed 8 --order-seed 9 --workers 17 -o %t.some.npy
// RUN: cmp %t.npy %t.some.npy
// RUN: ttrt run --device tensix --seed 1 %t.ttnn --order-seed 2 --workers 1 -o %t.one.npy
// RUN: cmp %t.npy %t.one.npy

// On Blackhole.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="mock-system-desc-arch=blackhole" %s -o %t.blackhole.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.blackhole.mlir -o %t.blackhole.ttnn
// RUN: ttrt run --device tensix --seed 1 --golden %t.blackhole.ttnn --schedule-seed 4 --order-seed 6 | FileCheck %s

func.func @forward(%x: tensor<255x288xbf16>, %w: tensor<288x250xbf16>, %b: tensor<250xbf16>, %y: tensor<255x250xbf16>)
    -> tensor<255x250xbf16> {
  %0 = "ttir.linear"(%x, %w, %b) : (tensor<255x288xbf16>, tensor<288x250xbf16>, tensor<250xbf16>) -> tensor<255x250xbf16>
  %1 = "ttir.add"(%0, %y) : (tensor<255x250xbf16>, tensor<255x250xbf16>) -> tensor<255x250xbf16>
  return %1 : tensor<255x250xbf16>
}
