// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse %s \
// RUN:   | awk -f %S/Inputs/function.awk > %output

// Largest elements of rows of integers.
// The running result stays in Dst from address 192 on. The result of the first tile is copied
// there.

pto.func @int_row_max(%a: memref<32x70xi32>, %c: memref<32x1xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%0, %0] : memref<32x70xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.trowmax %t {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec, valid = 32x1>
  %x = scf.for %i = %1 to %2 step %1 iter_args(%k = %r) -> (!pto.tile<tensor<32x32xi32>, vec, valid = 32x1>) {
    %u = pto.tload %a[%0, %i] : memref<32x70xi32> -> <tensor<32x32xi32>, vec>
    %s = pto.trowmax %u {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec, valid = 32x1>
    %b = pto.tmax %k, %s {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec, valid = 32x1>, <tensor<32x32xi32>, vec, valid = 32x1> -> <tensor<32x32xi32>, vec, valid = 32x1>
    scf.yield %b : !pto.tile<tensor<32x32xi32>, vec, valid = 32x1>
  }
  %v = pto.tload %a[%0, %2] : memref<32x70xi32> -> <tensor<32x32xi32>, vec, valid = 32x6>
  %w = pto.trowmax %v {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec, valid = 32x6> -> <tensor<32x32xi32>, vec, valid = 32x1>
  %y = pto.tmax %x, %w {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec, valid = 32x1>, <tensor<32x32xi32>, vec, valid = 32x1> -> <tensor<32x32xi32>, vec, valid = 32x1>
  pto.tstore %y, %c[%0, %0] : <tensor<32x32xi32>, vec, valid = 32x1> -> memref<32x1xi32>
  pto.return
}
// OUTPUT @int_row_max:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %c0 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 15, instr_mod0 2, lreg_ind 6)
//       tensix.sfploadi  (instr_mod0 8, lreg_ind 6)
//       tensix.sfpand  (lreg_c 15, lreg_dest 6)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 7)
//       tensix.sfploadi  (imm16 32767, instr_mod0 8, lreg_ind 7)
//       tensix.sfpload  (instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 4, instr_mod0 4, lreg_ind 3)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 2, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 6, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpload  (dest_reg_addr 16, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 20, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpload  (dest_reg_addr 18, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 22, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 2)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 5, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (instr_mod0 4)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 4, instr_mod0 4, lreg_ind 3)
//       tensix.sfpload  (dest_reg_addr 8, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 12, instr_mod0 4, lreg_ind 3)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 10, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 14, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpload  (dest_reg_addr 24, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 28, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpload  (dest_reg_addr 26, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 30, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 2)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 5, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 8, instr_mod0 4)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 12, instr_mod0 4, lreg_ind 3)
//       tensix.sfpload  (dest_reg_addr 32, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 36, instr_mod0 4, lreg_ind 3)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 34, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 38, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpload  (dest_reg_addr 48, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 52, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpload  (dest_reg_addr 50, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 54, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 2)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 5, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 32, instr_mod0 4)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 36, instr_mod0 4, lreg_ind 3)
//       tensix.sfpload  (dest_reg_addr 40, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 44, instr_mod0 4, lreg_ind 3)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 42, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 46, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpload  (dest_reg_addr 56, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 60, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpload  (dest_reg_addr 58, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 62, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 2)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 5, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 40, instr_mod0 4)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 44, instr_mod0 4, lreg_ind 3)
//       tensix.sfploadi  (imm16 15, instr_mod0 2, lreg_ind 6)
//       tensix.sfploadi  (instr_mod0 8, lreg_ind 6)
//       tensix.sfpand  (lreg_c 15, lreg_dest 6)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 7)
//       tensix.sfploadi  (imm16 32767, instr_mod0 8, lreg_ind 7)
//       tensix.sfpload  (instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 192, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 4, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 196, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 8, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 200, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 12, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 204, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 32, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 224, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 36, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 228, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 40, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 232, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 44, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 236, instr_mod0 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)
//     ...
//       tensix.push "setc16" setc16_value = %c0 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 15, instr_mod0 2, lreg_ind 6)
//       tensix.sfploadi  (instr_mod0 8, lreg_ind 6)
//       tensix.sfpand  (lreg_c 15, lreg_dest 6)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 7)
//       tensix.sfploadi  (imm16 32767, instr_mod0 8, lreg_ind 7)
//       tensix.sfpload  (instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 4, instr_mod0 4, lreg_ind 3)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 2, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 6, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpload  (dest_reg_addr 16, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 20, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpload  (dest_reg_addr 18, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 22, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 2)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 5, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (instr_mod0 4)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 4, instr_mod0 4, lreg_ind 3)
//       tensix.sfpload  (dest_reg_addr 8, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 12, instr_mod0 4, lreg_ind 3)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 10, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 14, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpload  (dest_reg_addr 24, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 28, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpload  (dest_reg_addr 26, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 30, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 2)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 5, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 8, instr_mod0 4)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 12, instr_mod0 4, lreg_ind 3)
//       tensix.sfpload  (dest_reg_addr 32, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 36, instr_mod0 4, lreg_ind 3)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 34, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 38, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpload  (dest_reg_addr 48, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 52, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpload  (dest_reg_addr 50, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 54, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 2)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 5, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 32, instr_mod0 4)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 36, instr_mod0 4, lreg_ind 3)
//       tensix.sfpload  (dest_reg_addr 40, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 44, instr_mod0 4, lreg_ind 3)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 42, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 46, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpload  (dest_reg_addr 56, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 60, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpload  (dest_reg_addr 58, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 62, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 2)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 5, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 40, instr_mod0 4)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 44, instr_mod0 4, lreg_ind 3)
//       tensix.sfploadi  (imm16 15, instr_mod0 2, lreg_ind 6)
//       tensix.sfploadi  (instr_mod0 8, lreg_ind 6)
//       tensix.sfpand  (lreg_c 15, lreg_dest 6)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 7)
//       tensix.sfploadi  (imm16 32767, instr_mod0 8, lreg_ind 7)
//       tensix.sfpload  (instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 192, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 192, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 4, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 196, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 196, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 8, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 200, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 200, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 12, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 204, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 204, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 32, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 224, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 224, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 36, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 228, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 228, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 40, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 232, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 232, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 44, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 236, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 236, instr_mod0 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)
//     ...
//       tensix.push "setc16" setc16_value = %c0 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 15, instr_mod0 2, lreg_ind 6)
//       tensix.sfploadi  (instr_mod0 8, lreg_ind 6)
//       tensix.sfpand  (lreg_c 15, lreg_dest 6)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 7)
//       tensix.sfploadi  (imm16 32767, instr_mod0 8, lreg_ind 7)
//       tensix.sfpload  (instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpiadd  (imm12_math 4090, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2)
//       tensix.sfploadi  (imm16 65535, instr_mod0 8)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 4, instr_mod0 4, lreg_ind 3)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpiadd  (imm12_math 4090, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 3)
//       tensix.sfploadi  (imm16 65535, instr_mod0 8, lreg_ind 3)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 2, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpiadd  (imm12_math 4091, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 1)
//       tensix.sfploadi  (imm16 65535, instr_mod0 8, lreg_ind 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 6, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpiadd  (imm12_math 4091, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 4)
//       tensix.sfploadi  (imm16 65535, instr_mod0 8, lreg_ind 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 2)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 5, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (instr_mod0 4)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 4, instr_mod0 4, lreg_ind 3)
//       tensix.sfpload  (dest_reg_addr 8, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpiadd  (imm12_math 4090, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2)
//       tensix.sfploadi  (imm16 65535, instr_mod0 8)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 12, instr_mod0 4, lreg_ind 3)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpiadd  (imm12_math 4090, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 3)
//       tensix.sfploadi  (imm16 65535, instr_mod0 8, lreg_ind 3)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 10, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpiadd  (imm12_math 4091, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 1)
//       tensix.sfploadi  (imm16 65535, instr_mod0 8, lreg_ind 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 14, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpiadd  (imm12_math 4091, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 4)
//       tensix.sfploadi  (imm16 65535, instr_mod0 8, lreg_ind 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 2)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 5, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 8, instr_mod0 4)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 12, instr_mod0 4, lreg_ind 3)
//       tensix.sfpload  (dest_reg_addr 32, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpiadd  (imm12_math 4090, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2)
//       tensix.sfploadi  (imm16 65535, instr_mod0 8)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 36, instr_mod0 4, lreg_ind 3)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpiadd  (imm12_math 4090, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 3)
//       tensix.sfploadi  (imm16 65535, instr_mod0 8, lreg_ind 3)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 34, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpiadd  (imm12_math 4091, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 1)
//       tensix.sfploadi  (imm16 65535, instr_mod0 8, lreg_ind 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 38, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpiadd  (imm12_math 4091, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 4)
//       tensix.sfploadi  (imm16 65535, instr_mod0 8, lreg_ind 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 2)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 5, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 32, instr_mod0 4)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 36, instr_mod0 4, lreg_ind 3)
//       tensix.sfpload  (dest_reg_addr 40, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpiadd  (imm12_math 4090, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2)
//       tensix.sfploadi  (imm16 65535, instr_mod0 8)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 44, instr_mod0 4, lreg_ind 3)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpiadd  (imm12_math 4090, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 3)
//       tensix.sfploadi  (imm16 65535, instr_mod0 8, lreg_ind 3)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 42, instr_mod0 4, lreg_ind 1)
//       tensix.sfpsetcc  (lreg_c 1)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 1)
//       tensix.sfpencc
//       tensix.sfpiadd  (imm12_math 4091, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 1)
//       tensix.sfploadi  (imm16 65535, instr_mod0 8, lreg_ind 1)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 46, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpiadd  (imm12_math 4091, instr_mod1 9, lreg_c 6, lreg_dest 5)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 4)
//       tensix.sfploadi  (imm16 65535, instr_mod0 8, lreg_ind 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 2)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 5, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpmov  (lreg_dest 1)
//       tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 2, lreg_src_c 1)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 5, lreg_src_c 4)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 1, lreg_src_c 2)
//       tensix.sfpshft2  (instr_mod1 3, lreg_dest 4, lreg_src_c 5)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4, lreg_src_c 3)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 40, instr_mod0 4)
//       tensix.sfpsetcc  (lreg_c 3)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 3)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 44, instr_mod0 4, lreg_ind 3)
//       tensix.sfploadi  (imm16 15, instr_mod0 2, lreg_ind 6)
//       tensix.sfploadi  (instr_mod0 8, lreg_ind 6)
//       tensix.sfpand  (lreg_c 15, lreg_dest 6)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 7)
//       tensix.sfploadi  (imm16 32767, instr_mod0 8, lreg_ind 7)
//       tensix.sfpload  (instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 192, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 192, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 4, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 196, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 196, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 8, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 200, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 200, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 12, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 204, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 204, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 32, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 224, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 224, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 36, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 228, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 228, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 40, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 232, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 232, instr_mod0 4)
//       tensix.sfpload  (dest_reg_addr 44, instr_mod0 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpload  (dest_reg_addr 236, instr_mod0 4, lreg_ind 4)
//       tensix.sfpsetcc  (lreg_c 4)
//       tensix.sfpxor  (lreg_c 7, lreg_dest 4)
//       tensix.sfpencc
//       tensix.sfpswap  (instr_mod1 1, lreg_dest 4)
//       tensix.sfpsetcc
//       tensix.sfpxor  (lreg_c 7)
//       tensix.sfpencc
//       tensix.sfpstore  (dest_reg_addr 236, instr_mod0 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)
