// Tensors that control flow chooses. Kernels with them are expanded, but neither checked nor run by groups, which know each tensor.
// RUN: ttmlir-opt --pto-expand-mixed-kernel %s | FileCheck %s
// RUN: not ttmlir-opt --pto-expand-mixed-kernel --pto-check-pipes %s 2>&1 | FileCheck %s --check-prefix=CHECKED
// CHECKED: error: 'scf.yield' op reads a tensor or a pipe; expects a tile or a number

// A branch yields an argument for each side; each side has the one that it reads.
// CHECK-LABEL: pto.func @params_aic(
// CHECK-SAME:  %[[A:[a-z0-9]*]]: memref<32x32xbf16>, %[[B:[a-z0-9]*]]: memref<32x32xbf16>,
// CHECK:      %[[R:.*]] = scf.if %{{.*}} -> (memref<32x32xbf16>) {
// CHECK-NEXT:   scf.yield %[[A]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   scf.yield %[[B]]
// CHECK-NEXT: }
// CHECK-NEXT: pto.tload %[[R]]
// CHECK-LABEL: pto.func @params_aiv(
// CHECK:      %[[R:.*]] = scf.if %{{.*}} -> (memref<32x32xf32>) {
// CHECK:      pto.tpop
// CHECK-NEXT: pto.tstore %{{.*}}, %[[R]]
pto.func @params(%a: memref<32x32xbf16>, %b: memref<32x32xbf16>, %c: memref<32x32xf32>, %d: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %yes = arith.constant true
  %source, %target = scf.if %yes -> (memref<32x32xbf16>, memref<32x32xf32>) {
    scf.yield %a, %c : memref<32x32xbf16>, memref<32x32xf32>
  } else {
    scf.yield %b, %d : memref<32x32xbf16>, memref<32x32xf32>
  }
  %t = pto.tload %source[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %p = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %v = pto.tmove %p : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
  pto.tstore %v, %target[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// One that may be any is ordered with all that the other side reads: the token is popped before the load.
// CHECK-LABEL: pto.func @any_aic(
// CHECK:      pto.tstore
// CHECK-NEXT: pto.tfill
// CHECK-NEXT: pto.tpush
// CHECK-LABEL: pto.func @any_aiv(
// CHECK:      pto.tpop
// CHECK-NEXT: pto.tfree
// CHECK-NEXT: pto.tload
pto.func @any(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %yes = arith.constant true
  %one = arith.select %yes, %b, %c : memref<32x32xf32>
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  pto.tstore %t, %one[%0, %0] : <tensor<32x32xf32>, mat> -> memref<32x32xf32>
  %v = pto.tload %b[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  pto.tstore %v, %b[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
