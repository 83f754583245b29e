// A group written by hand, on the interpreter: relu(relu(a) b). Two vector kernels give the cube kernel the upper and lower halves of
// tiles of relu(a), and get the left and right halves of sums; the launch comes twice, the second on what the first one made.
// RUN: ttmlir-opt --ttcore-register-device --pto-check-pipes %s -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// With most other numbers one in some thousands is rounded otherwise: the interpreter's sums are rounded to f32 before.
// RUN: ttrt run %t.ttnn --seed 3 --device reference -o %t.reference.npy -o %t.reference2.npy
// RUN: ttrt run %t.ttnn --seed 3 --device interpreter -o %t.greedy.npy -o %t.greedy2.npy | FileCheck %s
// RUN: cmp %t.reference.npy %t.greedy.npy
// RUN: cmp %t.reference2.npy %t.greedy2.npy
// RUN: ttrt run %t.ttnn --seed 3 --device interpreter --schedule-seed 1 -o %t.seed.npy -o %t.seed2.npy
// RUN: cmp %t.reference.npy %t.seed.npy
// RUN: cmp %t.reference2.npy %t.seed2.npy
// CHECK: output 0: 64x64 bf16, written to
// RUN: not ttrt run %t.ttnn --device interpreter --limit-steps 5 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: error: {{.*}}: the launch has more than 5 operations; allow more, or look for a loop that is too long

// RUN: ttmlir-translate --flatbuffer-to-json %t.ttnn | FileCheck %s --check-prefix=JSON
// JSON: "tensor 0: 1x64x64xbf16",
// JSON: "pipe 0 {{.*}}sums{{.*}} of @vector{{.*}}: CubeToVector, 4 slots, split LeftRight, cube 0, vector [1, 2]",
// JSON: "pipe 1 {{.*}}halves{{.*}} of @cube{{.*}}: VectorToCube, 4 slots, split UpDown, cube 0, vector [1, 2]",
// JSON: "kernel \"@vector (lane 1)\"",
// JSON: %{{[0-9]+}}: 32x16xf32 = pop pipe 0  # {{.*}}interpreter.mlir.tmp.mlir:
// JSON: "target": "pto"

// No chip has a kernel for it.
// RUN: not ttrt run %t.ttnn --device tensix 2>&1 | FileCheck %s --check-prefix=TENSIX
// TENSIX: the group has no kernel for tensix on wormhole_b0

// Unchecked, a kernel that frees nothing stops, and says where each is.
// RUN: sed '/pto.tfree.*left_right/d' %t.mlir | ttmlir-translate --ttnn-to-flatbuffer -o %t.stuck.ttnn
// RUN: not ttrt run %t.stuck.ttnn --device interpreter 2>&1 | FileCheck %s --check-prefix=STUCK
// STUCK: operation 0 (kernel) at {{.*}}: kernel 'relu_product_relu': deadlock:
// STUCK-NEXT: kernel @cube at its end waits for all slots to be free again of pipe "sums" of @vector from @vector (lane 0) and @vector (lane 1) (4 pushed, 4 popped, 0 freed, 4 slots)

#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>

pto.func @cube(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %peer = pto.import_peer_buffer "sums" of @vector : <8192, vec>
  %own = pto.reserve_buffer "halves" auto : <8192, mat>
  %sums, %halves = pto.aic_initialize_pipe %peer, %own : !pto.buffer<8192, vec>, !pto.buffer<8192, mat> -> !pto.pipe<c2v, 4 x 2048, left_right>, !pto.pipe<v2c, 4 x 2048, up_down>
  scf.for %i = %0 to %2 step %1 {
    scf.for %j = %0 to %2 step %1 {
      %zero = pto.tfill 0.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>
      %sum = scf.for %k = %0 to %2 step %1 iter_args(%so_far = %zero) -> (!pto.tile<tensor<32x32xf32>, acc>) {
        %aik = pto.tpop %halves : <v2c, 4 x 2048, up_down> -> <tensor<32x32xbf16>, mat>
        %bkj = pto.tload %b[%k, %j] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
        %next = pto.tmatmul_acc %so_far, %aik, %bkj : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
        pto.tfree %aik, %halves : <tensor<32x32xbf16>, mat>, <v2c, 4 x 2048, up_down>
        scf.yield %next : !pto.tile<tensor<32x32xf32>, acc>
      }
      pto.tpush %sum, %sums : <tensor<32x32xf32>, acc>, <c2v, 4 x 2048, left_right>
    }
  }
  pto.return
}

pto.func @vector(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %own = pto.reserve_buffer "sums" auto : <8192, vec>
  %peer = pto.import_peer_buffer "halves" of @cube : <8192, mat>
  %sums, %halves = pto.aiv_initialize_pipe %own, %peer : !pto.buffer<8192, vec>, !pto.buffer<8192, mat> -> !pto.pipe<c2v, 4 x 2048, left_right>, !pto.pipe<v2c, 4 x 2048, up_down>
  %lane = pto.subblock_index
  scf.for %i = %0 to %2 step %1 {
    scf.for %j = %0 to %2 step %1 {
      %above = arith.muli %i, %2 : index
      %row = arith.addi %above, %lane : index
      scf.for %k = %0 to %2 step %1 {
        %half = pto.tload %a[%row, %k] : memref<64x64xbf16> -> <tensor<16x32xbf16>, vec>
        %positive = pto.trelu %half {unit = #pto.unit<sfpu>} : <tensor<16x32xbf16>, vec> -> <tensor<16x32xbf16>, vec>
        pto.tpush %positive, %halves : <tensor<16x32xbf16>, vec>, <v2c, 4 x 2048, up_down>
      }
      %sum = pto.tpop %sums : <c2v, 4 x 2048, left_right> -> <tensor<32x16xf32>, vec>
      %relu = pto.trelu %sum {unit = #pto.unit<sfpu>} : <tensor<32x16xf32>, vec> -> <tensor<32x16xf32>, vec>
      pto.tfree %sum, %sums : <tensor<32x16xf32>, vec>, <c2v, 4 x 2048, left_right>
      %rounded = pto.tcvt %relu {unit = #pto.unit<pack>} : <tensor<32x16xf32>, vec> -> <tensor<32x16xbf16>, vec>
      %left = arith.muli %j, %2 : index
      %column = arith.addi %left, %lane : index
      pto.tstore %rounded, %c[%i, %column] : <tensor<32x16xbf16>, vec> -> memref<64x64xbf16>
    }
  }
  pto.return
}

// The second launch has the result of the first as its right operand.
pto.func @relu_product_relu(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xbf16>, %d: memref<64x64xbf16>)
    attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @cube vector [@vector, @vector](%a, %b, %c) : memref<64x64xbf16>, memref<64x64xbf16>, memref<64x64xbf16>
  pto.launch cube @cube vector [@vector, @vector](%a, %c, %d) : memref<64x64xbf16>, memref<64x64xbf16>, memref<64x64xbf16>
  pto.return
}

func.func @forward(%a: tensor<64x64xbf16, #layout>, %b: tensor<64x64xbf16, #layout>) -> (tensor<64x64xbf16, #layout>, tensor<64x64xbf16, #layout>) {
  %0, %1 = "ttnn.kernel_region"(%a, %b) <{arch = #ttcore.arch<wormhole_b0>, kernel = @relu_product_relu, target = "tensix"}> ({
  ^bb0(%x: tensor<64x64xbf16, #layout>, %y: tensor<64x64xbf16, #layout>):
    %2 = "ttnn.relu"(%x) : (tensor<64x64xbf16, #layout>) -> tensor<64x64xbf16, #layout>
    %3 = "ttnn.matmul"(%2, %y) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #layout>, tensor<64x64xbf16, #layout>) -> tensor<64x64xbf16, #layout>
    %4 = "ttnn.relu"(%3) : (tensor<64x64xbf16, #layout>) -> tensor<64x64xbf16, #layout>
    %5 = "ttnn.matmul"(%2, %4) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #layout>, tensor<64x64xbf16, #layout>) -> tensor<64x64xbf16, #layout>
    %6 = "ttnn.relu"(%5) : (tensor<64x64xbf16, #layout>) -> tensor<64x64xbf16, #layout>
    "ttnn.yield"(%4, %6) : (tensor<64x64xbf16, #layout>, tensor<64x64xbf16, #layout>) -> ()
  }) : (tensor<64x64xbf16, #layout>, tensor<64x64xbf16, #layout>) -> (tensor<64x64xbf16, #layout>, tensor<64x64xbf16, #layout>)
  return %0, %1 : tensor<64x64xbf16, #layout>, tensor<64x64xbf16, #layout>
}
