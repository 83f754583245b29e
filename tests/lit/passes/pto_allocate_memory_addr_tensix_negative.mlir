// Diagnostics of addresses on Tensix.
// RUN: ttmlir-opt --pto-allocate-memory-addr --split-input-file --verify-diagnostics %s

// The unpackers count the tiles of rings from the first free address on.

pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-error @below {{places ring "r" at 98336, which is not a multiple of 4096; the next multiple is 102400}}
  %r = pto.reserve_buffer "r" at 98336 : <4096, vec>
  pto.return
}

pto.func @c(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "r" of @v : <4096, vec>
  pto.return
}

// -----

// Below are images and control lines; that a group shares a core makes no address of one that is none.

pto.func @c(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %d = pto.import_peer_buffer "down" of @v at 4096 : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-error @below {{places ring "down" at 4096 to 12288, but L1 of tensix spans 98304 to 1499136}}
  %d = pto.reserve_buffer "down" at 4096 : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

pto.func @g(%a: memref<32x32xf32>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<same_core>} {
  pto.launch cube @c vector [@v](%a) : memref<32x32xf32>
  pto.return
}

// -----

// An address where there is none to import: the group shares a core.

pto.func @c(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  // expected-error @below {{imports a buffer at 98304, but the buffer is in no memory; omit the address here}}
  %d = pto.import_peer_buffer "down" of @v at 98304 : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-note @below {{reserved here}}
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  pto.return
}

pto.func @g(%a: memref<32x32xf32>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<same_core>} {
  pto.launch cube @c vector [@v](%a) : memref<32x32xf32>
  pto.return
}

// -----

// A mixed kernel has parts, unless nothing of it has an address.

pto.func @plain(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %x = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  pto.tstore %x, %a[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// expected-error @below {{is of kind mixed, which cannot be allocated; run --pto-expand-mixed-kernel first}}
pto.func @ring(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %r = pto.reserve_buffer "r" auto : <4096, vec>
  pto.return
}
