// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse %s \
// RUN:   | awk -v matrix=1 -f %S/Inputs/function.awk > %output

// Transpositions by the matrix unit.

// Elements of 32 bits are transposed in two parts. The lower parts wait in SrcA.

pto.func @transposed(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t = pto.ttrans %t0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %r = pto.tneg %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @transposed:
//   math:
//     %2 = scf.for %arg0 = %0 to %1 step %c1 iter_args(%arg1 = %c0) -> (index) {
//       tensix.semwait  (sem_sel 2, stall_res 66, wait_sem_cond 2)
//       tensix.stallwait  (stall_res 2, wait_res 128)
//       tensix.sempost  (sem_sel 16)
//       tensix.semwait  (sem_sel 32, stall_res 66, wait_sem_cond 1)
//       tensix.semget  (sem_sel 32)
//       tensix.push "setc16" setc16_value = %arg1 below 4096  (setc16_reg 1)
//       tensix.stallwait  (stall_res 64, wait_res 3072)
//       tensix.stallwait  (stall_res 128, wait_res 128)
//       tensix.rmwcib0  (cfg_reg_addr 2, data 1, mask 1)
//       tensix.nop
//       tensix.stallwait  (stall_res 128, wait_res 128)
//       tensix.rmwcib2  (cfg_reg_addr 1, data 170, mask 254)
//       tensix.rmwcib3  (cfg_reg_addr 1, mask 1)
//       tensix.nop
//       tensix.movd2b  (dest_32b_lo 1, instr_mod 2, src 16)
//       tensix.movd2b  (dest_32b_lo 1, dst 4, instr_mod 2, src 20)
//       tensix.movd2b  (dest_32b_lo 1, dst 8, instr_mod 2, src 24)
//       tensix.movd2b  (dest_32b_lo 1, dst 12, instr_mod 2, src 28)
//       tensix.trnspsrcb
//       tensix.movb2a  (instr_mod 2, srcb 16)
//       tensix.movb2a  (instr_mod 2, srca 4, srcb 20)
//       tensix.movb2a  (instr_mod 2, srca 8, srcb 24)
//       tensix.movb2a  (instr_mod 2, srca 12, srcb 28)
//       tensix.movd2b  (dest_32b_lo 1, dst 48, instr_mod 2, src 16)
//       tensix.movd2b  (dest_32b_lo 1, dst 52, instr_mod 2, src 20)
//       tensix.movd2b  (dest_32b_lo 1, dst 56, instr_mod 2, src 24)
//       tensix.movd2b  (dest_32b_lo 1, dst 60, instr_mod 2, src 28)
//       tensix.trnspsrcb
//       tensix.movb2a  (instr_mod 2, srca 48, srcb 16)
//       tensix.movb2a  (instr_mod 2, srca 52, srcb 20)
//       tensix.movb2a  (instr_mod 2, srca 56, srcb 24)
//       tensix.movb2a  (instr_mod 2, srca 60, srcb 28)
//       tensix.movd2b  (dest_32b_lo 1, dst 16, instr_mod 2, src 16)
//       tensix.movd2b  (dest_32b_lo 1, dst 20, instr_mod 2, src 20)
//       tensix.movd2b  (dest_32b_lo 1, dst 24, instr_mod 2, src 24)
//       tensix.movd2b  (dest_32b_lo 1, dst 28, instr_mod 2, src 28)
//       tensix.trnspsrcb
//       tensix.movb2a  (instr_mod 2, srca 16, srcb 16)
//       tensix.movb2a  (instr_mod 2, srca 20, srcb 20)
//       tensix.movb2a  (instr_mod 2, srca 24, srcb 24)
//       tensix.movb2a  (instr_mod 2, srca 28, srcb 28)
//       tensix.movd2b  (dest_32b_lo 1, dst 32, instr_mod 2, src 16)
//       tensix.movd2b  (dest_32b_lo 1, dst 36, instr_mod 2, src 20)
//       tensix.movd2b  (dest_32b_lo 1, dst 40, instr_mod 2, src 24)
//       tensix.movd2b  (dest_32b_lo 1, dst 44, instr_mod 2, src 28)
//       tensix.trnspsrcb
//       tensix.movb2a  (instr_mod 2, srca 32, srcb 16)
//       tensix.movb2a  (instr_mod 2, srca 36, srcb 20)
//       tensix.movb2a  (instr_mod 2, srca 40, srcb 24)
//       tensix.movb2a  (instr_mod 2, srca 44, srcb 28)
//       tensix.stallwait  (stall_res 128, wait_res 128)
//       tensix.rmwcib2  (cfg_reg_addr 1, data 136, mask 254)
//       tensix.rmwcib3  (cfg_reg_addr 1, mask 1)
//       tensix.nop
//       tensix.movd2b  (instr_mod 2, src 16)
//       tensix.movd2b  (dst 4, instr_mod 2, src 20)
//       tensix.movd2b  (dst 8, instr_mod 2, src 24)
//       tensix.movd2b  (dst 12, instr_mod 2, src 28)
//       tensix.trnspsrcb
//       tensix.movb2d  (instr_mod 4, src 16)
//       tensix.movb2d  (dst 4, instr_mod 4, src 20)
//       tensix.movb2d  (dst 8, instr_mod 4, src 24)
//       tensix.movb2d  (dst 12, instr_mod 4, src 28)
//       tensix.movd2b  (dst 48, instr_mod 2, src 16)
//       tensix.movd2b  (dst 52, instr_mod 2, src 20)
//       tensix.movd2b  (dst 56, instr_mod 2, src 24)
//       tensix.movd2b  (dst 60, instr_mod 2, src 28)
//       tensix.trnspsrcb
//       tensix.movb2d  (dst 48, instr_mod 4, src 16)
//       tensix.movb2d  (dst 52, instr_mod 4, src 20)
//       tensix.movb2d  (dst 56, instr_mod 4, src 24)
//       tensix.movb2d  (dst 60, instr_mod 4, src 28)
//       tensix.stallwait  (stall_res 128, wait_res 128)
//       tensix.rmwcib2  (cfg_reg_addr 1, data 170, mask 254)
//       tensix.rmwcib3  (cfg_reg_addr 1, mask 1)
//       tensix.nop
//       tensix.mova2d  (dest_32b_lo 1, instr_mod 2)
//       tensix.mova2d  (dest_32b_lo 1, dst 8, instr_mod 2, src 8)
//       tensix.mova2d  (dest_32b_lo 1, dst 48, instr_mod 2, src 48)
//       tensix.mova2d  (dest_32b_lo 1, dst 56, instr_mod 2, src 56)
//       tensix.stallwait  (stall_res 128, wait_res 128)
//       tensix.rmwcib2  (cfg_reg_addr 1, data 136, mask 254)
//       tensix.rmwcib3  (cfg_reg_addr 1, mask 1)
//       tensix.nop
//       tensix.movd2b  (dst 16, instr_mod 2, src 16)
//       tensix.movd2b  (dst 20, instr_mod 2, src 20)
//       tensix.movd2b  (dst 24, instr_mod 2, src 24)
//       tensix.movd2b  (dst 28, instr_mod 2, src 28)
//       tensix.trnspsrcb
//       tensix.movb2a  (instr_mod 2, srcb 16)
//       tensix.movb2a  (instr_mod 2, srca 4, srcb 20)
//       tensix.movb2a  (instr_mod 2, srca 8, srcb 24)
//       tensix.movb2a  (instr_mod 2, srca 12, srcb 28)
//       tensix.movd2b  (dst 32, instr_mod 2, src 16)
//       tensix.movd2b  (dst 36, instr_mod 2, src 20)
//       tensix.movd2b  (dst 40, instr_mod 2, src 24)
//       tensix.movd2b  (dst 44, instr_mod 2, src 28)
//       tensix.trnspsrcb
//       tensix.movb2d  (dst 16, instr_mod 4, src 16)
//       tensix.movb2d  (dst 20, instr_mod 4, src 20)
//       tensix.movb2d  (dst 24, instr_mod 4, src 24)
//       tensix.movb2d  (dst 28, instr_mod 4, src 28)
//       tensix.mova2d  (dst 32, instr_mod 2)
//       tensix.mova2d  (dst 40, instr_mod 2, src 8)
//       tensix.stallwait  (stall_res 128, wait_res 128)
//       tensix.rmwcib2  (cfg_reg_addr 1, data 170, mask 254)
//       tensix.rmwcib3  (cfg_reg_addr 1, mask 1)
//       tensix.nop
//       tensix.mova2d  (dest_32b_lo 1, dst 32, instr_mod 2, src 16)
//       tensix.mova2d  (dest_32b_lo 1, dst 40, instr_mod 2, src 24)
//       tensix.mova2d  (dest_32b_lo 1, dst 16, instr_mod 2, src 32)
//       tensix.mova2d  (dest_32b_lo 1, dst 24, instr_mod 2, src 40)
//       tensix.stallwait  (stall_res 128, wait_res 128)
//       tensix.rmwcib2  (cfg_reg_addr 1, data 170, mask 254)
//       tensix.rmwcib3  (cfg_reg_addr 1, mask 1)
//       tensix.nop
//       tensix.stallwait  (stall_res 128, wait_res 128)
//       tensix.rmwcib0  (cfg_reg_addr 2, mask 1)
//       tensix.nop
//       tensix.setrwc  (bit_mask 15, clear_ab_vld 3)
//       tensix.stallwait  (stall_res 2, wait_res 128)
//       tensix.sempost  (sem_sel 2)
//       %3 = arith.subi %c256, %arg1 : index
//       scf.yield %3 : index
//     }
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpmov  (instr_mod1 1)
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

// Elements of bf16 have no lower part.

pto.func @narrow(%a0: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, vec>
  %w = pto.tcvt %t0 {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, vec> -> <tensor<32x32xf32>, vec>
  %t = pto.ttrans %w {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %t {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<32x32xbf16>
  pto.return
}
// OUTPUT @narrow:
//   math:
//     %2 = scf.for %arg0 = %0 to %1 step %c1 iter_args(%arg1 = %c0) -> (index) {
//       tensix.semwait  (sem_sel 2, stall_res 66, wait_sem_cond 2)
//       tensix.setc16  (setc16_reg 7, setc16_value 2056)
//       tensix.setc16  (setc16_reg 23)
//       tensix.setc16  (setc16_reg 48)
//       tensix.setc16  (setc16_reg 9, setc16_value 32896)
//       tensix.setc16  (setc16_reg 24, setc16_value 8192)
//       tensix.setc16  (setc16_reg 49)
//       tensix.push "setc16" setc16_value = %arg1 below 4096  (setc16_reg 1)
//       tensix.elwadd
//       tensix.elwadd  (dst 8)
//       tensix.elwadd  (dst 16)
//       tensix.elwadd  (dst 24)
//       tensix.elwadd  (dst 32)
//       tensix.elwadd  (dst 40)
//       tensix.elwadd  (dst 48)
//       tensix.elwadd  (addr_mode 1, dst 56)
//       tensix.setrwc  (bit_mask 15, clear_ab_vld 3)
//       tensix.setc16  (setc16_reg 7)
//       tensix.setc16  (setc16_reg 23)
//       tensix.setc16  (setc16_reg 48)
//       tensix.stallwait  (stall_res 64, wait_res 3072)
//       tensix.stallwait  (stall_res 128, wait_res 128)
//       tensix.rmwcib2  (cfg_reg_addr 1, data 136, mask 254)
//       tensix.rmwcib3  (cfg_reg_addr 1, mask 1)
//       tensix.nop
//       tensix.movd2b  (instr_mod 2, src 16)
//       tensix.movd2b  (dst 4, instr_mod 2, src 20)
//       tensix.movd2b  (dst 8, instr_mod 2, src 24)
//       tensix.movd2b  (dst 12, instr_mod 2, src 28)
//       tensix.trnspsrcb
//       tensix.movb2d  (instr_mod 4, src 16)
//       tensix.movb2d  (dst 4, instr_mod 4, src 20)
//       tensix.movb2d  (dst 8, instr_mod 4, src 24)
//       tensix.movb2d  (dst 12, instr_mod 4, src 28)
//       tensix.movd2b  (dst 48, instr_mod 2, src 16)
//       tensix.movd2b  (dst 52, instr_mod 2, src 20)
//       tensix.movd2b  (dst 56, instr_mod 2, src 24)
//       tensix.movd2b  (dst 60, instr_mod 2, src 28)
//       tensix.trnspsrcb
//       tensix.movb2d  (dst 48, instr_mod 4, src 16)
//       tensix.movb2d  (dst 52, instr_mod 4, src 20)
//       tensix.movb2d  (dst 56, instr_mod 4, src 24)
//       tensix.movb2d  (dst 60, instr_mod 4, src 28)
//       tensix.movd2b  (dst 16, instr_mod 2, src 16)
//       tensix.movd2b  (dst 20, instr_mod 2, src 20)
//       tensix.movd2b  (dst 24, instr_mod 2, src 24)
//       tensix.movd2b  (dst 28, instr_mod 2, src 28)
//       tensix.trnspsrcb
//       tensix.movb2a  (instr_mod 2, srcb 16)
//       tensix.movb2a  (instr_mod 2, srca 4, srcb 20)
//       tensix.movb2a  (instr_mod 2, srca 8, srcb 24)
//       tensix.movb2a  (instr_mod 2, srca 12, srcb 28)
//       tensix.movd2b  (dst 32, instr_mod 2, src 16)
//       tensix.movd2b  (dst 36, instr_mod 2, src 20)
//       tensix.movd2b  (dst 40, instr_mod 2, src 24)
//       tensix.movd2b  (dst 44, instr_mod 2, src 28)
//       tensix.trnspsrcb
//       tensix.movb2d  (dst 16, instr_mod 4, src 16)
//       tensix.movb2d  (dst 20, instr_mod 4, src 20)
//       tensix.movb2d  (dst 24, instr_mod 4, src 24)
//       tensix.movb2d  (dst 28, instr_mod 4, src 28)
//       tensix.mova2d  (dst 32, instr_mod 2)
//       tensix.mova2d  (dst 40, instr_mod 2, src 8)
//       tensix.stallwait  (stall_res 128, wait_res 128)
//       tensix.rmwcib2  (cfg_reg_addr 1, data 170, mask 254)
//       tensix.rmwcib3  (cfg_reg_addr 1, mask 1)
//       tensix.nop
//       tensix.setrwc  (bit_mask 15, clear_ab_vld 3)
//       tensix.stallwait  (stall_res 2, wait_res 128)
//       tensix.sempost  (sem_sel 2)
//       %3 = arith.subi %c256, %arg1 : index
//       scf.yield %3 : index
//     }
