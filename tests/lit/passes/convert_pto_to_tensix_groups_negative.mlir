// Diagnostics of a cube and a vector kernel that share a core, and of the vector unit.
// RUN: ttmlir-opt --convert-pto-to-tensix --split-input-file --verify-diagnostics %s

pto.func @cube(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %peer = pto.import_peer_buffer "sums" of @vector : <16384, vec>
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<16384, vec> -> !pto.pipe<c2v, 8 x 2048, up_down>
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.tpush %s, %p : <tensor<32x32xf32>, acc>, <c2v, 8 x 2048, up_down>
  pto.return
}
pto.func @vector(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %own = pto.reserve_buffer "sums" auto : <16384, vec>
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<16384, vec> -> !pto.pipe<c2v, 8 x 2048, up_down>
  %lane = pto.subblock_index
  %s = pto.tpop %p : <c2v, 8 x 2048, up_down> -> <tensor<16x32xf32>, vec>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<16x32xf32>, vec> -> <tensor<16x32xbf16>, vec>
  pto.tstore %r, %c[%lane, %0] : <tensor<16x32xbf16>, vec> -> memref<32x32xbf16>
  pto.tfree %s, %p : <tensor<16x32xf32>, vec>, <c2v, 8 x 2048, up_down>
  pto.return
}
pto.func @group(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<same_core>} {
  // expected-error @below {{splits tiles over two vector kernels, which is not supported for kernels that share a core; give the group placement = #pto.placement<cluster>}}
  pto.launch cube @cube vector [@vector, @vector](%a, %c) : memref<32x32xbf16>, memref<32x32xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %own = pto.reserve_buffer "factors" auto : <16384, mat>
  %p = pto.aic_initialize_pipe %own : !pto.buffer<16384, mat> -> !pto.pipe<v2c, 8 x 2048>
  // expected-error @below {{pops a computed tile on the cube side, which is not supported for kernels that share a core; give the group placement = #pto.placement<cluster>}}
  %t = pto.tpop %p : <v2c, 8 x 2048> -> <tensor<32x32xbf16>, mat>
  pto.tfree %t, %p : <tensor<32x32xbf16>, mat>, <v2c, 8 x 2048>
  pto.return
}
pto.func @vector(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %peer = pto.import_peer_buffer "factors" of @cube : <16384, mat>
  %p = pto.aiv_initialize_pipe %peer : !pto.buffer<16384, mat> -> !pto.pipe<v2c, 8 x 2048>
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, vec>
  %w = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, vec> -> <tensor<32x32xf32>, vec>
  %n = pto.tneg %w {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %n {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tpush %r, %p : <tensor<32x32xbf16>, vec>, <v2c, 8 x 2048>
  pto.return
}
pto.func @group(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<same_core>} {
  pto.launch cube @cube vector [@vector](%a, %c) : memref<32x32xbf16>, memref<32x32xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %peer = pto.import_peer_buffer "sums" of @vector : <32768, vec>
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<32768, vec> -> !pto.pipe<c2v, 8 x 4096>
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %sum = scf.for %i = %0 to %1 step %1 iter_args(%so_far = %s) -> (!pto.tile<tensor<32x32xf32>, acc>) {
    // expected-error @below {{pushes a tile in a loop over products, which is not supported for kernels that share a core}}
    pto.tpush %so_far, %p : <tensor<32x32xf32>, acc>, <c2v, 8 x 4096>
    %next = pto.tmatmul_acc %so_far, %t, %t : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    scf.yield %next : !pto.tile<tensor<32x32xf32>, acc>
  }
  pto.return
}
pto.func @vector(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %own = pto.reserve_buffer "sums" auto : <32768, vec>
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<32768, vec> -> !pto.pipe<c2v, 8 x 4096>
  scf.for %i = %0 to %1 step %1 {
    %s = pto.tpop %p : <c2v, 8 x 4096> -> <tensor<32x32xf32>, vec>
    %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
    pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<32x32xbf16>
    pto.tfree %s, %p : <tensor<32x32xf32>, vec>, <c2v, 8 x 4096>
  }
  pto.return
}
pto.func @group(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<same_core>} {
  pto.launch cube @cube vector [@vector](%a, %c) : memref<32x32xbf16>, memref<32x32xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %peer = pto.import_peer_buffer "sums" of @vector : <32768, vec>
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<32768, vec> -> !pto.pipe<c2v, 8 x 4096>
  scf.for %i = %0 to %1 step %1 {
    %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
    %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    pto.tpush %s, %p : <tensor<32x32xf32>, acc>, <c2v, 8 x 4096>
  }
  pto.return
}
pto.func @vector(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %own = pto.reserve_buffer "sums" auto : <32768, vec>
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<32768, vec> -> !pto.pipe<c2v, 8 x 4096>
  %x = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, vec>
  // expected-error @below {{has iteration arguments, which are supported only in loops over products}}
  %last = scf.for %i = %0 to %1 step %1 iter_args(%so_far = %x) -> (!pto.tile<tensor<32x32xbf16>, vec>) {
    %s = pto.tpop %p : <c2v, 8 x 4096> -> <tensor<32x32xf32>, vec>
    %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
    pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<32x32xbf16>
    pto.tfree %s, %p : <tensor<32x32xf32>, vec>, <c2v, 8 x 4096>
    scf.yield %r : !pto.tile<tensor<32x32xbf16>, vec>
  }
  pto.return
}
pto.func @group(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<same_core>} {
  pto.launch cube @cube vector [@vector](%a, %c) : memref<32x32xbf16>, memref<32x32xbf16>
  pto.return
}

// -----

pto.func @vector(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, vec>
  %n0 = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, vec> -> <tensor<32x32xf32>, vec>
  // Each of these is read again by the sums, in the other order.
  // expected-error @below {{is followed by more element-wise operations than the vector unit has registers for; compile with fusion=none}}
  %n1 = pto.tneg %n0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %n2 = pto.tneg %n1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %n3 = pto.tneg %n2 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %n4 = pto.tneg %n3 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %n5 = pto.tneg %n4 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %n6 = pto.tneg %n5 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %n7 = pto.tneg %n6 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %n8 = pto.tneg %n7 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %n9 = pto.tneg %n8 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %s8 = pto.tadd %n8, %n9 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %s7 = pto.tadd %n7, %s8 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %s6 = pto.tadd %n6, %s7 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %s5 = pto.tadd %n5, %s6 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %s4 = pto.tadd %n4, %s5 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %s3 = pto.tadd %n3, %s4 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %s2 = pto.tadd %n2, %s3 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %s1 = pto.tadd %n1, %s2 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %s0 = pto.tadd %n0, %s1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %s0 {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<32x32xbf16>
  pto.return
}

// -----

pto.func @vector(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, vec>
  // expected-error @below {{with unit sfpu is not lowered to Tensix; this lowering uses fpu}}
  %w = pto.tcvt %t {unit = #pto.unit<sfpu>} : <tensor<32x32xbf16>, vec> -> <tensor<32x32xf32>, vec>
  pto.return
}

// -----

pto.func @vector(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, vec>
  %w = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, vec> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{with unit fpu is not lowered to Tensix; this lowering uses pack}}
  %r = pto.tcvt %w {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.return
}

// -----

pto.func @vector(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-error @below {{is lowered to Tensix only in a kernel with a cluster tile of its own}}
  %lane = pto.subblock_index
  pto.return
}

// -----

pto.func @many(%a0: memref<1x1xf32>, %a1: memref<1x1xf32>, %a2: memref<1x1xf32>, %a3: memref<1x1xf32>, %a4: memref<1x1xf32>, %a5: memref<1x1xf32>, %a6: memref<1x1xf32>, %a7: memref<1x1xf32>, %a8: memref<1x1xf32>, %a9: memref<1x1xf32>, %a10: memref<1x1xf32>, %a11: memref<1x1xf32>, %a12: memref<1x1xf32>, %a13: memref<1x1xf32>, %a14: memref<1x1xf32>, %a15: memref<1x1xf32>, %a16: memref<1x1xf32>, %a17: memref<1x1xf32>, %a18: memref<1x1xf32>, %a19: memref<1x1xf32>, %a20: memref<1x1xf32>, %a21: memref<1x1xf32>, %a22: memref<1x1xf32>, %a23: memref<1x1xf32>, %a24: memref<1x1xf32>, %a25: memref<1x1xf32>, %a26: memref<1x1xf32>, %a27: memref<1x1xf32>, %a28: memref<1x1xf32>, %a29: memref<1x1xf32>, %a30: memref<1x1xf32>, %a31: memref<1x1xf32>, %a32: memref<1x1xf32>, %a33: memref<1x1xf32>, %a34: memref<1x1xf32>, %a35: memref<1x1xf32>, %a36: memref<1x1xf32>, %a37: memref<1x1xf32>, %a38: memref<1x1xf32>, %a39: memref<1x1xf32>, %a40: memref<1x1xf32>, %a41: memref<1x1xf32>, %a42: memref<1x1xf32>, %a43: memref<1x1xf32>, %a44: memref<1x1xf32>, %a45: memref<1x1xf32>, %a46: memref<1x1xf32>, %a47: memref<1x1xf32>, %a48: memref<1x1xf32>, %a49: memref<1x1xf32>, %a50: memref<1x1xf32>, %a51: memref<1x1xf32>, %a52: memref<1x1xf32>, %a53: memref<1x1xf32>, %a54: memref<1x1xf32>, %a55: memref<1x1xf32>, %a56: memref<1x1xf32>, %a57: memref<1x1xf32>, %a58: memref<1x1xf32>, %a59: memref<1x1xf32>, %a60: memref<1x1xf32>, %a61: memref<1x1xf32>, %r: memref<1x62xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{moves elements of 62 tensors, but a core has room for 61 addresses; move the elements of some tensors first}}
  pto.rearrange %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %a10, %a11, %a12, %a13, %a14, %a15, %a16, %a17, %a18, %a19, %a20, %a21, %a22, %a23, %a24, %a25, %a26, %a27, %a28, %a29, %a30, %a31, %a32, %a33, %a34, %a35, %a36, %a37, %a38, %a39, %a40, %a41, %a42, %a43, %a44, %a45, %a46, %a47, %a48, %a49, %a50, %a51, %a52, %a53, %a54, %a55, %a56, %a57, %a58, %a59, %a60, %a61 : memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32>, memref<1x1xf32> to %r : memref<1x62xf32> {copies = [], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @long(%a: memref<1024x32768x32xbf16>, %r: memref<1024x32768x32xbf16>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{moves elements of 1024x32768x32xbf16; the cores count fewer than 1073741824}}
  pto.rearrange %a : memref<1024x32768x32xbf16> to %r : memref<1024x32768x32xbf16> {copies = [], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @large(%a: memref<4x4xbf16>, %r: memref<1048576x1048576xbf16>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{moves tiles of 'memref<1048576x1048576xbf16>', but the DRAM of wormhole_b0 has only 12 banks of 1073741824 bytes}}
  pto.rearrange %a : memref<4x4xbf16> to %r : memref<1048576x1048576xbf16> {copies = [], fill = 0.0 : f64}
  pto.return
}
