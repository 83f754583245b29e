// L1 of the chip that the system has: that of Blackhole ends at 1572864, that of Wormhole at 1499136.
// RUN: ttmlir-opt --ttcore-register-device=mock-system-desc-arch=blackhole --pto-allocate-memory-addr --verify-diagnostics %s -o %t.mlir
// RUN: not ttmlir-opt --pto-allocate-memory-addr %s 2>&1 | FileCheck %s
// CHECK: places ring "fits" at 1499136 to 1503232, but L1 of tensix spans 98304 to 1499136

module {
  pto.func @v(%a: memref<32x32xf32>)
      attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
    %r = pto.reserve_buffer "fits" at 1499136 : <4096, vec>
    pto.return
  }

  pto.func @c(%a: memref<32x32xf32>)
      attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
    %r = pto.import_peer_buffer "fits" of @v : <4096, vec>
    pto.return
  }

  pto.func @w(%a: memref<32x32xf32>)
      attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
    // expected-error @below {{places ring "outside" at 1572864 to 1576960, but L1 of tensix spans 98304 to 1572864}}
    %r = pto.reserve_buffer "outside" at 1572864 : <4096, vec>
    pto.return
  }

  pto.func @d(%a: memref<32x32xf32>)
      attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
    %r = pto.import_peer_buffer "outside" of @w : <4096, vec>
    pto.return
  }
}
