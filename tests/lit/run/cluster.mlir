// A group written by hand, on a cluster of three tiles: neg(relu(a) b). Two vector kernels give the cube kernel the upper and lower
// parts of tiles of relu(a), and get the left and right parts of sums.
// RUN: ttmlir-opt --ttcore-register-device --pto-check-pipes %s -o %t.pto.mlir
// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse --tensix-form-replay --tensix-form-mop %t.pto.mlir -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=IR
// IR: tensix.cluster @k_tensix implements @k on "wormhole_b0" arguments 3 work 4 tiles [@cube_tensix, @vector_1_tensix, @vector_2_tensix] rings {{\[\[}}1, 5, 0, 7], [2, 5, 0, 8], [0, 9, 1, 11], [0, 10, 2, 11]]
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run %t.ttnn --seed 3 --device reference -o %t.reference.npy
// RUN: ttrt run %t.ttnn --seed 3 --device interpreter --golden -o %t.interpreter.npy
// RUN: cmp %t.reference.npy %t.interpreter.npy
// RUN: ttrt run %t.ttnn --seed 3 --golden --stats -o %t.npy | FileCheck %s
// CHECK: relu + matmul + neg {{.*}}%
// CHECK: golden: 1 of 1 results are within their bounds
// RUN: ttrt run %t.ttnn --seed 3 --workers 3 --schedule-seed 5 --order-seed 7 -o %t.seed.npy
// RUN: cmp %t.npy %t.seed.npy
// RUN: ttrt run %t.ttnn --seed 3 --workers 6 --schedule-seed 2 --order-seed 1 -o %t.seed.npy
// RUN: cmp %t.npy %t.seed.npy

// It takes three tiles at least.
// RUN: not ttrt run %t.ttnn --workers 2 2>&1 | FileCheck %s --check-prefix=FEWER
// FEWER: kernel 'k_tensix' runs on 3 tiles at once, but may have 2

// The program file has a tile's images after the other's, and the rings.
// RUN: ttmlir-translate --flatbuffer-to-json %t.ttnn | FileCheck %s --check-prefix=JSON
// JSON: "name": "k_tensix"
// JSON: "rings": [
// JSON-NEXT: {
// JSON-NEXT: "consumer": 1,
// JSON-NEXT: "freed": 7,
// JSON-NEXT: "producer": 0,
// JSON-NEXT: "ready": 5
// JSON: "tiles": [
// JSON: "peer 1"

// Without the acknowledgement before it, a flag can be ahead of its data.
// RUN: ttmlir-opt %t.mlir | awk '/noc_send/ {sends = 1} sends && /noc_wait/ {sends = 0; next} {print}' > %t.early.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.early.mlir -o %t.early.ttnn
// RUN: not ttrt run %t.early.ttnn --seed 3 --schedule-seed 3 --order-seed 3 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: kernel 'k_tensix' on worker {{[0-9]}} of 4, tile {{[0-2]}} at {{.*}}unpack (T0), {{.*}}: undefined behaviour: reads L1 {{.*}}, which nothing has written

#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x4x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>

pto.func @cube(%a: memref<128x128xbf16>, %b: memref<128x128xbf16>, %c: memref<128x128xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %4 = arith.constant 4 : index
  %own = pto.reserve_buffer "halves" at 98304 : <16384, mat>
  %peer = pto.import_peer_buffer "sums" of @vector at 98304 : <16384, vec>
  %sums, %halves = pto.aic_initialize_pipe %peer, %own : !pto.buffer<16384, vec>, !pto.buffer<16384, mat> -> !pto.pipe<c2v, 2 x 8192, left_right>, !pto.pipe<v2c, 4 x 4096, up_down>
  scf.for %i = %0 to %2 step %1 {
    scf.for %j = %0 to %2 step %1 {
      %a0 = pto.tpop %halves : <v2c, 4 x 4096, up_down> -> <tensor<64x32xbf16>, mat>
      %b0 = pto.tload %b[%0, %j] : memref<128x128xbf16> -> <tensor<32x64xbf16>, mat>
      %s0 = pto.tmatmul %a0, %b0 : <tensor<64x32xbf16>, mat>, <tensor<32x64xbf16>, mat> -> <tensor<64x64xf32>, acc>
      pto.tfree %a0, %halves : <tensor<64x32xbf16>, mat>, <v2c, 4 x 4096, up_down>
      %sum = scf.for %k = %1 to %4 step %1 iter_args(%so_far = %s0) -> (!pto.tile<tensor<64x64xf32>, acc>) {
        %ak = pto.tpop %halves : <v2c, 4 x 4096, up_down> -> <tensor<64x32xbf16>, mat>
        %bk = pto.tload %b[%k, %j] : memref<128x128xbf16> -> <tensor<32x64xbf16>, mat>
        %next = pto.tmatmul_acc %so_far, %ak, %bk : <tensor<64x64xf32>, acc>, <tensor<64x32xbf16>, mat>, <tensor<32x64xbf16>, mat> -> <tensor<64x64xf32>, acc>
        pto.tfree %ak, %halves : <tensor<64x32xbf16>, mat>, <v2c, 4 x 4096, up_down>
        scf.yield %next : !pto.tile<tensor<64x64xf32>, acc>
      }
      pto.tpush %sum, %sums : <tensor<64x64xf32>, acc>, <c2v, 2 x 8192, left_right>
    }
  }
  pto.return
}

pto.func @vector(%a: memref<128x128xbf16>, %b: memref<128x128xbf16>, %c: memref<128x128xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %4 = arith.constant 4 : index
  %own = pto.reserve_buffer "sums" at 98304 : <16384, vec>
  %peer = pto.import_peer_buffer "halves" of @cube at 98304 : <16384, mat>
  %sums, %halves = pto.aiv_initialize_pipe %own, %peer : !pto.buffer<16384, vec>, !pto.buffer<16384, mat> -> !pto.pipe<c2v, 2 x 8192, left_right>, !pto.pipe<v2c, 4 x 4096, up_down>
  %lane = pto.subblock_index
  scf.for %i = %0 to %2 step %1 {
    scf.for %j = %0 to %2 step %1 {
      %above = arith.muli %i, %2 : index
      %row = arith.addi %above, %lane : index
      scf.for %k = %0 to %4 step %1 {
        %half = pto.tload %a[%row, %k] : memref<128x128xbf16> -> <tensor<32x32xbf16>, vec>
        %wide = pto.tcvt %half {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, vec> -> <tensor<32x32xf32>, vec>
        %relu = pto.trelu %wide {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
        %positive = pto.tcvt %relu {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
        pto.tpush %positive, %halves : <tensor<32x32xbf16>, vec>, <v2c, 4 x 4096, up_down>
      }
      %sum = pto.tpop %sums : <c2v, 2 x 8192, left_right> -> <tensor<64x32xf32>, vec>
      %neg = pto.tneg %sum {unit = #pto.unit<sfpu>} : <tensor<64x32xf32>, vec> -> <tensor<64x32xf32>, vec>
      pto.tfree %sum, %sums : <tensor<64x32xf32>, vec>, <c2v, 2 x 8192, left_right>
      %rounded = pto.tcvt %neg {unit = #pto.unit<pack>} : <tensor<64x32xf32>, vec> -> <tensor<64x32xbf16>, vec>
      %left = arith.muli %j, %2 : index
      %column = arith.addi %left, %lane : index
      pto.tstore %rounded, %c[%i, %column] : <tensor<64x32xbf16>, vec> -> memref<128x128xbf16>
    }
  }
  pto.return
}

pto.func @k(%a: memref<128x128xbf16>, %b: memref<128x128xbf16>, %c: memref<128x128xbf16>)
    attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector, @vector](%a, %b, %c) : memref<128x128xbf16>, memref<128x128xbf16>, memref<128x128xbf16>
  pto.return
}

func.func @forward(%a: tensor<128x128xbf16, #layout>, %b: tensor<128x128xbf16, #layout>) -> tensor<128x128xbf16, #layout> {
  %0 = "ttnn.kernel_region"(%a, %b) <{arch = #ttcore.arch<wormhole_b0>, kernel = @k, target = "tensix"}> ({
  ^bb0(%x: tensor<128x128xbf16, #layout>, %y: tensor<128x128xbf16, #layout>):
    %1 = "ttnn.relu"(%x) : (tensor<128x128xbf16, #layout>) -> tensor<128x128xbf16, #layout>
    %2 = "ttnn.matmul"(%1, %y) <{transpose_a = false, transpose_b = false}> : (tensor<128x128xbf16, #layout>, tensor<128x128xbf16, #layout>) -> tensor<128x128xbf16, #layout>
    %3 = "ttnn.neg"(%2) : (tensor<128x128xbf16, #layout>) -> tensor<128x128xbf16, #layout>
    "ttnn.yield"(%3) : (tensor<128x128xbf16, #layout>) -> ()
  }) : (tensor<128x128xbf16, #layout>, tensor<128x128xbf16, #layout>) -> tensor<128x128xbf16, #layout>
  return %0 : tensor<128x128xbf16, #layout>
}
