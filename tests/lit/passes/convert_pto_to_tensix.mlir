// RUN: ttmlir-opt --convert-pto-to-tensix %s | FileCheck %s
// What every word of the lists is for is written in runtime/tensix/tests/programs; here is how a kernel becomes them.

// CHECK-LABEL: tensix.kernel @sum_tensix implements @sum on "wormhole_b0" arguments 3 unpack {
// CHECK: tensix.wait counter 0 at_least 1
// CHECK-NEXT: tensix.unpacr (last 1, ovrd_thread_id 1, set_dat_valid 1)
// CHECK-NEXT: tensix.unpacr (last 1, ovrd_thread_id 1, set_dat_valid 1, unpack_block_selection 1)
// CHECK-NEXT: } math {
// CHECK: tensix.replay (len 8, load_mode 1, start_idx 16)
// CHECK-COUNT-8: tensix.elwadd ({{.*}}instr_mod19 2)
// CHECK-NEXT: tensix.store_mop_cfg 0, 1
// CHECK: tensix.mop (mop_type 1)
// CHECK-NEXT: tensix.stallwait
// CHECK-NEXT: tensix.sempost (sem_sel 2)
// CHECK-NEXT: } pack {
// CHECK: tensix.semwait
// CHECK-NEXT: tensix.pacr (last 1, pack_sel 15)
// CHECK: tensix.post counter 2
// CHECK-NEXT: } dm {
// The second tile of the third row of tiles: page 2 * 2 + 1. A row is spread, so its tensor has one page for each column.
// CHECK-NEXT: tensix.read argument 0 page 5 l1 98304
// CHECK-NEXT: tensix.read argument 1 page 1 l1 102400
// CHECK-NEXT: tensix.post counter 0
// CHECK-NEXT: tensix.wait counter 2 at_least 1
// CHECK-NEXT: tensix.write argument 2 page 5 l1 106496
// CHECK-NEXT: }
pto.func @sum(%a: memref<96x64xbf16>, %b: memref<1x64xbf16>, %c: memref<96x64xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%2, %1] : memref<96x64xbf16> -> <tensor<32x32xbf16>, mat>
  %u = pto.tload %b[%0, %1] : memref<1x64xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tadd %t, %u {broadcast = #pto.broadcast<row>, unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
  pto.tstore %r, %c[%2, %1] : <tensor<32x32xbf16>, acc> -> memref<96x64xbf16>
  pto.return
}

// Sixteen MVMULs recorded, replayed once for each fidelity phase; loops are unrolled.
// CHECK-LABEL: tensix.kernel @product_tensix implements @product on "wormhole_b0" arguments 3 unpack {
// CHECK: } math {
// CHECK: tensix.replay (len 16, load_mode 1, start_idx 16)
// CHECK-COUNT-16: tensix.mvmul
// CHECK-NOT: tensix.mvmul
// CHECK: tensix.store_mop_cfg 1, 2
// CHECK-COUNT-3: tensix.mop (mop_type 1)
// CHECK-NOT: tensix.mop
// CHECK: } dm {
// CHECK-COUNT-6: tensix.read
// CHECK-NOT: tensix.read
// CHECK: tensix.write argument 2 page 0
pto.func @product(%a: memref<32x96xbf16>, %b: memref<96x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi2>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %a0 = pto.tload %a[%0, %0] : memref<32x96xbf16> -> <tensor<32x32xbf16>, mat>
  %b0 = pto.tload %b[%0, %0] : memref<96x32xbf16> -> <tensor<32x32xbf16>, mat>
  %first = pto.tmatmul %a0, %b0 : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %sum = scf.for %k = %1 to %3 step %1 iter_args(%acc = %first) -> !pto.tile<tensor<32x32xf32>, acc> {
    %ak = pto.tload %a[%0, %k] : memref<32x96xbf16> -> <tensor<32x32xbf16>, mat>
    %bk = pto.tload %b[%k, %0] : memref<96x32xbf16> -> <tensor<32x32xbf16>, mat>
    %next = pto.tmatmul_acc %acc, %ak, %bk : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    scf.yield %next : !pto.tile<tensor<32x32xf32>, acc>
  }
  %r = pto.tcvt %sum {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  pto.return
}

// Zeros for SrcA are made in its bank: nothing is read for them. The sum is negated by the vector unit.
// CHECK-LABEL: tensix.kernel @sum_of_accumulator_tensix implements @sum_of_accumulator on "wormhole_b0" arguments 2 unpack {
// CHECK: tensix.unpacr_nop (no_op 17)
// CHECK-NEXT: tensix.unpacr_nop (no_op 7)
// CHECK-NEXT: tensix.unpacr ({{.*}}unpack_block_selection 1)
// CHECK: } math {
// CHECK: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpstore
// CHECK: } pack {
// CHECK: } dm {
// CHECK-NEXT: tensix.read argument 0 page 0 l1 98304
// CHECK-NEXT: tensix.post counter 0
// CHECK-NEXT: tensix.read argument 0 page 0 l1 104448
// CHECK-NEXT: tensix.post counter 0
pto.func @sum_of_accumulator(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %w = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %s = pto.tadd %w, %t {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %n = pto.tneg %s {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
  %r = pto.tcvt %n {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  pto.return
}
