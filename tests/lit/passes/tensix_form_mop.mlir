// RUN: ttmlir-opt --tensix-form-mop %s | FileCheck %s

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

// The loop that saves most becomes a MOP, together with the word after it; a loop of another form does not.
// CHECK-LABEL: tensix.program @k_tensix
tensix.program @k_tensix implements @k on "wormhole_b0" arguments 0 work 1 unpack {
  // CHECK: tensix.store_mop_cfg 0, 1
  // CHECK-NEXT: tensix.store_mop_cfg 1, 4
  // CHECK-NEXT: tensix.store_mop_cfg 2, 33554432
  // CHECK-NEXT: tensix.store_mop_cfg 3, [[SETRWC:9[0-9]*]]
  // CHECK-NEXT: tensix.store_mop_cfg 4, 33554432
  // CHECK-NEXT: tensix.store_mop_cfg 5, [[REPLAY:[0-9]*]]
  // CHECK-NEXT: tensix.store_mop_cfg 6, 33554432
  // CHECK-NEXT: tensix.store_mop_cfg 7, [[REPLAY]]
  // CHECK-NEXT: tensix.store_mop_cfg 8, [[REPLAY]]
  // CHECK: scf.for
  // CHECK: tensix.mop (mop_type 1)
  // CHECK-NEXT: tensix.wait_idle
  // CHECK-NEXT: tensix.mop (mop_type 1)
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: tensix.replay (len 8)
  %first = tensix.argument first
  %last = tensix.argument last
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %4 = arith.constant 4 : index
  scf.for %i = %first to %last step %1 {
    scf.for %phase = %0 to %4 step %1 {
      tensix.replay (len 16)
    }
    tensix.setrwc (bit_mask 15)
    tensix.wait_idle
    scf.for %phase = %0 to %4 step %1 {
      tensix.replay (len 16)
    }
    tensix.setrwc (bit_mask 15)
    scf.for %phase = %0 to %2 step %1 {
      tensix.replay (len 8)
    }
  }
} math {
  // Two words in turn, and the last of them as the last; more turns than a count has are two counts.
  // CHECK: } math {
  // CHECK: tensix.store_mop_cfg 0, 2
  // CHECK-NEXT: tensix.store_mop_cfg 1, 64
  // CHECK: tensix.store_mop_cfg 5, [[FIRST:[0-9]*]]
  // CHECK-NEXT: tensix.store_mop_cfg 6, [[SECOND:[0-9]*]]
  // CHECK-NEXT: tensix.store_mop_cfg 7, [[SECOND]]
  // CHECK-NEXT: tensix.store_mop_cfg 8, [[SECOND]]
  // CHECK: tensix.mop (mop_type 1)
  // CHECK-NEXT: tensix.setrwc
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %128 = arith.constant 128 : index
  scf.for %i = %0 to %128 step %1 {
    tensix.mvmul
    tensix.mvmul (dst 8)
  }
  tensix.setrwc (bit_mask 15)
} pack {
  // A loop of loops, with two words after each.
  // CHECK: } pack {
  // CHECK: tensix.store_mop_cfg 0, 3
  // CHECK-NEXT: tensix.store_mop_cfg 1, 5
  // CHECK: tensix.mop (mop_type 1)
  // CHECK-NEXT: } read {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %5 = arith.constant 5 : index
  scf.for %i = %0 to %3 step %1 {
    scf.for %j = %0 to %5 step %1 {
      tensix.pacr (pack_sel 1)
    }
    tensix.setadc (value 1)
    tensix.setadc (value 2)
  }
} read {
} write {
  tensix.release
}

// Not formed: a loop of which somebody reads the variable; that does something else; whose bounds are not known; three words;
// a NOP as the second of two; so few iterations that setting it up costs more.
// CHECK-LABEL: tensix.program @unformed_tensix
// CHECK-NOT: tensix.mop
// CHECK-NOT: tensix.store_mop_cfg
tensix.program @unformed_tensix implements @k on "wormhole_b0" arguments 0 work 1 unpack {
  %first = tensix.argument first
  %last = tensix.argument last
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %64 = arith.constant 64 : index
  scf.for %i = %0 to %64 step %1 {
    tensix.push "setadc" value = %i (cnt_set_mask 1)
  }
  scf.for %i = %0 to %64 step %1 {
    tensix.setadc (value 1)
    tensix.wait_idle
  }
  scf.for %i = %first to %last step %1 {
    tensix.setadc (value 1)
  }
} math {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %64 = arith.constant 64 : index
  scf.for %i = %0 to %64 step %1 {
    tensix.setadc (value 1)
    tensix.setadc (value 2)
    tensix.setadc (value 3)
  }
  scf.for %i = %0 to %64 step %1 {
    tensix.setadc (value 1)
    tensix.nop
  }
} pack {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %8 = arith.constant 8 : index
  scf.for %i = %0 to %8 step %1 {
    tensix.setadc (value 1)
  }
} read {
} write {
  tensix.release
}
