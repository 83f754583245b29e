// Workers of a grid multicast operands to each other. The bits are those of one worker, with any number of workers, under any
// schedule and order of memory requests. The last tiles of rows and columns are partly padding.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline=block=1x2 %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=GRID
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run %t.ttnn --seed 3 --workers 1 -o %t.one.npy
// RUN: ttrt run %t.ttnn --seed 3 --golden --padding-canaries -o %t.npy | FileCheck %s
// RUN: cmp %t.one.npy %t.npy
// RUN: ttrt run %t.ttnn --seed 3 --schedule-seed 1 --order-seed 2 -o %t.npy
// RUN: cmp %t.one.npy %t.npy
// RUN: ttrt run %t.ttnn --seed 3 --workers 13 --schedule-seed 4 --order-seed 5 -o %t.npy
// RUN: cmp %t.one.npy %t.npy
// RUN: ttrt run %t.ttnn --seed 3 --workers 2 --schedule-seed 6 -o %t.npy
// RUN: cmp %t.one.npy %t.npy

// RUN: ttmlir-opt --ttir-to-tensix-pipeline="mock-system-desc-arch=blackhole block=1x2" %s -o %t.bh.mlir
// RUN: FileCheck %s --input-file=%t.bh.mlir --check-prefix=GRID
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.bh.mlir -o %t.bh.ttnn
// RUN: ttrt run %t.bh.ttnn --seed 3 --workers 1 -o %t.one.npy
// RUN: ttrt run %t.bh.ttnn --seed 3 --golden --schedule-seed 7 --order-seed 8 -o %t.npy | FileCheck %s
// RUN: cmp %t.one.npy %t.npy

// Without the acknowledgements before it, a flag can be ahead of its data.
// RUN: awk '/noc_multicast/ {sends = 1} sends && /noc_wait_all/ {sends = 0; next} {print}' %t.mlir > %t.early.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.early.mlir -o %t.early.ttnn
// RUN: not ttrt run %t.early.ttnn --seed 3 --schedule-seed 3 --order-seed 3 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: unpack (T0), {{.*}}: undefined behaviour: reads L1 {{.*}}, which nothing has written

// GRID: tensix.program {{.*}} work 64 rows 8 unpack {
// CHECK: golden: 1 of 1 results are within their bounds

func.func @forward(%a: tensor<250x100xbf16>, %b: tensor<100x500xbf16>) -> tensor<250x500xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<250x100xbf16>, tensor<100x500xbf16>) -> tensor<250x500xbf16>
  return %0 : tensor<250x500xbf16>
}
