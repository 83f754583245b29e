// Values that groups of kernels do not support.
// RUN: ttmlir-opt --pto-check-pipes --split-input-file --verify-diagnostics %s

pto.func @cube(%a: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %own = pto.reserve_buffer "factors" at 98304 : <4096, mat>
  %p = pto.aic_initialize_pipe %own : !pto.buffer<4096, mat> -> !pto.pipe<v2c, 2 x 2048>
  %t = pto.tpop %p : <v2c, 2 x 2048> -> <tensor<32x32xbf16>, mat>
  pto.tfree %t, %p : <tensor<32x32xbf16>, mat>, <v2c, 2 x 2048>
  pto.return
}
pto.func @vector(%a: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %peer = pto.import_peer_buffer "factors" of @cube at 98304 : <4096, mat>
  %p = pto.aiv_initialize_pipe %peer : !pto.buffer<4096, mat> -> !pto.pipe<v2c, 2 x 2048>
  %x = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, vec>
  %b = arith.cmpi eq, %0, %0 : index
  // expected-error @below {{compares booleans as signed numbers; use eq, ne or an unsigned predicate}}
  %c = arith.cmpi slt, %b, %b : i1
  pto.tpush %x, %p : <tensor<32x32xbf16>, vec>, <v2c, 2 x 2048>
  pto.return
}
pto.func @group(%a: memref<64x64xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector](%a) : memref<64x64xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %own = pto.reserve_buffer "factors" at 98304 : <4096, mat>
  %p = pto.aic_initialize_pipe %own : !pto.buffer<4096, mat> -> !pto.pipe<v2c, 2 x 2048>
  %t = pto.tpop %p : <v2c, 2 x 2048> -> <tensor<32x32xbf16>, mat>
  pto.tfree %t, %p : <tensor<32x32xbf16>, mat>, <v2c, 2 x 2048>
  pto.return
}
pto.func @vector(%a: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %peer = pto.import_peer_buffer "factors" of @cube at 98304 : <4096, mat>
  %p = pto.aiv_initialize_pipe %peer : !pto.buffer<4096, mat> -> !pto.pipe<v2c, 2 x 2048>
  %x = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, vec>
  // expected-error @below {{has a value of type i32; kernels compute with tiles, index and i1}}
  %b = arith.constant 1 : i32
  pto.tpush %x, %p : <tensor<32x32xbf16>, vec>, <v2c, 2 x 2048>
  pto.return
}
pto.func @group(%a: memref<64x64xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector](%a) : memref<64x64xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %own = pto.reserve_buffer "factors" at 98304 : <4096, mat>
  %p = pto.aic_initialize_pipe %own : !pto.buffer<4096, mat> -> !pto.pipe<v2c, 2 x 2048>
  %t = pto.tpop %p : <v2c, 2 x 2048> -> <tensor<32x32xbf16>, mat>
  pto.tfree %t, %p : <tensor<32x32xbf16>, mat>, <v2c, 2 x 2048>
  pto.return
}
pto.func @vector(%a: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %peer = pto.import_peer_buffer "factors" of @cube at 98304 : <4096, mat>
  %p = pto.aiv_initialize_pipe %peer : !pto.buffer<4096, mat> -> !pto.pipe<v2c, 2 x 2048>
  %x = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, vec>
  // expected-error @below {{has a value of type !pto.tile<tensor<32x32xf16>, vec>; a group has tiles of two dimensions, of f32, bf16 or i32}}
  %f = pto.tfill 0.0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf16>, vec>
  pto.tpush %x, %p : <tensor<32x32xbf16>, vec>, <v2c, 2 x 2048>
  pto.return
}
pto.func @group(%a: memref<64x64xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector](%a) : memref<64x64xbf16>
  pto.return
}

// -----

// The kernel stores another tile, and the same one in another shape.
pto.func @cube(%a: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  pto.return
}
pto.func @vector(%a: memref<64x64xbf16>) attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %kept = pto.alloc_tensor : memref<64x64xbf16>
  %x = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, vec>
  pto.tstore %x, %kept[%0, %1] : <tensor<32x32xbf16>, vec> -> memref<64x64xbf16>
  %half = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<16x32xbf16>, vec>
  pto.tstore %half, %kept[%0, %0] : <tensor<16x32xbf16>, vec> -> memref<64x64xbf16>
  %y = pto.tload %kept[%0, %1] : memref<64x64xbf16> -> <tensor<32x32xbf16>, vec>
  // expected-error @below {{tile [0, 0] of 32 x 32 elements of local tensor 1 has undefined content: this kernel has not stored a tile of this shape there}}
  %z = pto.tload %kept[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, vec>
  pto.return
}
pto.func @group(%a: memref<64x64xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector](%a) : memref<64x64xbf16>
  pto.return
}
