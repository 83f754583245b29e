// A kernel that was lowered before is an error, and no symbol is defined twice.
// RUN: not ttmlir-opt --ttcore-register-device --convert-pto-to-tensix --convert-pto-to-tensix %s 2>&1 | FileCheck %s --check-prefix=TENSIX
// TENSIX: error: 'pto.func' op is lowered to '@relu_tensix', but that symbol exists; lower each kernel once
// TENSIX-NOT: invalid IR
// RUN: not ttmlir-opt --convert-pto-to-mncore --convert-pto-to-mncore %s 2>&1 | FileCheck %s --check-prefix=MNCORE
// MNCORE: error: 'pto.func' op is lowered to '@relu_mncore', but that symbol exists; lower each kernel once
// MNCORE-NOT: invalid IR

pto.func @relu(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %x = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %y = pto.trelu %x {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %y, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
