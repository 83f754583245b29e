// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s

// CHECK-LABEL: pto.func @linear_relu(
// CHECK-SAME: %[[A:.*]]: memref<32x64xbf16>, %[[B:.*]]: memref<64x32xbf16>, %[[BIAS:.*]]: memref<1x32xbf16>, %[[C:.*]]: memref<32x32xbf16>)
// CHECK-SAME: attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>}
pto.func @linear_relu(%a: memref<32x64xbf16>, %b: memref<64x32xbf16>, %bias: memref<1x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  // CHECK: pto.tload %[[A]][%{{.*}}, %{{.*}}] : memref<32x64xbf16> -> <tensor<32x32xbf16>, mat>
  %a0 = pto.tload %a[%0, %0] : memref<32x64xbf16> -> <tensor<32x32xbf16>, mat>
  %b0 = pto.tload %b[%0, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, mat>
  // CHECK: pto.tmatmul %{{.*}}, %{{.*}} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %p = pto.tmatmul %a0, %b0 : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %a1 = pto.tload %a[%0, %1] : memref<32x64xbf16> -> <tensor<32x32xbf16>, mat>
  %b1 = pto.tload %b[%1, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, mat>
  // CHECK: pto.tmatmul_acc
  %q = pto.tmatmul_acc %p, %a1, %b1 : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %v = pto.tload %bias[%0, %0] : memref<1x32xbf16> -> <tensor<32x32xbf16>, mat>
  // CHECK: pto.tadd %{{.*}}, %{{.*}} {broadcast = #pto.broadcast<row>, unit = #pto.unit<fpu>}
  %s = pto.tadd %q, %v {broadcast = #pto.broadcast<row>, unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  // CHECK: pto.trelu %{{.*}} {unit = #pto.unit<pack>}
  %r = pto.trelu %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
  // CHECK: pto.tcvt %{{.*}} {unit = #pto.unit<pack>}
  %t = pto.tcvt %r {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
  // CHECK: pto.tstore %{{.*}}, %[[C]][%{{.*}}, %{{.*}}] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  pto.tstore %t, %c[%0, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  // CHECK: pto.return
  pto.return
}
