// RUN: ttmlir-opt --tensix-form-replay %s | FileCheck %s

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @k_tensix implements @k on "wormhole_b0" arguments 0 work 1 unpack {
  // What a loop repeats is recorded before, and replayed; so is a part of it elsewhere in the loop. What is computed between
  // two pushes does not part them, what waits does.
  // CHECK: tensix.replay (len 3, load_mode 1)
  // CHECK-NEXT: tensix.setadcxx
  // CHECK-NEXT: tensix.unpacr (last 1
  // CHECK-NEXT: tensix.unpacr (last 1{{.*}}unpack_block_selection 1)
  // CHECK: scf.for
  // CHECK: tensix.replay (len 3){{$}}
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: tensix.await
  // CHECK-NEXT: tensix.replay (len 2, start_idx 1)
  // CHECK-NEXT: tensix.wait_mop
  // CHECK-NEXT: tensix.nop
  // CHECK-NEXT: tensix.mop
  // CHECK: }
  %first = tensix.argument first
  %last = tensix.argument last
  %one = arith.constant 1 : index
  scf.for %i = %first to %last step %one {
    tensix.setadcxx (cnt_set_mask 3)
    tensix.unpacr (last 1)
    %n = arith.addi %i, %one : index
    tensix.unpacr (last 1, unpack_block_selection 1)
    tensix.await counter 0 at_least %n
    tensix.unpacr (last 1)
    tensix.unpacr (last 1, unpack_block_selection 1)
    tensix.wait_mop
    tensix.nop
    tensix.mop (mop_type 1)
  }
} math {
  // Instructions that are not repeated are unchanged.
  // CHECK: } math {
  // CHECK-NEXT: tensix.setc16 (setc16_reg 1)
  // CHECK-NEXT: tensix.setc16 (setc16_reg 2)
  // CHECK-NEXT: } pack {
  tensix.setc16 (setc16_reg 1)
  tensix.setc16 (setc16_reg 2)
} pack {
} read {
} write {
  // B pushes to a thread that is not its own.
  // CHECK: } write {
  // CHECK-NOT: tensix.replay
  tensix.seminit (sem_sel 1)
  tensix.seminit (sem_sel 2)
  tensix.seminit (sem_sel 1)
  tensix.seminit (sem_sel 2)
  tensix.seminit (sem_sel 1)
  tensix.seminit (sem_sel 2)
  tensix.seminit (sem_sel 1)
  tensix.seminit (sem_sel 2)
  tensix.release
}
