// How kernels become code for the five cores of a tile.
// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse %s | FileCheck %s

// CHECK-LABEL: tensix.program @product_tensix implements @product on "wormhole_b0" arguments 3 work 6 unpack {
// A step: its operands lie in L1; the one before is done; the slots; one tile for each bank. In SrcA's ring there are the tiles
// of all columns, in SrcB's those of a row.
// CHECK: scf.for %[[PIECE:.*]] = %{{.*}} iter_args(%[[N:.*]] = %c0)
// CHECK: %[[COLUMN:.*]] = arith.remsi %[[PIECE]], %c3
// CHECK: %[[Z:.*]] = arith.muli %[[COLUMN]], %c4
// CHECK: %[[READY:.*]] = arith.addi %[[N]], %c2
// CHECK: tensix.await counter 0 at_least %[[READY]]
// CHECK-NEXT: tensix.stallwait (stall_res 2, wait_res 6)
// CHECK-NEXT: tensix.sempost (sem_sel 8)
// CHECK-NEXT: tensix.push "setadc" value = %[[Z]] below 256 (cnt_set_mask 1, dimension_index 2)
// CHECK: tensix.push "setadc" value = %c0 below 256 (cnt_set_mask 2, dimension_index 2)
// CHECK-NEXT: tensix.unpacr (last 1, ovrd_thread_id 1, set_dat_valid 1)
// CHECK-NEXT: tensix.unpacr (last 1, ovrd_thread_id 1, set_dat_valid 1, unpack_block_selection 1)
// CHECK-NEXT: tensix.poll_sem 3 at_least 1
// CHECK-NEXT: tensix.store_semget 3
// CHECK-NEXT: tensix.post counter 1
// CHECK: scf.for
// CHECK: } math {
// Address modes are set once, and so is the tile of Dst for each iteration of the inner loop.
// CHECK: tensix.setc16 (setc16_reg 7
// CHECK: scf.for {{.*}} iter_args(%[[HALF:.*]] = %c0)
// CHECK: tensix.semwait (sem_sel 2, stall_res 66, wait_sem_cond 2)
// CHECK: tensix.push "zeroacc" dst
// CHECK: tensix.push "setc16" setc16_value = %[[HALF]] below 4096 (setc16_reg 1)
// CHECK: scf.for
// CHECK-COUNT-16: tensix.mvmul
// CHECK-NOT: tensix.mvmul
// CHECK: tensix.setrwc (bit_mask 15, clear_ab_vld 3)
// CHECK: scf.for
// CHECK-NOT: tensix.setc16
// CHECK: scf.for
// CHECK: tensix.stallwait (stall_res 2, wait_res 128)
// CHECK-NEXT: tensix.sempost (sem_sel 2)
// CHECK: } pack {
// CHECK: tensix.await counter 3
// CHECK: tensix.push "wrcfg" gpr_address = %{{.*}} below 16
// CHECK-NEXT: tensix.semwait (sem_sel 2, stall_res 262, wait_sem_cond 1)
// CHECK: tensix.pacr (last 1, pack_sel 15)
// CHECK-NEXT: tensix.stallwait (stall_res 2, wait_res 120)
// CHECK-NEXT: tensix.semget (sem_sel 2)
// CHECK: tensix.post counter 2
// CHECK: } read {
// A piece of work is a row and a column of tiles; a column's are read in the first row, a row's in the first column.
// CHECK: %[[START:.*]] = tensix.argument first
// CHECK: scf.for %[[PIECE:.*]] = %[[START]] to
// CHECK: %[[COLUMN:.*]] = arith.remsi %[[PIECE]], %c3
// CHECK: %[[ROW:.*]] = arith.divsi %[[PIECE]], %c3
// CHECK: %[[DONE:.*]] = arith.subi %[[PIECE]], %[[START]]
// CHECK: %[[ABOVE:.*]] = arith.muli %[[ROW]], %c3
// CHECK: %[[LEAST:.*]] = arith.minsi %[[ABOVE]], %[[DONE]]
// CHECK: %[[NEWCOLUMN:.*]] = arith.cmpi slt, %[[LEAST]], %c3
// CHECK: %[[LEAST:.*]] = arith.minsi %[[COLUMN]], %[[DONE]]
// CHECK: %[[NEWROW:.*]] = arith.cmpi eq, %[[LEAST]], %c0
// CHECK: tensix.await counter 1
// CHECK: scf.if %[[NEWCOLUMN]]
// CHECK: %[[B:.*]] = tensix.argument base 1
// CHECK: tensix.noc_read page %[[COLUMN]] of %[[B]] bytes 2048 to
// CHECK: scf.if %[[NEWROW]]
// CHECK: %[[FIRST:.*]] = arith.muli %[[ROW]], %c4
// CHECK: %[[A:.*]] = tensix.argument base 0
// CHECK: tensix.noc_read page %[[FIRST]] of %[[A]]
// CHECK: tensix.noc_wait
// CHECK-NEXT: tensix.post counter 0
// CHECK: } write {
// CHECK-NEXT: constant
// CHECK: tensix.seminit (max_value 2, sem_sel 2)
// CHECK: tensix.release
// CHECK: tensix.await counter 2
// CHECK: tensix.noc_write page
// CHECK-NEXT: tensix.noc_wait
// CHECK-NEXT: tensix.post counter 3
pto.func @product(%a: memref<64x128xbf16>, %b: memref<128x96xbf16>, %c: memref<64x96xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  %4 = arith.constant 4 : index
  scf.for %i = %0 to %2 step %1 {
    scf.for %j = %0 to %3 step %1 {
      %a0 = pto.tload %a[%i, %0] : memref<64x128xbf16> -> <tensor<32x32xbf16>, mat>
      %b0 = pto.tload %b[%0, %j] : memref<128x96xbf16> -> <tensor<32x32xbf16>, mat>
      %first = pto.tmatmul %a0, %b0 : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
      %sum = scf.for %k = %1 to %4 step %1 iter_args(%acc = %first) -> !pto.tile<tensor<32x32xf32>, acc> {
        %ak = pto.tload %a[%i, %k] : memref<64x128xbf16> -> <tensor<32x32xbf16>, mat>
        %bk = pto.tload %b[%k, %j] : memref<128x96xbf16> -> <tensor<32x32xbf16>, mat>
        %next = pto.tmatmul_acc %acc, %ak, %bk : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
        scf.yield %next : !pto.tile<tensor<32x32xf32>, acc>
      }
      %r = pto.tcvt %sum {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
      pto.tstore %r, %c[%i, %j] : <tensor<32x32xbf16>, acc> -> memref<64x96xbf16>
    }
  }
  pto.return
}

// Of 2x2 tiles each visit but the first brings one operand; banks are handed back when what they hold is done with.
// CHECK-LABEL: tensix.program @block_tensix
// CHECK: tensix.unpacr (last 1, ovrd_thread_id 1, set_dat_valid 1)
// CHECK-NOT: addr_mode 1, last 1, ovrd_thread_id 1, set_dat_valid 1)
// CHECK: } math {
// CHECK: clear_ab_vld 1)
// CHECK: clear_ab_vld 2)
// CHECK: clear_ab_vld 1)
// CHECK: clear_ab_vld 3)
// CHECK: } pack {
// CHECK-COUNT-4: tensix.pacr
// CHECK: } read {
// CHECK-COUNT-4: tensix.noc_read
// CHECK-NOT: tensix.noc_read
// CHECK: } write {
// CHECK-COUNT-4: tensix.noc_write
pto.func @block(%a: memref<64x32xbf16>, %b: memref<32x64xbf16>, %c: memref<64x64xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<lofi>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<64x32xbf16> -> <tensor<64x32xbf16>, mat>
  %u = pto.tload %b[%0, %0] : memref<32x64xbf16> -> <tensor<32x64xbf16>, mat>
  %s = pto.tmatmul %t, %u : <tensor<64x32xbf16>, mat>, <tensor<32x64xbf16>, mat> -> <tensor<64x64xf32>, acc>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<64x64xf32>, acc> -> <tensor<64x64xbf16>, acc>
  pto.tstore %r, %c[%0, %0] : <tensor<64x64xbf16>, acc> -> memref<64x64xbf16>
  pto.return
}

// Zeros for SrcA are made in its bank: nothing is read for them. What the vector unit reads is loaded once, broadcast by the
// matrix unit; T2 computes before it packs, two vectors at a time. Rows beyond the tensor are zeroed, since a row was
// broadcast to them.
// CHECK-LABEL: tensix.program @scaled_tensix implements @scaled on "wormhole_b0" arguments 3 work 1
// CHECK: tensix.unpacr_nop (no_op 17)
// CHECK-NEXT: tensix.unpacr_nop (no_op 7)
// CHECK-NEXT: tensix.unpacr ({{.*}}unpack_block_selection 1)
// CHECK: } math {
// CHECK-COUNT-8: tensix.elwadd
// CHECK: tensix.setrwc
// CHECK-COUNT-8: tensix.elwadd ({{.*}}instr_mod19 2)
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.semwait
// CHECK: scf.for {{.*}} to %c16 step
// CHECK-NEXT: tensix.sfpload (instr_mod0 3)
// CHECK-NEXT: tensix.sfpload (dest_reg_addr 2,
// CHECK-NEXT: tensix.sfpmov (instr_mod1 1)
// CHECK-NEXT: tensix.sfpmov (instr_mod1 1, lreg_c 1, lreg_dest 1)
// CHECK-NEXT: tensix.sfpload (dest_reg_addr 64
// CHECK-NEXT: tensix.sfpload (dest_reg_addr 66
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpstore
// CHECK-NEXT: tensix.sfpstore ({{.*}}sfpu_addr_mode 2)
// CHECK: tensix.setrwc (bit_mask 4)
// CHECK-NEXT: tensix.stallwait (stall_res 4, wait_res 16384)
// CHECK: tensix.pacr
// CHECK: } read {
// CHECK-COUNT-2: tensix.noc_read
// CHECK-NOT: tensix.noc_read
// CHECK: } write {
pto.func @scaled(%a: memref<20x32xbf16>, %b: memref<1x32xbf16>, %c: memref<20x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<20x32xbf16> -> <tensor<32x32xbf16>, vec>
  %w = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, vec> -> <tensor<32x32xf32>, vec>
  %u = pto.tload %b[%0, %0] : memref<1x32xbf16> -> <tensor<32x32xbf16>, vec>
  %v = pto.tcvt %u {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, vec> -> <tensor<32x32xf32>, vec>
  %n = pto.tneg %w {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %p = pto.tmul %n, %v {broadcast = #pto.broadcast<row>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %p {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<20x32xbf16>
  pto.return
}

// A cube and a vector kernel on one core: the pipe is the handover from math to pack. The group has the code.
// CHECK-LABEL: tensix.program @group_tensix implements @group on "wormhole_b0" arguments 3 work 2
// CHECK: } math {
// CHECK-COUNT-16: tensix.mvmul
// CHECK: } pack {
// CHECK: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpstore
// CHECK: tensix.pacr
// CHECK-NOT: tensix.program
pto.func @cube(%a: memref<64x32xbf16>, %b: memref<32x32xbf16>, %c: memref<64x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %peer = pto.import_peer_buffer "sums" of @vector : <32768, vec>
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<32768, vec> -> !pto.pipe<c2v, 8 x 4096>
  scf.for %i = %0 to %2 step %1 {
    %t = pto.tload %a[%i, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, mat>
    %u = pto.tload %b[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
    %s = pto.tmatmul %t, %u : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    pto.tpush %s, %p : <tensor<32x32xf32>, acc>, <c2v, 8 x 4096>
  }
  pto.return
}
pto.func @vector(%a: memref<64x32xbf16>, %b: memref<32x32xbf16>, %c: memref<64x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %own = pto.reserve_buffer "sums" auto : <32768, vec>
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<32768, vec> -> !pto.pipe<c2v, 8 x 4096>
  scf.for %i = %0 to %2 step %1 {
    %s = pto.tpop %p : <c2v, 8 x 4096> -> <tensor<32x32xf32>, vec>
    %n = pto.tneg %s {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
    pto.tfree %s, %p : <tensor<32x32xf32>, vec>, <c2v, 8 x 4096>
    %r = pto.tcvt %n {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
    pto.tstore %r, %c[%i, %0] : <tensor<32x32xbf16>, vec> -> memref<64x32xbf16>
  }
  pto.return
}
pto.func @group(%a: memref<64x32xbf16>, %b: memref<32x32xbf16>, %c: memref<64x32xbf16>)
    attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<same_core>} {
  pto.launch cube @cube vector [@vector](%a, %b, %c) : memref<64x32xbf16>, memref<32x32xbf16>, memref<64x32xbf16>
  pto.return
}
