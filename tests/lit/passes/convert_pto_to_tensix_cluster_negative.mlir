// Diagnostics of kernels on separate tiles of a cluster.
// RUN: ttmlir-opt --convert-pto-to-tensix --split-input-file --verify-diagnostics %s

pto.func @cube(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{has no address; run --pto-allocate-memory-addr before --convert-pto-to-tensix}}
  %peer = pto.import_peer_buffer "sums" of @vector : <8192, vec>
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.tpush %s, %p : <tensor<32x32xf32>, acc>, <c2v, 2 x 4096>
  pto.return
}
pto.func @vector(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %own = pto.reserve_buffer "sums" auto : <8192, vec>
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %s = pto.tpop %p : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<64x64xbf16>
  pto.tfree %s, %p : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}
pto.func @group(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector](%a, %c) : memref<64x64xbf16>, memref<64x64xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %peer = pto.import_peer_buffer "sums" of @vector at 98336 : <8192, vec>
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.tpush %s, %p : <tensor<32x32xf32>, acc>, <c2v, 2 x 4096>
  pto.return
}
pto.func @vector(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %own = pto.reserve_buffer "sums" at 98336 : <8192, vec>
  // expected-error @below {{has its ring at 98336, but the unpackers reach only 98304 plus multiples of 4096 bytes}}
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %s = pto.tpop %p : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<64x64xbf16>
  pto.tfree %s, %p : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}
pto.func @group(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector](%a, %c) : memref<64x64xbf16>, memref<64x64xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %peer = pto.import_peer_buffer "sums" of @vector at 98304 : <655360, vec>
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<655360, vec> -> !pto.pipe<c2v, 160 x 4096>
  %t = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.tpush %s, %p : <tensor<32x32xf32>, acc>, <c2v, 160 x 4096>
  pto.return
}
pto.func @vector(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %own = pto.reserve_buffer "sums" at 98304 : <655360, vec>
  // expected-error @below {{has rings and buffers up to 770048 in its tile, but the unpackers reach only 524288 bytes from 98304 on; use fewer slots or smaller tiles}}
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<655360, vec> -> !pto.pipe<c2v, 160 x 4096>
  %s = pto.tpop %p : <c2v, 160 x 4096> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<64x64xbf16>
  pto.tfree %s, %p : <tensor<32x32xf32>, vec>, <c2v, 160 x 4096>
  pto.return
}
pto.func @group(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector](%a, %c) : memref<64x64xbf16>, memref<64x64xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %peer = pto.import_peer_buffer "sums" of @vector at 98304 : <8192, vec>
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  // expected-error @below {{loads from argument 1, to which another kernel of the cluster stores; communication through DRAM is not lowered to Tensix, use pto.tpush}}
  %t = pto.tload %c[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.tpush %s, %p : <tensor<32x32xf32>, acc>, <c2v, 2 x 4096>
  pto.return
}
pto.func @vector(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %own = pto.reserve_buffer "sums" at 98304 : <8192, vec>
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %s = pto.tpop %p : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<64x64xbf16>
  pto.tfree %s, %p : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}
pto.func @group(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector](%a, %c) : memref<64x64xbf16>, memref<64x64xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %peer = pto.import_peer_buffer "sums" of @vector at 98304 : <8192, vec>
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.tpush %s, %p : <tensor<32x32xf32>, acc>, <c2v, 2 x 4096>
  pto.return
}
pto.func @vector(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %own = pto.reserve_buffer "sums" at 98304 : <8192, vec>
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %x = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, vec>
  // expected-error @below {{reads two bf16 tiles with the matrix unit in a kernel that pops or loads f32 tiles, for which unpacker 0 is configured; use unit = #pto.unit<sfpu>}}
  %y = pto.tmul %x, %x {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, vec>, <tensor<32x32xbf16>, vec> -> <tensor<32x32xf32>, vec>
  %s = pto.tpop %p : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  %z = pto.tadd %y, %s {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tfree %s, %p : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  %r = pto.tcvt %z {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<64x64xbf16>
  pto.return
}
pto.func @group(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector](%a, %c) : memref<64x64xbf16>, memref<64x64xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<33x64xbf16>, %c: memref<33x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %own = pto.reserve_buffer "factors" at 98304 : <4096, mat>
  %p = pto.aic_initialize_pipe %own : !pto.buffer<4096, mat> -> !pto.pipe<v2c, 2 x 2048>
  pto.return
}
pto.func @vector(%a: memref<33x64xbf16>, %c: memref<33x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %peer = pto.import_peer_buffer "factors" of @cube at 98304 : <4096, mat>
  %p = pto.aiv_initialize_pipe %peer : !pto.buffer<4096, mat> -> !pto.pipe<v2c, 2 x 2048>
  %x = pto.tload %a[%0, %0] : memref<33x64xbf16> -> <tensor<32x32xbf16>, vec>
  %w = pto.tcvt %x {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, vec> -> <tensor<32x32xf32>, vec>
  %y = pto.tadd %w, %w {broadcast = #pto.broadcast<row>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %n = pto.tcvt %y {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  // expected-error @below {{pushes a tile whose padding may be nonzero to a cube kernel, which would accumulate it; do not broadcast operands of pushed values}}
  pto.tpush %n, %p : <tensor<32x32xbf16>, vec>, <v2c, 2 x 2048>
  pto.return
}
pto.func @group(%a: memref<33x64xbf16>, %c: memref<33x64xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector](%a, %c) : memref<33x64xbf16>, memref<33x64xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %peer = pto.import_peer_buffer "sums" of @vector at 98304 : <4096, vec>
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 2 x 2048, left_right>
  %t = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{splits 1x1 tiles of 32x32 into halves along an odd extent; push larger tiles}}
  pto.tpush %s, %p : <tensor<32x32xf32>, acc>, <c2v, 2 x 2048, left_right>
  pto.return
}
pto.func @vector(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %own = pto.reserve_buffer "sums" at 98304 : <4096, vec>
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 2 x 2048, left_right>
  %s = pto.tpop %p : <c2v, 2 x 2048, left_right> -> <tensor<32x16xf32>, vec>
  pto.tfree %s, %p : <tensor<32x16xf32>, vec>, <c2v, 2 x 2048, left_right>
  pto.return
}
pto.func @group(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector, @vector](%a, %c) : memref<64x64xbf16>, memref<64x64xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %peer = pto.import_peer_buffer "sums" of @vector at 98304 : <8192, vec>
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %u = pto.trelu %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{packs an unrounded value with relu of unit pack, which the packers do not support; use unit = #pto.unit<sfpu>}}
  pto.tpush %u, %p : <tensor<32x32xf32>, acc>, <c2v, 2 x 4096>
  pto.return
}
pto.func @vector(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %own = pto.reserve_buffer "sums" at 98304 : <8192, vec>
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %s = pto.tpop %p : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tfree %s, %p : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}
pto.func @group(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector](%a, %c) : memref<64x64xbf16>, memref<64x64xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %peer = pto.import_peer_buffer "sums" of @vector at 98304 : <4096, vec>
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 2 x 2048>
  pto.return
}
pto.func @vector(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %own = pto.reserve_buffer "sums" at 98304 : <4096, vec>
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 2 x 2048>
  // expected-error @below {{pops f16, which is not lowered to Tensix; use bf16, f32 or i32}}
  %s = pto.tpop %p : <c2v, 2 x 2048> -> <tensor<32x32xf16>, vec>
  pto.tfree %s, %p : <tensor<32x32xf16>, vec>, <c2v, 2 x 2048>
  pto.return
}
pto.func @group(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector](%a, %c) : memref<64x64xbf16>, memref<64x64xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>, %g: memref<8192xi8>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>, platform = #pto.platform<a2a3>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{has its ring in global memory, which is not lowered to Tensix: DRAM cannot count ready and free slots; use platform = #pto.platform<a5>}}
  %p = pto.aic_initialize_pipe %g : memref<8192xi8> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.tpush %s, %p : <tensor<32x32xf32>, acc>, <c2v, 2 x 4096>
  pto.return
}
pto.func @vector(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>, %g: memref<8192xi8>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>, platform = #pto.platform<a2a3>} {
  %0 = arith.constant 0 : index
  %p = pto.aiv_initialize_pipe %g : memref<8192xi8> -> !pto.pipe<c2v, 2 x 4096>
  %s = pto.tpop %p : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<64x64xbf16>
  pto.tfree %s, %p : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}
pto.func @group(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>, platform = #pto.platform<a2a3>} {
  %g = pto.alloc_slot_buffer : memref<8192xi8>
  pto.launch cube @cube vector [@vector](%a, %c, %g) : memref<64x64xbf16>, memref<64x64xbf16>, memref<8192xi8>
  pto.return
}

// -----

pto.func @cube(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %peer = pto.import_peer_buffer "sums" of @vector at 4294963200 : <8192, vec>
  // expected-error @below {{has its ring at 4294963200 to 4294971392, but L1 of wormhole_b0 ends at 1499136; use fewer or smaller slots}}
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.tpush %s, %p : <tensor<32x32xf32>, acc>, <c2v, 2 x 4096>
  pto.return
}
pto.func @vector(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %own = pto.reserve_buffer "sums" at 4294963200 : <8192, vec>
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %s = pto.tpop %p : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<64x64xbf16>
  pto.tfree %s, %p : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}
pto.func @group(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector](%a, %c) : memref<64x64xbf16>, memref<64x64xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %peer = pto.import_peer_buffer "sums" of @vector at 98304 : <17592186052608, vec>
  // expected-error @below {{has its ring at 98304 to 17592186150912, but L1 of wormhole_b0 ends at 1499136; use fewer or smaller slots}}
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<17592186052608, vec> -> !pto.pipe<c2v, 4294967298 x 4096>
  %t = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.tpush %s, %p : <tensor<32x32xf32>, acc>, <c2v, 4294967298 x 4096>
  pto.return
}
pto.func @vector(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %own = pto.reserve_buffer "sums" at 98304 : <17592186052608, vec>
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<17592186052608, vec> -> !pto.pipe<c2v, 4294967298 x 4096>
  %s = pto.tpop %p : <c2v, 4294967298 x 4096> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<64x64xbf16>
  pto.tfree %s, %p : <tensor<32x32xf32>, vec>, <c2v, 4294967298 x 4096>
  pto.return
}
pto.func @group(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector](%a, %c) : memref<64x64xbf16>, memref<64x64xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %peer = pto.import_peer_buffer "sums" of @vector at 98304 : <12288, vec>
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<12288, vec> -> !pto.pipe<c2v, 2 x 6144>
  %t = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.tpush %s, %p : <tensor<32x32xf32>, acc>, <c2v, 2 x 6144>
  pto.return
}
pto.func @vector(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %own = pto.reserve_buffer "sums" at 98304 : <12288, vec>
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<12288, vec> -> !pto.pipe<c2v, 2 x 6144>
  // expected-error @below {{pops from slots of 6144 bytes, but the unpackers address tiles of 4096 bytes; use a slot size that is a multiple of that}}
  %s = pto.tpop %p : <c2v, 2 x 6144> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<64x64xbf16>
  pto.tfree %s, %p : <tensor<32x32xf32>, vec>, <c2v, 2 x 6144>
  pto.return
}
pto.func @group(%a: memref<64x64xbf16>, %c: memref<64x64xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector](%a, %c) : memref<64x64xbf16>, memref<64x64xbf16>
  pto.return
}
