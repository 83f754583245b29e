// Rings of groups on Tensix: rings between kernels that share a core are in Dst and have no address.
// RUN: ttmlir-opt --pto-allocate-memory-addr --print-memory-map --split-input-file %s 2>&1 | FileCheck %s
// RUN: not ttmlir-opt --canonicalize --print-memory-map %s 2>&1 | FileCheck %s --check-prefix=FLAG
// FLAG: --print-memory-map requires a pass or pipeline that assigns addresses, such as --pto-allocate-memory-addr
// RUN: ttmlir-opt --pto-allocate-memory-addr --split-input-file %s | FileCheck %s --check-prefix=IR
// RUN: ttmlir-opt --pto-allocate-memory-addr --pto-check-pipes --split-input-file %s -o %t.checked.mlir

// One that says so.
// CHECK: remark: memory of @c on tensix: its rings are parts of Dst, on the core that it shares
// CHECK: remark: memory of @v on tensix: its rings are parts of Dst, on the core that it shares
// IR: pto.import_peer_buffer "down" of @v :
// IR: pto.reserve_buffer "down" auto :

pto.func @c(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>
  pto.tpush %t, %down : <tensor<32x32xf32>, acc>, <c2v, 2 x 4096>
  pto.return
}

pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %x = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

pto.func @g(%a: memref<32x32xf32>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<same_core>} {
  pto.launch cube @c vector [@v](%a) : memref<32x32xf32>
  pto.return
}

// -----

// One that does not say, and can.
// CHECK: remark: memory of @c on tensix: its rings are parts of Dst, on the core that it shares
// CHECK: remark: memory of @v on tensix: its rings are parts of Dst, on the core that it shares
// IR: pto.import_peer_buffer "down" of @v :
// IR: pto.reserve_buffer "down" auto :

pto.func @c(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>
  pto.tpush %t, %down : <tensor<32x32xf32>, acc>, <c2v, 2 x 4096>
  pto.return
}

pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %x = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

pto.func @g(%a: memref<32x32xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<32x32xf32>
  pto.return
}

// -----

// Each kernel has a core: the ring is in the memory of the consumer's core.
// CHECK: remark: memory of @c on tensix: nothing
// CHECK: remark: memory of @v on tensix:
// CHECK-NEXT: L1, 98304 to 1499136: used up to 106496, 1392640 bytes free after it
// CHECK-NEXT: 98304 to 106496 8192 bytes ring "down"
// IR: pto.import_peer_buffer "down" of @v at 98304 :
// IR: pto.reserve_buffer "down" at 98304 :

pto.func @c(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %down = pto.aic_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>
  pto.tpush %t, %down : <tensor<32x32xf32>, acc>, <c2v, 2 x 4096>
  pto.return
}

pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %down = pto.aiv_initialize_pipe %d : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %x = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

pto.func @g(%a: memref<32x32xf32>) attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @c vector [@v](%a) : memref<32x32xf32>
  pto.return
}

// -----

// One that does not say, and pops in the cube kernel.
// CHECK: remark: memory of @c on tensix:
// CHECK-NEXT: L1, 98304 to 1499136: used up to 106496, 1392640 bytes free after it
// CHECK-NEXT: 98304 to 106496 8192 bytes ring "up"
// CHECK: remark: memory of @v on tensix:
// CHECK-NEXT: L1, 98304 to 1499136: used up to 106496, 1392640 bytes free after it
// CHECK-NEXT: 98304 to 106496 8192 bytes ring "down"
// IR: pto.import_peer_buffer "down" of @v at 98304 :
// IR: pto.reserve_buffer "up" at 98304 :
// IR: pto.reserve_buffer "down" at 98304 :
// IR: pto.import_peer_buffer "up" of @c at 98304 :

pto.func @c(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %d = pto.import_peer_buffer "down" of @v : <8192, vec>
  %u = pto.reserve_buffer "up" auto : <8192, mat>
  %down, %up = pto.aic_initialize_pipe %d, %u : !pto.buffer<8192, vec>, !pto.buffer<8192, mat> -> !pto.pipe<c2v, 2 x 4096>, !pto.pipe<v2c, 2 x 4096>
  %t = pto.tfill 1.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>
  pto.tpush %t, %down : <tensor<32x32xf32>, acc>, <c2v, 2 x 4096>
  %x = pto.tpop %up : <v2c, 2 x 4096> -> <tensor<32x32xf32>, mat>
  pto.tfree %x, %up : <tensor<32x32xf32>, mat>, <v2c, 2 x 4096>
  pto.return
}

pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %d = pto.reserve_buffer "down" auto : <8192, vec>
  %u = pto.import_peer_buffer "up" of @c : <8192, mat>
  %down, %up = pto.aiv_initialize_pipe %d, %u : !pto.buffer<8192, vec>, !pto.buffer<8192, mat> -> !pto.pipe<c2v, 2 x 4096>, !pto.pipe<v2c, 2 x 4096>
  %x = pto.tpop %down : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tpush %x, %up : <tensor<32x32xf32>, vec>, <v2c, 2 x 4096>
  pto.tfree %x, %down : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

pto.func @g(%a: memref<32x32xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v](%a) : memref<32x32xf32>
  pto.return
}

// -----

// Two vector kernels that run side by side push their parts of tiles to one ring.
// CHECK: remark: memory of @c on tensix:
// CHECK-NEXT: L1, 98304 to 1499136: used up to 106496, 1392640 bytes free after it
// CHECK: remark: memory of @v on tensix: nothing
// CHECK: remark: memory of @w on tensix: nothing
// IR: pto.reserve_buffer "up" at 98304 :
// IR: pto.import_peer_buffer "up" of @c at 98304 :
// IR: pto.import_peer_buffer "up" of @c at 98304 :

pto.func @c(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %u = pto.reserve_buffer "up" auto : <8192, mat>
  %up = pto.aic_initialize_pipe %u : !pto.buffer<8192, mat> -> !pto.pipe<v2c, 2 x 4096, up_down>
  %x = pto.tpop %up : <v2c, 2 x 4096, up_down> -> <tensor<32x32xf32>, mat>
  pto.tfree %x, %up : <tensor<32x32xf32>, mat>, <v2c, 2 x 4096, up_down>
  pto.return
}

pto.func @v(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %u = pto.import_peer_buffer "up" of @c : <8192, mat>
  %up = pto.aiv_initialize_pipe %u : !pto.buffer<8192, mat> -> !pto.pipe<v2c, 2 x 4096, up_down>
  %x = pto.tfill 1.0 {unit = #pto.unit<sfpu>} : <tensor<16x32xf32>, vec>
  pto.tpush %x, %up : <tensor<16x32xf32>, vec>, <v2c, 2 x 4096, up_down>
  pto.return
}

pto.func @w(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %u = pto.import_peer_buffer "up" of @c : <8192, mat>
  %up = pto.aiv_initialize_pipe %u : !pto.buffer<8192, mat> -> !pto.pipe<v2c, 2 x 4096, up_down>
  %x = pto.tfill 1.0 {unit = #pto.unit<sfpu>} : <tensor<16x32xf32>, vec>
  pto.tpush %x, %up : <tensor<16x32xf32>, vec>, <v2c, 2 x 4096, up_down>
  pto.return
}

pto.func @g(%a: memref<32x32xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @c vector [@v, @w](%a) : memref<32x32xf32>
  pto.return
}
