// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse %s \
// RUN:   | awk -f %S/Inputs/function.awk > %output

// Sums, products, signs and extrema of floats.

pto.func @abs(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tabs %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @abs:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpsetsgn  (instr_mod1 1)
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @neg(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tneg %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @neg:
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

pto.func @sign(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tsign %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @sign:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 32640)
//       tensix.sfpconfig  (config_dest 11)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpadd  (lreg_dest 1, lreg_src_a 10, lreg_src_c 9)
//         tensix.sfpsetsgn  (instr_mod1 1, lreg_dest 2)
//         tensix.sfpmov  (lreg_c 1, lreg_dest 3)
//         tensix.sfpsetsgn  (lreg_c 10, lreg_dest 3)
//         tensix.sfpsetcc  (instr_mod1 6, lreg_c 1)
//         tensix.sfpmov  (lreg_c 9, lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpiadd  (instr_mod1 2, lreg_c 11, lreg_dest 2)
//         tensix.sfpmov  (lreg_dest 3)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 3, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @signbit(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tsignbit %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @signbit:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpmov  (lreg_c 9, lreg_dest 1)
//         tensix.sfpsetcc
//         tensix.sfpmov  (lreg_c 10, lreg_dest 1)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @isfinite(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tisfinite %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @isfinite:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 65535, instr_mod0 2)
//       tensix.sfploadi  (imm16 32639, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpmov  (lreg_c 9, lreg_dest 1)
//         tensix.sfpsetsgn  (instr_mod1 1)
//         tensix.sfpiadd  (instr_mod1 10, lreg_c 11)
//         tensix.sfpmov  (lreg_c 10, lreg_dest 1)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @relu(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trelu %t0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @relu:
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

pto.func @prelu(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tprelu %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @prelu:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpmul  (lreg_dest 1, lreg_src_b 1, lreg_src_c 9)
//         tensix.sfpmov  (lreg_dest 2)
//         tensix.sfpsetcc
//         tensix.sfpmov  (lreg_c 1, lreg_dest 2)
//         tensix.sfpencc
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 2, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @add(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tadd %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @add:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
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

pto.func @sub(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tsub %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @sub:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 2)
//         tensix.sfpload  (dest_reg_addr 66, instr_mod0 3, lreg_ind 3)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 2, lreg_dest 2)
//         tensix.sfpmov  (instr_mod1 1, lreg_c 3, lreg_dest 3)
//         tensix.sfpadd  (lreg_dest 2, lreg_src_a 10, lreg_src_c 2)
//         tensix.sfpadd  (lreg_dest 3, lreg_src_a 10, lreg_src_b 1, lreg_src_c 3)
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 2)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 3, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @mul(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tmul %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @mul:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c16 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 2, instr_mod0 3, lreg_ind 1)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 2)
//         tensix.sfpload  (dest_reg_addr 66, instr_mod0 3, lreg_ind 3)
//         tensix.sfpmul  (lreg_dest 2, lreg_src_b 2, lreg_src_c 9)
//         tensix.sfpmul  (lreg_dest 3, lreg_src_a 1, lreg_src_b 3, lreg_src_c 9)
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 2)
//         tensix.sfpstore  (dest_reg_addr 2, instr_mod0 4, lreg_ind 3, sfpu_addr_mode 2)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @max(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tmax %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @max:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

pto.func @min(%a0: memref<32x32xf32>, %a1: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a1[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tmin %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @min:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpload  (dest_reg_addr 64, instr_mod0 3, lreg_ind 1)
//         tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//         tensix.sfpstore  (instr_mod0 4, lreg_ind 1, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)

// An operand that is one number is not loaded.

pto.func @number(%a0: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t0 = pto.tload %a0[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %n = pto.tfill 0.1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>
  %r = pto.tmax %t0, %n {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
// OUTPUT @number:
//   pack:
//     tensix.sfpencc  (imm12_math 3, instr_mod1 10)
//     ...
//       tensix.push "setc16" setc16_value = %arg2 below 4096  (setc16_reg 1)
//       tensix.sfploadi  (imm16 52429, instr_mod0 2)
//       tensix.sfploadi  (imm16 15820, instr_mod0 8)
//       tensix.sfpconfig  (config_dest 11)
//       scf.for %arg4 = %c0 to %c32 step %c1 {
//         tensix.sfpload  (instr_mod0 3)
//         tensix.sfpmov  (lreg_c 11, lreg_dest 1)
//         tensix.sfpswap  (instr_mod1 1, lreg_dest 1)
//         tensix.sfpstore  (instr_mod0 4, sfpu_addr_mode 1)
//       }
//       tensix.setrwc  (bit_mask 4)
//       tensix.stallwait  (stall_res 4, wait_res 16384)
