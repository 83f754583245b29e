// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse %s \
// RUN:   | awk -f %S/Inputs/function.awk > %output

// Logical functions of integers, bitwise functions and shifts.

pto.func @int_lnot(%a0: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tlnot %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_lnot:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpmov  (lreg_c 9, lreg_dest 1)
//         tensix.sfpsetcc  (instr_mod1 6)
//         tensix.sfploadi  (imm16 1, instr_mod0 2, lreg_ind 1)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_land(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tland %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_land:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpmov  (lreg_c 9, lreg_dest 2)
//         tensix.sfpsetcc  (instr_mod1 2)
//         tensix.sfpsetcc  (instr_mod1 2, lreg_c 1)
//         tensix.sfploadi  (imm16 1, instr_mod0 2, lreg_ind 2)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 2, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_lor(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tlor %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_lor:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpor  (lreg_dest 1)
//         tensix.sfpmov  (lreg_c 9)
//         tensix.sfpsetcc  (instr_mod1 2, lreg_c 1)
//         tensix.sfploadi  (imm16 1, instr_mod0 2)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_lxor(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tlxor %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_lxor:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpmov  (lreg_c 9, lreg_dest 2)
//         tensix.sfpsetcc  (instr_mod1 2)
//         tensix.sfploadi  (imm16 1, instr_mod0 2, lreg_ind 2)
//         tensix.sfpencc
//         tensix.sfpmov  (lreg_c 9)
//         tensix.sfpsetcc  (instr_mod1 2, lreg_c 1)
//         tensix.sfploadi  (imm16 1, instr_mod0 2)
//         tensix.sfpencc
//         tensix.sfpxor  (lreg_c 2)
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

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
// OUTPUT @int_sel:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpload  (dest_reg_addr 128, instr_mod0 3, lreg_ind 2)
//         tensix.sfpsetcc  (instr_mod1 2)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 2, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_not(%a0: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tnot %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_not:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpnot
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_and(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tand %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_and:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpand  (lreg_dest 1)
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_or(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tor %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_or:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpor  (lreg_dest 1)
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_xor(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.txor %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_xor:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpxor  (lreg_dest 1)
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_shl(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tshl %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_shl:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpshft  (lreg_c 1)
//         tensix.sfpshft  (imm12_math 4091, instr_mod1 1, lreg_dest 1)
//         tensix.sfpsetcc  (instr_mod1 2, lreg_c 1)
//         tensix.sfpmov  (lreg_c 9)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_shr(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tshr %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_shr:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 9, lreg_dest 2)
//         tensix.sfpshft  (lreg_c 2)
//         tensix.sfpshft  (imm12_math 4091, instr_mod1 1, lreg_dest 1)
//         tensix.sfpsetcc  (instr_mod1 2, lreg_c 1)
//         tensix.sfpmov  (lreg_c 9)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_ashr(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tashr %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_ashr:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpmov  (lreg_c 9, lreg_dest 2)
//         tensix.sfpsetcc
//         tensix.sfploadi  (imm16 65535, instr_mod0 4, lreg_ind 2)
//         tensix.sfpencc
//         tensix.sfpxor  (lreg_c 2)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 9, lreg_dest 3)
//         tensix.sfpshft  (lreg_c 3)
//         tensix.sfpshft  (imm12_math 4091, instr_mod1 1, lreg_dest 1)
//         tensix.sfpsetcc  (instr_mod1 2, lreg_c 1)
//         tensix.sfpmov  (lreg_c 9)
//         tensix.sfpencc
//         tensix.sfpxor  (lreg_c 2)
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)
