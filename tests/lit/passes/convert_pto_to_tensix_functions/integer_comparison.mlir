// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse %s \
// RUN:   | awk -f %S/Inputs/function.awk > %output

// Comparisons of integers: 1 or 0.

pto.func @int_eq(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.teq %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_eq:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpxor  (lreg_dest 1)
//         tensix.sfpmov  (lreg_c 9)
//         tensix.sfpsetcc  (instr_mod1 6, lreg_c 1)
//         tensix.sfploadi  (imm16 1, instr_mod0 2)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_ne(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tne %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_ne:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpxor  (lreg_dest 1)
//         tensix.sfpmov  (lreg_c 9)
//         tensix.sfpsetcc  (instr_mod1 2, lreg_c 1)
//         tensix.sfploadi  (imm16 1, instr_mod0 2)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_gt(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tgt %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_gt:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 1, lreg_dest 2)
//         tensix.sfpxor  (lreg_c 1)
//         tensix.sfpsetcc
//         tensix.sfpmov  (lreg_c 1, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpmov  (lreg_c 9, lreg_dest 1)
//         tensix.sfpsetcc  (lreg_c 2)
//         tensix.sfploadi  (imm16 1, instr_mod0 2, lreg_ind 1)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_ge(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tge %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_ge:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_dest 2)
//         tensix.sfpxor  (lreg_dest 1)
//         tensix.sfpsetcc  (lreg_c 1)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpmov  (lreg_c 9)
//         tensix.sfpsetcc  (instr_mod1 4, lreg_c 2)
//         tensix.sfploadi  (imm16 1, instr_mod0 2)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_lt(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tlt %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_lt:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_dest 2)
//         tensix.sfpxor  (lreg_dest 1)
//         tensix.sfpsetcc  (lreg_c 1)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpmov  (lreg_c 9)
//         tensix.sfpsetcc  (lreg_c 2)
//         tensix.sfploadi  (imm16 1, instr_mod0 2)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_le(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tle %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_le:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 1, lreg_dest 2)
//         tensix.sfpxor  (lreg_c 1)
//         tensix.sfpsetcc
//         tensix.sfpmov  (lreg_c 1, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpmov  (lreg_c 9, lreg_dest 1)
//         tensix.sfpsetcc  (instr_mod1 4, lreg_c 2)
//         tensix.sfploadi  (imm16 1, instr_mod0 2, lreg_ind 1)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)
