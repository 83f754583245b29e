// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse %s | FileCheck %s

// Functions of the vector unit, each over a tile: its instructions are those of passes/tensix-code, in a loop over one or two vectors of 32 elements at a time. Constants are loaded before the loop.

// CHECK-LABEL: tensix.program @abs_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpstore
pto.func @abs(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tabs %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @neg_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpstore
pto.func @neg(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tneg %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @relu_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @relu(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trelu %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @lnot_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @lnot(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tlnot %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @exp_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: scf.for {{.*}} to %c16 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
// CHECK-NEXT: tensix.sfpstore
pto.func @exp(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.texp %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// Functions of bf16 tensors have shorter code, also if the tile is f32.

// CHECK-LABEL: tensix.program @exp_bf16_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: scf.for {{.*}} to %c16 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpsetexp
// CHECK-NEXT: tensix.sfpsetexp
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
// CHECK-NEXT: tensix.sfpstore
pto.func @exp_bf16(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.texp %t0 {precision = #pto.precision<bf16>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @log_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpexexp
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpnop
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpnop
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpnop
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpnop
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpnop
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpnop
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpnop
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @log(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tlog %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @sqrt_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c16 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
// CHECK-NEXT: tensix.sfpstore
pto.func @sqrt(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tsqrt %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @rsqrt_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c16 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
// CHECK-NEXT: tensix.sfpstore
pto.func @rsqrt(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trsqrt %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @recip_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c16 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpsetexp
// CHECK-NEXT: tensix.sfpsetexp
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpnot
// CHECK-NEXT: tensix.sfpnot
// CHECK-NEXT: tensix.sfpsetman
// CHECK-NEXT: tensix.sfpsetman
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
// CHECK-NEXT: tensix.sfpstore
pto.func @recip(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trecip %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @sigmoid_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c16 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpsetexp
// CHECK-NEXT: tensix.sfpsetexp
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpnot
// CHECK-NEXT: tensix.sfpnot
// CHECK-NEXT: tensix.sfpsetman
// CHECK-NEXT: tensix.sfpsetman
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
// CHECK-NEXT: tensix.sfpstore
pto.func @sigmoid(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tsigmoid %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @tanh_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c16 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpsetexp
// CHECK-NEXT: tensix.sfpsetexp
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpnot
// CHECK-NEXT: tensix.sfpnot
// CHECK-NEXT: tensix.sfpsetman
// CHECK-NEXT: tensix.sfpsetman
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
// CHECK-NEXT: tensix.sfpstore
pto.func @tanh(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.ttanh %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @erf_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c16 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
// CHECK-NEXT: tensix.sfpstore
pto.func @erf(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.terf %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @gelu_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: scf.for {{.*}} to %c16 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
// CHECK-NEXT: tensix.sfpstore
pto.func @gelu(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tgelu %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @silu_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c16 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpsetexp
// CHECK-NEXT: tensix.sfpsetexp
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpnot
// CHECK-NEXT: tensix.sfpnot
// CHECK-NEXT: tensix.sfpsetman
// CHECK-NEXT: tensix.sfpsetman
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpstore
// CHECK-NEXT: tensix.sfpstore
pto.func @silu(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tsilu %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @add_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c16 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpstore
// CHECK-NEXT: tensix.sfpstore
pto.func @add(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tadd %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @sub_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c16 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpstore
// CHECK-NEXT: tensix.sfpstore
pto.func @sub(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tsub %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @mul_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c16 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpstore
// CHECK-NEXT: tensix.sfpstore
pto.func @mul(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tmul %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @max_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfpstore
pto.func @max(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tmax %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @min_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfpstore
pto.func @min(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tmin %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @eq_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @eq(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.teq %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @ne_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpstore
pto.func @ne(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tne %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @gt_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @gt(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tgt %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @ge_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @ge(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tge %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @lt_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @lt(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tlt %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @le_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @le(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tle %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @land_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @land(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tland %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @lor_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpor
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @lor(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tlor %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @lxor_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpstore
pto.func @lxor(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tlxor %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @div_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c16 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpsetexp
// CHECK-NEXT: tensix.sfpsetexp
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpnot
// CHECK-NEXT: tensix.sfpnot
// CHECK-NEXT: tensix.sfpsetman
// CHECK-NEXT: tensix.sfpsetman
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpsetsgn
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
// CHECK-NEXT: tensix.sfpstore
pto.func @div(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tdiv %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @prelu_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmul
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @prelu(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tprelu %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @sel_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c16 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
// CHECK-NEXT: tensix.sfpstore
pto.func @sel(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %a2: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t2 = pto.tload %a2[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tsel %t0, %t1, %t2 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_neg_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpstore
pto.func @int_neg(%a0: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tneg %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_abs_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpabs
// CHECK-NEXT: tensix.sfpstore
pto.func @int_abs(%a0: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tabs %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_relu_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @int_relu(%a0: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.trelu %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_lnot_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @int_lnot(%a0: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tlnot %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_not_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpnot
// CHECK-NEXT: tensix.sfpstore
pto.func @int_not(%a0: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tnot %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_add_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpstore
pto.func @int_add(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tadd %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_sub_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpstore
pto.func @int_sub(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tsub %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_mul_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpand
// CHECK-NEXT: tensix.sfpcast
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpand
// CHECK-NEXT: tensix.sfpcast
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpexman
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpand
// CHECK-NEXT: tensix.sfpcast
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpand
// CHECK-NEXT: tensix.sfpcast
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpnop
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpexman
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpcast
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpcast
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpnop
// CHECK-NEXT: tensix.sfpexman
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpstore
pto.func @int_mul(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tmul %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_max_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @int_max(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tmax %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_min_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @int_min(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tmin %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_eq_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @int_eq(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.teq %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_ne_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @int_ne(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tne %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_gt_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @int_gt(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tgt %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_ge_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @int_ge(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tge %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_lt_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @int_lt(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tlt %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_le_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @int_le(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tle %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_land_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @int_land(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tland %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_lor_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpor
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @int_lor(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tlor %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_lxor_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpstore
pto.func @int_lxor(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tlxor %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_and_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpand
// CHECK-NEXT: tensix.sfpstore
pto.func @int_and(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tand %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_or_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpor
// CHECK-NEXT: tensix.sfpstore
pto.func @int_or(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tor %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_xor_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpxor
// CHECK-NEXT: tensix.sfpstore
pto.func @int_xor(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.txor %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_shl_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @int_shl(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tshl %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_shr_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @int_shr(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tshr %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_sel_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @int_sel(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %a2: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t2 = pto.tload %a2[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tsel %t0, %t1, %t2 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @to_int_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpexexp
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpexman
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpiadd
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpstore
pto.func @to_int(%a0: memref<32x32xf32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @to_float_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c16 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpand
// CHECK-NEXT: tensix.sfpand
// CHECK-NEXT: tensix.sfpcast
// CHECK-NEXT: tensix.sfpcast
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpshft
// CHECK-NEXT: tensix.sfpcast
// CHECK-NEXT: tensix.sfpcast
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpadd
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpsetcc
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpencc
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpmad
// CHECK-NEXT: tensix.sfpstore
// CHECK-NEXT: tensix.sfpstore
pto.func @to_float(%a0: memref<32x32xi32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tcvt %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @number_tensix
// CHECK: } pack {
// CHECK: tensix.sfpencc
// CHECK: tensix.push "setc16"
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfploadi
// CHECK-NEXT: tensix.sfpconfig
// CHECK-NEXT: scf.for {{.*}} to %c32 step
// CHECK-NEXT: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpswap
// CHECK-NEXT: tensix.sfpstore
pto.func @number(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %n = pto.tfill 0.1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>
  %r = pto.tmax %t0, %n {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @spread_row_tensix
// CHECK: } pack {
// CHECK-COUNT-3: tensix.sfpmov
// CHECK-NEXT: tensix.sfptransp
// CHECK-COUNT-8: tensix.sfpstore
// CHECK-NEXT: tensix.sfpload (dest_reg_addr 66,
// CHECK: scf.for
// CHECK: tensix.sfpadd
pto.func @spread_row(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tadd %t0, %t1 {broadcast = #pto.broadcast<row>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @spread_column_tensix
// CHECK: } pack {
// CHECK: tensix.sfpand (lreg_c 15, lreg_dest 6)
// CHECK-COUNT-7: tensix.sfpshft2
// CHECK: tensix.sfpor
// CHECK-COUNT-4: tensix.sfpstore
// CHECK: scf.for
// CHECK: tensix.sfpadd
pto.func @spread_column(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tadd %t0, %t1 {broadcast = #pto.broadcast<column>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @spread_scalar_tensix
// CHECK: } pack {
// CHECK: tensix.sfpand (lreg_c 15, lreg_dest 6)
// CHECK-COUNT-7: tensix.sfpshft2
// CHECK: tensix.sfptransp
// CHECK-COUNT-32: tensix.sfpstore
// CHECK: scf.for
// CHECK: tensix.sfpadd
pto.func @spread_scalar(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tadd %t0, %t1 {broadcast = #pto.broadcast<scalar>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @row_sum_tensix
// Half of Dst is one, in which the last tile is kept; the first tile is brought there, too.
// CHECK: } pack {
// CHECK: tensix.sfpshft2
// CHECK: tensix.sfpadd
// CHECK: tensix.sfpstore ({{.*}}dest_reg_addr 192
// CHECK: tensix.sfpload (dest_reg_addr 192, {{.*}}lreg_ind 4
// CHECK: } read {
pto.func @row_sum(%a: memref<32x70xf32>, %c: memref<32x1xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%0, %0] : memref<32x70xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trowsum %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
  %x = scf.for %i = %1 to %2 step %1 iter_args(%k = %r) -> (!pto.tile<tensor<32x32xf32>, vec, valid = 32x1>) {
    %u = pto.tload %a[%0, %i] : memref<32x70xf32> -> <tensor<32x32xf32>, vec>
    %s = pto.trowsum %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
    %b = pto.tadd %k, %s {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 32x1>, <tensor<32x32xf32>, vec, valid = 32x1> -> <tensor<32x32xf32>, vec, valid = 32x1>
    scf.yield %b : !pto.tile<tensor<32x32xf32>, vec, valid = 32x1>
  }
  %v = pto.tload %a[%0, %2] : memref<32x70xf32> -> <tensor<32x32xf32>, vec, valid = 32x6>
  %w = pto.trowsum %v {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 32x6> -> <tensor<32x32xf32>, vec, valid = 32x1>
  %y = pto.tadd %x, %w {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 32x1>, <tensor<32x32xf32>, vec, valid = 32x1> -> <tensor<32x32xf32>, vec, valid = 32x1>
  pto.tstore %y, %c[%0, %0] : <tensor<32x32xf32>, vec, valid = 32x1> -> memref<32x1xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @row_max_tensix
// CHECK: } pack {
// CHECK: tensix.sfpshft2
// CHECK: tensix.sfpswap
// CHECK: tensix.sfpstore ({{.*}}dest_reg_addr 192
// CHECK: tensix.sfpload (dest_reg_addr 192, {{.*}}lreg_ind 4
// CHECK: } read {
pto.func @row_max(%a: memref<32x70xf32>, %c: memref<32x1xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%0, %0] : memref<32x70xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trowmax %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
  %x = scf.for %i = %1 to %2 step %1 iter_args(%k = %r) -> (!pto.tile<tensor<32x32xf32>, vec, valid = 32x1>) {
    %u = pto.tload %a[%0, %i] : memref<32x70xf32> -> <tensor<32x32xf32>, vec>
    %s = pto.trowmax %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
    %b = pto.tmax %k, %s {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 32x1>, <tensor<32x32xf32>, vec, valid = 32x1> -> <tensor<32x32xf32>, vec, valid = 32x1>
    scf.yield %b : !pto.tile<tensor<32x32xf32>, vec, valid = 32x1>
  }
  %v = pto.tload %a[%0, %2] : memref<32x70xf32> -> <tensor<32x32xf32>, vec, valid = 32x6>
  %w = pto.trowmax %v {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 32x6> -> <tensor<32x32xf32>, vec, valid = 32x1>
  %y = pto.tmax %x, %w {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 32x1>, <tensor<32x32xf32>, vec, valid = 32x1> -> <tensor<32x32xf32>, vec, valid = 32x1>
  pto.tstore %y, %c[%0, %0] : <tensor<32x32xf32>, vec, valid = 32x1> -> memref<32x1xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @row_min_tensix
// CHECK: } pack {
// CHECK: tensix.sfpshft2
// CHECK: tensix.sfpswap
// CHECK: tensix.sfpstore ({{.*}}dest_reg_addr 192
// CHECK: tensix.sfpload (dest_reg_addr 192, {{.*}}lreg_ind 4
// CHECK: } read {
pto.func @row_min(%a: memref<32x70xf32>, %c: memref<32x1xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%0, %0] : memref<32x70xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trowmin %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
  %x = scf.for %i = %1 to %2 step %1 iter_args(%k = %r) -> (!pto.tile<tensor<32x32xf32>, vec, valid = 32x1>) {
    %u = pto.tload %a[%0, %i] : memref<32x70xf32> -> <tensor<32x32xf32>, vec>
    %s = pto.trowmin %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
    %b = pto.tmin %k, %s {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 32x1>, <tensor<32x32xf32>, vec, valid = 32x1> -> <tensor<32x32xf32>, vec, valid = 32x1>
    scf.yield %b : !pto.tile<tensor<32x32xf32>, vec, valid = 32x1>
  }
  %v = pto.tload %a[%0, %2] : memref<32x70xf32> -> <tensor<32x32xf32>, vec, valid = 32x6>
  %w = pto.trowmin %v {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 32x6> -> <tensor<32x32xf32>, vec, valid = 32x1>
  %y = pto.tmin %x, %w {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 32x1>, <tensor<32x32xf32>, vec, valid = 32x1> -> <tensor<32x32xf32>, vec, valid = 32x1>
  pto.tstore %y, %c[%0, %0] : <tensor<32x32xf32>, vec, valid = 32x1> -> memref<32x1xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_row_sum_tensix
// CHECK: } pack {
// CHECK: tensix.sfpshft2
// CHECK: tensix.sfpiadd (instr_mod1 4
// CHECK: tensix.sfpstore ({{.*}}dest_reg_addr 192
// CHECK: tensix.sfpload (dest_reg_addr 192, {{.*}}lreg_ind 4
// CHECK: } read {
pto.func @int_row_sum(%a: memref<32x70xi32>, %c: memref<32x1xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%0, %0] : memref<32x70xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.trowsum %t {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec, valid = 32x1>
  %x = scf.for %i = %1 to %2 step %1 iter_args(%k = %r) -> (!pto.tile<tensor<32x32xi32>, vec, valid = 32x1>) {
    %u = pto.tload %a[%0, %i] : memref<32x70xi32> -> <tensor<32x32xi32>, vec>
    %s = pto.trowsum %u {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec, valid = 32x1>
    %b = pto.tadd %k, %s {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec, valid = 32x1>, <tensor<32x32xi32>, vec, valid = 32x1> -> <tensor<32x32xi32>, vec, valid = 32x1>
    scf.yield %b : !pto.tile<tensor<32x32xi32>, vec, valid = 32x1>
  }
  %v = pto.tload %a[%0, %2] : memref<32x70xi32> -> <tensor<32x32xi32>, vec, valid = 32x6>
  %w = pto.trowsum %v {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec, valid = 32x6> -> <tensor<32x32xi32>, vec, valid = 32x1>
  %y = pto.tadd %x, %w {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec, valid = 32x1>, <tensor<32x32xi32>, vec, valid = 32x1> -> <tensor<32x32xi32>, vec, valid = 32x1>
  pto.tstore %y, %c[%0, %0] : <tensor<32x32xi32>, vec, valid = 32x1> -> memref<32x1xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_row_max_tensix
// CHECK: } pack {
// CHECK: tensix.sfpshft2
// CHECK: tensix.sfpswap
// CHECK: tensix.sfpstore ({{.*}}dest_reg_addr 192
// CHECK: tensix.sfpload (dest_reg_addr 192, {{.*}}lreg_ind 4
// CHECK: } read {
pto.func @int_row_max(%a: memref<32x70xi32>, %c: memref<32x1xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%0, %0] : memref<32x70xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.trowmax %t {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec, valid = 32x1>
  %x = scf.for %i = %1 to %2 step %1 iter_args(%k = %r) -> (!pto.tile<tensor<32x32xi32>, vec, valid = 32x1>) {
    %u = pto.tload %a[%0, %i] : memref<32x70xi32> -> <tensor<32x32xi32>, vec>
    %s = pto.trowmax %u {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec, valid = 32x1>
    %b = pto.tmax %k, %s {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec, valid = 32x1>, <tensor<32x32xi32>, vec, valid = 32x1> -> <tensor<32x32xi32>, vec, valid = 32x1>
    scf.yield %b : !pto.tile<tensor<32x32xi32>, vec, valid = 32x1>
  }
  %v = pto.tload %a[%0, %2] : memref<32x70xi32> -> <tensor<32x32xi32>, vec, valid = 32x6>
  %w = pto.trowmax %v {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec, valid = 32x6> -> <tensor<32x32xi32>, vec, valid = 32x1>
  %y = pto.tmax %x, %w {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec, valid = 32x1>, <tensor<32x32xi32>, vec, valid = 32x1> -> <tensor<32x32xi32>, vec, valid = 32x1>
  pto.tstore %y, %c[%0, %0] : <tensor<32x32xi32>, vec, valid = 32x1> -> memref<32x1xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @col_sum_tensix
// Half of Dst is one, in which the last tile is kept; the first tile is brought there, too.
// CHECK: } pack {
// CHECK: tensix.sfptransp
// CHECK: tensix.sfpadd
// CHECK: tensix.sfpstore ({{.*}}dest_reg_addr 192
// CHECK: tensix.sfpload (dest_reg_addr 192, {{.*}}lreg_ind 4
// CHECK: } read {
pto.func @col_sum(%a: memref<70x32xf32>, %c: memref<1x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%0, %0] : memref<70x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tcolsum %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 1x32>
  %x = scf.for %i = %1 to %2 step %1 iter_args(%k = %r) -> (!pto.tile<tensor<32x32xf32>, vec, valid = 1x32>) {
    %u = pto.tload %a[%i, %0] : memref<70x32xf32> -> <tensor<32x32xf32>, vec>
    %s = pto.tcolsum %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 1x32>
    %b = pto.tadd %k, %s {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 1x32>, <tensor<32x32xf32>, vec, valid = 1x32> -> <tensor<32x32xf32>, vec, valid = 1x32>
    scf.yield %b : !pto.tile<tensor<32x32xf32>, vec, valid = 1x32>
  }
  %v = pto.tload %a[%2, %0] : memref<70x32xf32> -> <tensor<32x32xf32>, vec, valid = 6x32>
  %w = pto.tcolsum %v {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 6x32> -> <tensor<32x32xf32>, vec, valid = 1x32>
  %y = pto.tadd %x, %w {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 1x32>, <tensor<32x32xf32>, vec, valid = 1x32> -> <tensor<32x32xf32>, vec, valid = 1x32>
  pto.tstore %y, %c[%0, %0] : <tensor<32x32xf32>, vec, valid = 1x32> -> memref<1x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @col_max_tensix
// CHECK: } pack {
// CHECK: tensix.sfptransp
// CHECK: tensix.sfpswap
// CHECK: tensix.sfpstore ({{.*}}dest_reg_addr 192
// CHECK: tensix.sfpload (dest_reg_addr 192, {{.*}}lreg_ind 4
// CHECK: } read {
pto.func @col_max(%a: memref<70x32xf32>, %c: memref<1x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%0, %0] : memref<70x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tcolmax %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 1x32>
  %x = scf.for %i = %1 to %2 step %1 iter_args(%k = %r) -> (!pto.tile<tensor<32x32xf32>, vec, valid = 1x32>) {
    %u = pto.tload %a[%i, %0] : memref<70x32xf32> -> <tensor<32x32xf32>, vec>
    %s = pto.tcolmax %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 1x32>
    %b = pto.tmax %k, %s {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 1x32>, <tensor<32x32xf32>, vec, valid = 1x32> -> <tensor<32x32xf32>, vec, valid = 1x32>
    scf.yield %b : !pto.tile<tensor<32x32xf32>, vec, valid = 1x32>
  }
  %v = pto.tload %a[%2, %0] : memref<70x32xf32> -> <tensor<32x32xf32>, vec, valid = 6x32>
  %w = pto.tcolmax %v {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 6x32> -> <tensor<32x32xf32>, vec, valid = 1x32>
  %y = pto.tmax %x, %w {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 1x32>, <tensor<32x32xf32>, vec, valid = 1x32> -> <tensor<32x32xf32>, vec, valid = 1x32>
  pto.tstore %y, %c[%0, %0] : <tensor<32x32xf32>, vec, valid = 1x32> -> memref<1x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @col_min_tensix
// CHECK: } pack {
// CHECK: tensix.sfptransp
// CHECK: tensix.sfpswap
// CHECK: tensix.sfpstore ({{.*}}dest_reg_addr 192
// CHECK: tensix.sfpload (dest_reg_addr 192, {{.*}}lreg_ind 4
// CHECK: } read {
pto.func @col_min(%a: memref<70x32xf32>, %c: memref<1x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%0, %0] : memref<70x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tcolmin %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 1x32>
  %x = scf.for %i = %1 to %2 step %1 iter_args(%k = %r) -> (!pto.tile<tensor<32x32xf32>, vec, valid = 1x32>) {
    %u = pto.tload %a[%i, %0] : memref<70x32xf32> -> <tensor<32x32xf32>, vec>
    %s = pto.tcolmin %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 1x32>
    %b = pto.tmin %k, %s {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 1x32>, <tensor<32x32xf32>, vec, valid = 1x32> -> <tensor<32x32xf32>, vec, valid = 1x32>
    scf.yield %b : !pto.tile<tensor<32x32xf32>, vec, valid = 1x32>
  }
  %v = pto.tload %a[%2, %0] : memref<70x32xf32> -> <tensor<32x32xf32>, vec, valid = 6x32>
  %w = pto.tcolmin %v {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 6x32> -> <tensor<32x32xf32>, vec, valid = 1x32>
  %y = pto.tmin %x, %w {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 1x32>, <tensor<32x32xf32>, vec, valid = 1x32> -> <tensor<32x32xf32>, vec, valid = 1x32>
  pto.tstore %y, %c[%0, %0] : <tensor<32x32xf32>, vec, valid = 1x32> -> memref<1x32xf32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_col_sum_tensix
// CHECK: } pack {
// CHECK: tensix.sfptransp
// CHECK: tensix.sfpiadd (instr_mod1 4
// CHECK: tensix.sfpstore ({{.*}}dest_reg_addr 192
// CHECK: tensix.sfpload (dest_reg_addr 192, {{.*}}lreg_ind 4
// CHECK: } read {
pto.func @int_col_sum(%a: memref<70x32xi32>, %c: memref<1x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%0, %0] : memref<70x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tcolsum %t {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec, valid = 1x32>
  %x = scf.for %i = %1 to %2 step %1 iter_args(%k = %r) -> (!pto.tile<tensor<32x32xi32>, vec, valid = 1x32>) {
    %u = pto.tload %a[%i, %0] : memref<70x32xi32> -> <tensor<32x32xi32>, vec>
    %s = pto.tcolsum %u {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec, valid = 1x32>
    %b = pto.tadd %k, %s {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec, valid = 1x32>, <tensor<32x32xi32>, vec, valid = 1x32> -> <tensor<32x32xi32>, vec, valid = 1x32>
    scf.yield %b : !pto.tile<tensor<32x32xi32>, vec, valid = 1x32>
  }
  %v = pto.tload %a[%2, %0] : memref<70x32xi32> -> <tensor<32x32xi32>, vec, valid = 6x32>
  %w = pto.tcolsum %v {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec, valid = 6x32> -> <tensor<32x32xi32>, vec, valid = 1x32>
  %y = pto.tadd %x, %w {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec, valid = 1x32>, <tensor<32x32xi32>, vec, valid = 1x32> -> <tensor<32x32xi32>, vec, valid = 1x32>
  pto.tstore %y, %c[%0, %0] : <tensor<32x32xi32>, vec, valid = 1x32> -> memref<1x32xi32>
  pto.return
}

// CHECK-LABEL: tensix.program @int_col_max_tensix
// CHECK: } pack {
// CHECK: tensix.sfptransp
// CHECK: tensix.sfpswap
// CHECK: tensix.sfpstore ({{.*}}dest_reg_addr 192
// CHECK: tensix.sfpload (dest_reg_addr 192, {{.*}}lreg_ind 4
// CHECK: } read {
pto.func @int_col_max(%a: memref<70x32xi32>, %c: memref<1x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%0, %0] : memref<70x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tcolmax %t {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec, valid = 1x32>
  %x = scf.for %i = %1 to %2 step %1 iter_args(%k = %r) -> (!pto.tile<tensor<32x32xi32>, vec, valid = 1x32>) {
    %u = pto.tload %a[%i, %0] : memref<70x32xi32> -> <tensor<32x32xi32>, vec>
    %s = pto.tcolmax %u {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec, valid = 1x32>
    %b = pto.tmax %k, %s {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec, valid = 1x32>, <tensor<32x32xi32>, vec, valid = 1x32> -> <tensor<32x32xi32>, vec, valid = 1x32>
    scf.yield %b : !pto.tile<tensor<32x32xi32>, vec, valid = 1x32>
  }
  %v = pto.tload %a[%2, %0] : memref<70x32xi32> -> <tensor<32x32xi32>, vec, valid = 6x32>
  %w = pto.tcolmax %v {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec, valid = 6x32> -> <tensor<32x32xi32>, vec, valid = 1x32>
  %y = pto.tmax %x, %w {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec, valid = 1x32>, <tensor<32x32xi32>, vec, valid = 1x32> -> <tensor<32x32xi32>, vec, valid = 1x32>
  pto.tstore %y, %c[%0, %0] : <tensor<32x32xi32>, vec, valid = 1x32> -> memref<1x32xi32>
  pto.return
}

// The matrix unit transposes elements of 32 bits in two parts; the lower parts wait in SrcA.

// CHECK-LABEL: tensix.program @transposed_tensix
// CHECK: } math {
// CHECK: tensix.rmwcib0  (cfg_reg_addr 2, data 1, mask 1)
// CHECK: tensix.movd2b  (dest_32b_lo 1, instr_mod 2, src 16)
// CHECK: tensix.trnspsrcb
// CHECK-NEXT: tensix.movb2a  (instr_mod 2, srcb 16)
// CHECK: tensix.movd2b  (instr_mod 2, src 16)
// CHECK: tensix.trnspsrcb
// CHECK-NEXT: tensix.movb2d  (instr_mod 4, src 16)
// CHECK: tensix.mova2d  (dest_32b_lo 1, instr_mod 2)
// CHECK: tensix.rmwcib0  (cfg_reg_addr 2, mask 1)
// CHECK: } pack {
// CHECK: tensix.sfpload
// CHECK-NEXT: tensix.sfpmov
// CHECK-NEXT: tensix.sfpstore
pto.func @transposed(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t = pto.ttrans %t0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %r = pto.tneg %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// Elements of bf16 have no lower part.

// CHECK-LABEL: tensix.program @narrow_tensix
// CHECK: } math {
// CHECK: tensix.elwadd
// CHECK-NOT: dest_32b_lo
// CHECK-COUNT-4: tensix.trnspsrcb
// CHECK-NOT: tensix.trnspsrcb
// CHECK: } pack {
pto.func @narrow(%a0: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, vec>
  %w = pto.tcvt %t0 {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, vec> -> <tensor<32x32xf32>, vec>
  %t = pto.ttrans %w {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %t {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<32x32xbf16>
  pto.return
}
