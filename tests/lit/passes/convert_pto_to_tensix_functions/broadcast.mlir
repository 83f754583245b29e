// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse %s \
// RUN:   | awk -f %S/Inputs/function.awk > %output

// Operands that are broadcast: a row, a column, or one element.

pto.func @spread_row(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tadd %t0, %t1 {broadcast = #pto.broadcast<row>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @spread_row:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfpload  (dest_reg_addr 64, instr_mod0 4)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_dest 2)
//       tensix.sfpmov  (lreg_dest 3)
//       tensix.sfptransp
//       tensix.sfpstore  (dest_reg_addr 64, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 68, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 72, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 76, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 96, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 100, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 104, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 108, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 66, instr_mod0 4)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_dest 2)
//       tensix.sfpmov  (lreg_dest 3)
//       tensix.sfptransp
//       tensix.sfpstore  (dest_reg_addr 66, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 70, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 74, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 78, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 98, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 102, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 106, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 110, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 80, instr_mod0 4)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_dest 2)
//       tensix.sfpmov  (lreg_dest 3)
//       tensix.sfptransp
//       tensix.sfpstore  (dest_reg_addr 80, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 84, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 88, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 92, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 112, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 116, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 120, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 124, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 82, instr_mod0 4)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_dest 2)
//       tensix.sfpmov  (lreg_dest 3)
//       tensix.sfptransp
//       tensix.sfpstore  (dest_reg_addr 82, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 86, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 90, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 94, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 114, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 118, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 122, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 126, instr_mod0 4)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 2)
//         tensix.sfpload  (dest_reg_addr 66, instr_mod0 3, lreg_ind 3)
//         tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_c 2)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 1, lreg_src_c 3)
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 2)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 3, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @spread_column(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tadd %t0, %t1 {broadcast = #pto.broadcast<column>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @spread_column:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 15, instr_mod0 2, lreg_ind 6)
//       tensix.sfpand  (lreg_c 15, lreg_dest 6)
//       tensix.sfploadi  (imm16 65535, instr_mod0 4, lreg_ind 7)
//       tensix.sfpsetcc  (instr_mod1 2, lreg_c 6)
//       tensix.sfploadi  (instr_mod0 2, lreg_ind 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 64, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 68, instr_mod0 4, lreg_ind 3)
//       tensix.sfpand  (lreg_c 7)
//       tensix.sfpand  (lreg_c 7, lreg_dest 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpnop
//       tensix.sfpor  (lreg_c 1)
//       tensix.sfpor  (lreg_c 4, lreg_dest 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfpor  (lreg_c 2)
//       tensix.sfpor  (lreg_c 5, lreg_dest 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfpor  (lreg_c 2)
//       tensix.sfpor  (lreg_c 5, lreg_dest 3)
//       tensix.sfpstore  (dest_reg_addr 64, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 66, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 80, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 82, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 68, instr_mod0 4, lreg_ind 3)
//       tensix.sfpstore  (dest_reg_addr 70, instr_mod0 4, lreg_ind 3)
//       tensix.sfpstore  (dest_reg_addr 84, instr_mod0 4, lreg_ind 3)
//       tensix.sfpstore  (dest_reg_addr 86, instr_mod0 4, lreg_ind 3)
//       tensix.sfpload  (dest_reg_addr 72, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 76, instr_mod0 4, lreg_ind 3)
//       tensix.sfpand  (lreg_c 7)
//       tensix.sfpand  (lreg_c 7, lreg_dest 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpnop
//       tensix.sfpor  (lreg_c 1)
//       tensix.sfpor  (lreg_c 4, lreg_dest 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfpor  (lreg_c 2)
//       tensix.sfpor  (lreg_c 5, lreg_dest 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfpor  (lreg_c 2)
//       tensix.sfpor  (lreg_c 5, lreg_dest 3)
//       tensix.sfpstore  (dest_reg_addr 72, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 74, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 88, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 90, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 76, instr_mod0 4, lreg_ind 3)
//       tensix.sfpstore  (dest_reg_addr 78, instr_mod0 4, lreg_ind 3)
//       tensix.sfpstore  (dest_reg_addr 92, instr_mod0 4, lreg_ind 3)
//       tensix.sfpstore  (dest_reg_addr 94, instr_mod0 4, lreg_ind 3)
//       tensix.sfpload  (dest_reg_addr 96, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 100, instr_mod0 4, lreg_ind 3)
//       tensix.sfpand  (lreg_c 7)
//       tensix.sfpand  (lreg_c 7, lreg_dest 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpnop
//       tensix.sfpor  (lreg_c 1)
//       tensix.sfpor  (lreg_c 4, lreg_dest 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfpor  (lreg_c 2)
//       tensix.sfpor  (lreg_c 5, lreg_dest 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfpor  (lreg_c 2)
//       tensix.sfpor  (lreg_c 5, lreg_dest 3)
//       tensix.sfpstore  (dest_reg_addr 96, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 98, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 112, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 114, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 100, instr_mod0 4, lreg_ind 3)
//       tensix.sfpstore  (dest_reg_addr 102, instr_mod0 4, lreg_ind 3)
//       tensix.sfpstore  (dest_reg_addr 116, instr_mod0 4, lreg_ind 3)
//       tensix.sfpstore  (dest_reg_addr 118, instr_mod0 4, lreg_ind 3)
//       tensix.sfpload  (dest_reg_addr 104, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 108, instr_mod0 4, lreg_ind 3)
//       tensix.sfpand  (lreg_c 7)
//       tensix.sfpand  (lreg_c 7, lreg_dest 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpnop
//       tensix.sfpor  (lreg_c 1)
//       tensix.sfpor  (lreg_c 4, lreg_dest 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfpor  (lreg_c 2)
//       tensix.sfpor  (lreg_c 5, lreg_dest 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfpor  (lreg_c 2)
//       tensix.sfpor  (lreg_c 5, lreg_dest 3)
//       tensix.sfpstore  (dest_reg_addr 104, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 106, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 120, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 122, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 108, instr_mod0 4, lreg_ind 3)
//       tensix.sfpstore  (dest_reg_addr 110, instr_mod0 4, lreg_ind 3)
//       tensix.sfpstore  (dest_reg_addr 124, instr_mod0 4, lreg_ind 3)
//       tensix.sfpstore  (dest_reg_addr 126, instr_mod0 4, lreg_ind 3)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 2)
//         tensix.sfpload  (dest_reg_addr 66, instr_mod0 3, lreg_ind 3)
//         tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_c 2)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 1, lreg_src_c 3)
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 2)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 3, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @spread_scalar(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tadd %t0, %t1 {broadcast = #pto.broadcast<scalar>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @spread_scalar:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 15, instr_mod0 2, lreg_ind 6)
//       tensix.sfpand  (lreg_c 15, lreg_dest 6)
//       tensix.sfploadi  (imm16 65535, instr_mod0 4, lreg_ind 7)
//       tensix.sfpsetcc  (instr_mod1 2, lreg_c 6)
//       tensix.sfploadi  (instr_mod0 2, lreg_ind 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 64, instr_mod0 4)
//       tensix.sfpand  (lreg_c 7)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1)
//       tensix.sfpnop
//       tensix.sfpor  (lreg_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1)
//       tensix.sfpnop
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpnop
//       tensix.sfpor  (lreg_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1)
//       tensix.sfpnop
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpnop
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpnop
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpnop
//       tensix.sfpor  (lreg_c 2)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_dest 2)
//       tensix.sfpmov  (lreg_dest 3)
//       tensix.sfptransp
//       tensix.sfpstore  (dest_reg_addr 64, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 66, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 68, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 70, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 72, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 74, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 76, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 78, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 80, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 82, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 84, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 86, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 88, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 90, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 92, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 94, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 96, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 98, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 100, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 102, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 104, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 106, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 108, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 110, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 112, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 114, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 116, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 118, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 120, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 122, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 124, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 126, instr_mod0 4)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 2)
//         tensix.sfpload  (dest_reg_addr 66, instr_mod0 3, lreg_ind 3)
//         tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_c 2)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 1, lreg_src_c 3)
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 2)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 3, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)
