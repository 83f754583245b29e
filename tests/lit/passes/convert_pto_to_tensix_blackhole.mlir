// What is different where the system is a Blackhole: places of configuration, numbers of conditions, address modes, and one packer that
// takes four rows at a time.
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="mock-system-desc-arch=blackhole" --convert-ttnn-to-pto --convert-pto-to-tensix %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="mock-system-desc-arch=blackhole" %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=FORMED
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run %t.ttnn --golden --stats | FileCheck %s --check-prefix=GOLD

func.func @forward(%a: tensor<40x96xbf16>, %b: tensor<96x40xbf16>) -> tensor<40x40xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<40x96xbf16>, tensor<96x40xbf16>) -> tensor<40x40xbf16>
  return %0 : tensor<40x40xbf16>
}

// CHECK-LABEL: tensix.program @forward_matmul_0_tensix implements @forward_matmul_0 on "blackhole" arguments 3 work 4 unpack {
// The tile descriptors are words 64 and 112.
// CHECK: tensix.wrcfg (cfg_reg 64, gpr_address 16, wr128b 1)
// CHECK: tensix.wrcfg (cfg_reg 112, gpr_address 16, wr128b 1)
// CHECK: } math {
// The configured formats are used, and not those that unpackers report.
// CHECK: tensix.setc16 (setc16_reg 2, setc16_value 1)
// CHECK-NEXT: tensix.setc16 (setc16_reg 3, setc16_value 1)
// CHECK: tensix.push "zeroacc" dst = %{{.*}} below 2 (clear_mode 2)
// Instructions name all eight address modes.
// CHECK: tensix.mvmul (addr_mode 4, dst 56)
// CHECK: tensix.stallwait (stall_res 2, wait_res 16)
// CHECK: } pack {
// One packer is set up; faces have their own row maps.
// CHECK: tensix.wrcfg (cfg_reg 68, gpr_address 16, wr128b 1)
// CHECK-NOT: wr128b 1
// CHECK: tensix.wrcfg (cfg_reg 36
// Four rows per PACR; the last PACR returns to the first rows.
// CHECK: %[[FIFTEEN:.*]] = arith.constant 15 : index
// CHECK: scf.for %{{.*}} to %[[FIFTEEN]]
// CHECK-NEXT: tensix.pacr (read_intf_sel 15)
// CHECK: tensix.pacr (addr_mode 1, last 1, read_intf_sel 15)
// CHECK: tensix.stallwait (stall_res 2, wait_res 8)
// CHECK: } read {

// All sixteen are one MOP.
// FORMED: } pack {
// FORMED: tensix.store_mop_cfg 1, 15
// FORMED: tensix.mop (mop_type 1)

// GOLD: matmul
// GOLD: golden: 1 of 1 results are within their bounds
// GOLD: 768 MVMUL
// GOLD: 64 PACR
