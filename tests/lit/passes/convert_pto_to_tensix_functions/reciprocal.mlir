// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse %s \
// RUN:   | awk -f %S/Inputs/function.awk > %output

// Reciprocals and quotients.
// Functions of bf16 tensors have shorter code, also if the tile is f32.

pto.func @recip(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trecip %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @recip:
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
//       tensix.sfploadi  (imm16 32640)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1, lreg_dest 2)
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1, lreg_c 1, lreg_dest 3)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 2, lreg_dest 2)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 3, lreg_dest 3)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 11, lreg_src_b 2, lreg_src_c 12)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 11, lreg_src_b 3, lreg_src_c 12)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 4, lreg_src_b 2, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 5, lreg_src_b 3, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 2, lreg_src_b 4, lreg_src_c 10)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 3, lreg_src_b 5, lreg_src_c 10)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 6, lreg_src_b 4, lreg_src_c 4)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 7, lreg_src_b 5, lreg_src_c 5)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_b 4, lreg_src_c 10)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 3, lreg_src_b 5, lreg_src_c 10)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_b 2, lreg_src_c 2)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 3, lreg_src_b 3, lreg_src_c 3)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 2, lreg_src_b 4, lreg_src_c 4)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 3, lreg_src_b 5, lreg_src_c 5)
//         tensix.sfpnot  (lreg_dest 3)
//         tensix.sfpnot  (lreg_c 1, lreg_dest 2)
//         tensix.sfpsetman  (instr_mod1 1, lreg_c 3, lreg_dest 3)
//         tensix.sfpsetman  (instr_mod1 1, lreg_c 2, lreg_dest 2)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 4, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 2, lreg_src_a 5, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 5)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 14, lreg_dest 5)
//         tensix.sfpmov  (lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 14, lreg_dest 4)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 3)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 2, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @recip_bf16(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trecip %t0 {precision = #pto.precision<bf16>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @recip_bf16:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 9806, instr_mod0 2)
//       tensix.sfploadi  (imm16 15857, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 56506, instr_mod0 2)
//       tensix.sfploadi  (imm16 48948, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 7256, instr_mod0 2)
//       tensix.sfploadi  (imm16 16384, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 32640)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 2)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 3)
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1, lreg_c 2, lreg_dest 4)
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1, lreg_c 3, lreg_dest 5)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 11, lreg_src_b 4, lreg_src_c 12)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 11, lreg_src_b 5, lreg_src_c 12)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 4, lreg_src_b 6, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 5, lreg_src_b 7, lreg_src_c 13)
//         tensix.sfpmul  (lreg_dest 6, lreg_src_a 4, lreg_src_b 6, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 7, lreg_src_a 5, lreg_src_b 7, lreg_src_c 9)
//         tensix.sfpnot  (lreg_dest 5)
//         tensix.sfpnot  (lreg_c 1, lreg_dest 4)
//         tensix.sfpsetman  (instr_mod1 1, lreg_c 5, lreg_dest 5)
//         tensix.sfpsetman  (instr_mod1 1, lreg_c 4, lreg_dest 4)
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 6, lreg_src_b 5, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 7, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 14, lreg_dest 2)
//         tensix.sfpmov  (lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 14, lreg_dest 3)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 4)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 5)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 4, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @div(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tdiv %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @div:
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
//       tensix.sfploadi  (imm16 32640)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 66, instr_mod0 3, lreg_ind 1)
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1)
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1, lreg_c 1, lreg_dest 1)
//         tensix.sfpsetsgn  (instr_mod1 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 1)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 11, lreg_src_c 12)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 11, lreg_src_b 1, lreg_src_c 12)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 3, lreg_src_b 1, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_b 2, lreg_src_c 10)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 1, lreg_src_b 3, lreg_src_c 10)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 4, lreg_src_b 2, lreg_src_c 2)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 5, lreg_src_b 3, lreg_src_c 3)
//         tensix.sfpmad  (lreg_src_b 2, lreg_src_c 10)
//         tensix.sfpmad  (lreg_dest 1, lreg_src_a 1, lreg_src_b 3, lreg_src_c 10)
//         tensix.sfpmad
//         tensix.sfpmad  (lreg_dest 1, lreg_src_a 1, lreg_src_b 1, lreg_src_c 1)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_b 2, lreg_src_c 2)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 1, lreg_src_b 3, lreg_src_c 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpload  (dest_reg_addr 66, instr_mod0 3)
//         tensix.sfpnot  (lreg_c 1, lreg_dest 5)
//         tensix.sfpnot  (lreg_dest 4)
//         tensix.sfpsetman  (instr_mod1 1, lreg_c 5, lreg_dest 5)
//         tensix.sfpsetman  (instr_mod1 1, lreg_c 4, lreg_dest 4)
//         tensix.sfpload  (instr_mod0 3, lreg_ind 6)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 7)
//         tensix.sfpmul  (lreg_dest 6, lreg_src_a 2, lreg_src_b 6, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 7, lreg_src_a 3, lreg_src_b 7, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 6, lreg_src_b 5, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 7, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 7)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 14, lreg_dest 7)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 14, lreg_dest 6)
//         tensix.sfpmov  (lreg_dest 4)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 5)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 4, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @div_bf16(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tdiv %t0, %t1 {precision = #pto.precision<bf16>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @div_bf16:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 9806, instr_mod0 2)
//       tensix.sfploadi  (imm16 15857, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 56506, instr_mod0 2)
//       tensix.sfploadi  (imm16 48948, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 7256, instr_mod0 2)
//       tensix.sfploadi  (imm16 16384, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 32640)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 66, instr_mod0 3, lreg_ind 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 2)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 3)
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1, lreg_c 2, lreg_dest 4)
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1, lreg_c 3, lreg_dest 5)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 11, lreg_src_b 4, lreg_src_c 12)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 11, lreg_src_b 5, lreg_src_c 12)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 4, lreg_src_b 6, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 5, lreg_src_b 7, lreg_src_c 13)
//         tensix.sfpmul  (lreg_dest 6, lreg_src_a 4, lreg_src_b 6, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 7, lreg_src_a 5, lreg_src_b 7, lreg_src_c 9)
//         tensix.sfpload  (instr_mod0 3, lreg_ind 5)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 4)
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 6, lreg_src_b 5, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 7, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfpnot  (lreg_dest 7)
//         tensix.sfpnot  (lreg_c 1, lreg_dest 6)
//         tensix.sfpsetman  (instr_mod1 1, lreg_c 7, lreg_dest 7)
//         tensix.sfpsetman  (instr_mod1 1, lreg_c 6, lreg_dest 6)
//         tensix.sfpmul  (lreg_dest 7, lreg_src_a 5, lreg_src_b 7, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 6, lreg_src_a 4, lreg_src_b 6, lreg_src_c 9)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 14, lreg_dest 2)
//         tensix.sfpmov  (lreg_dest 7)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 14, lreg_dest 3)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 6)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 7)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 6, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)
