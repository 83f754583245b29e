// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse %s \
// RUN:   | awk -f %S/Inputs/function.awk > %output

// Sums, products, signs and extrema of integers.

pto.func @int_neg(%a0: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tneg %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_neg:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 9)
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_abs(%a0: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tabs %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_abs:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpabs
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_sign(%a0: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tsign %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_sign:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfploadi  (imm16 1, instr_mod0 2, lreg_ind 1)
//         tensix.sfpsetcc  (instr_mod1 6)
//         tensix.sfpmov  (lreg_c 9, lreg_dest 1)
//         tensix.sfpencc
//         tensix.sfpsetcc
//         tensix.sfploadi  (imm16 65535, instr_mod0 4, lreg_ind 1)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_signbit(%a0: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tsignbit %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_signbit:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpmov  (lreg_c 9, lreg_dest 1)
//         tensix.sfpsetcc
//         tensix.sfploadi  (imm16 1, instr_mod0 2, lreg_ind 1)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_relu(%a0: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.trelu %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_relu:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpsetcc
//         tensix.sfpmov  (lreg_c 9)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_add(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tadd %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_add:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpiadd  (instr_mod1 4, lreg_dest 1)
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_sub(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tsub %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_sub:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpiadd  (instr_mod1 6, lreg_dest 1)
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_mul(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tmul %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_mul:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 19200)
//       tensix.sfpconfig  (config_dest 11)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfploadi  (imm16 2047, instr_mod0 2, lreg_ind 2)
//         tensix.sfpand  (lreg_dest 2)
//         tensix.sfpcast  (lreg_dest 2, lreg_src_c 2)
//         tensix.sfploadi  (imm16 2047, instr_mod0 2, lreg_ind 3)
//         tensix.sfpand  (lreg_c 1, lreg_dest 3)
//         tensix.sfpcast  (lreg_dest 3, lreg_src_c 3)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 2, lreg_src_b 3, lreg_src_c 11)
//         tensix.sfpmov  (lreg_dest 5)
//         tensix.sfpexman  (instr_mod1 1, lreg_c 4, lreg_dest 4)
//         tensix.sfpshft  (imm12_math 4085, instr_mod1 1, lreg_dest 5)
//         tensix.sfploadi  (imm16 2047, instr_mod0 2, lreg_ind 6)
//         tensix.sfpand  (lreg_c 5, lreg_dest 6)
//         tensix.sfpcast  (lreg_dest 6, lreg_src_c 6)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 5)
//         tensix.sfpshft  (imm12_math 4085, instr_mod1 1, lreg_dest 5)
//         tensix.sfploadi  (imm16 2047, instr_mod0 2, lreg_ind 7)
//         tensix.sfpand  (lreg_c 5, lreg_dest 7)
//         tensix.sfpcast  (lreg_dest 7, lreg_src_c 7)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 2, lreg_src_b 7, lreg_src_c 11)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 6, lreg_src_b 3, lreg_src_c 5)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 6, lreg_src_b 7, lreg_src_c 11)
//         tensix.sfpexman  (instr_mod1 1, lreg_c 5, lreg_dest 5)
//         tensix.sfpshft  (imm12_math 11, instr_mod1 1, lreg_dest 5)
//         tensix.sfpiadd  (instr_mod1 4, lreg_c 5, lreg_dest 4)
//         tensix.sfpshft  (imm12_math 4074, instr_mod1 1, lreg_dest 1)
//         tensix.sfpcast  (lreg_dest 1, lreg_src_c 1)
//         tensix.sfpmad  (lreg_dest 7, lreg_src_a 2, lreg_src_b 1, lreg_src_c 7)
//         tensix.sfpshft  (imm12_math 4074, instr_mod1 1)
//         tensix.sfpcast
//         tensix.sfpmad  (lreg_dest 7, lreg_src_b 3, lreg_src_c 7)
//         tensix.sfpnop
//         tensix.sfpexman  (instr_mod1 1, lreg_c 7, lreg_dest 7)
//         tensix.sfpshft  (imm12_math 22, instr_mod1 1, lreg_dest 7)
//         tensix.sfpiadd  (instr_mod1 4, lreg_c 7, lreg_dest 4)
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_max(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tmax %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_max:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_dest 2)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpxor  (lreg_dest 3)
//         tensix.sfpsetcc  (lreg_c 3)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpsetcc  (lreg_c 2)
//         tensix.sfpmov  (lreg_c 1)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_min(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tmin %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_min:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_dest 2)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpxor  (lreg_dest 3)
//         tensix.sfpsetcc  (lreg_c 3)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpsetcc  (lreg_c 2)
//         tensix.sfpmov  (lreg_dest 1)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_rem(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.trem %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_rem:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 19264)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 51072)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 18304)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 52032)
//       tensix.sfpconfig  (config_dest 14)
//       tensix.sfploadi  (imm16 32437, instr_mod0 2, lreg_ind 7)
//       tensix.sfploadi  (imm16 48421, instr_mod0 8, lreg_ind 7)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 2)
//         tensix.sfpand  (lreg_c 1, lreg_dest 2)
//         tensix.sfpcast  (lreg_dest 2, lreg_src_c 2)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 4080, instr_mod1 1, lreg_dest 3)
//         tensix.sfpcast  (lreg_dest 3, lreg_src_c 3)
//         tensix.sfpadd  (lreg_dest 4, lreg_src_a 10, lreg_src_b 3, lreg_src_c 12)
//         tensix.sfpsetcc  (lreg_c 1)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 3, lreg_src_b 13, lreg_src_c 2)
//         tensix.sfploadi  (imm16 11916, instr_mod0 2, lreg_ind 3)
//         tensix.sfploadi  (imm16 16058, instr_mod0 8, lreg_ind 3)
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1, lreg_c 2, lreg_dest 4)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 4, lreg_dest 4)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 7, lreg_src_b 4, lreg_src_c 3)
//         tensix.sfploadi  (imm16 49648, instr_mod0 2, lreg_ind 5)
//         tensix.sfploadi  (imm16 49031, instr_mod0 8, lreg_ind 5)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 3, lreg_src_b 4, lreg_src_c 5)
//         tensix.sfpnot  (lreg_c 2, lreg_dest 2)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 4, lreg_src_b 5, lreg_src_c 10)
//         tensix.sfpsetman  (instr_mod1 1, lreg_c 2, lreg_dest 2)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 3, lreg_src_b 5, lreg_src_c 5)
//         tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 3)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 4, lreg_src_b 5, lreg_src_c 10)
//         tensix.sfpand  (lreg_dest 3)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 4, lreg_src_b 4, lreg_src_c 4)
//         tensix.sfpcast  (lreg_dest 3, lreg_src_c 3)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 4, lreg_src_b 5, lreg_src_c 5)
//         tensix.sfpmov  (lreg_dest 4)
//         tensix.sfpmul  (lreg_dest 2, lreg_src_a 5, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpshft  (imm12_math 4080, instr_mod1 1, lreg_dest 4)
//         tensix.sfpcast  (lreg_dest 4, lreg_src_c 4)
//         tensix.sfpadd  (lreg_dest 5, lreg_src_a 10, lreg_src_b 4, lreg_src_c 12)
//         tensix.sfpsetcc
//         tensix.sfpmov  (lreg_c 5, lreg_dest 4)
//         tensix.sfpencc
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 4, lreg_src_b 13, lreg_src_c 3)
//         tensix.sfploadi  (imm16 13696, lreg_ind 4)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 3, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfploadi  (imm16 2047, instr_mod0 2, lreg_ind 5)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 3, lreg_src_b 4, lreg_src_c 11)
//         tensix.sfpand  (lreg_c 1, lreg_dest 5)
//         tensix.sfpadd  (lreg_dest 4, lreg_src_a 10, lreg_src_b 4, lreg_src_c 14)
//         tensix.sfpcast  (lreg_dest 5, lreg_src_c 5)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 4, lreg_src_b 5, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 3)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 5, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 20, instr_mod1 1, lreg_dest 3)
//         tensix.sfpiadd  (instr_mod1 6, lreg_dest 3)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 5)
//         tensix.sfpshft  (imm12_math 4085, instr_mod1 1, lreg_dest 5)
//         tensix.sfploadi  (imm16 2047, instr_mod0 2, lreg_ind 6)
//         tensix.sfpand  (lreg_c 5, lreg_dest 6)
//         tensix.sfpcast  (lreg_dest 6, lreg_src_c 6)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 4, lreg_src_b 6, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 5)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 6, lreg_dest 5)
//         tensix.sfpshft  (imm12_math 31, instr_mod1 1, lreg_dest 5)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 3, lreg_dest 5)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 4074, instr_mod1 1, lreg_dest 3)
//         tensix.sfpcast  (lreg_dest 3, lreg_src_c 3)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 4, lreg_src_b 3, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 3, lreg_dest 4)
//         tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 4)
//         tensix.sfpand  (lreg_c 5, lreg_dest 4)
//         tensix.sfpcast  (lreg_dest 4, lreg_src_c 4)
//         tensix.sfpmov  (lreg_c 5, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 4080, instr_mod1 1, lreg_dest 3)
//         tensix.sfpcast  (lreg_dest 3, lreg_src_c 3)
//         tensix.sfpadd  (lreg_dest 6, lreg_src_a 10, lreg_src_b 3, lreg_src_c 12)
//         tensix.sfpsetcc  (lreg_c 5)
//         tensix.sfpmov  (lreg_c 6, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 3, lreg_src_b 13, lreg_src_c 4)
//         tensix.sfploadi  (imm16 15104, lreg_ind 3)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 4, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfploadi  (imm16 2047, instr_mod0 2, lreg_ind 6)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 4, lreg_src_b 3, lreg_src_c 11)
//         tensix.sfpand  (lreg_c 1, lreg_dest 6)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 3, lreg_src_c 14)
//         tensix.sfpcast  (lreg_dest 6, lreg_src_c 6)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 3, lreg_src_b 6, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 6, lreg_dest 4)
//         tensix.sfpshft  (imm12_math 9, instr_mod1 1, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 5, lreg_dest 4)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 5)
//         tensix.sfpshft  (imm12_math 4085, instr_mod1 1, lreg_dest 5)
//         tensix.sfploadi  (imm16 2047, instr_mod0 2, lreg_ind 6)
//         tensix.sfpand  (lreg_c 5, lreg_dest 6)
//         tensix.sfpcast  (lreg_dest 6, lreg_src_c 6)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 3, lreg_src_b 6, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 5)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 6, lreg_dest 5)
//         tensix.sfpshft  (imm12_math 20, instr_mod1 1, lreg_dest 5)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 4, lreg_dest 5)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 4)
//         tensix.sfpshft  (imm12_math 4074, instr_mod1 1, lreg_dest 4)
//         tensix.sfpcast  (lreg_dest 4, lreg_src_c 4)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 3, lreg_src_b 4, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 3)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 4, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 31, instr_mod1 1, lreg_dest 3)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 5, lreg_dest 3)
//         tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 5)
//         tensix.sfpand  (lreg_c 3, lreg_dest 5)
//         tensix.sfpcast  (lreg_dest 5, lreg_src_c 5)
//         tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//         tensix.sfpshft  (imm12_math 4080, instr_mod1 1, lreg_dest 4)
//         tensix.sfpcast  (lreg_dest 4, lreg_src_c 4)
//         tensix.sfpadd  (lreg_dest 6, lreg_src_a 10, lreg_src_b 4, lreg_src_c 12)
//         tensix.sfpsetcc  (lreg_c 3)
//         tensix.sfpmov  (lreg_c 6, lreg_dest 4)
//         tensix.sfpencc
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 4, lreg_src_b 13, lreg_src_c 5)
//         tensix.sfploadi  (imm16 2047, instr_mod0 2, lreg_ind 4)
//         tensix.sfpmul  (lreg_dest 2, lreg_src_a 5, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpand  (lreg_c 1, lreg_dest 4)
//         tensix.sfpmad  (lreg_dest 2, lreg_src_a 2, lreg_src_b 10, lreg_src_c 11)
//         tensix.sfpcast  (lreg_dest 4, lreg_src_c 4)
//         tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_b 2, lreg_src_c 14)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 5)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 2, lreg_src_b 4, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 4, lreg_dest 5)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 3, lreg_dest 5)
//         tensix.sfpshft  (imm12_math 4085, instr_mod1 1, lreg_dest 6)
//         tensix.sfploadi  (imm16 2047, instr_mod0 2, lreg_ind 3)
//         tensix.sfpand  (lreg_c 6, lreg_dest 3)
//         tensix.sfpcast  (lreg_dest 3, lreg_src_c 3)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 2, lreg_src_b 3, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 3, lreg_dest 6)
//         tensix.sfpshft  (imm12_math 11, instr_mod1 1, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 5, lreg_dest 6)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 5)
//         tensix.sfpshft  (imm12_math 4074, instr_mod1 1, lreg_dest 5)
//         tensix.sfpcast  (lreg_dest 5, lreg_src_c 5)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 2, lreg_src_b 5, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 5, lreg_dest 2)
//         tensix.sfpshft  (imm12_math 22, instr_mod1 1, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 6, lreg_dest 2)
//         tensix.sfpmov  (lreg_c 2, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 9, lreg_dest 6)
//         tensix.sfpsetcc
//         tensix.sfpmov  (lreg_c 6, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpabs  (lreg_c 1, lreg_dest 6)
//         tensix.sfpmov  (lreg_c 2, lreg_dest 5)
//         tensix.sfpiadd  (instr_mod1 4, lreg_c 2, lreg_dest 6)
//         tensix.sfpsetcc  (lreg_c 2)
//         tensix.sfpmov  (lreg_c 6, lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpmov  (lreg_c 5, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 9, lreg_dest 6)
//         tensix.sfpsetcc
//         tensix.sfpmov  (lreg_c 6, lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpsetcc  (instr_mod1 6, lreg_c 1)
//         tensix.sfpmov  (lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 5, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @int_div(%a0: memref<32x32xi32>, %a1: memref<32x32xi32>, %c: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  %r = pto.tdiv %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xi32>, vec> -> memref<32x32xi32>
  pto.return
}
// OUTPUT @int_div:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 19264)
//       tensix.sfpconfig  (config_dest 11)
//       tensix.sfploadi  (imm16 51072)
//       tensix.sfpconfig  (config_dest 12)
//       tensix.sfploadi  (imm16 18304)
//       tensix.sfpconfig  (config_dest 13)
//       tensix.sfploadi  (imm16 52032)
//       tensix.sfpconfig  (config_dest 14)
//       tensix.sfploadi  (imm16 32437, instr_mod0 2, lreg_ind 7)
//       tensix.sfploadi  (imm16 48421, instr_mod0 8, lreg_ind 7)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 9, lreg_dest 2)
//         tensix.sfpsetcc
//         tensix.sfpmov  (lreg_c 1, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpabs
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 9)
//         tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 1)
//         tensix.sfpand  (lreg_c 2, lreg_dest 1)
//         tensix.sfpcast  (lreg_dest 1, lreg_src_c 1)
//         tensix.sfpmov  (lreg_c 2, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 4080, instr_mod1 1, lreg_dest 3)
//         tensix.sfpcast  (lreg_dest 3, lreg_src_c 3)
//         tensix.sfpadd  (lreg_dest 4, lreg_src_a 10, lreg_src_b 3, lreg_src_c 12)
//         tensix.sfpsetcc  (lreg_c 2)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpmad  (lreg_dest 1, lreg_src_a 3, lreg_src_b 13, lreg_src_c 1)
//         tensix.sfploadi  (imm16 11916, instr_mod0 2, lreg_ind 3)
//         tensix.sfploadi  (imm16 16058, instr_mod0 8, lreg_ind 3)
//         tensix.sfpsetexp  (imm12_math 128, instr_mod1 1, lreg_c 1, lreg_dest 4)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_c 4, lreg_dest 4)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 7, lreg_src_b 4, lreg_src_c 3)
//         tensix.sfploadi  (imm16 49648, instr_mod0 2, lreg_ind 5)
//         tensix.sfploadi  (imm16 49031, instr_mod0 8, lreg_ind 5)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 3, lreg_src_b 4, lreg_src_c 5)
//         tensix.sfpnot  (lreg_c 1, lreg_dest 1)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 4, lreg_src_b 5, lreg_src_c 10)
//         tensix.sfpsetman  (instr_mod1 1, lreg_c 1, lreg_dest 1)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 3, lreg_src_b 5, lreg_src_c 5)
//         tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 3)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 4, lreg_src_b 5, lreg_src_c 10)
//         tensix.sfpand  (lreg_dest 3)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 4, lreg_src_b 4, lreg_src_c 4)
//         tensix.sfpcast  (lreg_dest 3, lreg_src_c 3)
//         tensix.sfpmad  (lreg_dest 5, lreg_src_a 4, lreg_src_b 5, lreg_src_c 5)
//         tensix.sfpmov  (lreg_dest 4)
//         tensix.sfpmul  (lreg_dest 1, lreg_src_a 5, lreg_src_b 1, lreg_src_c 9)
//         tensix.sfpshft  (imm12_math 4080, instr_mod1 1, lreg_dest 4)
//         tensix.sfpcast  (lreg_dest 4, lreg_src_c 4)
//         tensix.sfpadd  (lreg_dest 5, lreg_src_a 10, lreg_src_b 4, lreg_src_c 12)
//         tensix.sfpsetcc
//         tensix.sfpmov  (lreg_c 5, lreg_dest 4)
//         tensix.sfpencc
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 4, lreg_src_b 13, lreg_src_c 3)
//         tensix.sfploadi  (imm16 13696, lreg_ind 4)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 3, lreg_src_b 1, lreg_src_c 9)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 5)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 3, lreg_src_b 4, lreg_src_c 11)
//         tensix.sfploadi  (imm16 2047, instr_mod0 2, lreg_ind 3)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 4, lreg_dest 5)
//         tensix.sfpshft  (imm12_math 20, instr_mod1 1, lreg_dest 5)
//         tensix.sfpadd  (lreg_dest 4, lreg_src_a 10, lreg_src_b 4, lreg_src_c 14)
//         tensix.sfpand  (lreg_c 2, lreg_dest 3)
//         tensix.sfpcast  (lreg_dest 3, lreg_src_c 3)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 4, lreg_src_b 3, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 3, lreg_dest 6)
//         tensix.sfpshft  (imm12_math 20, instr_mod1 1, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 6, lreg_dest 6)
//         tensix.sfpmov  (lreg_c 2)
//         tensix.sfpshft  (imm12_math 4085, instr_mod1 1)
//         tensix.sfploadi  (imm16 2047, instr_mod0 2, lreg_ind 3)
//         tensix.sfpand  (lreg_dest 3)
//         tensix.sfpcast  (lreg_dest 3, lreg_src_c 3)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 4, lreg_src_b 3, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 11)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 3)
//         tensix.sfpshft  (imm12_math 31, instr_mod1 1)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 6)
//         tensix.sfpmov  (lreg_c 2, lreg_dest 6)
//         tensix.sfpshft  (imm12_math 4074, instr_mod1 1, lreg_dest 6)
//         tensix.sfpcast  (lreg_dest 6, lreg_src_c 6)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 4, lreg_src_b 6, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 6, lreg_dest 4)
//         tensix.sfploadi  (imm16 65535, instr_mod0 2, lreg_ind 4)
//         tensix.sfpand  (lreg_dest 4)
//         tensix.sfpcast  (lreg_dest 4, lreg_src_c 4)
//         tensix.sfpmov  (lreg_dest 6)
//         tensix.sfpshft  (imm12_math 4080, instr_mod1 1, lreg_dest 6)
//         tensix.sfpcast  (lreg_dest 6, lreg_src_c 6)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 6, lreg_src_c 12)
//         tensix.sfpsetcc
//         tensix.sfpmov  (lreg_c 3, lreg_dest 6)
//         tensix.sfpencc
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 6, lreg_src_b 13, lreg_src_c 4)
//         tensix.sfploadi  (imm16 15104, lreg_ind 6)
//         tensix.sfpmul  (lreg_dest 4, lreg_src_a 4, lreg_src_b 1, lreg_src_c 9)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 3)
//         tensix.sfpmad  (lreg_dest 6, lreg_src_a 4, lreg_src_b 6, lreg_src_c 11)
//         tensix.sfpnop
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 6, lreg_dest 3)
//         tensix.sfpshft  (imm12_math 9, instr_mod1 1, lreg_dest 3)
//         tensix.sfpiadd  (instr_mod1 4, lreg_c 3, lreg_dest 5)
//         tensix.sfpadd  (lreg_dest 6, lreg_src_a 10, lreg_src_b 6, lreg_src_c 14)
//         tensix.sfploadi  (imm16 2047, instr_mod0 2, lreg_ind 3)
//         tensix.sfpand  (lreg_c 2, lreg_dest 3)
//         tensix.sfpcast  (lreg_dest 3, lreg_src_c 3)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 6, lreg_src_b 3, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 3, lreg_dest 4)
//         tensix.sfpshft  (imm12_math 9, instr_mod1 1, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 6, lreg_dest 4)
//         tensix.sfpmov  (lreg_c 2)
//         tensix.sfpshft  (imm12_math 4085, instr_mod1 1)
//         tensix.sfploadi  (imm16 2047, instr_mod0 2, lreg_ind 3)
//         tensix.sfpand  (lreg_dest 3)
//         tensix.sfpcast  (lreg_dest 3, lreg_src_c 3)
//         tensix.sfpmad  (lreg_dest 3, lreg_src_a 6, lreg_src_b 3, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 11)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 3)
//         tensix.sfpshft  (imm12_math 20, instr_mod1 1)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 4)
//         tensix.sfpmov  (lreg_c 2, lreg_dest 4)
//         tensix.sfpshft  (imm12_math 4074, instr_mod1 1, lreg_dest 4)
//         tensix.sfpcast  (lreg_dest 4, lreg_src_c 4)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 6, lreg_src_b 4, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 4, lreg_dest 6)
//         tensix.sfpshft  (imm12_math 31, instr_mod1 1, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 6, lreg_dest 6)
//         tensix.sfploadi  (imm16 65535, instr_mod0 2)
//         tensix.sfpand  (lreg_c 6)
//         tensix.sfpcast
//         tensix.sfpmov  (lreg_c 6, lreg_dest 4)
//         tensix.sfpshft  (imm12_math 4080, instr_mod1 1, lreg_dest 4)
//         tensix.sfpcast  (lreg_dest 4, lreg_src_c 4)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 4, lreg_src_c 12)
//         tensix.sfpsetcc  (lreg_c 6)
//         tensix.sfpmov  (lreg_c 3, lreg_dest 4)
//         tensix.sfpencc
//         tensix.sfpmad  (lreg_src_a 4, lreg_src_b 13)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 4)
//         tensix.sfpmul  (lreg_dest 1, lreg_src_b 1, lreg_src_c 9)
//         tensix.sfpnop
//         tensix.sfpmad  (lreg_dest 1, lreg_src_a 1, lreg_src_b 10, lreg_src_c 11)
//         tensix.sfploadi  (imm16 2047, instr_mod0 2)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 1, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 4, lreg_c 4, lreg_dest 5)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_b 1, lreg_src_c 14)
//         tensix.sfpand  (lreg_c 2)
//         tensix.sfpcast
//         tensix.sfpmad  (lreg_src_a 1, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 6, lreg_dest 4)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 6, lreg_dest 4)
//         tensix.sfpmov  (lreg_c 2, lreg_dest 6)
//         tensix.sfpshft  (imm12_math 4085, instr_mod1 1, lreg_dest 6)
//         tensix.sfploadi  (imm16 2047, instr_mod0 2)
//         tensix.sfpand  (lreg_c 6)
//         tensix.sfpcast
//         tensix.sfpmad  (lreg_src_a 1, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 6, lreg_dest 6)
//         tensix.sfpshft  (imm12_math 11, instr_mod1 1, lreg_dest 6)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 4, lreg_dest 6)
//         tensix.sfpmov  (lreg_c 2, lreg_dest 4)
//         tensix.sfpshft  (imm12_math 4074, instr_mod1 1, lreg_dest 4)
//         tensix.sfpcast  (lreg_dest 4, lreg_src_c 4)
//         tensix.sfpmad  (lreg_dest 4, lreg_src_a 1, lreg_src_b 4, lreg_src_c 11)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 1)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 4, lreg_dest 1)
//         tensix.sfpshft  (imm12_math 22, instr_mod1 1, lreg_dest 1)
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 6, lreg_dest 1)
//         tensix.sfpiadd  (imm12_math 1, instr_mod1 5, lreg_c 5, lreg_dest 6)
//         tensix.sfpiadd  (imm12_math 4095, instr_mod1 5, lreg_c 5, lreg_dest 4)
//         tensix.sfpsetcc  (lreg_c 2)
//         tensix.sfpmov  (lreg_c 4, lreg_dest 6)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 6, lreg_c 9, lreg_dest 1)
//         tensix.sfpsetcc  (lreg_c 1)
//         tensix.sfpmov  (lreg_c 6, lreg_dest 5)
//         tensix.sfpencc
//         tensix.sfpsetcc  (instr_mod1 6, lreg_c 2)
//         tensix.sfploadi  (imm16 65535, instr_mod0 4, lreg_ind 5)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 5, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)
