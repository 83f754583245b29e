// Control code in a program file: images of RISC-V instructions, what is pushed as Tensix assembly, and where each comes from.
//
// RUN: ttmlir-opt --ttcore-register-device %s -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer --verbose %t.mlir -o %t.ttnn 2> %t.verbose
// RUN: FileCheck %s --check-prefix=VERBOSE < %t.verbose
// RUN: ttmlir-translate --flatbuffer-to-json %t.ttnn | FileCheck %s
// RUN: ttrt run %t.ttnn --seed 1 --workers 1 --stats | FileCheck %s --check-prefix=STATS

// VERBOSE: images of RISC-V code: 5, of which 5 are different and were compiled in {{[0-9.]+}} ms

// CHECK:      "name": "copy_tensix"
// CHECK:      "target": "tensix",
// CHECK-NEXT: "tiles": [
// CHECK:          "arguments": [
// CHECK-NEXT:       "base 1",
// CHECK-NEXT:       "imm 98304"
// CHECK-NEXT:     ],
// CHECK-NEXT:     "code": [
// CHECK-NEXT:       "0x00000  lui x2, 0xffb01  # 0xffb01137  {{.*}}.mlir:{{[0-9:]+}}",
// CHECK:            push ttseminit 1, 0, 2  # 0x{{[0-9a-f]+}}  {{.*}}.mlir:{{[0-9:]+}}",
// CHECK:            "0x{{[0-9a-f]+}}  jal x0, 0  # 0x0000006f",
// CHECK:          "core": "B"
// CHECK:            "0x06000  lui x2, 0xffb01  #
// CHECK:          "core": "T0"
// CHECK:          "core": "T1"
// CHECK:          "core": "T2"
// CHECK:            "base 0",
// CHECK-NEXT:       "imm 98304"
// CHECK:          "core": "NC"
// CHECK:      "work": 1

// The kernel copies its argument: it implements `to_memory_config` between two buffers in DRAM.
// RUN: ttrt run %t.ttnn --seed 1 --device reference -o %t.reference.npy
// RUN: ttrt run %t.ttnn --seed 1 -o %t.tensix.npy
// RUN: cmp %t.reference.npy %t.tensix.npy
// RUN: ttrt run %t.ttnn --seed 1 --device interpreter -o %t.interpreter.npy
// RUN: cmp %t.reference.npy %t.interpreter.npy

// STATS:      RISC-V instructions, on up to 1 tiles;
// STATS-NEXT: {{[0-9]+}}  B
// STATS-NEXT: {{[0-9]+}}  T0
// STATS-NEXT: {{[0-9]+}}  T1
// STATS-NEXT: {{[0-9]+}}  T2
// STATS-NEXT: {{[0-9]+}}  NC

// Kernels for another chip, or with another number of tensors, are refused.
// RUN: sed 's/on "wormhole_b0"/on "blackhole"/' %t.mlir | not ttmlir-translate --ttnn-to-flatbuffer 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: error: 'tensix.program' op is not made for wormhole_b0, the chip of the module
// RUN: sed 's/ arguments 2 / arguments 3 /' %t.mlir | not ttmlir-translate --ttnn-to-flatbuffer 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// ARGUMENTS: error: 'ttnn.kernel_region' op has 1 inputs and 1 results, but kernel @copy takes 3 tensors

#dram = #ttnn.buffer_type<dram>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

pto.func @copy(%from: memref<32x32xbf16>, %to: memref<32x32xbf16>)
    attributes {kind = #pto.kind<vector>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  %0 = arith.constant 0 : index
  %tile = pto.tload %from[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, vec>
  pto.tstore %tile, %to[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<32x32xbf16>
  pto.return
}

tensix.program @copy_tensix implements @copy on "wormhole_b0" arguments 2 work 1 unpack {} math {} pack {} read {
  %page = arith.constant 0 : index
  %from = tensix.argument base 0
  %l1 = tensix.argument imm 98304
  tensix.noc_read page %page of %from bytes 2048 to %l1 transaction %page
  tensix.noc_wait transaction %page
  tensix.post counter 0
} write {
  tensix.seminit (max_value 1, sem_sel 2)
  tensix.release
  %page = arith.constant 0 : index
  %one = arith.constant 1 : index
  %to = tensix.argument base 1
  %l1 = tensix.argument imm 98304
  tensix.await counter 0 at_least %one
  tensix.noc_write page %page of %to bytes 2048 from %l1 transaction %page
  tensix.noc_wait transaction %page
}

func.func @forward(%a: tensor<32x32xbf16, #layout>) -> tensor<32x32xbf16, #layout> {
  %0 = "ttnn.kernel_region"(%a) <{arch = #ttcore.arch<wormhole_b0>, kernel = @copy, target = "tensix"}> ({
  ^bb0(%inner: tensor<32x32xbf16, #layout>):
    %1 = "ttnn.to_memory_config"(%inner) : (tensor<32x32xbf16, #layout>) -> tensor<32x32xbf16, #layout>
    "ttnn.yield"(%1) : (tensor<32x32xbf16, #layout>) -> ()
  }) : (tensor<32x32xbf16, #layout>) -> tensor<32x32xbf16, #layout>
  return %0 : tensor<32x32xbf16, #layout>
}
