// A loop that never turns around the work of a kernel, which is dealt to no workers then: the kernel compiles, runs to its end
// and writes nothing.
// RUN: ttmlir-opt --ttcore-register-device --convert-pto-to-tensix %s -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: not ttrt run %t.ttnn --device tensix --limit-steps 100000 2>&1 | FileCheck %s
// CHECK: error: {{.*}}: program 'forward': tensor 1: DRAM bank 0 was never written at 0x1000

#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>

pto.func @copy(%a: memref<64x96xf32>, %b: memref<64x96xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  scf.for %i = %2 to %1 step %1 {
    scf.for %j = %0 to %3 step %1 {
      %x = pto.tload %a[%i, %j] : memref<64x96xf32> -> <tensor<32x32xf32>, vec>
      %y = pto.trelu %x {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
      pto.tstore %y, %b[%i, %j] : <tensor<32x32xf32>, vec> -> memref<64x96xf32>
    }
  }
  pto.return
}

func.func @forward(%a: tensor<64x96xf32, #tiles>) -> tensor<64x96xf32, #tiles> {
  %0 = "ttnn.kernel_region"(%a) <{arch = #ttcore.arch<wormhole_b0>, kernel = @copy, target = "tensix"}> ({
  ^bb0(%x: tensor<64x96xf32, #tiles>):
    %1 = "ttnn.relu"(%x) : (tensor<64x96xf32, #tiles>) -> tensor<64x96xf32, #tiles>
    "ttnn.yield"(%1) : (tensor<64x96xf32, #tiles>) -> ()
  }) : (tensor<64x96xf32, #tiles>) -> tensor<64x96xf32, #tiles>
  return %0 : tensor<64x96xf32, #tiles>
}
