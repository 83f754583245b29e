// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// RUN: ttmlir-opt --canonicalize --cse %s | FileCheck %s --check-prefix=KEPT

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

// CHECK-LABEL: tensix.program @k_tensix implements @k on "wormhole_b0" arguments 2 work 4 unpack {
tensix.program @k_tensix implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  // CHECK: tensix.argument imm 17
  %imm = tensix.argument imm 17
  // CHECK: tensix.argument first
  %first = tensix.argument first
  // CHECK: tensix.argument last
  %last = tensix.argument last
  %one = arith.constant 1 : index
  // CHECK: scf.for %[[TILE:.*]] = %{{.*}} to %{{.*}} step
  scf.for %tile = %first to %last step %one {
    // CHECK-NEXT: tensix.await counter 0 at_least %[[TILE]]
    tensix.await counter 0 at_least %tile
    // CHECK-NEXT: tensix.push "setadcxx" x_end2 = %[[TILE]] (cnt_set_mask 1)
    tensix.push "setadcxx" x_end2 = %tile (cnt_set_mask 1)
    // CHECK-NEXT: tensix.push "setc16" setc16_value = %{{[0-9a-z]+ *$}}
    tensix.push "setc16" setc16_value = %imm
    // CHECK-NEXT: tensix.push "setadc" value = %[[TILE]] below 256 (dimension_index 2)
    tensix.push "setadc" value = %tile below 256 (dimension_index 2)
    // CHECK-NEXT: tensix.push "setdmareg" payload_sig_sel_size.payload_sig_sel = %[[TILE]] (reg_index_16b 4)
    tensix.push "setdmareg" payload_sig_sel_size.payload_sig_sel = %tile (reg_index_16b 4)
    // CHECK-NEXT: tensix.unpacr (last 1, ovrd_thread_id 1, set_dat_valid 1)
    tensix.unpacr (last 1, ovrd_thread_id 1, set_dat_valid 1)
  }
  tensix.wait_idle
  tensix.post counter 1
// CHECK: } math {
} math {
  tensix.store_mop_cfg 5, 67371264
  tensix.mop (mop_type 1)
  tensix.wait_mop
// CHECK: } pack {
} pack {
  tensix.poll_sem 3 at_least 1
  tensix.store_semget 3
  tensix.store_sempost 3
// CHECK: } read {
} read {
  // CHECK: tensix.argument base 1
  %base = tensix.argument base 1
  %0 = arith.constant 0 : index
  %l1 = arith.constant 98304 : index
  // CHECK: tensix.noc_read page %[[ZERO:.*]] of %{{.*}} bytes 2048 to %{{.*}} transaction %[[ZERO]]
  tensix.noc_read page %0 of %base bytes 2048 to %l1 transaction %0
  // CHECK-NEXT: tensix.noc_read page %[[ZERO]] of %{{.*}} bytes 2048 length 1024 to %{{.*}} transaction %[[ZERO]]
  tensix.noc_read page %0 of %base bytes 2048 length 1024 to %l1 transaction %0
  // CHECK-NEXT: tensix.noc_wait transaction %[[ZERO]]
  tensix.noc_wait transaction %0
  // CHECK-NEXT: %[[ELEMENT:.*]] = tensix.load_l1 %[[L1:.*]] bytes 2
  %element = tensix.load_l1 %l1 bytes 2
  // CHECK-NEXT: tensix.store_l1 %[[ELEMENT]] to %[[L1]] bytes 4
  tensix.store_l1 %element to %l1 bytes 4
  // CHECK-NEXT: tensix.settle_l1 %[[L1]]
  tensix.settle_l1 %l1
// CHECK: } write {
} write {
  // CHECK-NEXT: tensix.seminit (max_value 1, sem_sel 2)
  tensix.seminit (max_value 1, sem_sel 2)
  // CHECK-NEXT: tensix.release
  tensix.release
  %base = tensix.argument base 1
  %0 = arith.constant 0 : index
  %l1 = arith.constant 98304 : index
  // CHECK: tensix.noc_write page %[[ZERO:.*]] of %{{.*}} bytes 2048 from %{{.*}} transaction %[[ZERO]]
  tensix.noc_write page %0 of %base bytes 2048 from %l1 transaction %0
  tensix.noc_wait transaction %0
}

// Arguments are values, which are merged and may vanish; everything else happens.
// KEPT-LABEL: tensix.program @values
tensix.program @values implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  // KEPT: %[[FIRST:.*]] = tensix.argument first
  // KEPT-NOT: tensix.argument
  %unread = tensix.argument last
  %a = tensix.argument first
  %b = tensix.argument first
  // KEPT: tensix.await counter 0 at_least %[[FIRST]]
  // KEPT-NEXT: tensix.await counter 0 at_least %[[FIRST]]
  tensix.await counter 0 at_least %a
  tensix.await counter 0 at_least %b
} math {} pack {} read {} write {
  tensix.release
}

pto.func @j() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

// CHECK: tensix.alias @j_tensix implements @j of @k_tensix
tensix.alias @j_tensix implements @j of @k_tensix

// CHECK-LABEL: tensix.program @grid_tensix implements @k on "wormhole_b0" arguments 2 work 8 grid [2, 4] unpack {
tensix.program @grid_tensix implements @k on "wormhole_b0" arguments 2 work 8 grid [2, 4] unpack {
} math {} pack {} read {
  %0 = arith.constant 0 : index
  %l1 = arith.constant 98304 : index
  %base = tensix.argument base 1
  // CHECK: %[[GROUP:.*]] = tensix.argument group 1
  %group = tensix.argument group 1
  // CHECK: %[[LEADER:.*]] = tensix.argument leader 0
  %leader = tensix.argument leader 0
  // CHECK: tensix.argument passes 0
  %passes = tensix.argument passes 0
  // CHECK: tensix.argument extent 1
  %extent = tensix.argument extent 1
  // CHECK: tensix.argument place 0
  %place = tensix.argument place 0
  // CHECK: tensix.argument leads 1
  %leads = tensix.argument leads 1
  // CHECK: tensix.noc_read page {{.*}} transaction %{{.*}} noc 1
  tensix.noc_read page %0 of %base bytes 2048 to %l1 transaction %0 noc 1
  // CHECK: tensix.noc_send bytes 2048 {{.*}} of %[[GROUP]] transaction %{{.*}} noc 1 broadcast
  tensix.noc_send bytes 2048 from %l1 to %l1 of %group transaction %0 noc 1 broadcast
  // CHECK: tensix.noc_wait transaction %{{.*}} until %{{.*}} noc 1
  tensix.noc_wait transaction %0 until %extent noc 1
  // CHECK: tensix.noc_post counter 3 of %[[LEADER]] transaction %{{.*}}
  tensix.noc_post counter 3 of %leader transaction %0
  tensix.await counter 3 at_least %place
  tensix.await counter 3 at_least %leads
  tensix.await counter 3 at_least %passes
} write {
  tensix.release
}
