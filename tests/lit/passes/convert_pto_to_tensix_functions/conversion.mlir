// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse %s \
// RUN:   | awk -f %S/Inputs/function.awk > %output

// Conversions between floats and integers.

pto.func @to_int(%a0: memref<32x32xf32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @to_int:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2)
//       tensix.sfploadi  (imm16 32767, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpexexp  (lreg_dest 1)
//         tensix.sfpiadd  (imm12_math 4073, instr_mod1 5, lreg_c 1, lreg_dest 2)
//         tensix.sfpexman  (lreg_dest 3)
//         tensix.sfpshft  (lreg_c 2, lreg_dest 3)
//         tensix.sfpsetcc  (lreg_c 1)
//         tensix.sfpmov  (lreg_c 9, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpiadd  (imm12_math 4065, instr_mod1 5, lreg_c 1, lreg_dest 1)
//         tensix.sfpsetcc  (instr_mod1 4, lreg_c 1)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpmov  (lreg_c 3, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 9, lreg_dest 2)
//         tensix.sfpsetcc  (instr_mod1 4, lreg_c 1)
//         tensix.sfploadi  (imm16 32768, lreg_ind 2)
//         tensix.sfpencc
//         tensix.sfpsetcc
//         tensix.sfpmov  (lreg_c 2, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 3, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @to_float(%a0: memref<32x32xi32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tcvt %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @to_float:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 51072)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 18304)
//       tensix.sfpconfig  (config_dest 12)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 2)
//         tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 3)
//         tensix.sfpand  (lreg_dest 2)
//         tensix.sfpand  (lreg_c 1, lreg_dest 3)
//         tensix.sfpcast  (lreg_dest 2, lreg_src_c 2)
//         tensix.sfpcast  (lreg_dest 3, lreg_src_c 3)
//         tensix.sfpmov  (lreg_dest 4)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 5)
//         tensix.sfpshft  (imm12_math 4080, instr_mod1 1, lreg_dest 4)
//         tensix.sfpshft  (imm12_math 4080, instr_mod1 1, lreg_dest 5)
//         tensix.sfpcast  (lreg_dest 4, lreg_src_c 4)
//         tensix.sfpcast  (lreg_dest 5, lreg_src_c 5)
//         tensix.sfpadd  (lreg_dest 6, lreg_src_a 10, lreg_src_b 4, lreg_src_c 11)
//         tensix.sfpadd  (lreg_dest 7, lreg_src_a 10, lreg_src_b 5, lreg_src_c 11)
//         tensix.sfpsetcc
//         tensix.sfpmov  (lreg_c 6, lreg_dest 4)
//         tensix.sfpencc
//         tensix.sfpsetcc  (lreg_c 1)
//         tensix.sfpmov  (lreg_c 7, lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 4, lreg_src_b 12, lreg_src_c 2)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 5, lreg_src_b 12, lreg_src_c 3)
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 2)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 3, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)
