// Groups of kernels that come to their end, by the rows of the test matrix; the others are in pto_check_pipes_negative.mlir.
// RUN: ttmlir-opt --pto-check-pipes --split-input-file %s | FileCheck %s

// T-UNI: a ring of one slot, more tiles than slots.
// CHECK: pto.launch

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %d = pto.import_peer_buffer "down" of @v : <4096, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  scf.for %i = %0 to %3 step %1 {
    pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 1 x 4096>
  }
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %d = pto.reserve_buffer "down" auto : <4096, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  scf.for %i = %0 to %3 step %1 {
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

// T-UNI: no tiles at all.
// CHECK: pto.launch

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  scf.for %i = %0 to %0 step %1 {
    pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
  }
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  scf.for %i = %0 to %0 step %1 {
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

// T-HOLD: as many tiles are held as there are slots.
// CHECK: pto.launch

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
  %2 = arith.constant 2 : index
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  scf.for %i = %0 to %2 step %1 {
    %x = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
    %y = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
    pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
    pto.tfree %y, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  }
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-DEPTH: a round trip that is two rings ahead.
// CHECK: pto.launch

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %d = pto.import_peer_buffer "down" of @v : <4096, vec>
  %u = pto.reserve_buffer "up" auto : <4096, mat>
  %down, %up = pto.aic_initialize_pipe %d, %u : !pto.buffer<4096, vec>, !pto.buffer<4096, mat> -> !pto.pipe<c2v, 1 x 4096>, !pto.pipe<v2c, 1 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 1 x 4096>
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 1 x 4096>
  %x = pto.tpop %up : <v2c, 1 x 4096> -> <tensor<32x32xf32>, mat>
  pto.tfree %x, %up : <tensor<32x32xf32>, mat>, <v2c, 1 x 4096>
  %y = pto.tpop %up : <v2c, 1 x 4096> -> <tensor<32x32xf32>, mat>
  pto.tfree %y, %up : <tensor<32x32xf32>, mat>, <v2c, 1 x 4096>
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
  scf.for %i = %0 to %2 step %1 {
    %x = pto.tpop %down : <c2v, 1 x 4096> -> <tensor<32x32xf32>, vec>
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

// T-YIELD: a tile that a loop carries is freed in the next iteration.
// CHECK: pto.launch

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
    pto.tstore %x, %a[%0, %0] : <tensor<32x32xf32>, vec> -> memref<64x64xf32>
    pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
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

// T-PATH: both sides know the condition.
// CHECK: pto.launch

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %4 = arith.constant 4 : index
  %d = pto.import_peer_buffer "down" of @v : <4096, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  scf.for %i = %0 to %4 step %1 {
    %odd = arith.remsi %i, %2 : index
    %take = arith.cmpi ne, %odd, %0 : index
    scf.if %take {
      pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 1 x 4096>
    }
  }
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %4 = arith.constant 4 : index
  %d = pto.reserve_buffer "down" auto : <4096, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  scf.for %i = %0 to %4 step %1 {
    %even = arith.remsi %i, %2 : index
    %leave = arith.cmpi eq, %even, %0 : index
    scf.if %leave {
    } else {
      %x = pto.tpop %down : <c2v, 1 x 4096> -> <tensor<32x32xf32>, vec>
      pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 1 x 4096>
    }
  }
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-DEAD: an unused tile is popped and freed.
// CHECK: pto.launch

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %d = pto.import_peer_buffer "down" of @v : <4096, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 1 x 4096>
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %d = pto.reserve_buffer "down" auto : <4096, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  %x = pto.tpop %down : <c2v, 1 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 1 x 4096>
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-SPLIT2: two lanes, of which each does its half at its own pace.
// CHECK: pto.launch

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %d = pto.import_peer_buffer "down" of @v : <4096, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 2 x 2048, up_down>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  scf.for %i = %0 to %3 step %1 {
    pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 2 x 2048, up_down>
  }
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %4 = arith.constant 4 : index
  %d = pto.reserve_buffer "down" auto : <4096, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 2 x 2048, up_down>
  %lane = pto.subblock_index
  %more = arith.muli %lane, %4 : index
  scf.for %i = %0 to %3 step %1 {
    scf.for %j = %0 to %more step %1 {
      %y = arith.addi %j, %i : index
    }
    %x = pto.tpop %down : <c2v, 2 x 2048, up_down> -> <tensor<16x32xf32>, vec>
    pto.tfree %x, %down : <tensor<16x32xf32>, vec>, <c2v, 2 x 2048, up_down>
  }
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v, @v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-GM: a tile goes through global memory, and a token tells when.
// CHECK: pto.launch

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %d = pto.import_peer_buffer "down" of @v : <4096, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  pto.tstore %t, %a[%0, %0] : <tensor<32x32xf32>, mat> -> memref<64x64xf32>
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 1 x 4096>
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %d = pto.reserve_buffer "down" auto : <4096, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  %x = pto.tpop %down : <c2v, 1 x 4096> -> <tensor<32x32xf32>, vec>
  %y = pto.tload %a[%0, %0] : memref<64x64xf32> -> <tensor<32x32xf32>, vec>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 1 x 4096>
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-RELAUNCH: a launch leaves all slots free for the next.
// CHECK: pto.launch

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  scf.for %i = %0 to %3 step %1 {
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
    %x = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
    pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  }
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}

// -----

// T-TGT: semaphores of one core count 15 slots.
// CHECK: pto.launch

pto.func @c(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %d = pto.import_peer_buffer "down" of @v : <61440, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<61440, vec> -> !pto.pipe<c2v, 15 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 15 x 4096>
  pto.return
}

pto.func @v(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %d = pto.reserve_buffer "down" auto : <61440, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<61440, vec> -> !pto.pipe<c2v, 15 x 4096>
  %x = pto.tpop %down : <c2v, 15 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 15 x 4096>
  pto.return
}

pto.func @g(%a: memref<64x64xf32>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<same_core>} {
  pto.launch cube @c vector [@v](%a) : memref<64x64xf32>
  pto.return
}
