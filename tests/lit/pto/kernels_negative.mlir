// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

// expected-error @below {{has 1 results; a kernel writes its results to its arguments}}
pto.func @with_results(%a: memref<32x32xf32>) -> index
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  pto.return
}

// -----

// expected-error @below {{has 2 blocks; control flow in a kernel is scf.for and scf.if}}
pto.func @blocks()
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  pto.return
^bb1:
  pto.return
}

// -----

// expected-error @below {{requires attribute 'fidelity'}}
pto.func @no_fidelity(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, kind = #pto.kind<mixed>} {
  pto.return
}

// -----

// expected-error @below {{requires attribute 'dst'}}
pto.func @no_dst(%a: memref<32x32xf32>)
    attributes {fidelity = #pto.fidelity<lofi>, kind = #pto.kind<vector>} {
  pto.return
}

// -----

// expected-error @below {{of kind cube has a placement; that is for a mixed kernel, or for the orchestration that launches a group}}
pto.func @placed_cube(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>, placement = #pto.placement<cluster>} {
  pto.return
}

// -----

// expected-error @below {{of kind vector has a placement; that is for a mixed kernel, or for the orchestration that launches a group}}
pto.func @placed_vector(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>, placement = #pto.placement<cluster>} {
  pto.return
}

// -----

// expected-error @below {{contains 'scf.while': only the side that computes its condition would know when it ends; use scf.for with bounds that both sides can compute, and scf.if inside (at }}
pto.func @until(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %yes = arith.constant true
  scf.while : () -> () {
    scf.condition(%yes)
  } do {
    scf.yield
  }
  pto.return
}

// -----

// expected-error @below {{contains 'tensor.empty'; a kernel is made of pto and arith operations, scf.for and scf.if (at }}
pto.func @another_dialect(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<32xf32>
  pto.return
}

// -----

// expected-error @below {{contains 'scf.parallel'; a kernel is made of pto and arith operations, scf.for and scf.if (at }}
pto.func @parallel(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  scf.parallel (%i) = (%0) to (%1) step (%1) {
  }
  pto.return
}

// -----

func.func @outside(%a: memref<32x32xf32>) {
  %0 = arith.constant 0 : index
  // expected-error @below {{expects to be inside a 'pto.func'}}
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  return
}

// -----

pto.func @vector_tile_in_cube(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{has a tile in vec, on the vector side, but is in @vector_tile_in_cube, a kernel of kind cube; hand it over with pto.tpush and pto.tpop}}
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  pto.return
}

// -----

pto.func @cube_tile_in_vector(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{has a tile in mat, on the cube side, but is in @cube_tile_in_vector, a kernel of kind vector; hand it over with pto.tpush and pto.tpop}}
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  pto.return
}

// -----

pto.func @tile_in_orchestration(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{is in @tile_in_orchestration, which only launches kernels; an orchestration has no tiles}}
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  pto.return
}

// -----

pto.func @lane_of_cube(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  // expected-error @below {{distinguishes vector kernels, but is in @lane_of_cube, a kernel of kind cube}}
  %l = pto.subblock_index
  pto.return
}

// -----

pto.func @cube(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  pto.return
}

pto.func @vector(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  pto.return
}

pto.func @launched_by_cube(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  // expected-error @below {{is in @launched_by_cube, a kernel of kind cube; only one of kind orchestration starts others}}
  pto.launch cube @cube vector [@vector](%a) : memref<32x32xf32>
  pto.return
}

// -----

pto.func @cube(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  pto.return
}

pto.func @vector(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  pto.return
}

pto.func @no_vectors(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>} {
  // expected-error @below {{has 0 vector kernels; a cube kernel runs with one or two}}
  pto.launch cube @cube vector [](%a) : memref<32x32xf32>
  pto.return
}

// -----

pto.func @cube(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  pto.return
}

pto.func @vector(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  pto.return
}

pto.func @three_vectors(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>} {
  // expected-error @below {{has 3 vector kernels; a cube kernel runs with one or two}}
  pto.launch cube @cube vector [@vector, @vector, @vector](%a) : memref<32x32xf32>
  pto.return
}

// -----

pto.func @cube(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  pto.return
}

pto.func @vector(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  pto.return
}

pto.func @unknown_kernel(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>} {
  // expected-error @below {{names @other, but no 'pto.func' beside @unknown_kernel has this name}}
  pto.launch cube @other vector [@vector](%a) : memref<32x32xf32>
  pto.return
}

// -----

pto.func @cube(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  pto.return
}

pto.func @vector(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  pto.return
}

pto.func @swapped(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>} {
  // expected-error @below {{runs @vector as a cube kernel, but it is of kind vector}}
  pto.launch cube @vector vector [@cube](%a) : memref<32x32xf32>
  pto.return
}

// -----

pto.func @cube(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  pto.return
}

pto.func @vector(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  pto.return
}

pto.func @cube_as_vector(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>} {
  // expected-error @below {{runs @cube as a vector kernel, but it is of kind cube}}
  pto.launch cube @cube vector [@vector, @cube](%a) : memref<32x32xf32>
  pto.return
}

// -----

pto.func @cube(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  pto.return
}

pto.func @vector(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  pto.return
}

pto.func @other_platform(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>, platform = #pto.platform<a2a3>} {
  // expected-error @below {{runs @cube, whose rings are made for platform a5, on platform a2a3}}
  pto.launch cube @cube vector [@vector](%a) : memref<32x32xf32>
  pto.return
}

// -----

pto.func @cube(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  pto.return
}

pto.func @vector(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  pto.return
}

pto.func @no_arguments(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>} {
  // expected-error @below {{gives 0 arguments to every kernel, but @cube takes 1}}
  pto.launch cube @cube vector [@vector]()
  pto.return
}

// -----

pto.func @cube(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  pto.return
}

pto.func @vector(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  pto.return
}

pto.func @other_arguments(%a: memref<64x32xf32>)
    attributes {kind = #pto.kind<orchestration>} {
  // expected-error @below {{gives memref<64x32xf32> as argument #0, but @cube takes memref<32x32xf32>}}
  pto.launch cube @cube vector [@vector](%a) : memref<64x32xf32>
  pto.return
}

// -----

pto.func @slots_of_cores(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>} {
  // expected-error @below {{makes rings in global memory, but @slots_of_cores is for platform a5, whose rings are in the memory of the core that pops; use pto.reserve_buffer there}}
  %s = pto.alloc_slot_buffer : memref<4096xi8>
  pto.return
}

// -----

pto.func @slots_of_floats(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>, platform = #pto.platform<a2a3>} {
  // expected-error @below {{makes memref<4096xf32>; a slot buffer is a memref of i8 with one dimension of known, positive extent}}
  %s = pto.alloc_slot_buffer : memref<4096xf32>
  pto.return
}

// -----

pto.func @slots_in_a_kernel(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  // expected-error @below {{is in @slots_in_a_kernel, a kernel of kind mixed; only one of kind orchestration starts others}}
  %s = pto.alloc_slot_buffer : memref<4096xi8>
  pto.return
}

// -----

pto.func @lane(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  %p = pto.aiv_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096, up_down>
  pto.return
}

pto.func @product(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "ring" of @lane : <8192, vec>
  %p = pto.aic_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096, up_down>
  pto.return
}

pto.func @one_lane_of_two(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>} {
  // expected-error @below {{runs @product with 1 vector kernels that have an end of its pipe "ring" of @lane; !pto.pipe<c2v, 2 x 4096, up_down> needs 2}}
  pto.launch cube @product vector [@lane](%a) : memref<32x32xf32>
  pto.return
}

// -----

pto.func @lane(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  %p = pto.aiv_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

pto.func @product(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "ring" of @lane : <8192, vec>
  %p = pto.aic_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

pto.func @two_lanes_of_one(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>} {
  // expected-error @below {{runs @product with 2 vector kernels that have an end of its pipe "ring" of @lane; !pto.pipe<c2v, 2 x 4096> needs 1}}
  pto.launch cube @product vector [@lane, @lane](%a) : memref<32x32xf32>
  pto.return
}

// -----

pto.func @lane(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  pto.return
}

pto.func @product(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "ring" of @lane : <8192, vec>
  %p = pto.aic_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

pto.func @nobody_pops(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>} {
  // expected-error @below {{runs @product with 0 vector kernels that have an end of its pipe "ring" of @lane; !pto.pipe<c2v, 2 x 4096> needs 1}}
  pto.launch cube @product vector [@lane](%a) : memref<32x32xf32>
  pto.return
}

// -----

pto.func @lane(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  %p = pto.aiv_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

pto.func @product(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  pto.return
}

pto.func @nobody_pushes(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>} {
  // expected-error @below {{runs @lane, whose pipe "ring" of @lane has no end in @product}}
  pto.launch cube @product vector [@lane](%a) : memref<32x32xf32>
  pto.return
}

// -----

pto.func @lane(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  %p = pto.aiv_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 4 x 2048>
  pto.return
}

pto.func @product(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "ring" of @lane : <8192, vec>
  %p = pto.aic_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

pto.func @other_slots(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>} {
  // expected-error @below {{runs @product and @lane with pipe "ring" of @lane, which is !pto.pipe<c2v, 2 x 4096> in one and !pto.pipe<c2v, 4 x 2048> in the other}}
  pto.launch cube @product vector [@lane](%a) : memref<32x32xf32>
  pto.return
}

// -----

pto.func @lane(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "ring" auto : <8192, vec>
  %p = pto.aiv_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %q = pto.aiv_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

pto.func @product(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "ring" of @lane : <8192, vec>
  %p = pto.aic_initialize_pipe %r : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

pto.func @twice(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>} {
  // expected-error @below {{runs @lane, which initializes pipe "ring" of @lane twice}}
  pto.launch cube @product vector [@lane](%a) : memref<32x32xf32>
  pto.return
}

// -----

pto.func @lane(%a: memref<32x32xf32>, %slots: memref<8192xi8>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>, platform = #pto.platform<a2a3>} {
  %p = pto.aiv_initialize_pipe %slots : memref<8192xi8> -> !pto.pipe<v2c, 2 x 4096>
  pto.return
}

pto.func @product(%a: memref<32x32xf32>, %slots: memref<8192xi8>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>, platform = #pto.platform<a2a3>} {
  %p = pto.aic_initialize_pipe %slots : memref<8192xi8> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

pto.func @other_direction(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>, platform = #pto.platform<a2a3>} {
  %s = pto.alloc_slot_buffer : memref<8192xi8>
  // expected-error @below {{runs @product with 0 vector kernels that have an end of its pipe c2v in argument #1; !pto.pipe<c2v, 2 x 4096> needs 1}}
  pto.launch cube @product vector [@lane](%a, %s) : memref<32x32xf32>, memref<8192xi8>
  pto.return
}

// -----

// expected-error @below {{of kind cube has attribute 'split', which says how a mixed kernel is expanded}}
pto.func @split_cube(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>, split = #pto.split<up_down>} {
  pto.return
}

// -----

// expected-error @below {{of kind vector has attribute 'slot_num', which says how a mixed kernel is expanded}}
pto.func @slots_of_vector(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>, slot_num = 2 : i64} {
  pto.return
}

// -----

// expected-error @below {{requires rings of 0 slots; expects at least one}}
pto.func @no_slots(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, slot_num = 0 : i64} {
  pto.return
}

// -----

// A kernel after the launch is not verified before it.
pto.func @group(%a: memref<32x32xf32>) attributes {kind = #pto.kind<orchestration>} {
  // expected-error @below {{runs @cube, which has no kind}}
  pto.launch cube @cube vector [@vector](%a) : memref<32x32xf32>
  pto.return
}
"pto.func"() ({
^bb0(%a: memref<32x32xf32>):
  pto.return
}) {sym_name = "cube", function_type = (memref<32x32xf32>) -> ()} : () -> ()
pto.func @vector(%a: memref<32x32xf32>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  pto.return
}

// -----

pto.func @group(%a: memref<32x32xf32>) attributes {kind = #pto.kind<orchestration>} {
  // expected-error @below {{runs @vector, which initializes no valid pipe}}
  pto.launch cube @cube vector [@vector](%a) : memref<32x32xf32>
  pto.return
}
pto.func @cube(%a: memref<32x32xf32>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  pto.return
}
pto.func @vector(%a: memref<32x32xf32>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %p = "pto.aiv_initialize_pipe"(%a) : (memref<32x32xf32>) -> i32
  pto.return
}

// -----

pto.func @launching()
    attributes {kind = #pto.kind<orchestration>} {
  // expected-error @below {{makes a tensor in the memory of a core, but is in @launching, a kernel of kind orchestration; expects one of kind mixed, cube or vector}}
  %s = pto.alloc_tensor : memref<32x32xf32>
  pto.return
}

// -----

pto.func @in_a_loop()
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  scf.for %i = %0 to %1 step %1 {
    // expected-error @below {{is inside of control flow; a tensor lasts as long as its kernel, so make it at the top level of @in_a_loop}}
    %s = pto.alloc_tensor : memref<32x32xf32>
  }
  pto.return
}

// -----

pto.func @in_a_branch()
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %yes = arith.constant true
  scf.if %yes {
    // expected-error @below {{is inside of control flow}}
    %s = pto.alloc_tensor : memref<32x32xf32>
  }
  pto.return
}

// -----

pto.func @local_one_dimension()
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  // expected-error @below {{memref<32xf32> is not a memref of known shape with two or three dimensions}}
  %s = pto.alloc_tensor : memref<32xf32>
  pto.return
}

// -----

pto.func @local_four_dimensions()
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  // expected-error @below {{memref<1x1x32x32xf32> is not a memref of known shape with two or three dimensions}}
  %s = pto.alloc_tensor : memref<1x1x32x32xf32>
  pto.return
}

// -----

pto.func @local_unknown_extent()
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  // expected-error @below {{memref<?x32xf32> is not a memref of known shape with two or three dimensions}}
  %s = pto.alloc_tensor : memref<?x32xf32>
  pto.return
}

// -----

pto.func @local_no_elements()
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  // expected-error @below {{memref<32x0xf32> has no elements}}
  %s = pto.alloc_tensor : memref<32x0xf32>
  pto.return
}

// -----

pto.func @local_bytes()
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  // expected-error @below {{makes memref<32x32xi8>; expects elements of type f32, bf16 or i32}}
  %s = pto.alloc_tensor : memref<32x32xi8>
  pto.return
}

// -----

pto.func @local_half()
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  // expected-error @below {{makes memref<32x32xf16>; expects elements of type f32, bf16 or i32}}
  %s = pto.alloc_tensor : memref<32x32xf16>
  pto.return
}

// -----

pto.func @local_too_large()
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  // expected-error @below {{makes memref<4097x4096xf32>, which is larger than the memory of any core; expects at most 16777216 elements}}
  %s = pto.alloc_tensor : memref<4097x4096xf32>
  pto.return
}

// -----

pto.func @local_uncountable()
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  // expected-error @below {{makes memref<4294967296x4294967296x2xf32>, which is larger than the memory of any core}}
  %s = pto.alloc_tensor : memref<4294967296x4294967296x2xf32>
  pto.return
}

// -----

pto.func @chosen(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %yes = arith.constant true
  // expected-error @below {{makes a tensor that 'arith.select' uses; only pto.tload and pto.tstore take a tensor in the memory of a core}}
  %s = pto.alloc_tensor : memref<32x32xf32>
  %t = arith.select %yes, %s, %a : memref<32x32xf32>
  pto.return
}

// -----

pto.func @other_element()
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %s = pto.alloc_tensor : memref<32x32xf32>
  // expected-error @below {{element type of the tile, bf16, is not that of memref<32x32xf32>; convert it with pto.tcvt}}
  %t = pto.tload %s[%0, %0] : memref<32x32xf32> -> <tensor<32x32xbf16>, vec>
  pto.return
}

// -----

// expected-error @below {{expects to be inside a 'pto.func'}}
%s = pto.alloc_tensor : memref<32x32xf32>

// -----

// expected-error @below {{is of kind movement, which has one pto.rearrange and nothing else}}
pto.func @moving(%a: memref<32x32xf32>) attributes {kind = #pto.kind<movement>} {
  %s = pto.alloc_tensor : memref<32x32xf32>
  pto.rearrange to %a : memref<32x32xf32> {copies = [], fill = 0.0 : f64}
  pto.return
}
