// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse %s \
// RUN:   | awk -f %S/Inputs/function.awk > %output

// Roots.
// Functions of bf16 tensors have shorter code, also if the tile is f32.

pto.func @sqrt(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tsqrt %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @sqrt:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 4096, instr_mod0 2)
//       tensix.sfploadi  (imm16 24337, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 13865, instr_mod0 2)
//       tensix.sfploadi  (imm16 16272, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 44963, instr_mod0 2)
//       tensix.sfploadi  (imm16 16257, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2)
//       tensix.sfploadi  (imm16 32639, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpadd  (lreg_src_a 10, lreg_src_c 9)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 9)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 4095, instr_mod1 1, lreg_dest 2)
//         tensix.sfpshft  (imm12_math 4095, instr_mod1 1, lreg_dest 3)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 11, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 11, lreg_dest 3)
//         tensix.sfpmov  (instr_mod1 1, lreg_dest 4)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 1, lreg_dest 5)
//         tensix.sfpmul  (lreg_dest 6, lreg_src_a 4, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 7, lreg_src_a 5, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 6, lreg_src_b 2, lreg_src_c 12)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 7, lreg_src_b 3, lreg_src_c 12)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 6, lreg_src_b 6, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 7, lreg_src_b 7, lreg_src_c 13)
//         tensix.sfpmul  (lreg_dest 2, lreg_src_a 6, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 7, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 4, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 5, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 4, lreg_src_b 2, lreg_src_c 10)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 5, lreg_src_b 3, lreg_src_c 10)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 4, lreg_dest 4)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 5, lreg_dest 5)
//         tensix.sfploadi  (imm16 16128, lreg_ind 7)
//         tensix.sfpmul  (lreg_dest 6, lreg_src_a 4, lreg_src_b 7, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 7, lreg_src_a 5, lreg_src_b 7, lreg_src_c 9)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 2, lreg_src_b 6, lreg_src_c 4)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 3, lreg_src_b 7, lreg_src_c 5)
//         tensix.sfpmov  (lreg_dest 7)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 14, lreg_dest 7)
//         tensix.sfpmov  (lreg_dest 4)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 14, lreg_dest 3)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpsetcc
//         tensix.sfploadi  (imm16 32704, lreg_ind 4)
//         tensix.sfpencc
//         tensix.sfpsetcc  (lreg_c 1)
//         tensix.sfploadi  (imm16 32704, lreg_ind 5)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 4)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 5, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @sqrt_bf16(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tsqrt %t0 {precision = #pto.precision<bf16>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @sqrt_bf16:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 12288, instr_mod0 2)
//       tensix.sfploadi  (imm16 24331, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 3146, instr_mod0 2)
//       tensix.sfploadi  (imm16 16370, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpadd  (lreg_src_a 10, lreg_src_c 9)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 9)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 4095, instr_mod1 1, lreg_dest 2)
//         tensix.sfpshft  (imm12_math 4095, instr_mod1 1, lreg_dest 3)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 11, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 11, lreg_dest 3)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 1, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 4, lreg_dest 6)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 5, lreg_dest 7)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 6, lreg_src_b 2, lreg_src_c 12)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 7, lreg_src_b 3, lreg_src_c 12)
//         tensix.sfpswap  (instr_mod1 9, lreg_dest 2, lreg_src_c 10)
//         tensix.sfpswap  (instr_mod1 9, lreg_dest 3, lreg_src_c 10)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 2, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 3, lreg_src_b 5, lreg_src_c 9)
//         tensix.sfpsetcc
//         tensix.sfploadi  (imm16 32704, lreg_ind 4)
//         tensix.sfpencc
//         tensix.sfpsetcc  (lreg_c 1)
//         tensix.sfploadi  (imm16 32704, lreg_ind 5)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 4)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 5, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @rsqrt(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trsqrt %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @rsqrt:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 4096, instr_mod0 2)
//       tensix.sfploadi  (imm16 24337, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 13865, instr_mod0 2)
//       tensix.sfploadi  (imm16 16272, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 44963, instr_mod0 2)
//       tensix.sfploadi  (imm16 16257, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2)
//       tensix.sfploadi  (imm16 32639, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpadd  (lreg_src_a 10, lreg_src_c 9)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 9)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 4095, instr_mod1 1, lreg_dest 2)
//         tensix.sfpshft  (imm12_math 4095, instr_mod1 1, lreg_dest 3)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 11, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 11, lreg_dest 3)
//         tensix.sfpmov  (instr_mod1 1, lreg_dest 4)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 1, lreg_dest 5)
//         tensix.sfpmul  (lreg_dest 6, lreg_src_a 4, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 7, lreg_src_a 5, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 6, lreg_src_b 2, lreg_src_c 12)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 7, lreg_src_b 3, lreg_src_c 12)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 6, lreg_src_b 6, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 7, lreg_src_b 7, lreg_src_c 13)
//         tensix.sfpmul  (lreg_dest 2, lreg_src_a 6, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 7, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 4, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 5, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 4, lreg_src_b 2, lreg_src_c 10)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 5, lreg_src_b 3, lreg_src_c 10)
//         tensix.sfploadi  (imm16 16128, lreg_ind 7)
//         tensix.sfpmul  (lreg_dest 6, lreg_src_a 2, lreg_src_b 7, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 7, lreg_src_a 3, lreg_src_b 7, lreg_src_c 9)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 4, lreg_src_b 6, lreg_src_c 2)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 5, lreg_src_b 7, lreg_src_c 3)
//         tensix.sfpmov  (lreg_dest 7)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 5)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 14, lreg_dest 7)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 14, lreg_dest 5)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpsetcc
//         tensix.sfploadi  (imm16 32704, lreg_ind 2)
//         tensix.sfpencc
//         tensix.sfpsetcc  (lreg_c 1)
//         tensix.sfploadi  (imm16 32704, lreg_ind 3)
//         tensix.sfpencc
//         tensix.sfploadi  (imm16 32640, lreg_ind 5)
//         tensix.sfploadi  (imm16 32640, lreg_ind 7)
//         tensix.sfpxor  (lreg_dest 5)
//         tensix.sfpxor  (lreg_c 1, lreg_dest 7)
//         tensix.sfpsetcc  (instr_mod1 6, lreg_c 5)
//         tensix.sfpmov  (lreg_c 9, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpsetcc  (instr_mod1 6, lreg_c 7)
//         tensix.sfpmov  (lreg_c 9, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpsetcc  (instr_mod1 6)
//         tensix.sfploadi  (imm16 32640, lreg_ind 2)
//         tensix.sfpencc
//         tensix.sfpsetcc  (instr_mod1 6, lreg_c 1)
//         tensix.sfploadi  (imm16 32640, lreg_ind 3)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 2)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 3, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @rsqrt_bf16(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trsqrt %t0 {precision = #pto.precision<bf16>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @rsqrt_bf16:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 12288, instr_mod0 2)
//       tensix.sfploadi  (imm16 24331, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 3146, instr_mod0 2)
//       tensix.sfploadi  (imm16 16370, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 32640)
//       tensix.sfpconfig  (config_dest 13)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpadd  (lreg_src_a 10, lreg_src_c 9)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 9)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 4095, instr_mod1 1, lreg_dest 2)
//         tensix.sfpshft  (imm12_math 4095, instr_mod1 1, lreg_dest 3)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 11, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 11, lreg_dest 3)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 1, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 4, lreg_dest 4)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 5, lreg_dest 5)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 4, lreg_src_b 2, lreg_src_c 12)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 5, lreg_src_b 3, lreg_src_c 12)
//         tensix.sfpswap  (instr_mod1 9, lreg_dest 4, lreg_src_c 9)
//         tensix.sfpswap  (instr_mod1 9, lreg_dest 5, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 2, lreg_src_a 4, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 5, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 5)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 13, lreg_dest 5)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 13, lreg_dest 4)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpiadd  (imm12_math 4095, instr_mod1 1, lreg_dest 4)
//         tensix.sfploadi  (imm16 32704, lreg_ind 2)
//         tensix.sfpsetcc  (instr_mod1 6)
//         tensix.sfpmov  (lreg_c 13, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpiadd  (imm12_math 4095, instr_mod1 1, lreg_c 1)
//         tensix.sfploadi  (imm16 32704, lreg_ind 3)
//         tensix.sfpsetcc  (instr_mod1 6, lreg_c 1)
//         tensix.sfpmov  (lreg_c 13, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 2)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 3, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @cbrt(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tcbrt %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @cbrt:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 43691, instr_mod0 2)
//       tensix.sfploadi  (imm16 16042, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 38255, instr_mod0 2)
//       tensix.sfploadi  (imm16 15921, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 43728, instr_mod0 2)
//       tensix.sfploadi  (imm16 16042, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 65502, instr_mod0 2)
//       tensix.sfploadi  (imm16 16255, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpsetsgn  (instr_mod1 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 1)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 4088, instr_mod1 1, lreg_dest 2)
//         tensix.sfpshft  (imm12_math 4088, instr_mod1 1, lreg_dest 3)
//         tensix.sfpcast  (lreg_dest 2, lreg_src_c 2)
//         tensix.sfpcast  (lreg_dest 3, lreg_src_c 3)
//         tensix.sfploadi  (imm16 19200, lreg_ind 4)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_b 11, lreg_src_c 4)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 3, lreg_src_b 11, lreg_src_c 4)
//         tensix.sfpexman  (instr_mod1 1, lreg_c 2, lreg_dest 2)
//         tensix.sfpexman  (instr_mod1 1, lreg_c 4, lreg_dest 4)
//         tensix.sfpshft  (imm12_math 8, instr_mod1 1, lreg_dest 2)
//         tensix.sfpshft  (imm12_math 8, instr_mod1 1, lreg_dest 4)
//         tensix.sfploadi  (imm16 7466, instr_mod0 2, lreg_ind 3)
//         tensix.sfploadi  (imm16 21666, instr_mod0 8, lreg_ind 3)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 3, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 3, lreg_dest 4)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 1, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 3, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 5, lreg_src_a 5, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 2, lreg_dest 6)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 4, lreg_dest 7)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 3, lreg_src_b 6, lreg_src_c 10)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 5, lreg_src_b 7, lreg_src_c 10)
//         tensix.sfploadi  (imm16 8249, instr_mod0 2, lreg_ind 5)
//         tensix.sfploadi  (imm16 15973, instr_mod0 8, lreg_ind 5)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 12, lreg_src_b 6, lreg_src_c 5)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 12, lreg_src_b 7, lreg_src_c 5)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 3, lreg_src_b 6, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 5, lreg_src_b 7, lreg_src_c 13)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 3, lreg_src_b 6, lreg_src_c 14)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 5, lreg_src_b 7, lreg_src_c 14)
//         tensix.sfpmul  (lreg_dest 6, lreg_src_a 2, lreg_src_b 6, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 7, lreg_src_a 4, lreg_src_b 7, lreg_src_c 9)
//         tensix.sfpmul  (lreg_src_b 6, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 1, lreg_src_a 1, lreg_src_b 7, lreg_src_c 9)
//         tensix.sfpmul  (lreg_src_b 6, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 1, lreg_src_a 1, lreg_src_b 7, lreg_src_c 9)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 6, lreg_dest 6)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 7, lreg_dest 7)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_b 6, lreg_src_c 10)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 1, lreg_src_b 7, lreg_src_c 10)
//         tensix.sfploadi  (imm16 43691, instr_mod0 2, lreg_ind 4)
//         tensix.sfploadi  (imm16 16170, instr_mod0 8, lreg_ind 4)
//         tensix.sfpmul  (lreg_dest 6, lreg_src_a 6, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 7, lreg_src_b 4, lreg_src_c 9)
//         tensix.sfpmad  (lreg_src_a 6)
//         tensix.sfpmad  (lreg_dest 1, lreg_src_a 4, lreg_src_b 1, lreg_src_c 1)
//         tensix.sfpload  (instr_mod0 3, lreg_ind 4)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 6)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 7)
//         tensix.sfpmov  (lreg_c 6, lreg_dest 2)
//         tensix.sfpsetsgn  (lreg_dest 7)
//         tensix.sfpsetsgn  (lreg_c 1, lreg_dest 2)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 4, lreg_dest 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 6)
//         tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 5)
//         tensix.sfploadi  (imm16 32639, instr_mod0 8, lreg_ind 5)
//         tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 3)
//         tensix.sfploadi  (imm16 32639, instr_mod0 8, lreg_ind 3)
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 5, lreg_dest 1)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 7)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 3)
//         tensix.sfpmov  (lreg_c 6, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 7)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 2, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @cbrt_bf16(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tcbrt %t0 {precision = #pto.precision<bf16>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @cbrt_bf16:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 43691, instr_mod0 2)
//       tensix.sfploadi  (imm16 16042, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 7466, instr_mod0 2)
//       tensix.sfploadi  (imm16 21666, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 25310, instr_mod0 2)
//       tensix.sfploadi  (imm16 16143, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 16800, instr_mod0 2)
//       tensix.sfploadi  (imm16 49125, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 14)
//       tensix.sfploadi  (imm16 51208, instr_mod0 2, lreg_ind 7)
//       tensix.sfploadi  (imm16 16398, instr_mod0 8, lreg_ind 7)
//       tensix.sfploadi  (imm16 19200, lreg_ind 6)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpsetsgn  (instr_mod1 1)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 1, lreg_dest 1)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 4088, instr_mod1 1, lreg_dest 2)
//         tensix.sfpshft  (imm12_math 4088, instr_mod1 1, lreg_dest 3)
//         tensix.sfpcast  (lreg_dest 2, lreg_src_c 2)
//         tensix.sfpcast  (lreg_dest 3, lreg_src_c 3)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_b 11, lreg_src_c 6)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 3, lreg_src_b 11, lreg_src_c 6)
//         tensix.sfpexman  (instr_mod1 1, lreg_c 2, lreg_dest 2)
//         tensix.sfpexman  (instr_mod1 1, lreg_c 3, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 8, instr_mod1 1, lreg_dest 2)
//         tensix.sfpshft  (imm12_math 8, instr_mod1 1, lreg_dest 3)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 12, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 12, lreg_dest 3)
//         tensix.sfpmul  (lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 1, lreg_src_a 1, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmul  (lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 1, lreg_src_a 1, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 2, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 1, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 13, lreg_src_b 2, lreg_src_c 14)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 13, lreg_src_b 3, lreg_src_c 14)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 4, lreg_src_b 2, lreg_src_c 7)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 5, lreg_src_b 3, lreg_src_c 7)
//         tensix.sfpmul  (lreg_dest 2, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 1, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpload  (instr_mod0 3, lreg_ind 1)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3)
//         tensix.sfpsetsgn  (lreg_c 2, lreg_dest 1)
//         tensix.sfpsetsgn  (lreg_c 3)
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)
