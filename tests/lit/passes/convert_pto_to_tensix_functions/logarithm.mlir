// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse %s \
// RUN:   | awk -f %S/Inputs/function.awk > %output

// Logarithms.
// Functions of bf16 tensors have shorter code, also if the tile is f32.

pto.func @log(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tlog %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @log:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 39164, instr_mod0 2)
//       tensix.sfploadi  (imm16 48644, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 26794, instr_mod0 2)
//       tensix.sfploadi  (imm16 15887, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 12008, instr_mod0 2)
//       tensix.sfploadi  (imm16 48633, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 24370, instr_mod0 2)
//       tensix.sfploadi  (imm16 15887, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       tensix.sfploadi  (imm16 54186, instr_mod0 2, lreg_ind 7)
//       tensix.sfploadi  (imm16 48682, instr_mod0 8, lreg_ind 7)
//       tensix.sfploadi  (imm16 59641, instr_mod0 2, lreg_ind 6)
//       tensix.sfploadi  (imm16 15948, instr_mod0 8, lreg_ind 6)
//       tensix.sfploadi  (imm16 65346, instr_mod0 2, lreg_ind 5)
//       tensix.sfploadi  (imm16 48767, instr_mod0 8, lreg_ind 5)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpadd  (lreg_src_a 10, lreg_src_c 9)
//         tensix.sfploadi  (imm16 21845, instr_mod0 2, lreg_ind 1)
//         tensix.sfploadi  (imm16 85, instr_mod0 8, lreg_ind 1)
//         tensix.sfpiadd  (instr_mod1 4, lreg_dest 1)
//         tensix.sfpexexp  (lreg_c 1, lreg_dest 1)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 2)
//         tensix.sfpshft  (imm12_math 23, instr_mod1 1, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_dest 2)
//         tensix.sfploadi  (imm16 19264, lreg_ind 3)
//         tensix.sfpiadd  (instr_mod1 4, lreg_c 1, lreg_dest 3)
//         tensix.sfploadi  (imm16 52032, lreg_ind 1)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 3, lreg_src_c 1)
//         tensix.sfploadi  (imm16 49024, lreg_ind 3)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 2, lreg_src_c 3)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 11, lreg_src_b 3, lreg_src_c 12)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_b 3, lreg_src_c 13)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_b 3, lreg_src_c 14)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_b 3, lreg_src_c 7)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_b 3, lreg_src_c 6)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_b 3, lreg_src_c 5)
//         tensix.sfploadi  (imm16 43649, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 16042, instr_mod0 8, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 2, lreg_src_b 3, lreg_src_c 4)
//         tensix.sfploadi  (imm16 48896, lreg_ind 2)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 4, lreg_src_b 3, lreg_src_c 2)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 3, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 4, lreg_src_b 2, lreg_src_c 3)
//         tensix.sfploadi  (imm16 29208, instr_mod0 2, lreg_ind 2)
//         tensix.sfploadi  (imm16 16177, instr_mod0 8, lreg_ind 2)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 1, lreg_src_b 2, lreg_src_c 3)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 1)
//         tensix.sfploadi  (imm16 32639, instr_mod0 8, lreg_ind 1)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 1, lreg_dest 2)
//         tensix.sfpmov  (lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpsetcc
//         tensix.sfploadi  (imm16 32704, lreg_ind 3)
//         tensix.sfpencc
//         tensix.sfpsetcc  (instr_mod1 6)
//         tensix.sfploadi  (imm16 65408, lreg_ind 3)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 3, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @log_bf16(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tlog %t0 {precision = #pto.precision<bf16>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @log_bf16:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 29886, instr_mod0 2)
//       tensix.sfploadi  (imm16 48780, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 62919, instr_mod0 2)
//       tensix.sfploadi  (imm16 16054, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 44076, instr_mod0 2)
//       tensix.sfploadi  (imm16 48895, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 59803, instr_mod0 2)
//       tensix.sfploadi  (imm16 16255, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpadd  (lreg_src_a 10, lreg_src_c 9)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 9)
//         tensix.sfploadi  (imm16 21845, instr_mod0 2, lreg_ind 2)
//         tensix.sfploadi  (imm16 85, instr_mod0 8, lreg_ind 2)
//         tensix.sfploadi  (imm16 21845, instr_mod0 2, lreg_ind 3)
//         tensix.sfploadi  (imm16 85, instr_mod0 8, lreg_ind 3)
//         tensix.sfpiadd  (instr_mod1 4, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 4, lreg_c 1, lreg_dest 3)
//         tensix.sfpexexp  (lreg_c 2, lreg_dest 2)
//         tensix.sfpexexp  (lreg_c 3, lreg_dest 3)
//         tensix.sfpmov  (lreg_c 2, lreg_dest 4)
//         tensix.sfpmov  (lreg_c 3, lreg_dest 5)
//         tensix.sfpshft  (imm12_math 23, instr_mod1 1, lreg_dest 4)
//         tensix.sfpshft  (imm12_math 23, instr_mod1 1, lreg_dest 5)
//         tensix.sfpiadd  (instr_mod1 6, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 1, lreg_dest 5)
//         tensix.sfploadi  (imm16 19264, lreg_ind 6)
//         tensix.sfploadi  (imm16 19264, lreg_ind 7)
//         tensix.sfpiadd  (instr_mod1 4, lreg_c 2, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 4, lreg_c 3, lreg_dest 7)
//         tensix.sfploadi  (imm16 52032, lreg_ind 3)
//         tensix.sfpadd  (lreg_dest 6, lreg_src_a 10, lreg_src_b 6, lreg_src_c 3)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 7, lreg_src_c 3)
//         tensix.sfploadi  (imm16 49024, lreg_ind 7)
//         tensix.sfpadd  (lreg_dest 4, lreg_src_a 10, lreg_src_b 4, lreg_src_c 7)
//         tensix.sfpadd  (lreg_dest 7, lreg_src_a 10, lreg_src_b 5, lreg_src_c 7)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 11, lreg_src_b 4, lreg_src_c 12)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 11, lreg_src_b 7, lreg_src_c 12)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 5, lreg_src_b 4, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_b 7, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 5, lreg_src_b 4, lreg_src_c 14)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_b 7, lreg_src_c 14)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 5, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 7, lreg_src_a 2, lreg_src_b 7, lreg_src_c 9)
//         tensix.sfploadi  (imm16 29208, instr_mod0 2, lreg_ind 2)
//         tensix.sfploadi  (imm16 16177, instr_mod0 8, lreg_ind 2)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 6, lreg_src_b 2, lreg_src_c 4)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 3, lreg_src_b 2, lreg_src_c 7)
//         tensix.sfpexexp  (lreg_dest 2)
//         tensix.sfpexexp  (lreg_c 1, lreg_dest 3)
//         tensix.sfpiadd  (imm12_math 3968, instr_mod1 9, lreg_c 2, lreg_dest 2)
//         tensix.sfpmov  (lreg_dest 4)
//         tensix.sfpencc
//         tensix.sfpiadd  (imm12_math 3968, instr_mod1 9, lreg_c 3, lreg_dest 3)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 7)
//         tensix.sfpencc
//         tensix.sfpiadd  (imm12_math 4095, instr_mod1 1, lreg_dest 3)
//         tensix.sfploadi  (imm16 32704, lreg_ind 4)
//         tensix.sfpsetcc  (instr_mod1 6)
//         tensix.sfploadi  (imm16 65408, lreg_ind 4)
//         tensix.sfpencc
//         tensix.sfpiadd  (imm12_math 4095, instr_mod1 1, lreg_c 1)
//         tensix.sfploadi  (imm16 32704, lreg_ind 7)
//         tensix.sfpsetcc  (instr_mod1 6, lreg_c 1)
//         tensix.sfploadi  (imm16 65408, lreg_ind 7)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 4)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 7, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @log1p(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tlog1p %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @log1p:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 39164, instr_mod0 2)
//       tensix.sfploadi  (imm16 48644, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 26794, instr_mod0 2)
//       tensix.sfploadi  (imm16 15887, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 12008, instr_mod0 2)
//       tensix.sfploadi  (imm16 48633, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 24370, instr_mod0 2)
//       tensix.sfploadi  (imm16 15887, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_c 10)
//         tensix.sfploadi  (imm16 21845, instr_mod0 2, lreg_ind 2)
//         tensix.sfploadi  (imm16 85, instr_mod0 8, lreg_ind 2)
//         tensix.sfpiadd  (instr_mod1 4, lreg_c 1, lreg_dest 2)
//         tensix.sfpexexp  (lreg_c 2, lreg_dest 2)
//         tensix.sfpmov  (lreg_c 2, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 23, instr_mod1 1, lreg_dest 3)
//         tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 6, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 10, lreg_dest 3)
//         tensix.sfpswap  (instr_mod1 9, lreg_dest 3, lreg_src_c 9)
//         tensix.sfploadi  (imm16 49024)
//         tensix.sfpadd  (lreg_src_a 10, lreg_src_b 3)
//         tensix.sfploadi  (imm16 19264, lreg_ind 3)
//         tensix.sfpadd  (lreg_src_a 10, lreg_src_b 4)
//         tensix.sfpiadd  (instr_mod1 4, lreg_c 2, lreg_dest 3)
//         tensix.sfploadi  (imm16 52032, lreg_ind 2)
//         tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 3, lreg_src_c 2)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 11, lreg_src_c 12)
//         tensix.sfploadi  (imm16 54186, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 48682, instr_mod0 8, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 3, lreg_src_c 13)
//         tensix.sfploadi  (imm16 59641, instr_mod0 2, lreg_ind 5)
//         tensix.sfploadi  (imm16 15948, instr_mod0 8, lreg_ind 5)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 3, lreg_src_c 14)
//         tensix.sfploadi  (imm16 65346, instr_mod0 2, lreg_ind 6)
//         tensix.sfploadi  (imm16 48767, instr_mod0 8, lreg_ind 6)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 3, lreg_src_c 4)
//         tensix.sfploadi  (imm16 43649, instr_mod0 2, lreg_ind 3)
//         tensix.sfploadi  (imm16 16042, instr_mod0 8, lreg_ind 3)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 4, lreg_src_c 5)
//         tensix.sfploadi  (imm16 48896, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 5, lreg_src_c 6)
//         tensix.sfpmul  (lreg_dest 5, lreg_src_c 9)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 6, lreg_src_c 3)
//         tensix.sfploadi  (imm16 29208, instr_mod0 2, lreg_ind 6)
//         tensix.sfploadi  (imm16 16177, instr_mod0 8, lreg_ind 6)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 3, lreg_src_c 4)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpmad  (lreg_src_a 5, lreg_src_b 4)
//         tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 32639, instr_mod0 8, lreg_ind 4)
//         tensix.sfpmad  (lreg_src_a 2, lreg_src_b 6)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 4, lreg_dest 3)
//         tensix.sfpmov  (lreg_c 1)
//         tensix.sfpencc
//         tensix.sfpsetcc  (lreg_c 1)
//         tensix.sfploadi  (imm16 32704)
//         tensix.sfpencc
//         tensix.sfpsetcc  (instr_mod1 6, lreg_c 1)
//         tensix.sfploadi  (imm16 65408)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @log1p_bf16(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tlog1p %t0 {precision = #pto.precision<bf16>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @log1p_bf16:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 29886, instr_mod0 2)
//       tensix.sfploadi  (imm16 48780, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 62919, instr_mod0 2)
//       tensix.sfploadi  (imm16 16054, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 44076, instr_mod0 2)
//       tensix.sfploadi  (imm16 48895, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 59803, instr_mod0 2)
//       tensix.sfploadi  (imm16 16255, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       tensix.sfploadi  (imm16 29208, instr_mod0 2, lreg_ind 7)
//       tensix.sfploadi  (imm16 16177, instr_mod0 8, lreg_ind 7)
//       tensix.sfploadi  (imm16 21845, instr_mod0 2, lreg_ind 6)
//       tensix.sfploadi  (imm16 85, instr_mod0 8, lreg_ind 6)
//       tensix.sfploadi  (imm16 49024, lreg_ind 5)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_c 10)
//         tensix.sfpmov  (lreg_c 6, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 4, lreg_c 1, lreg_dest 2)
//         tensix.sfpexexp  (lreg_c 2, lreg_dest 2)
//         tensix.sfpmov  (lreg_c 2, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 23, instr_mod1 1, lreg_dest 3)
//         tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 6, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 10, lreg_dest 3)
//         tensix.sfpswap  (instr_mod1 9, lreg_dest 3, lreg_src_c 9)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 5)
//         tensix.sfploadi  (imm16 19264)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 4, lreg_src_c 3)
//         tensix.sfpiadd  (instr_mod1 4, lreg_c 2)
//         tensix.sfploadi  (imm16 52032, lreg_ind 2)
//         tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_c 2)
//         tensix.sfpmad  (lreg_src_a 11, lreg_src_b 3, lreg_src_c 12)
//         tensix.sfpexexp  (lreg_c 1, lreg_dest 4)
//         tensix.sfpmad  (lreg_src_b 3, lreg_src_c 13)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_src_b 3, lreg_src_c 14)
//         tensix.sfpnop
//         tensix.sfpmul  (lreg_dest 3, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 2, lreg_src_b 7, lreg_src_c 3)
//         tensix.sfpiadd  (imm12_math 3968, instr_mod1 9, lreg_c 4, lreg_dest 4)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpiadd  (imm12_math 4095, instr_mod1 1, lreg_c 1, lreg_dest 4)
//         tensix.sfploadi  (imm16 32704, lreg_ind 3)
//         tensix.sfpsetcc  (instr_mod1 6, lreg_c 1)
//         tensix.sfploadi  (imm16 65408, lreg_ind 3)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 3, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)
