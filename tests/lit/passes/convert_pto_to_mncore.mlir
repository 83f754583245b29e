// RUN: ttmlir-opt --convert-pto-to-mncore --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s

// CHECK: pto.func @add
pto.func @add(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %x = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %y = pto.tload %b[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %z = pto.tadd %x, %y {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %z, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// Behind the kernel it implements. Tensors have a layout each; an instruction says where it is from.
//
// CHECK:      mncore.kernel @add_mncore implements @add inputs 2 tensors [
// CHECK-SAME:   0 : tensor<1x32x32xf32> "{{.*}} @DRAM+0", 1 : tensor<1x32x32xf32> "{{.*}} @DRAM+{{[0-9]+}}", 2 : tensor<1x32x32xf32> "{{.*}}"] {
// CHECK:        mncore.mau "fvadd" {{.*}} loc("{{.*}}convert_pto_to_mncore.mlir":9:8)
