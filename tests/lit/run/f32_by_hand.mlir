// A group written by hand: the cube kernel stores relu(a b) as bf16 and pushes a b as f32, to which the vector kernel adds a tensor of
// f32. So packers take out both formats, and one unpacker brings what is popped and what is loaded.
// RUN: ttmlir-opt --ttcore-register-device --pto-check-pipes --convert-pto-to-tensix --canonicalize --cse --tensix-form-replay --tensix-form-mop %s -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run %t.ttnn --seed 3 --golden | FileCheck %s
// RUN: ttrt run %t.ttnn --seed 3 --golden --device interpreter | FileCheck %s
// CHECK: output 0: 64x96 bf16
// CHECK: output 1: 64x96 f32
// CHECK-COUNT-2: matmul + relu + typecast + add
// CHECK: golden: 2 of 2 results are within their bounds
// RUN: ttrt run %t.ttnn --seed 3 -o %t.bf16.npy -o %t.f32.npy
// RUN: ttrt run %t.ttnn --seed 3 --workers 2 --schedule-seed 5 --order-seed 7 -o %t.seed.bf16.npy -o %t.seed.f32.npy
// RUN: cmp %t.bf16.npy %t.seed.bf16.npy
// RUN: cmp %t.f32.npy %t.seed.f32.npy

// The same on Blackhole, which packs row by row.
// RUN: ttmlir-opt --ttcore-register-device="mock-system-desc-arch=blackhole" --convert-pto-to-tensix --tensix-form-replay --tensix-form-mop %s -o %t.blackhole.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.blackhole.mlir -o %t.blackhole.ttnn
// RUN: ttrt run %t.blackhole.ttnn --seed 3 --golden | FileCheck %s

// Without it, the packers would be set up before they have written everything of the other format.
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=IR
// IR: tensix.program @cube_tensix
// IR: } pack {
// IR: tensix.semwait (sem_sel 2, stall_res 390, wait_sem_cond 1)
// IR: tensix.stallwait (stall_res 128, wait_res 120)
// IR: tensix.noc_send bytes 4096
// IR: } write {
// IR: tensix.noc_write page {{.*}} bytes 2048

#left = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#right = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x3x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#bf16 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>

pto.func @cube(%a: memref<64x32xbf16>, %b: memref<32x96xbf16>, %d: memref<64x96xf32>, %c: memref<64x96xbf16>, %e: memref<64x96xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  %peer = pto.import_peer_buffer "sums" of @vector at 98304 : <8192, vec>
  %sums = pto.aic_initialize_pipe %peer : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  scf.for %i = %0 to %2 step %1 {
    scf.for %j = %0 to %3 step %1 {
      %x = pto.tload %a[%i, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, mat>
      %y = pto.tload %b[%0, %j] : memref<32x96xbf16> -> <tensor<32x32xbf16>, mat>
      %sum = pto.tmatmul %x, %y : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
      %positive = pto.trelu %sum {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
      %rounded = pto.tcvt %positive {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
      pto.tstore %rounded, %c[%i, %j] : <tensor<32x32xbf16>, acc> -> memref<64x96xbf16>
      pto.tpush %sum, %sums : <tensor<32x32xf32>, acc>, <c2v, 2 x 4096>
    }
  }
  pto.return
}

pto.func @vector(%a: memref<64x32xbf16>, %b: memref<32x96xbf16>, %d: memref<64x96xf32>, %c: memref<64x96xbf16>, %e: memref<64x96xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  %own = pto.reserve_buffer "sums" at 98304 : <8192, vec>
  %sums = pto.aiv_initialize_pipe %own : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  scf.for %i = %0 to %2 step %1 {
    scf.for %j = %0 to %3 step %1 {
      %more = pto.tload %d[%i, %j] : memref<64x96xf32> -> <tensor<32x32xf32>, vec>
      %sum = pto.tpop %sums : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
      %total = pto.tadd %sum, %more {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
      pto.tfree %sum, %sums : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
      pto.tstore %total, %e[%i, %j] : <tensor<32x32xf32>, vec> -> memref<64x96xf32>
    }
  }
  pto.return
}

pto.func @k(%a: memref<64x32xbf16>, %b: memref<32x96xbf16>, %d: memref<64x96xf32>, %c: memref<64x96xbf16>, %e: memref<64x96xf32>)
    attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  pto.launch cube @cube vector [@vector](%a, %b, %d, %c, %e) : memref<64x32xbf16>, memref<32x96xbf16>, memref<64x96xf32>, memref<64x96xbf16>, memref<64x96xf32>
  pto.return
}

func.func @forward(%a: tensor<64x32xbf16, #left>, %b: tensor<32x96xbf16, #right>, %d: tensor<64x96xf32, #f32>) -> (tensor<64x96xbf16, #bf16>, tensor<64x96xf32, #f32>) {
  %0:2 = "ttnn.kernel_region"(%a, %b, %d) <{arch = #ttcore.arch<wormhole_b0>, kernel = @k, target = "tensix"}> ({
  ^bb0(%x: tensor<64x32xbf16, #left>, %y: tensor<32x96xbf16, #right>, %z: tensor<64x96xf32, #f32>):
    %1 = "ttnn.matmul"(%x, %y) <{transpose_a = false, transpose_b = false}> : (tensor<64x32xbf16, #left>, tensor<32x96xbf16, #right>) -> tensor<64x96xbf16, #bf16>
    %2 = "ttnn.relu"(%1) : (tensor<64x96xbf16, #bf16>) -> tensor<64x96xbf16, #bf16>
    %3 = "ttnn.typecast"(%1) : (tensor<64x96xbf16, #bf16>) -> tensor<64x96xf32, #f32>
    %4 = "ttnn.add"(%3, %z) : (tensor<64x96xf32, #f32>, tensor<64x96xf32, #f32>) -> tensor<64x96xf32, #f32>
    "ttnn.yield"(%2, %4) : (tensor<64x96xbf16, #bf16>, tensor<64x96xf32, #f32>) -> ()
  }) : (tensor<64x32xbf16, #left>, tensor<32x96xbf16, #right>, tensor<64x96xf32, #f32>) -> (tensor<64x96xbf16, #bf16>, tensor<64x96xf32, #f32>)
  return %0#0, %0#1 : tensor<64x96xbf16, #bf16>, tensor<64x96xf32, #f32>
}
