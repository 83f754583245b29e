// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse %s \
// RUN:   | awk -f %S/Inputs/function.awk > %output

// Inverse trigonometric functions and the inverse hyperbolic sine.
// Functions of bf16 tensors have shorter code, also if the tile is f32.

pto.func @asin(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tasin %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @asin:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 16128)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 4096, instr_mod0 2)
//       tensix.sfploadi  (imm16 24337, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 44963, instr_mod0 2)
//       tensix.sfploadi  (imm16 16257, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2)
//       tensix.sfploadi  (imm16 32639, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 1)
//         tensix.sfploadi  (imm16 48896, lreg_ind 2)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 1, lreg_src_b 2, lreg_src_c 11)
//         tensix.sfploadi  (imm16 13865, instr_mod0 2, lreg_ind 3)
//         tensix.sfploadi  (imm16 16272, instr_mod0 8, lreg_ind 3)
//         tensix.sfpadd  (lreg_dest 4, lreg_src_a 10, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmov  (lreg_c 4, lreg_dest 5)
//         tensix.sfpshft  (imm12_math 4095, instr_mod1 1, lreg_dest 5)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 12, lreg_dest 5)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 4, lreg_dest 6)
//         tensix.sfpmul  (lreg_dest 7, lreg_src_a 6, lreg_src_b 5, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 7, lreg_src_b 5, lreg_src_c 3)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 7)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 3, lreg_src_b 3, lreg_src_c 13)
//         tensix.sfpnop
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 3, lreg_src_b 5, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmul  (lreg_dest 6, lreg_src_a 6, lreg_src_b 5, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 6, lreg_src_b 5, lreg_src_c 10)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 6, lreg_dest 6)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 6, lreg_src_b 11, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 5, lreg_src_b 3, lreg_src_c 6)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 14, lreg_dest 7)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 6)
//         tensix.sfpencc
//         tensix.sfpsetcc  (lreg_c 4)
//         tensix.sfploadi  (imm16 32704, lreg_ind 6)
//         tensix.sfpencc
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 1, lreg_src_b 1, lreg_src_c 9)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 7)
//         tensix.sfpiadd  (instr_mod1 10, lreg_c 11, lreg_dest 7)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 6)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfploadi  (imm16 46740, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 15660, instr_mod0 8, lreg_ind 4)
//         tensix.sfploadi  (imm16 5150, instr_mod0 2, lreg_ind 7)
//         tensix.sfploadi  (imm16 15558, instr_mod0 8, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 4, lreg_src_b 2, lreg_src_c 7)
//         tensix.sfploadi  (imm16 16165, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 15674, instr_mod0 8, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 7, lreg_src_b 2, lreg_src_c 4)
//         tensix.sfploadi  (imm16 33010, instr_mod0 2, lreg_ind 7)
//         tensix.sfploadi  (imm16 15769, instr_mod0 8, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 4, lreg_src_b 2, lreg_src_c 7)
//         tensix.sfploadi  (imm16 43748, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 15914, instr_mod0 8, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 7, lreg_src_b 2, lreg_src_c 4)
//         tensix.sfpmul  (lreg_dest 2, lreg_src_a 2, lreg_src_b 6, lreg_src_c 9)
//         tensix.sfploadi  (imm16 49152, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 4, lreg_src_b 2, lreg_src_c 6)
//         tensix.sfploadi  (imm16 4059, instr_mod0 2, lreg_ind 2)
//         tensix.sfploadi  (imm16 16329, instr_mod0 8, lreg_ind 2)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 6, lreg_src_b 7, lreg_src_c 2)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 1)
//         tensix.sfpmov  (lreg_c 2, lreg_dest 6)
//         tensix.sfpencc
//         tensix.sfpsetsgn  (lreg_c 6)
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @asin_bf16(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tasin %t0 {precision = #pto.precision<bf16>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @asin_bf16:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 49024)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 12288, instr_mod0 2)
//       tensix.sfploadi  (imm16 24331, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 3146, instr_mod0 2)
//       tensix.sfploadi  (imm16 16370, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 20044, instr_mod0 2)
//       tensix.sfploadi  (imm16 15678, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       tensix.sfploadi  (imm16 47299, instr_mod0 2, lreg_ind 7)
//       tensix.sfploadi  (imm16 48718, instr_mod0 8, lreg_ind 7)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 1)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 1, lreg_src_b 11, lreg_src_c 10)
//         tensix.sfpnop
//         tensix.sfpmov  (lreg_c 2, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 4095, instr_mod1 1, lreg_dest 3)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 12, lreg_dest 3)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 2, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 14, lreg_src_b 1, lreg_src_c 7)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 4, lreg_dest 6)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 6, lreg_src_b 3, lreg_src_c 13)
//         tensix.sfploadi  (imm16 64441, instr_mod0 2, lreg_ind 6)
//         tensix.sfploadi  (imm16 16328, instr_mod0 8, lreg_ind 6)
//         tensix.sfpswap  (instr_mod1 9, lreg_dest 3, lreg_src_c 10)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 3, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 5, lreg_src_b 1, lreg_src_c 6)
//         tensix.sfploadi  (imm16 4059, instr_mod0 2, lreg_ind 5)
//         tensix.sfploadi  (imm16 16329, instr_mod0 8, lreg_ind 5)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 6, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfpmov  (lreg_dest 6)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 4, lreg_src_b 11, lreg_src_c 5)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_c 9)
//         tensix.sfpsetsgn  (lreg_c 5, lreg_dest 6)
//         tensix.sfploadi  (imm16 11761, instr_mod0 2, lreg_ind 5)
//         tensix.sfploadi  (imm16 15937, instr_mod0 8, lreg_ind 5)
//         tensix.sfploadi  (imm16 53237, instr_mod0 2, lreg_ind 3)
//         tensix.sfploadi  (imm16 16255, instr_mod0 8, lreg_ind 3)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 5, lreg_src_b 4, lreg_src_c 3)
//         tensix.sfploadi  (imm16 16128, lreg_ind 4)
//         tensix.sfpmul  (lreg_src_a 3, lreg_src_c 9)
//         tensix.sfpiadd  (instr_mod1 10, lreg_c 4, lreg_dest 1)
//         tensix.sfpmov  (lreg_dest 6)
//         tensix.sfpencc
//         tensix.sfpsetcc  (lreg_c 2)
//         tensix.sfploadi  (imm16 32704, lreg_ind 6)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 6, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @acos(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tacos %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @acos:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 16128)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 4096, instr_mod0 2)
//       tensix.sfploadi  (imm16 24337, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 44963, instr_mod0 2)
//       tensix.sfploadi  (imm16 16257, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2)
//       tensix.sfploadi  (imm16 32639, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 1)
//         tensix.sfploadi  (imm16 48896, lreg_ind 2)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 1, lreg_src_b 2, lreg_src_c 11)
//         tensix.sfploadi  (imm16 13865, instr_mod0 2, lreg_ind 3)
//         tensix.sfploadi  (imm16 16272, instr_mod0 8, lreg_ind 3)
//         tensix.sfpadd  (lreg_dest 4, lreg_src_a 10, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmov  (lreg_c 4, lreg_dest 5)
//         tensix.sfpshft  (imm12_math 4095, instr_mod1 1, lreg_dest 5)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 12, lreg_dest 5)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 4, lreg_dest 6)
//         tensix.sfpmul  (lreg_dest 7, lreg_src_a 6, lreg_src_b 5, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 7, lreg_src_b 5, lreg_src_c 3)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 7)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 3, lreg_src_b 3, lreg_src_c 13)
//         tensix.sfpnop
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 3, lreg_src_b 5, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmul  (lreg_dest 6, lreg_src_a 6, lreg_src_b 5, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 6, lreg_src_b 5, lreg_src_c 10)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 6, lreg_dest 6)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 6, lreg_src_b 11, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 5, lreg_src_b 3, lreg_src_c 6)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 14, lreg_dest 7)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 6)
//         tensix.sfpencc
//         tensix.sfpsetcc  (lreg_c 4)
//         tensix.sfploadi  (imm16 32704, lreg_ind 6)
//         tensix.sfpencc
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 1, lreg_src_b 1, lreg_src_c 9)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 7)
//         tensix.sfpiadd  (instr_mod1 10, lreg_c 11, lreg_dest 7)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 6)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfploadi  (imm16 46740, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 15660, instr_mod0 8, lreg_ind 4)
//         tensix.sfploadi  (imm16 5150, instr_mod0 2, lreg_ind 7)
//         tensix.sfploadi  (imm16 15558, instr_mod0 8, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 4, lreg_src_b 2, lreg_src_c 7)
//         tensix.sfploadi  (imm16 16165, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 15674, instr_mod0 8, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 7, lreg_src_b 2, lreg_src_c 4)
//         tensix.sfploadi  (imm16 33010, instr_mod0 2, lreg_ind 7)
//         tensix.sfploadi  (imm16 15769, instr_mod0 8, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 4, lreg_src_b 2, lreg_src_c 7)
//         tensix.sfploadi  (imm16 43748, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 15914, instr_mod0 8, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 7, lreg_src_b 2, lreg_src_c 4)
//         tensix.sfpmul  (lreg_dest 2, lreg_src_a 2, lreg_src_b 6, lreg_src_c 9)
//         tensix.sfpmov  (lreg_dest 7)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 4, lreg_src_b 2, lreg_src_c 6)
//         tensix.sfploadi  (imm16 49024, lreg_ind 2)
//         tensix.sfpsetsgn  (lreg_c 6, lreg_dest 7)
//         tensix.sfploadi  (imm16 4059, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 16329, instr_mod0 8, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 7, lreg_src_b 2, lreg_src_c 4)
//         tensix.sfpadd  (lreg_dest 6, lreg_src_a 10, lreg_src_b 6, lreg_src_c 6)
//         tensix.sfploadi  (imm16 49024, lreg_ind 2)
//         tensix.sfploadi  (imm16 4059, instr_mod0 2, lreg_ind 7)
//         tensix.sfploadi  (imm16 16457, instr_mod0 8, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 6, lreg_src_b 2, lreg_src_c 7)
//         tensix.sfpsetcc
//         tensix.sfpmov  (lreg_c 7, lreg_dest 6)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 1)
//         tensix.sfpmov  (lreg_c 6, lreg_dest 4)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @acos_bf16(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tacos %t0 {precision = #pto.precision<bf16>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @acos_bf16:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 49024)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 12288, instr_mod0 2)
//       tensix.sfploadi  (imm16 24331, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 3146, instr_mod0 2)
//       tensix.sfploadi  (imm16 16370, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 20044, instr_mod0 2)
//       tensix.sfploadi  (imm16 15678, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       tensix.sfploadi  (imm16 47299, instr_mod0 2, lreg_ind 7)
//       tensix.sfploadi  (imm16 48718, instr_mod0 8, lreg_ind 7)
//       tensix.sfploadi  (imm16 64441, instr_mod0 2, lreg_ind 6)
//       tensix.sfploadi  (imm16 16328, instr_mod0 8, lreg_ind 6)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 1)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 1, lreg_src_b 11, lreg_src_c 10)
//         tensix.sfpnop
//         tensix.sfpmov  (lreg_c 2, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 4095, instr_mod1 1, lreg_dest 3)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 12, lreg_dest 3)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 2, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmov  (instr_mod1 1, lreg_c 4, lreg_dest 5)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 5, lreg_src_b 3, lreg_src_c 13)
//         tensix.sfpnop
//         tensix.sfpswap  (instr_mod1 9, lreg_dest 3, lreg_src_c 10)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 3, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 14, lreg_src_b 1, lreg_src_c 7)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 1, lreg_src_a 3, lreg_src_b 1, lreg_src_c 6)
//         tensix.sfpnop
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 1, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfploadi  (imm16 4059, instr_mod0 2, lreg_ind 1)
//         tensix.sfploadi  (imm16 16457, instr_mod0 8, lreg_ind 1)
//         tensix.sfpmad  (lreg_dest 1, lreg_src_a 4, lreg_src_b 11, lreg_src_c 1)
//         tensix.sfpsetcc
//         tensix.sfpmov  (lreg_c 1, lreg_dest 4)
//         tensix.sfpencc
//         tensix.sfpsetcc  (lreg_c 2)
//         tensix.sfploadi  (imm16 32704, lreg_ind 4)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @atan(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tatan %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @atan:
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
//       tensix.sfploadi  (imm16 6144, instr_mod0 2)
//       tensix.sfploadi  (imm16 47851, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpsetsgn  (instr_mod1 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 1)
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
//         tensix.sfpswap  (instr_mod1 1, lreg_dest 3)
//         tensix.sfpswap  (instr_mod1 1, lreg_dest 2, lreg_src_c 1)
//         tensix.sfpmul  (lreg_dest 1, lreg_src_a 3, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmul  (lreg_src_a 2, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfploadi  (imm16 54067, instr_mod0 2, lreg_ind 5)
//         tensix.sfploadi  (imm16 15410, instr_mod0 8, lreg_ind 5)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 14, lreg_src_b 1, lreg_src_c 5)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 14, lreg_src_c 5)
//         tensix.sfploadi  (imm16 26804, instr_mod0 2, lreg_ind 7)
//         tensix.sfploadi  (imm16 48383, instr_mod0 8, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 4, lreg_src_b 1, lreg_src_c 7)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 5, lreg_src_c 7)
//         tensix.sfploadi  (imm16 25844, instr_mod0 2, lreg_ind 5)
//         tensix.sfploadi  (imm16 15725, instr_mod0 8, lreg_ind 5)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 4, lreg_src_b 1, lreg_src_c 5)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 7, lreg_src_c 5)
//         tensix.sfploadi  (imm16 6729, instr_mod0 2, lreg_ind 7)
//         tensix.sfploadi  (imm16 48556, instr_mod0 8, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 4, lreg_src_b 1, lreg_src_c 7)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 5, lreg_src_c 7)
//         tensix.sfploadi  (imm16 19711, instr_mod0 2, lreg_ind 5)
//         tensix.sfploadi  (imm16 15840, instr_mod0 8, lreg_ind 5)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 4, lreg_src_b 1, lreg_src_c 5)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 7, lreg_src_c 5)
//         tensix.sfploadi  (imm16 4315, instr_mod0 2, lreg_ind 7)
//         tensix.sfploadi  (imm16 48658, instr_mod0 8, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 4, lreg_src_b 1, lreg_src_c 7)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 5, lreg_src_c 7)
//         tensix.sfploadi  (imm16 51455, instr_mod0 2, lreg_ind 5)
//         tensix.sfploadi  (imm16 15948, instr_mod0 8, lreg_ind 5)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 4, lreg_src_b 1, lreg_src_c 5)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 7, lreg_src_c 5)
//         tensix.sfploadi  (imm16 43679, instr_mod0 2, lreg_ind 7)
//         tensix.sfploadi  (imm16 48810, instr_mod0 8, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 4, lreg_src_b 1, lreg_src_c 7)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 5, lreg_src_c 7)
//         tensix.sfpmul  (lreg_dest 1, lreg_src_a 1, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmul  (lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 4, lreg_src_b 1, lreg_src_c 3)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 7, lreg_src_c 2)
//         tensix.sfploadi  (imm16 49024)
//         tensix.sfploadi  (imm16 4059, instr_mod0 2, lreg_ind 7)
//         tensix.sfploadi  (imm16 16329, instr_mod0 8, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 1, lreg_src_a 3, lreg_src_c 7)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 2, lreg_src_c 7)
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 4)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 5)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 4, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 10, lreg_dest 5)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 10, lreg_dest 6)
//         tensix.sfpmov  (lreg_c 7, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpmov  (lreg_dest 7)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 6)
//         tensix.sfpsetsgn  (lreg_c 3, lreg_dest 7)
//         tensix.sfpsetsgn  (lreg_c 2, lreg_dest 6)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 2)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 4, lreg_dest 3)
//         tensix.sfploadi  (imm16 32640, lreg_ind 1)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 1, lreg_dest 2)
//         tensix.sfpmov  (lreg_dest 7)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 1, lreg_dest 3)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 6)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 7)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 6, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @atan_bf16(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tatan %t0 {precision = #pto.precision<bf16>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @atan_bf16:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 12288, instr_mod0 2)
//       tensix.sfploadi  (imm16 32499, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 37426, instr_mod0 2)
//       tensix.sfploadi  (imm16 48437, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 53407, instr_mod0 2)
//       tensix.sfploadi  (imm16 48806, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 61981, instr_mod0 2)
//       tensix.sfploadi  (imm16 16255, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpsetsgn  (instr_mod1 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 1)
//         tensix.sfploadi  (imm16 24448, lreg_ind 2)
//         tensix.sfpswap  (instr_mod1 1, lreg_src_c 2)
//         tensix.sfploadi  (imm16 24448, lreg_ind 2)
//         tensix.sfpswap  (instr_mod1 1, lreg_dest 1, lreg_src_c 2)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpmov  (instr_mod1 1, lreg_dest 4)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 1, lreg_dest 5)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 11, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 11, lreg_dest 3)
//         tensix.sfploadi  (imm16 5033, instr_mod0 2, lreg_ind 6)
//         tensix.sfploadi  (imm16 16384, instr_mod0 8, lreg_ind 6)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 4, lreg_src_b 2, lreg_src_c 6)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 5, lreg_src_b 3, lreg_src_c 6)
//         tensix.sfpmul  (lreg_dest 2, lreg_src_a 4, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 6, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmov  (lreg_dest 6)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 4)
//         tensix.sfpswap  (instr_mod1 1, lreg_dest 2, lreg_src_c 6)
//         tensix.sfpswap  (instr_mod1 1, lreg_dest 3, lreg_src_c 4)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 2, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 6, lreg_src_a 3, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfploadi  (imm16 20754, instr_mod0 2, lreg_ind 5)
//         tensix.sfploadi  (imm16 15903, instr_mod0 8, lreg_ind 5)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 12, lreg_src_b 4, lreg_src_c 5)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 12, lreg_src_b 6, lreg_src_c 5)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 7, lreg_src_b 4, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 5, lreg_src_b 6, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 7, lreg_src_b 4, lreg_src_c 14)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 5, lreg_src_b 6, lreg_src_c 14)
//         tensix.sfpmul  (lreg_dest 2, lreg_src_a 4, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 6, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfploadi  (imm16 49024, lreg_ind 6)
//         tensix.sfploadi  (imm16 4059, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 16329, instr_mod0 8, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 2, lreg_src_b 6, lreg_src_c 4)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 3, lreg_src_b 6, lreg_src_c 4)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 10)
//         tensix.sfpmov  (lreg_c 5, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 10, lreg_dest 1)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpload  (instr_mod0 3, lreg_ind 4)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 5)
//         tensix.sfpmov  (lreg_c 1)
//         tensix.sfpsetsgn  (lreg_c 2, lreg_dest 5)
//         tensix.sfpsetsgn  (lreg_c 3)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 4, lreg_dest 3)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 2)
//         tensix.sfploadi  (imm16 32640, lreg_ind 6)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 6, lreg_dest 3)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 6, lreg_dest 2)
//         tensix.sfpmov  (lreg_c 1)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 5)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @asinh(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tasinh %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @asinh:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2)
//       tensix.sfploadi  (imm16 32639, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 29208, instr_mod0 2)
//       tensix.sfploadi  (imm16 16177, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 4096, instr_mod0 2)
//       tensix.sfploadi  (imm16 24337, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 44963, instr_mod0 2)
//       tensix.sfploadi  (imm16 16257, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpsetsgn  (instr_mod1 1)
//         tensix.sfpmul  (lreg_dest 1, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 1, lreg_src_c 10)
//         tensix.sfploadi  (imm16 13865, instr_mod0 2, lreg_ind 3)
//         tensix.sfploadi  (imm16 16272, instr_mod0 8, lreg_ind 3)
//         tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmov  (lreg_c 2, lreg_dest 4)
//         tensix.sfpshft  (imm12_math 4095, instr_mod1 1, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 13, lreg_dest 4)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 2, lreg_dest 5)
//         tensix.sfpmul  (lreg_dest 6, lreg_src_a 5, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfploadi  (imm16 16128, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 6, lreg_src_b 4, lreg_src_c 3)
//         tensix.sfpmov  (lreg_c 2, lreg_dest 6)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 3, lreg_src_b 3, lreg_src_c 14)
//         tensix.sfpnop
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 3, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 5, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 5, lreg_src_b 4, lreg_src_c 10)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 5, lreg_dest 5)
//         tensix.sfpmul  (lreg_dest 7, lreg_src_a 5, lreg_src_b 7, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 4, lreg_src_b 7, lreg_src_c 5)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 6)
//         tensix.sfpmov  (lreg_c 2, lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpsetcc  (lreg_c 2)
//         tensix.sfploadi  (imm16 32704, lreg_ind 5)
//         tensix.sfpencc
//         tensix.sfpadd  (lreg_dest 5, lreg_src_a 10, lreg_src_b 5, lreg_src_c 10)
//         tensix.sfploadi  (imm16 32437, instr_mod0 2, lreg_ind 2)
//         tensix.sfploadi  (imm16 48421, instr_mod0 8, lreg_ind 2)
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1, lreg_c 5, lreg_dest 6)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 6, lreg_dest 6)
//         tensix.sfploadi  (imm16 11916, instr_mod0 2, lreg_ind 7)
//         tensix.sfploadi  (imm16 16058, instr_mod0 8, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 2, lreg_src_b 6, lreg_src_c 7)
//         tensix.sfploadi  (imm16 49648, instr_mod0 2, lreg_ind 2)
//         tensix.sfploadi  (imm16 49031, instr_mod0 8, lreg_ind 2)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 7, lreg_src_b 6, lreg_src_c 2)
//         tensix.sfpnot  (lreg_c 5, lreg_dest 5)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 6, lreg_src_b 2, lreg_src_c 10)
//         tensix.sfpsetman  (instr_mod1 1, lreg_c 5, lreg_dest 5)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 7, lreg_src_b 2, lreg_src_c 2)
//         tensix.sfpmov  (lreg_dest 7)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 6, lreg_src_b 2, lreg_src_c 10)
//         tensix.sfploadi  (imm16 18816, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 6, lreg_src_b 6, lreg_src_c 6)
//         tensix.sfploadi  (imm16 21845, instr_mod0 2, lreg_ind 3)
//         tensix.sfploadi  (imm16 85, instr_mod0 8, lreg_ind 3)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 6, lreg_src_b 2, lreg_src_c 2)
//         tensix.sfpnop
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 2, lreg_src_b 5, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 1, lreg_src_b 5)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 4, lreg_dest 7)
//         tensix.sfpmov  (lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpadd  (lreg_src_a 10, lreg_src_b 5, lreg_src_c 10)
//         tensix.sfpnop
//         tensix.sfpiadd  (instr_mod1 4, lreg_dest 3)
//         tensix.sfpexexp  (lreg_c 3, lreg_dest 3)
//         tensix.sfpmov  (lreg_c 3, lreg_dest 7)
//         tensix.sfpshft  (imm12_math 23, instr_mod1 1, lreg_dest 7)
//         tensix.sfpmov  (lreg_c 7, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 5, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 10, lreg_dest 7)
//         tensix.sfpswap  (instr_mod1 9, lreg_dest 7, lreg_src_c 9)
//         tensix.sfploadi  (imm16 49024, lreg_ind 5)
//         tensix.sfpadd  (lreg_dest 5, lreg_src_a 10, lreg_src_b 7, lreg_src_c 5)
//         tensix.sfploadi  (imm16 19264, lreg_ind 7)
//         tensix.sfpadd  (lreg_dest 5, lreg_src_a 10, lreg_src_b 4, lreg_src_c 5)
//         tensix.sfpiadd  (instr_mod1 4, lreg_c 3, lreg_dest 7)
//         tensix.sfploadi  (imm16 52032, lreg_ind 3)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 7, lreg_src_c 3)
//         tensix.sfploadi  (imm16 39164, instr_mod0 2, lreg_ind 7)
//         tensix.sfploadi  (imm16 48644, instr_mod0 8, lreg_ind 7)
//         tensix.sfploadi  (imm16 26794, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 15887, instr_mod0 8, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 7, lreg_src_b 5, lreg_src_c 4)
//         tensix.sfploadi  (imm16 12008, instr_mod0 2, lreg_ind 7)
//         tensix.sfploadi  (imm16 48633, instr_mod0 8, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 4, lreg_src_b 5, lreg_src_c 7)
//         tensix.sfploadi  (imm16 24370, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 15887, instr_mod0 8, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 7, lreg_src_b 5, lreg_src_c 4)
//         tensix.sfploadi  (imm16 54186, instr_mod0 2, lreg_ind 7)
//         tensix.sfploadi  (imm16 48682, instr_mod0 8, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 4, lreg_src_b 5, lreg_src_c 7)
//         tensix.sfploadi  (imm16 59641, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 15948, instr_mod0 8, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 7, lreg_src_b 5, lreg_src_c 4)
//         tensix.sfploadi  (imm16 65346, instr_mod0 2, lreg_ind 7)
//         tensix.sfploadi  (imm16 48767, instr_mod0 8, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 4, lreg_src_b 5, lreg_src_c 7)
//         tensix.sfploadi  (imm16 43649, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 16042, instr_mod0 8, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 7, lreg_src_b 5, lreg_src_c 4)
//         tensix.sfploadi  (imm16 48896, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 4, lreg_src_b 5, lreg_src_c 7)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 5, lreg_src_b 5, lreg_src_c 9)
//         tensix.sfpmov  (lreg_dest 1)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 4, lreg_src_b 7, lreg_src_c 5)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 3, lreg_src_b 12, lreg_src_c 5)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 1)
//         tensix.sfpmov  (lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpsetcc
//         tensix.sfploadi  (imm16 32704, lreg_ind 5)
//         tensix.sfpencc
//         tensix.sfpsetcc  (instr_mod1 6)
//         tensix.sfploadi  (imm16 65408, lreg_ind 5)
//         tensix.sfpencc
//         tensix.sfpadd  (lreg_src_a 10, lreg_src_b 5, lreg_src_c 12)
//         tensix.sfpload  (instr_mod0 3, lreg_ind 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 3)
//         tensix.sfploadi  (imm16 18816, lreg_ind 7)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 7, lreg_dest 3)
//         tensix.sfpmov  (lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpsetsgn  (lreg_c 5, lreg_dest 1)
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @asinh_bf16(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tasinh %t0 {precision = #pto.precision<bf16>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @asinh_bf16:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 29208, instr_mod0 2)
//       tensix.sfploadi  (imm16 16177, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 12288, instr_mod0 2)
//       tensix.sfploadi  (imm16 24331, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 3146, instr_mod0 2)
//       tensix.sfploadi  (imm16 16370, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 12288, instr_mod0 2)
//       tensix.sfploadi  (imm16 32499, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 1)
//         tensix.sfpmul  (lreg_dest 2, lreg_src_a 1, lreg_src_b 1, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 2, lreg_src_c 10)
//         tensix.sfpnop
//         tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//         tensix.sfpshft  (imm12_math 4095, instr_mod1 1, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 12, lreg_dest 4)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 3, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmov  (instr_mod1 1, lreg_c 3, lreg_dest 5)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 5, lreg_src_b 4, lreg_src_c 13)
//         tensix.sfploadi  (imm16 5033, instr_mod0 2, lreg_ind 5)
//         tensix.sfploadi  (imm16 16384, instr_mod0 8, lreg_ind 5)
//         tensix.sfpswap  (instr_mod1 9, lreg_dest 4, lreg_src_c 10)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 4, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 4)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 10)
//         tensix.sfploadi  (imm16 18816, lreg_ind 6)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 3, lreg_dest 7)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 14, lreg_dest 3)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 7, lreg_src_b 3, lreg_src_c 5)
//         tensix.sfploadi  (imm16 21845, instr_mod0 2, lreg_ind 7)
//         tensix.sfploadi  (imm16 85, instr_mod0 8, lreg_ind 7)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 5, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 2, lreg_src_b 3, lreg_src_c 1)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 6, lreg_dest 4)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 3, lreg_src_c 10)
//         tensix.sfpnop
//         tensix.sfpiadd  (instr_mod1 4, lreg_c 1, lreg_dest 7)
//         tensix.sfpexexp  (lreg_c 7, lreg_dest 7)
//         tensix.sfpmov  (lreg_c 7, lreg_dest 4)
//         tensix.sfpshft  (imm12_math 23, instr_mod1 1, lreg_dest 4)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 3, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 10, lreg_dest 4)
//         tensix.sfpswap  (instr_mod1 9, lreg_dest 4, lreg_src_c 9)
//         tensix.sfploadi  (imm16 49024, lreg_ind 3)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 4, lreg_src_c 3)
//         tensix.sfploadi  (imm16 19264, lreg_ind 4)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 6, lreg_src_c 3)
//         tensix.sfpiadd  (instr_mod1 4, lreg_c 7, lreg_dest 4)
//         tensix.sfploadi  (imm16 52032, lreg_ind 7)
//         tensix.sfpadd  (lreg_dest 7, lreg_src_a 10, lreg_src_b 4, lreg_src_c 7)
//         tensix.sfploadi  (imm16 29886, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 48780, instr_mod0 8, lreg_ind 4)
//         tensix.sfploadi  (imm16 62919, instr_mod0 2, lreg_ind 6)
//         tensix.sfploadi  (imm16 16054, instr_mod0 8, lreg_ind 6)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 4, lreg_src_b 3, lreg_src_c 6)
//         tensix.sfploadi  (imm16 44076, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 48895, instr_mod0 8, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 6, lreg_src_b 3, lreg_src_c 4)
//         tensix.sfploadi  (imm16 59803, instr_mod0 2, lreg_ind 6)
//         tensix.sfploadi  (imm16 16255, instr_mod0 8, lreg_ind 6)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 4, lreg_src_b 3, lreg_src_c 6)
//         tensix.sfpexexp  (lreg_c 1, lreg_dest 4)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 6, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 7, lreg_src_b 11, lreg_src_c 3)
//         tensix.sfpiadd  (imm12_math 3968, instr_mod1 9, lreg_c 4, lreg_dest 4)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpiadd  (imm12_math 4095, instr_mod1 1, lreg_c 1, lreg_dest 4)
//         tensix.sfploadi  (imm16 32704, lreg_ind 3)
//         tensix.sfpsetcc  (instr_mod1 6, lreg_c 1)
//         tensix.sfploadi  (imm16 65408, lreg_ind 3)
//         tensix.sfpencc
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 3, lreg_src_c 11)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 4)
//         tensix.sfploadi  (imm16 18816, lreg_ind 7)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 7, lreg_dest 4)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpsetsgn  (lreg_c 3)
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @atan2(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tatan2 %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @atan2:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 32640)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 32437, instr_mod0 2)
//       tensix.sfploadi  (imm16 48421, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 11916, instr_mod0 2)
//       tensix.sfploadi  (imm16 16058, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 49648, instr_mod0 2)
//       tensix.sfploadi  (imm16 49031, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpsetsgn  (instr_mod1 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 1)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 2)
//         tensix.sfpload  (dest_reg_addr 66, instr_mod0 3, lreg_ind 3)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 2, lreg_dest 2)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 3, lreg_dest 3)
//         tensix.sfpadd  (lreg_src_a 10, lreg_src_c 9)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 9)
//         tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpswap  (instr_mod1 1, lreg_dest 2)
//         tensix.sfpswap  (instr_mod1 1, lreg_dest 3, lreg_src_c 1)
//         tensix.sfpnot  (lreg_dest 4)
//         tensix.sfpnot  (lreg_c 1, lreg_dest 5)
//         tensix.sfpsetman  (instr_mod1 1, lreg_c 4, lreg_dest 4)
//         tensix.sfpsetman  (instr_mod1 1, lreg_c 5, lreg_dest 5)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 2, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 3, lreg_src_b 5, lreg_src_c 9)
//         tensix.sfpsetcc  (instr_mod1 6, lreg_c 2)
//         tensix.sfpmov  (lreg_c 9, lreg_dest 4)
//         tensix.sfpencc
//         tensix.sfpsetcc  (instr_mod1 6, lreg_c 3)
//         tensix.sfpmov  (lreg_c 9, lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1)
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1, lreg_c 1, lreg_dest 1)
//         tensix.sfpsetsgn  (instr_mod1 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 1)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 12, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 12, lreg_src_b 1, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 3, lreg_src_c 14)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_b 1, lreg_src_c 14)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_b 3, lreg_src_c 10)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 1, lreg_src_b 2, lreg_src_c 10)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 6, lreg_src_b 3, lreg_src_c 3)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 7, lreg_src_b 2, lreg_src_c 2)
//         tensix.sfpmad  (lreg_src_b 3, lreg_src_c 10)
//         tensix.sfpmad  (lreg_dest 1, lreg_src_a 1, lreg_src_b 2, lreg_src_c 10)
//         tensix.sfpmad
//         tensix.sfpmad  (lreg_dest 1, lreg_src_a 1, lreg_src_b 1, lreg_src_c 1)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_b 3, lreg_src_c 3)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 1, lreg_src_b 2, lreg_src_c 2)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 4, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 2, lreg_src_a 5, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 3, lreg_dest 5)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 2, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 5)
//         tensix.sfpmov  (lreg_c 10, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 4)
//         tensix.sfpmov  (lreg_c 10, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 3, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 2, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfploadi  (imm16 6144, instr_mod0 2, lreg_ind 1)
//         tensix.sfploadi  (imm16 47851, instr_mod0 8, lreg_ind 1)
//         tensix.sfploadi  (imm16 54067, instr_mod0 2)
//         tensix.sfploadi  (imm16 15410, instr_mod0 8)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 1, lreg_src_b 4)
//         tensix.sfpmad  (lreg_src_a 1, lreg_src_b 5)
//         tensix.sfploadi  (imm16 26804, instr_mod0 2, lreg_ind 1)
//         tensix.sfploadi  (imm16 48383, instr_mod0 8, lreg_ind 1)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 7, lreg_src_b 4, lreg_src_c 1)
//         tensix.sfpmad  (lreg_dest 1, lreg_src_b 5, lreg_src_c 1)
//         tensix.sfploadi  (imm16 25844, instr_mod0 2)
//         tensix.sfploadi  (imm16 15725, instr_mod0 8)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 7, lreg_src_b 4)
//         tensix.sfpmad  (lreg_src_a 1, lreg_src_b 5)
//         tensix.sfploadi  (imm16 6729, instr_mod0 2, lreg_ind 1)
//         tensix.sfploadi  (imm16 48556, instr_mod0 8, lreg_ind 1)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 7, lreg_src_b 4, lreg_src_c 1)
//         tensix.sfpmad  (lreg_dest 1, lreg_src_b 5, lreg_src_c 1)
//         tensix.sfploadi  (imm16 19711, instr_mod0 2)
//         tensix.sfploadi  (imm16 15840, instr_mod0 8)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 7, lreg_src_b 4)
//         tensix.sfpmad  (lreg_src_a 1, lreg_src_b 5)
//         tensix.sfploadi  (imm16 4315, instr_mod0 2, lreg_ind 1)
//         tensix.sfploadi  (imm16 48658, instr_mod0 8, lreg_ind 1)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 7, lreg_src_b 4, lreg_src_c 1)
//         tensix.sfpmad  (lreg_dest 1, lreg_src_b 5, lreg_src_c 1)
//         tensix.sfploadi  (imm16 51455, instr_mod0 2)
//         tensix.sfploadi  (imm16 15948, instr_mod0 8)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 7, lreg_src_b 4)
//         tensix.sfpmad  (lreg_src_a 1, lreg_src_b 5)
//         tensix.sfploadi  (imm16 43679, instr_mod0 2, lreg_ind 1)
//         tensix.sfploadi  (imm16 48810, instr_mod0 8, lreg_ind 1)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 7, lreg_src_b 4, lreg_src_c 1)
//         tensix.sfpmad  (lreg_dest 1, lreg_src_b 5, lreg_src_c 1)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 4, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 5, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 7, lreg_src_b 4, lreg_src_c 3)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 1, lreg_src_b 5, lreg_src_c 2)
//         tensix.sfploadi  (imm16 49024, lreg_ind 5)
//         tensix.sfploadi  (imm16 4059, instr_mod0 2, lreg_ind 1)
//         tensix.sfploadi  (imm16 16329, instr_mod0 8, lreg_ind 1)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 3, lreg_src_b 5, lreg_src_c 1)
//         tensix.sfpmad  (lreg_dest 1, lreg_src_a 2, lreg_src_b 5, lreg_src_c 1)
//         tensix.sfpload  (instr_mod0 3, lreg_ind 5)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 7)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 5, lreg_dest 5)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 7, lreg_dest 7)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 66, instr_mod0 3, lreg_ind 6)
//         tensix.sfpsetsgn  (instr_mod1 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 6, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 2, lreg_dest 5)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 6, lreg_dest 7)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfploadi  (imm16 49024, lreg_ind 1)
//         tensix.sfploadi  (imm16 4059, instr_mod0 2, lreg_ind 7)
//         tensix.sfploadi  (imm16 16457, instr_mod0 8, lreg_ind 7)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 3, lreg_src_b 1, lreg_src_c 7)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 2, lreg_src_b 1, lreg_src_c 7)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpload  (dest_reg_addr 66, instr_mod0 3, lreg_ind 4)
//         tensix.sfpsetcc  (lreg_c 1)
//         tensix.sfpmov  (lreg_c 6, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpsetcc  (lreg_c 4)
//         tensix.sfpmov  (lreg_c 7, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpload  (instr_mod0 3, lreg_ind 7)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 4)
//         tensix.sfpsetsgn  (lreg_c 3, lreg_dest 7)
//         tensix.sfpsetsgn  (lreg_c 2, lreg_dest 4)
//         tensix.sfpload  (instr_mod0 3, lreg_ind 2)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 3)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 2, lreg_dest 6)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 3, lreg_dest 1)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 6)
//         tensix.sfpmov  (lreg_c 2, lreg_dest 7)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 1)
//         tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//         tensix.sfpencc
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 3)
//         tensix.sfpload  (dest_reg_addr 66, instr_mod0 3, lreg_ind 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 3, lreg_dest 2)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 2)
//         tensix.sfpmov  (lreg_c 3, lreg_dest 7)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 6)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 4)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 7)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 4, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @atan2_bf16(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tatan2 %t0, %t1 {precision = #pto.precision<bf16>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @atan2_bf16:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 32640)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 32437, instr_mod0 2)
//       tensix.sfploadi  (imm16 48421, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 11916, instr_mod0 2)
//       tensix.sfploadi  (imm16 16058, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 49648, instr_mod0 2)
//       tensix.sfploadi  (imm16 49031, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpsetsgn  (instr_mod1 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 1)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 2)
//         tensix.sfpload  (dest_reg_addr 66, instr_mod0 3, lreg_ind 3)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 2, lreg_dest 2)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 3, lreg_dest 3)
//         tensix.sfpadd  (lreg_src_a 10, lreg_src_c 9)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 9)
//         tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpswap  (instr_mod1 1, lreg_dest 2)
//         tensix.sfpswap  (instr_mod1 1, lreg_dest 3, lreg_src_c 1)
//         tensix.sfpnot  (lreg_dest 4)
//         tensix.sfpnot  (lreg_c 1, lreg_dest 5)
//         tensix.sfpsetman  (instr_mod1 1, lreg_c 4, lreg_dest 4)
//         tensix.sfpsetman  (instr_mod1 1, lreg_c 5, lreg_dest 5)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 2, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 3, lreg_src_b 5, lreg_src_c 9)
//         tensix.sfpsetcc  (instr_mod1 6, lreg_c 2)
//         tensix.sfpmov  (lreg_c 9, lreg_dest 4)
//         tensix.sfpencc
//         tensix.sfpsetcc  (instr_mod1 6, lreg_c 3)
//         tensix.sfpmov  (lreg_c 9, lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1)
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1, lreg_c 1, lreg_dest 1)
//         tensix.sfpsetsgn  (instr_mod1 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 1)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 12, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 12, lreg_src_b 1, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 3, lreg_src_c 14)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_b 1, lreg_src_c 14)
//         tensix.sfpmad  (lreg_src_b 3, lreg_src_c 10)
//         tensix.sfpmad  (lreg_dest 1, lreg_src_a 1, lreg_src_b 2, lreg_src_c 10)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_b 3, lreg_src_c 3)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 1, lreg_src_b 2, lreg_src_c 2)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 4, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 2, lreg_src_a 5, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 3, lreg_dest 5)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 2, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 5)
//         tensix.sfpmov  (lreg_c 10, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 4)
//         tensix.sfpmov  (lreg_c 10, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 3, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 2, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfploadi  (imm16 37426, instr_mod0 2, lreg_ind 1)
//         tensix.sfploadi  (imm16 48437, instr_mod0 8, lreg_ind 1)
//         tensix.sfploadi  (imm16 20754, instr_mod0 2)
//         tensix.sfploadi  (imm16 15903, instr_mod0 8)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 1, lreg_src_b 4)
//         tensix.sfpmad  (lreg_src_a 1, lreg_src_b 5)
//         tensix.sfploadi  (imm16 53407, instr_mod0 2, lreg_ind 1)
//         tensix.sfploadi  (imm16 48806, instr_mod0 8, lreg_ind 1)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 6, lreg_src_b 4, lreg_src_c 1)
//         tensix.sfpmad  (lreg_dest 1, lreg_src_b 5, lreg_src_c 1)
//         tensix.sfploadi  (imm16 61981, instr_mod0 2)
//         tensix.sfploadi  (imm16 16255, instr_mod0 8)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 6, lreg_src_b 4)
//         tensix.sfpmad  (lreg_src_a 1, lreg_src_b 5)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 4, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 2, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfploadi  (imm16 49024)
//         tensix.sfploadi  (imm16 4059, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 16329, instr_mod0 8, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 3, lreg_src_c 4)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 2, lreg_src_c 4)
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpsetsgn  (instr_mod1 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 1)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 6)
//         tensix.sfpload  (dest_reg_addr 66, instr_mod0 3, lreg_ind 7)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 6, lreg_dest 6)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 7, lreg_dest 7)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 6)
//         tensix.sfpmov  (lreg_c 5, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 7, lreg_dest 1)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfploadi  (imm16 49024, lreg_ind 4)
//         tensix.sfploadi  (imm16 4059, instr_mod0 2, lreg_ind 1)
//         tensix.sfploadi  (imm16 16457, instr_mod0 8, lreg_ind 1)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 3, lreg_src_b 4, lreg_src_c 1)
//         tensix.sfpmad  (lreg_dest 1, lreg_src_a 2, lreg_src_b 4, lreg_src_c 1)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 4)
//         tensix.sfpload  (dest_reg_addr 66, instr_mod0 3, lreg_ind 5)
//         tensix.sfpsetcc  (lreg_c 4)
//         tensix.sfpmov  (lreg_c 7, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpsetcc  (lreg_c 5)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpload  (instr_mod0 3, lreg_ind 1)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 5)
//         tensix.sfpsetsgn  (lreg_c 3, lreg_dest 1)
//         tensix.sfpsetsgn  (lreg_c 2, lreg_dest 5)
//         tensix.sfpload  (instr_mod0 3, lreg_ind 2)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 3)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 2, lreg_dest 7)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 3, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 7)
//         tensix.sfpmov  (lreg_c 2, lreg_dest 1)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 4)
//         tensix.sfpmov  (lreg_c 3, lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 3)
//         tensix.sfpload  (dest_reg_addr 66, instr_mod0 3, lreg_ind 4)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 3, lreg_dest 2)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 4, lreg_dest 7)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 2)
//         tensix.sfpmov  (lreg_c 3, lreg_dest 1)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 7)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 5, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)
