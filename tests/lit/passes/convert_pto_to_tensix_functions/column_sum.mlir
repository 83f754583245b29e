// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse %s \
// RUN:   | awk -f %S/Inputs/function.awk > %output

// Sums of columns.
// The running result stays in Dst from address 192 on. The result of the first tile is copied
// there.

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
// OUTPUT @col_sum:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %c0 below 4096  (setc16_reg 1)
//       tensix.sfpmov  (lreg_c 15, lreg_dest 6)
//       tensix.sfpshft  (imm12_math 4092, instr_mod1 1, lreg_dest 6)
//       tensix.sfpload  (instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 2, instr_mod0 4, lreg_ind 1)
//       tensix.sfpload  (dest_reg_addr 16, instr_mod0 4, lreg_ind 2)
//       tensix.sfpload  (dest_reg_addr 18, instr_mod0 4, lreg_ind 3)
//       tensix.sfpload  (dest_reg_addr 4, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 6, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 20, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 22, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 8, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 10, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 24, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 26, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 12, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 14, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 28, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 30, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 32, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 34, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 48, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 50, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 36, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 38, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 52, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 54, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 40, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 42, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 56, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 58, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 44, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 46, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 60, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 62, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfptransp
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 1)
//       tensix.sfpnop
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 2)
//       tensix.sfpnop
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 3)
//       tensix.sfpnop
//       tensix.sfptransp
//       tensix.sfpstore  (instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 1)
//       tensix.sfpstore  (dest_reg_addr 16, instr_mod0 4, lreg_ind 2)
//       tensix.sfpstore  (dest_reg_addr 18, instr_mod0 4, lreg_ind 3)
//       tensix.sfpmov  (lreg_c 15, lreg_dest 6)
//       tensix.sfpshft  (imm12_math 4092, instr_mod1 1, lreg_dest 6)
//       tensix.sfpload  (instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 192, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 2, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 194, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 16, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 208, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 18, instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 210, instr_mod0 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)
//     ...
//       tensix.push "setc16" setc16_value = %c0 below 4096  (setc16_reg 1)
//       tensix.sfpmov  (lreg_c 15, lreg_dest 6)
//       tensix.sfpshft  (imm12_math 4092, instr_mod1 1, lreg_dest 6)
//       tensix.sfpload  (instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 2, instr_mod0 4, lreg_ind 1)
//       tensix.sfpload  (dest_reg_addr 16, instr_mod0 4, lreg_ind 2)
//       tensix.sfpload  (dest_reg_addr 18, instr_mod0 4, lreg_ind 3)
//       tensix.sfpload  (dest_reg_addr 4, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 6, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 20, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 22, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 8, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 10, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 24, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 26, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 12, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 14, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 28, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 30, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 32, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 34, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 48, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 50, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 36, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 38, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 52, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 54, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 40, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 42, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 56, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 58, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 44, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 46, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 60, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 62, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfptransp
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 1)
//       tensix.sfpnop
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 2)
//       tensix.sfpnop
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 3)
//       tensix.sfpnop
//       tensix.sfptransp
//       tensix.sfpstore  (instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 1)
//       tensix.sfpstore  (dest_reg_addr 16, instr_mod0 4, lreg_ind 2)
//       tensix.sfpstore  (dest_reg_addr 18, instr_mod0 4, lreg_ind 3)
//       tensix.sfpmov  (lreg_c 15, lreg_dest 6)
//       tensix.sfpshft  (imm12_math 4092, instr_mod1 1, lreg_dest 6)
//       tensix.sfpload  (instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 192, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfpstore  (dest_reg_addr 192, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 2, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 194, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfpstore  (dest_reg_addr 194, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 16, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 208, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfpstore  (dest_reg_addr 208, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 18, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 210, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfpstore  (dest_reg_addr 210, instr_mod0 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)
//     ...
//       tensix.push "setc16" setc16_value = %c0 below 4096  (setc16_reg 1)
//       tensix.sfpmov  (lreg_c 15, lreg_dest 6)
//       tensix.sfpshft  (imm12_math 4092, instr_mod1 1, lreg_dest 6)
//       tensix.sfpload  (instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 2, instr_mod0 4, lreg_ind 1)
//       tensix.sfpload  (dest_reg_addr 16, instr_mod0 4, lreg_ind 2)
//       tensix.sfpload  (dest_reg_addr 18, instr_mod0 4, lreg_ind 3)
//       tensix.sfpload  (dest_reg_addr 4, instr_mod0 4, lreg_ind 4)
//       tensix.sfpiadd  (imm12_math 4094, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (instr_mod0 2, lreg_ind 4)
//       tensix.sfploadi  (instr_mod0 8, lreg_ind 4)
//       tensix.sfpencc
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 6, instr_mod0 4, lreg_ind 4)
//       tensix.sfpiadd  (imm12_math 4094, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (instr_mod0 2, lreg_ind 4)
//       tensix.sfploadi  (instr_mod0 8, lreg_ind 4)
//       tensix.sfpencc
//       tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 20, instr_mod0 4, lreg_ind 4)
//       tensix.sfpiadd  (imm12_math 4094, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (instr_mod0 2, lreg_ind 4)
//       tensix.sfploadi  (instr_mod0 8, lreg_ind 4)
//       tensix.sfpencc
//       tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 4)
//       tensix.sfpload  (dest_reg_addr 22, instr_mod0 4, lreg_ind 4)
//       tensix.sfpiadd  (imm12_math 4094, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (instr_mod0 2, lreg_ind 4)
//       tensix.sfploadi  (instr_mod0 8, lreg_ind 4)
//       tensix.sfpencc
//       tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfptransp
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 1)
//       tensix.sfpnop
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 2)
//       tensix.sfpnop
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 3)
//       tensix.sfpnop
//       tensix.sfptransp
//       tensix.sfpstore  (instr_mod0 4)
//       tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 1)
//       tensix.sfpstore  (dest_reg_addr 16, instr_mod0 4, lreg_ind 2)
//       tensix.sfpstore  (dest_reg_addr 18, instr_mod0 4, lreg_ind 3)
//       tensix.sfpmov  (lreg_c 15, lreg_dest 6)
//       tensix.sfpshft  (imm12_math 4092, instr_mod1 1, lreg_dest 6)
//       tensix.sfpload  (instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 192, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfpstore  (dest_reg_addr 192, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 2, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 194, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfpstore  (dest_reg_addr 194, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 16, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 208, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfpstore  (dest_reg_addr 208, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 18, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 210, instr_mod0 4, lreg_ind 4)
//       tensix.sfpadd  (lreg_src_a 10, lreg_src_c 4)
//       tensix.sfpnop
//       tensix.sfpstore  (dest_reg_addr 210, instr_mod0 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)
