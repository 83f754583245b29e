// Diagnostics of groups of kernels that do not terminate, by the rows of the test matrix.
// RUN: ttmlir-opt --pto-check-pipes --split-input-file --verify-diagnostics %s

// T-HOLD: one tile more than there are slots.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  scf.for %i = %0 to %3 step %1 {
    // expected-error @below {{deadlocks: @c, iteration [2], waits for a free slot of pipe "down" of @v from @v (2 pushed, 2 popped, 0 freed, 2 slots), and no kernel can proceed; 3 slots in pipe "down" of @v would suffice}}
    pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
  }
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %x = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  %y = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  // expected-note @below {{@v waits for a tile of pipe "down" of @v from @c (2 pushed, 2 popped, 0 freed, 2 slots)}}
  %z = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.tfree %y, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.tfree %z, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-DEPTH: a round trip further ahead than both rings are long.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %d = pto.import_peer_buffer "down" of @v : <4096, vec>
  %u = pto.reserve_buffer "up" auto : <4096, mat>
  %down, %up = pto.aic_initialize_pipe %d, %u : !pto.buffer<4096, vec>, !pto.buffer<4096, mat> -> !pto.pipe<c2v, 1 x 4096>, !pto.pipe<v2c, 1 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 1 x 4096>
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 1 x 4096>
  // expected-error @below {{deadlocks: @c waits for a free slot of pipe "down" of @v from @v (2 pushed, 2 popped, 1 freed, 1 slots), and no kernel can proceed; 2 slots in pipe "up" of @c would suffice}}
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 1 x 4096>
  scf.for %i = %0 to %3 step %1 {
    %x = pto.tpop %up : <v2c, 1 x 4096> -> <tensor<32x32xf32>, mat>
    pto.tfree %x, %up : <tensor<32x32xf32>, mat>, <v2c, 1 x 4096>
  }
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %d = pto.reserve_buffer "down" auto : <4096, vec>
  %u = pto.import_peer_buffer "up" of @c : <4096, mat>
  %down, %up = pto.aiv_initialize_pipe %d, %u : !pto.buffer<4096, vec>, !pto.buffer<4096, mat> -> !pto.pipe<c2v, 1 x 4096>, !pto.pipe<v2c, 1 x 4096>
  scf.for %i = %0 to %3 step %1 {
    %x = pto.tpop %down : <c2v, 1 x 4096> -> <tensor<32x32xf32>, vec>
    // expected-note @below {{@v, iteration [1], waits for a free slot of pipe "up" of @c from @c (1 pushed, 0 popped, 0 freed, 1 slots)}}
    pto.tpush %x, %up : <tensor<32x32xf32>, vec>, <v2c, 1 x 4096>
    pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 1 x 4096>
  }
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-DEPTH: both sides push first.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %d = pto.import_peer_buffer "down" of @v : <4096, vec>
  %u = pto.reserve_buffer "up" auto : <4096, mat>
  %down, %up = pto.aic_initialize_pipe %d, %u : !pto.buffer<4096, vec>, !pto.buffer<4096, mat> -> !pto.pipe<c2v, 1 x 4096>, !pto.pipe<v2c, 1 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 1 x 4096>
  // expected-error @below {{would suffice}}
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 1 x 4096>
  scf.for %i = %0 to %2 step %1 {
    %x = pto.tpop %up : <v2c, 1 x 4096> -> <tensor<32x32xf32>, mat>
    pto.tfree %x, %up : <tensor<32x32xf32>, mat>, <v2c, 1 x 4096>
  }
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %d = pto.reserve_buffer "down" auto : <4096, vec>
  %u = pto.import_peer_buffer "up" of @c : <4096, mat>
  %down, %up = pto.aiv_initialize_pipe %d, %u : !pto.buffer<4096, vec>, !pto.buffer<4096, mat> -> !pto.pipe<c2v, 1 x 4096>, !pto.pipe<v2c, 1 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>
  pto.tpush %t, %up : <tensor<32x32xf32>, vec>, <v2c, 1 x 4096>
  // expected-note @below {{waits for a free slot}}
  pto.tpush %t, %up : <tensor<32x32xf32>, vec>, <v2c, 1 x 4096>
  scf.for %i = %0 to %2 step %1 {
    %x = pto.tpop %down : <c2v, 1 x 4096> -> <tensor<32x32xf32>, vec>
    pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 1 x 4096>
  }
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-MISS: no tile is freed.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  scf.for %i = %0 to %3 step %1 {
    // expected-error @below {{deadlocks: @c, iteration [2], waits for a free slot of pipe "down" of @v from @v (2 pushed, 2 popped, 0 freed, 2 slots), and no kernel can proceed; no number of slots helps: pushes, pops and frees of the two sides do not match}}
    pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
  }
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  scf.for %i = %0 to %3 step %1 {
    // expected-note @below {{@v, iteration [2], waits for a tile}}
    %x = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  }
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-MISS: every third tile is not freed.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %5 = arith.constant 5 : index
  %d = pto.import_peer_buffer "down" of @v : <16384, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<16384, vec> -> !pto.pipe<c2v, 4 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  scf.for %i = %0 to %5 step %1 {
    pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 4 x 4096>
  }
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  %5 = arith.constant 5 : index
  %d = pto.reserve_buffer "down" auto : <16384, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<16384, vec> -> !pto.pipe<c2v, 4 x 4096>
  scf.for %i = %0 to %5 step %1 {
    %x = pto.tpop %down : <c2v, 4 x 4096> -> <tensor<32x32xf32>, vec>
    %r = arith.remsi %i, %3 : index
    %free = arith.cmpi ne, %r, %2 : index
    scf.if %free {
      // expected-error @below {{cannot be executed by @v, iteration [3]: tile 3 is freed before tile 2; slots are freed in the order of their pops}}
      pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 4 x 4096>
    }
  }
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-ORDER: the second tile is freed first.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  scf.for %i = %0 to %2 step %1 {
    pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
  }
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %x = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  %y = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{cannot be executed by @v: tile 1 is freed before tile 0; slots are freed in the order of their pops}}
  pto.tfree %y, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-ORDER: a tile is freed twice.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  scf.for %i = %0 to %2 step %1 {
    pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
  }
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %x = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  // expected-error @below {{cannot be executed by @v: tile 0 is freed a second time}}
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-ORDER: a tile is popped as something else than it was pushed as.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  // expected-error @below {{cannot be executed by @v: tile 0 was pushed as 32x32xf32 and is popped as 16x32xf32; pushes and pops must come in the same order}}
  %x = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<16x32xf32>, vec>
  pto.tfree %x, %down : <tensor<16x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-YIELD: a tile that a loop carries is used after its slot was freed.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  scf.for %i = %0 to %4 step %1 {
    pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
  }
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %first = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  %last = scf.for %i = %0 to %3 step %1 iter_args(%x = %first) -> (!pto.tile<tensor<32x32xf32>, vec>) {
    pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
    // expected-error @below {{cannot be executed by @v, iteration [0]: tile 0 of pipe "down" of @v is used after its slot was freed}}
    pto.tstore %x, %a[%0, %0] : <tensor<32x32xf32>, vec> -> memref<64x64xf32>
    %next = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
    scf.yield %next : !pto.tile<tensor<32x32xf32>, vec>
  }
  pto.tfree %last, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-PATH: a push in one branch only.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  scf.for %i = %0 to %4 step %1 {
    %first = arith.cmpi slt, %i, %1 : index
    scf.if %first {
      pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
    }
  }
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  scf.for %i = %0 to %4 step %1 {
    // expected-error @below {{deadlocks: @v, iteration [1], waits for a tile of pipe "down" of @v from @c (1 pushed, 1 popped, 1 freed, 2 slots), and no kernel can proceed; no number of slots helps: pushes, pops and frees of the two sides do not match}}
    %x = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
    pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  }
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-PATH: more pushes than pops, which only the end of the kernel shows.

// expected-error @below {{deadlocks: @c waits for all slots to be free again of pipe "down" of @v from @v (2 pushed, 1 popped, 1 freed, 4 slots), and no kernel can proceed; no number of slots helps: pushes, pops and frees of the two sides do not match}}
pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %d = pto.import_peer_buffer "down" of @v : <16384, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<16384, vec> -> !pto.pipe<c2v, 4 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  scf.for %i = %0 to %2 step %1 {
    pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 4 x 4096>
  }
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %d = pto.reserve_buffer "down" auto : <16384, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<16384, vec> -> !pto.pipe<c2v, 4 x 4096>
  %x = pto.tpop %down : <c2v, 4 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 4 x 4096>
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-SPLIT2: one lane frees nothing, and the slot is that of both.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %d = pto.import_peer_buffer "down" of @v : <4096, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 2 x 2048, up_down>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  scf.for %i = %0 to %3 step %1 {
    // expected-error @below {{deadlocks: @c, iteration [2], waits for a free slot of pipe "down" of @v from @v (lane 0) and @v (lane 1)}}
    pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 2 x 2048, up_down>
  }
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %d = pto.reserve_buffer "down" auto : <4096, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 2 x 2048, up_down>
  %lane = pto.subblock_index
  %upper = arith.cmpi eq, %lane, %0 : index
  scf.for %i = %0 to %3 step %1 {
    // expected-note @below {{@v (lane 0), iteration [2], waits for a tile}}
    // expected-note @below {{@v (lane 1), iteration [2], waits for a tile}}
    %x = pto.tpop %down : <c2v, 2 x 2048, up_down> -> <tensor<16x32xf32>, vec>
    scf.if %upper {
      pto.tfree %x, %down : <tensor<16x32xf32>, vec>, <c2v, 2 x 2048, up_down>
    }
  }
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v, @v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-GM: nothing tells the vector kernel when the tile is there.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  // expected-note @below {{the other one}}
  pto.tstore %t, %a[%0, %0] : <tensor<32x32xf32>, mat> -> memref<64x64xf32>
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  // expected-error @below {{cannot be executed by @v: a load, at the same time as a store of @c}}
  %x = pto.tload %a[%0, %1] : memref<64x64xf32> -> <tensor<32x16xf32>, vec>
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// A tile outside of its tensor.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
  scf.for %i = %0 to %3 step %1 {
    // expected-error @below {{cannot be executed by @c, iteration [2]: tile [2, 0] is outside of a tensor of 2 x 2 tiles}}
    %x = pto.tload %a[%i, %0] : memref<64x64xf32> -> <tensor<32x32xf32>, mat>
  }
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %x = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-GROUP: no launch starts the kernels.

// expected-warning @below {{has pipes, but no pto.launch starts it; its termination is not checked}}
pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
  pto.return
}

// expected-warning @below {{has pipes, but no pto.launch starts it; its termination is not checked}}
pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %x = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

// -----

// T-ALLOC: both ends have the same address.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  // expected-error @below {{imports a buffer at 64, which is reserved at auto}}
  %d = pto.import_peer_buffer "down" of @v at 64 : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-note @below {{reserved here}}
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %x = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-ALLOC: rings of one kernel do not overlap.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-note @below {{reserved here}}
  %d = pto.reserve_buffer "down" at 4096 : <8192, vec>
  // expected-error @below {{reserves bytes 8192 to 16384 of vec, which overlap 4096 to 12288}}
  %more = pto.reserve_buffer "more" at 8192 : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %x = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-TGT: semaphores of one core count to 15.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %d = pto.import_peer_buffer "down" of @v : <65536, vec>
  // expected-error @below {{makes a ring of 16 slots on one core, whose semaphores count to 15; use fewer slots, or placement = cluster}}
  %down = pto.aic_initialize_pipe %d : !pto.buffer<65536, vec> -> !pto.pipe<c2v, 16 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 16 x 4096>
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %d = pto.reserve_buffer "down" auto : <65536, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<65536, vec> -> !pto.pipe<c2v, 16 x 4096>
  %x = pto.tpop %down : <c2v, 16 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 16 x 4096>
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<same_core>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// Operations that the interpreter does not support.

pto.func @both(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %b = pto.reserve_buffer "down" auto : <4096, vec>
  %in = pto.aic_initialize_pipe %b : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  %out = pto.aiv_initialize_pipe %b : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  // expected-error @below {{is not a value of a group; kernels compute with tiles, index and i1}}
  %0 = arith.constant 0.5 : f32
  pto.return
}

// -----

// Operations that the interpreter does not support.

pto.func @both(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %b = pto.reserve_buffer "down" auto : <4096, vec>
  %in = pto.aic_initialize_pipe %b : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  %out = pto.aiv_initialize_pipe %b : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  // expected-error @below {{is not supported in a group of kernels; supported are signed operations on index, and and, or and xor on i1}}
  %1 = arith.shli %0, %0 : index
  pto.return
}

// -----

// One end of a pipe has no other.

// expected-error @below {{starts @half alone, but pipe "down" of @half has another end; start the kernels of a group together with pto.launch}}
pto.func @half(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %b = pto.reserve_buffer "down" auto : <4096, vec>
  %in = pto.aic_initialize_pipe %b : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  pto.return
}

// -----

// A launch in a loop.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %x = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  // expected-error @below {{is not supported in an orchestration, whose launches execute in order, each once}}
  scf.for %i = %0 to %1 step %1 {
    pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  }
  pto.return
}

// -----

// A ring with more slots than the interpreter supports.

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %d = pto.import_peer_buffer "down" of @v : <268439552, vec>
  // expected-error @below {{makes a ring of 65537 slots; the interpreter has at most 65536}}
  %down = pto.aic_initialize_pipe %d : !pto.buffer<268439552, vec> -> !pto.pipe<c2v, 65537 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 65537 x 4096>
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %d = pto.reserve_buffer "down" auto : <268439552, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<268439552, vec> -> !pto.pipe<c2v, 65537 x 4096>
  %x = pto.tpop %down : <c2v, 65537 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 65537 x 4096>
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// Elements that the interpreter does not have.

// expected-error @below {{has argument memref<64x64xf16>; a group has matrices of f32, bf16 or i32, with extents of 32 bits}}
pto.func @both(%a: memref<64x64xf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %b = pto.reserve_buffer "down" auto : <4096, vec>
  %in = pto.aic_initialize_pipe %b : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  %out = pto.aiv_initialize_pipe %b : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  pto.return
}
