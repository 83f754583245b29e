// A product of which one operand is scaled first, split by hand over two vector kernels: each scales half of the rows of a
// tile, the cube kernel pops whole tiles.
// RUN: ttmlir-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: pto.func @product(
pto.func @product(%a: memref<64x32xbf16>, %b: memref<32x32xbf16>, %c: memref<64x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  // CHECK: pto.reserve_buffer "scaled" at 4096 : <16384, mat>
  %own = pto.reserve_buffer "scaled" at 4096 : <16384, mat>
  // CHECK: %[[SCALED:.*]] = pto.aic_initialize_pipe %{{.*}} : !pto.buffer<16384, mat> -> !pto.pipe<v2c, 8 x 2048, up_down>
  %scaled = pto.aic_initialize_pipe %own : !pto.buffer<16384, mat> -> !pto.pipe<v2c, 8 x 2048, up_down>
  %b0 = pto.tload %b[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // CHECK: pto.tmove %{{.*}} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xbf16>, right, layout = zn>
  %right = pto.tmove %b0 : <tensor<32x32xbf16>, mat> -> <tensor<32x32xbf16>, right, layout = zn>
  scf.for %i = %0 to %2 step %1 {
    // CHECK: %[[A:.*]] = pto.tpop %[[SCALED]] : <v2c, 8 x 2048, up_down> -> <tensor<32x32xbf16>, mat>
    %ai = pto.tpop %scaled : <v2c, 8 x 2048, up_down> -> <tensor<32x32xbf16>, mat>
    %left = pto.tmove %ai : <tensor<32x32xbf16>, mat> -> <tensor<32x32xbf16>, left, layout = nz>
    // CHECK: pto.tfree %[[A]], %[[SCALED]]
    pto.tfree %ai, %scaled : <tensor<32x32xbf16>, mat>, <v2c, 8 x 2048, up_down>
    %sum = pto.tmatmul %left, %right : <tensor<32x32xbf16>, left, layout = nz>, <tensor<32x32xbf16>, right, layout = zn> -> <tensor<32x32xf32>, acc>
    pto.tstore %sum, %c[%i, %0] : <tensor<32x32xf32>, acc> -> memref<64x32xf32>
  }
  pto.return
}

// CHECK-LABEL: pto.func @scale(
pto.func @scale(%a: memref<64x32xbf16>, %b: memref<32x32xbf16>, %c: memref<64x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  // CHECK: pto.import_peer_buffer "scaled" of @product : <16384, mat>
  %peer = pto.import_peer_buffer "scaled" of @product : <16384, mat>
  %scaled = pto.aiv_initialize_pipe %peer : !pto.buffer<16384, mat> -> !pto.pipe<v2c, 8 x 2048, up_down>
  // CHECK: %[[LANE:.*]] = pto.subblock_index
  %lane = pto.subblock_index
  // CHECK: pto.tfill 1.250000e-01 {unit = #pto.unit<sfpu>} : <tensor<16x32xbf16>, vec>
  %eighth = pto.tfill 0.125 {unit = #pto.unit<sfpu>} : <tensor<16x32xbf16>, vec>
  scf.for %i = %0 to %2 step %1 {
    // Rows of 16 x 32 tiles: two of them in each tile of the cube kernel.
    %above = arith.muli %i, %2 : index
    // CHECK: %[[ROW:.*]] = arith.addi %{{.*}}, %[[LANE]]
    %row = arith.addi %above, %lane : index
    %half = pto.tload %a[%row, %0] : memref<64x32xbf16> -> <tensor<16x32xbf16>, vec>
    %product = pto.tmul %half, %eighth {unit = #pto.unit<sfpu>} : <tensor<16x32xbf16>, vec>, <tensor<16x32xbf16>, vec> -> <tensor<16x32xbf16>, vec>
    // CHECK: pto.tpush %{{.*}} : <tensor<16x32xbf16>, vec>, <v2c, 8 x 2048, up_down>
    pto.tpush %product, %scaled : <tensor<16x32xbf16>, vec>, <v2c, 8 x 2048, up_down>
  }
  pto.return
}

// CHECK-LABEL: pto.func @scale_product(
pto.func @scale_product(%a: memref<64x32xbf16>, %b: memref<32x32xbf16>, %c: memref<64x32xf32>)
    attributes {kind = #pto.kind<orchestration>} {
  // CHECK: pto.launch cube @product vector [@scale, @scale](
  pto.launch cube @product vector [@scale, @scale](%a, %b, %c) : memref<64x32xbf16>, memref<32x32xbf16>, memref<64x32xf32>
  pto.return
}
