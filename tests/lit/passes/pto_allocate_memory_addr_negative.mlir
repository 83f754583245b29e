// Diagnostics of addresses that are impossible.
// RUN: ttmlir-opt --pto-allocate-memory-addr=target=a5 --split-input-file --verify-diagnostics %s

// T-ALLOC: a misaligned literal.

pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-error @below {{places ring "r" at 100, which is not a multiple of 32; the next multiple is 128}}
  %r = pto.reserve_buffer "r" at 100 : <4096, vec>
  pto.return
}

pto.func @c(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "r" of @v : <4096, vec>
  pto.return
}

// -----

// T-ALLOC: beyond the memory.

pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-error @below {{places ring "r" at 241696 to 245792, but vec of a5 spans 0 to 245760}}
  %r = pto.reserve_buffer "r" at 241696 : <4096, vec>
  pto.return
}

pto.func @c(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "r" of @v : <4096, vec>
  pto.return
}

// -----

// T-ALLOC: overlap, whichever comes first.

pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-note @below {{this one}}
  %r = pto.reserve_buffer "r" at 4096 : <4096, vec>
  // expected-error @below {{places ring "s" at 0 to 4128 of vec, which overlaps ring "r" at 4096 to 8192}}
  %s = pto.reserve_buffer "s" at 0 : <4128, vec>
  pto.return
}

pto.func @c(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "r" of @v : <4096, vec>
  %s = pto.import_peer_buffer "s" of @v : <4128, vec>
  pto.return
}

// -----

// T-ALLOC: exactly as much as there is.

pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "r" at 4096 : <241664, vec>
  %s = pto.reserve_buffer "s" auto : <4096, vec>
  pto.return
}

pto.func @c(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "r" of @v : <241664, vec>
  %s = pto.import_peer_buffer "s" of @v : <4096, vec>
  pto.return
}

// -----

// T-ALLOC: one byte over.

// expected-note @below {{memory map:}}
pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "r" at 4096 : <241664, vec>
  // expected-error @below {{needs 4097 bytes of vec for ring "s", but the largest gap has 4096; use smaller tiles, or rings of fewer slots}}
  %s = pto.reserve_buffer "s" auto : <4097, vec>
  pto.return
}

pto.func @c(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "r" of @v : <241664, vec>
  %s = pto.import_peer_buffer "s" of @v : <4097, vec>
  pto.return
}

// -----

// Tiles that are live at once beside a ring; the diagnostic names the ring.

// expected-note @below {{0 to    241664   241664 bytes ring "r" of pto.reserve_buffer}}
pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %r = pto.reserve_buffer "r" auto : <241664, vec>
  %0 = arith.constant 0 : index
  %x = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{needs 4096 bytes of vec for a tile, but the largest gap has 0}}
  %y = pto.tneg %x {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %y, %a[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

pto.func @c(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %r = pto.import_peer_buffer "r" of @v : <241664, vec>
  pto.return
}

// -----

// A ring without a producer.

pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-error @below {{reserves "r", but no kernel imports it, so none pushes to the ring; add pto.import_peer_buffer "r" to the kernel on the other side}}
  %r = pto.reserve_buffer "r" auto : <4096, vec>
  pto.return
}

// -----

// Two producers that are not two vector kernels of one group.

pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-error @below {{reserves "r", which @c and @d import; a ring has one producer, so give each of them a ring, or a copy of this kernel}}
  %r = pto.reserve_buffer "r" auto : <4096, vec>
  pto.return
}

pto.func @c(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  // expected-note @below {{imported here}}
  %r = pto.import_peer_buffer "r" of @v : <4096, vec>
  pto.return
}

pto.func @d(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  // expected-note @below {{imported here}}
  %r = pto.import_peer_buffer "r" of @v : <4096, vec>
  pto.return
}

// -----

// An import that says another address.

pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-note @below {{reserved here}}
  %r = pto.reserve_buffer "r" auto : <4096, vec>
  pto.return
}

pto.func @c(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  // expected-error @below {{imports a buffer at 32, but the buffer is at 0; omit the address here}}
  %r = pto.import_peer_buffer "r" of @v at 32 : <4096, vec>
  pto.return
}

// -----

// A kernel that has parts.

// expected-error @below {{is of kind mixed, which cannot be allocated; run --pto-expand-mixed-kernel first}}
pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  pto.return
}

// -----

// A tile without a size.

pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{makes a tile with elements of type index, which have no size; it cannot be allocated}}
  %x = pto.tfill 0.0 {unit = #pto.unit<sfpu>} : <tensor<32x32xindex>, vec>
  pto.return
}
