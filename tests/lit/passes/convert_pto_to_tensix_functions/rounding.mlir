// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse %s \
// RUN:   | awk -f %S/Inputs/function.awk > %output

// Rounding to integers, and remainders.

pto.func @floor(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tfloor %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @floor:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2)
//       tensix.sfploadi  (imm16 19199, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 19200)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 51968)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 49024)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 1)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 12)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 13)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 3)
//         tensix.sfpsetsgn  (lreg_c 1, lreg_dest 2)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 2, lreg_dest 1)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_c 1)
//         tensix.sfpadd  (lreg_dest 4, lreg_src_a 10, lreg_src_b 2, lreg_src_c 14)
//         tensix.sfpsetcc  (lreg_c 1)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 3)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 2, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @ceil(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tceil %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @ceil:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2)
//       tensix.sfploadi  (imm16 19199, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 19200)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 51968)
//       tensix.sfpconfig  (config_dest 13)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 1)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 12)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 13)
//         tensix.sfpmov  (instr_mod1 1, lreg_dest 3)
//         tensix.sfpsetsgn  (lreg_c 1, lreg_dest 2)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 2, lreg_src_c 3)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 2, lreg_src_c 10)
//         tensix.sfpsetcc  (lreg_c 3)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpmov  (lreg_dest 1)
//         tensix.sfpsetsgn  (lreg_c 2, lreg_dest 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 2)
//         tensix.sfpmov  (lreg_dest 1)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @trunc(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.ttrunc %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @trunc:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2)
//       tensix.sfploadi  (imm16 19199, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 19200)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 51968)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 49024)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 1)
//         tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 1, lreg_src_c 12)
//         tensix.sfpmov  (lreg_dest 3)
//         tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 13)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 4)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 2, lreg_dest 5)
//         tensix.sfpadd  (lreg_dest 5, lreg_src_a 10, lreg_src_b 1, lreg_src_c 5)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 2, lreg_src_c 14)
//         tensix.sfpsetcc  (lreg_c 5)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpsetsgn  (lreg_c 2, lreg_dest 3)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 4)
//         tensix.sfpmov  (lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 3, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @round(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tround %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @round:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2)
//       tensix.sfploadi  (imm16 19199, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 19200)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 51968)
//       tensix.sfpconfig  (config_dest 13)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 1)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 12)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 13)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 3)
//         tensix.sfpsetsgn  (lreg_c 1, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 3)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 2, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @frac(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tfrac %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @frac:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2)
//       tensix.sfploadi  (imm16 19199, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 19200)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 51968)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 49024)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 2)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 3)
//         tensix.sfpadd  (lreg_dest 4, lreg_src_a 10, lreg_src_b 2, lreg_src_c 12)
//         tensix.sfpadd  (lreg_dest 5, lreg_src_a 10, lreg_src_b 3, lreg_src_c 12)
//         tensix.sfpadd  (lreg_dest 4, lreg_src_a 10, lreg_src_b 4, lreg_src_c 13)
//         tensix.sfpadd  (lreg_dest 5, lreg_src_a 10, lreg_src_b 5, lreg_src_c 13)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 4, lreg_dest 6)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 5, lreg_dest 7)
//         tensix.sfpadd  (lreg_dest 6, lreg_src_a 10, lreg_src_b 2, lreg_src_c 6)
//         tensix.sfpadd  (lreg_dest 7, lreg_src_a 10, lreg_src_b 3, lreg_src_c 7)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 4, lreg_src_c 14)
//         tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 5, lreg_src_c 14)
//         tensix.sfpsetcc  (lreg_c 6)
//         tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//         tensix.sfpencc
//         tensix.sfpsetcc  (lreg_c 7)
//         tensix.sfpmov  (lreg_c 2, lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 7)
//         tensix.sfpsetsgn  (lreg_c 4, lreg_dest 2)
//         tensix.sfpsetsgn  (lreg_c 5, lreg_dest 7)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 5)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 5)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 4)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 7)
//         tensix.sfpencc
//         tensix.sfpmov  (instr_mod1 1, lreg_c 2, lreg_dest 2)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 7, lreg_dest 7)
//         tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_c 2)
//         tensix.sfpadd  (lreg_dest 7, lreg_src_a 10, lreg_src_b 1, lreg_src_c 7)
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 2)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 7, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @rem(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trem %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @rem:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 32437, instr_mod0 2)
//       tensix.sfploadi  (imm16 48421, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 11916, instr_mod0 2)
//       tensix.sfploadi  (imm16 16058, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 49648, instr_mod0 2)
//       tensix.sfploadi  (imm16 49031, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 61440, instr_mod0 4)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3)
//         tensix.sfpnot  (lreg_dest 1)
//         tensix.sfpsetman  (instr_mod1 1, lreg_c 1, lreg_dest 1)
//         tensix.sfpload  (instr_mod0 3, lreg_ind 2)
//         tensix.sfpmul  (lreg_dest 1, lreg_src_a 2, lreg_src_b 1, lreg_src_c 9)
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 1)
//         tensix.sfpsetsgn  (instr_mod1 1)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 11, lreg_src_c 12)
//         tensix.sfploadi  (imm16 20672, lreg_ind 3)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_c 13)
//         tensix.sfploadi  (imm16 53440, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_b 2, lreg_src_c 10)
//         tensix.sfpmov  (instr_mod1 1, lreg_dest 6)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 5, lreg_src_b 2, lreg_src_c 2)
//         tensix.sfpmov  (lreg_c 6, lreg_dest 5)
//         tensix.sfpmad  (lreg_src_b 2, lreg_src_c 10)
//         tensix.sfpand  (lreg_c 14, lreg_dest 5)
//         tensix.sfpmad
//         tensix.sfpmov  (instr_mod1 1, lreg_c 5, lreg_dest 7)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_b 2, lreg_src_c 2)
//         tensix.sfpadd  (lreg_dest 7, lreg_src_a 10, lreg_src_b 6, lreg_src_c 7)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 2, lreg_dest 2)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 1, lreg_src_b 2, lreg_src_c 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 2)
//         tensix.sfpadd  (lreg_dest 4, lreg_src_a 10, lreg_src_b 3, lreg_src_c 4)
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1, lreg_c 2, lreg_dest 2)
//         tensix.sfpmad  (lreg_dest 1, lreg_src_a 4, lreg_src_b 5, lreg_src_c 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 2, lreg_dest 2)
//         tensix.sfpmad  (lreg_dest 1, lreg_src_a 4, lreg_src_b 7, lreg_src_c 1)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 11, lreg_src_b 2, lreg_src_c 12)
//         tensix.sfploadi  (imm16 19264, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 7, lreg_src_b 2, lreg_src_c 13)
//         tensix.sfploadi  (imm16 52032, lreg_ind 5)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 2, lreg_src_b 7, lreg_src_c 10)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 2, lreg_dest 6)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 3, lreg_src_b 7, lreg_src_c 7)
//         tensix.sfpmov  (lreg_c 6, lreg_dest 3)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_b 7, lreg_src_c 10)
//         tensix.sfpand  (lreg_c 14, lreg_dest 3)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_b 2, lreg_src_c 2)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 3)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 2, lreg_src_b 7, lreg_src_c 7)
//         tensix.sfpadd  (lreg_src_a 10, lreg_src_b 6)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 7, lreg_dest 7)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 1, lreg_src_b 7, lreg_src_c 4)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 7)
//         tensix.sfpadd  (lreg_dest 5, lreg_src_a 10, lreg_src_b 4, lreg_src_c 5)
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1, lreg_c 7, lreg_dest 7)
//         tensix.sfpmad  (lreg_dest 1, lreg_src_a 5, lreg_src_b 3, lreg_src_c 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 7, lreg_dest 7)
//         tensix.sfpmad  (lreg_dest 1, lreg_src_a 5, lreg_src_c 1)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3)
//         tensix.sfpadd  (lreg_dest 7, lreg_src_a 10, lreg_src_b 1, lreg_src_c 7)
//         tensix.sfpsetcc  (lreg_c 1)
//         tensix.sfpmov  (lreg_c 7, lreg_dest 1)
//         tensix.sfpencc
//         tensix.sfpsetman  (instr_mod1 1)
//         tensix.sfploadi  (imm16 128, lreg_ind 7)
//         tensix.sfpiadd  (instr_mod1 6, lreg_dest 7)
//         tensix.sfpmul  (lreg_dest 7, lreg_src_a 1, lreg_src_b 7, lreg_src_c 9)
//         tensix.sfpload  (instr_mod0 3, lreg_ind 1)
//         tensix.sfpmov  (lreg_c 1)
//         tensix.sfpsetsgn  (lreg_c 7)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 7)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 5)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 5, lreg_dest 3)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 7, lreg_dest 3)
//         tensix.sfpmov  (lreg_c 1)
//         tensix.sfpencc
//         tensix.sfpnot  (lreg_c 5, lreg_dest 5)
//         tensix.sfpsetman  (instr_mod1 1, lreg_c 5, lreg_dest 5)
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 1, lreg_src_b 5, lreg_src_c 9)
//         tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 1)
//         tensix.sfploadi  (imm16 19199, instr_mod0 8, lreg_ind 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 5, lreg_dest 5)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 1, lreg_dest 5)
//         tensix.sfploadi  (imm16 32704)
//         tensix.sfpencc
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 5)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 5, lreg_dest 1)
//         tensix.sfploadi  (imm16 32640, lreg_ind 3)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 3, lreg_dest 1)
//         tensix.sfpmov  (lreg_c 5)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)
