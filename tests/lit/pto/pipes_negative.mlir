// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

pto.func @reserves_for_vector(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  // expected-error @below {{belongs to the vector side, but is in @reserves_for_vector, a kernel of kind cube}}
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  pto.return
}

// -----

pto.func @negative_base(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-error @below {{base -32 is not an address}}
  %r = pto.reserve_buffer "ring" at -32 : <8192, vec>
  pto.return
}

// -----

pto.func @consumer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  pto.return
}

pto.func @negative_import(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  // expected-error @below {{base -32 is not an address}}
  %r = pto.import_peer_buffer "ring" of @consumer at -32 : <8192, vec>
  pto.return
}

// -----

pto.func @reserved_twice(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-error @below {{reserves "ring" a second time in @reserved_twice}}
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  %s = pto.reserve_buffer "ring" auto : <8192, vec>
  pto.return
}

// -----

pto.func @reserves_on_global(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>, platform = #pto.platform<a2a3>} {
  // expected-error @below {{is for rings in the memory of the core that pops, but @reserves_on_global is for platform a2a3, whose rings are in global memory; pass its pipes a slot buffer}}
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  pto.return
}

// -----

pto.func @consumer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  pto.return
}

pto.func @imports_on_global(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>, platform = #pto.platform<a2a3>} {
  // expected-error @below {{is for rings in the memory of the core that pops, but @imports_on_global is for platform a2a3}}
  %r = pto.import_peer_buffer "ring" of @consumer : <8192, vec>
  pto.return
}

// -----

pto.func @consumer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  pto.return
}

pto.func @mixed_import(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  // expected-error @below {{is in @mixed_import, a kernel of kind mixed; only cube and vector kernels have peers}}
  %r = pto.import_peer_buffer "ring" of @consumer : <8192, vec>
  pto.return
}

// -----

pto.func @consumer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  pto.return
}

pto.func @own_side(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-error @below {{imports a buffer in vec, which is on the own side; peers of @own_side are on the other}}
  %r = pto.import_peer_buffer "ring" of @consumer : <8192, vec>
  pto.return
}

// -----

pto.func @unknown_peer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  // expected-error @below {{names @nobody, but no 'pto.func' beside @unknown_peer has this name}}
  %r = pto.import_peer_buffer "ring" of @nobody : <8192, vec>
  pto.return
}

// -----

pto.func @consumer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  pto.return
}

pto.func @unknown_buffer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  // expected-error @below {{names "rope", which @consumer does not reserve}}
  %r = pto.import_peer_buffer "rope" of @consumer : <8192, vec>
  pto.return
}

// -----

pto.func @consumer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  pto.return
}

pto.func @another_size(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  // expected-error @below {{imports "ring" as !pto.buffer<4096, vec>, but @consumer reserves !pto.buffer<8192, vec>}}
  %r = pto.import_peer_buffer "ring" of @consumer : <4096, vec>
  pto.return
}

// -----

pto.func @consumer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  pto.return
}

pto.func @aiv_in_cube(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "ring" of @consumer : <8192, vec>
  // expected-error @below {{belongs to the vector side, but is in @aiv_in_cube, a kernel of kind cube}}
  %p = pto.aiv_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

// -----

pto.func @late(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  scf.for %i = %0 to %1 step %1 {
    // expected-error @below {{is nested in control flow; a kernel initializes its pipes once, directly in @late}}
    %p = pto.aiv_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  }
  pto.return
}

// -----

pto.func @wrong_order(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  %u = pto.reserve_buffer "up" auto : <8192, mat>
  // expected-error @below {{makes 2 pipes; a kernel makes one, or one from cube to vector and then one from vector to cube}}
  %p, %s = pto.aiv_initialize_pipe %u, %r : !pto.buffer<8192, mat>, !pto.buffer<8192, vec> -> !pto.pipe<v2c, 2 x 4096>, !pto.pipe<c2v, 2 x 4096>
  pto.return
}

// -----

pto.func @no_pipes(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-error @below {{makes 0 pipes; a kernel makes one}}
  "pto.aiv_initialize_pipe"() : () -> ()
  pto.return
}

// -----

pto.func @too_many_buffers(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  %s = pto.reserve_buffer "more" auto : <8192, vec>
  // expected-error @below {{has 2 buffers for 1 pipes; on platform a5 each pipe has one}}
  %p = pto.aiv_initialize_pipe %r, %s : !pto.buffer<8192, vec>, !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

// -----

pto.func @slots_on_local(%s: memref<8192xi8>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-error @below {{is given memref<8192xi8>; on platform a5 rings are in a buffer of pto.reserve_buffer or pto.import_peer_buffer}}
  %p = pto.aiv_initialize_pipe %s : memref<8192xi8> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

// -----

pto.func @ring_on_the_wrong_side(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %r = pto.reserve_buffer "ring" auto : <8192, mat>
  // expected-error @below {{has the ring of a c2v pipe in mat, but tiles are popped in vec}}
  %p = pto.aiv_initialize_pipe %r : !pto.buffer<8192, mat> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

// -----

pto.func @size_of_ring(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  // expected-error @below {{ring of 3 slots of 4096 bytes takes 12288 bytes, but its buffer has 8192}}
  %p = pto.aiv_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 3 x 4096>
  pto.return
}

// -----

pto.func @carried(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  %first = pto.aiv_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %yes = arith.constant true
  %p = arith.select %yes, %first, %first : !pto.pipe<c2v, 2 x 4096>
  // expected-error @below {{its pipe is not a result of pto.aic_initialize_pipe or pto.aiv_initialize_pipe; control flow carries no pipes}}
  %t = pto.tpop %p : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  pto.return
}

// -----

pto.func @imported_through_a_value(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  %yes = arith.constant true
  %s = arith.select %yes, %r, %r : !pto.buffer<8192, vec>
  // expected-error @below {{pops tiles of its c2v pipe, so the ring's buffer comes from pto.reserve_buffer}}
  %p = pto.aiv_initialize_pipe %s : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

// -----

pto.func @consumer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  pto.return
}

pto.func @produced_through_a_value(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "ring" of @consumer : <8192, vec>
  %yes = arith.constant true
  %s = arith.select %yes, %r, %r : !pto.buffer<8192, vec>
  // expected-error @below {{pushes tiles of its c2v pipe, so the ring's buffer comes from pto.import_peer_buffer}}
  %p = pto.aic_initialize_pipe %s : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

// -----

pto.func @no_slot_buffer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>, platform = #pto.platform<a2a3>} {
  // expected-error @below {{in @no_slot_buffer is given no slot buffer; on platform a2a3 it takes one memref of i8, and nothing else}}
  %p = pto.aiv_initialize_pipe %a : memref<32x32xf32> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

// -----

pto.func @made_here(%s: memref<8192xi8>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>, platform = #pto.platform<a2a3>} {
  %yes = arith.constant true
  %t = arith.select %yes, %s, %s : memref<8192xi8>
  // expected-error @below {{is given a slot buffer that is not an argument of @made_here; the orchestration makes it, and gives it to both sides}}
  %p = pto.aiv_initialize_pipe %t : memref<8192xi8> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

// -----

pto.func @size_of_slots(%s: memref<4096xi8>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>, platform = #pto.platform<a2a3>} {
  // expected-error @below {{rings take 8192 bytes, but the slot buffer has 4096}}
  %p = pto.aiv_initialize_pipe %s : memref<4096xi8> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

// -----

pto.func @push_to_own(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  %p = pto.aiv_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{pushes to a c2v pipe on the vector side, which pops from it}}
  pto.tpush %t, %p : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

// -----

pto.func @consumer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  pto.return
}

pto.func @push_left(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "ring" of @consumer : <8192, vec>
  %p = pto.aic_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %l = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, left>
  // expected-error @below {{pushes a tile in left to a c2v pipe, which takes tiles in acc or mat}}
  pto.tpush %l, %p : <tensor<32x32xf32>, left>, <c2v, 2 x 4096>
  pto.return
}

// -----

pto.func @consumer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  pto.return
}

pto.func @large_tile(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "ring" of @consumer : <8192, vec>
  %p = pto.aic_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 0.0 {unit = #pto.unit<sfpu>} : <tensor<32x33xf32>, mat>
  // expected-error @below {{a tile of 4224 bytes does not fit into a slot of 4096}}
  pto.tpush %t, %p : <tensor<32x33xf32>, mat>, <c2v, 2 x 4096>
  pto.return
}

// -----

pto.func @large_part(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %s = pto.reserve_buffer "ring" auto : <4096, vec>
  %p = pto.aic_initialize_pipe %s : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 2 x 2048, up_down>
  %t = pto.tfill 0.0 {unit = #pto.unit<sfpu>} : <tensor<33x32xf32>, mat>
  // expected-error @below {{a tile of 2176 bytes does not fit into a slot of 2048}}
  pto.tpush %t, %p : <tensor<33x32xf32>, mat>, <c2v, 2 x 2048, up_down>
  pto.return
}

// -----

pto.func @large_pop(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  %p = pto.aiv_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  // expected-error @below {{a tile of 8192 bytes does not fit into a slot of 4096}}
  %t = pto.tpop %p : <c2v, 2 x 4096> -> <tensor<64x32xf32>, vec>
  pto.return
}

// -----

pto.func @one_row(%s: memref<8192xi8>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>, platform = #pto.platform<a2a3>} {
  %p = pto.aic_initialize_pipe %s : memref<8192xi8> -> !pto.pipe<c2v, 2 x 4096, up_down>
  %t = pto.tfill 0.0 {unit = #pto.unit<sfpu>} : <tensor<1x32xf32>, mat>
  // expected-error @below {{splits a tile of shape [1, 32] up_down; the second vector kernel would get nothing}}
  pto.tpush %t, %p : <tensor<1x32xf32>, mat>, <c2v, 2 x 4096, up_down>
  pto.return
}

// -----

pto.func @consumer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  pto.return
}

pto.func @no_size(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "ring" of @consumer : <8192, vec>
  %p = pto.aic_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 0.0 {unit = #pto.unit<sfpu>} : <tensor<32x32xindex>, mat>
  // expected-error @below {{elements of type index have no size}}
  pto.tpush %t, %p : <tensor<32x32xindex>, mat>, <c2v, 2 x 4096>
  pto.return
}

// -----

pto.func @consumer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  pto.return
}

pto.func @pop_of_producer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "ring" of @consumer : <8192, vec>
  %p = pto.aic_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  // expected-error @below {{pops from a c2v pipe on the cube side, which pushes to it}}
  %t = pto.tpop %p : <c2v, 2 x 4096> -> <tensor<32x32xf32>, mat>
  pto.return
}

// -----

pto.func @pop_into_acc(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.reserve_buffer "up" auto : <8192, mat>
  %p = pto.aic_initialize_pipe %r : !pto.buffer<8192, mat> -> !pto.pipe<v2c, 2 x 4096>
  // expected-error @below {{has a tile in acc, but a v2c pipe has them in mat}}
  %t = pto.tpop %p : <v2c, 2 x 4096> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @consumer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  pto.return
}

pto.func @free_of_producer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "ring" of @consumer : <8192, vec>
  %p = pto.aic_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  // expected-error @below {{frees a slot of a c2v pipe on the cube side, which pushes to it}}
  pto.tfree %t, %p : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
  pto.return
}

// -----

pto.func @free_of_computed(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  %p = pto.aiv_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tpop %p : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  %u = pto.tneg %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{frees a tile from 'pto.tneg'; expects a tile from pto.tpop}}
  pto.tfree %u, %p : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

// -----

pto.func @free_of_another(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  %p = pto.aiv_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %s = pto.reserve_buffer "other" auto : <8192, vec>
  %q = pto.aiv_initialize_pipe %s : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tpop %p : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{frees a tile that was popped from another pipe}}
  pto.tfree %t, %q : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

// -----

pto.func @free_of_an_initial_value(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  %p = pto.aiv_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>
  %x = scf.for %i = %0 to %1 step %1 iter_args(%z = %t) -> (!pto.tile<tensor<32x32xf32>, vec>) {
    %y = pto.tpop %p : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
    scf.yield %y : !pto.tile<tensor<32x32xf32>, vec>
  }
  // expected-error @below {{frees a tile from 'pto.tfill'; expects a tile from pto.tpop}}
  pto.tfree %x, %p : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}
