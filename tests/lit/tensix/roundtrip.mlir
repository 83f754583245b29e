// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s

// CHECK-LABEL: tensix.kernel @copy on "wormhole_b0" arguments 2 unpack {
tensix.kernel @copy on "wormhole_b0" arguments 2 unpack {
  // CHECK-NEXT: tensix.setdmareg (payload_sig_sel 256, reg_index_16b 32)
  tensix.setdmareg (payload_sig_sel 256, reg_index_16b 32)
  // CHECK-NEXT: tensix.wrcfg (cfg_reg 52, gpr_address 16, wr128b 1)
  tensix.wrcfg (cfg_reg 52, gpr_address 16, wr128b 1)
  // CHECK-NEXT: tensix.wait counter 0 at_least 1
  tensix.wait counter 0 at_least 1
  // CHECK-NEXT: tensix.unpacr (last 1, ovrd_thread_id 1, set_dat_valid 1)
  tensix.unpacr (last 1, ovrd_thread_id 1, set_dat_valid 1)
  // CHECK-NEXT: tensix.poll_sem 3 at_least 1
  tensix.poll_sem 3 at_least 1
  // CHECK-NEXT: tensix.store_semget 3
  tensix.store_semget 3
  // CHECK-NEXT: tensix.store_sempost 3
  tensix.store_sempost 3
// CHECK-NEXT: } math {
} math {
  // CHECK-NEXT: tensix.nop
  tensix.nop
  // CHECK-NEXT: tensix.store_mop_cfg 5, 67371264
  tensix.store_mop_cfg 5, 67371264
  // CHECK-NEXT: tensix.mop (mop_type 1)
  tensix.mop (mop_type 1)
  // CHECK-NEXT: tensix.wait_mop
  tensix.wait_mop
  // CHECK-NEXT: tensix.wait_idle
  tensix.wait_idle
// CHECK-NEXT: } pack {
// CHECK-NEXT: } dm {
} pack {
} dm {
  // CHECK-NEXT: tensix.read argument 0 page 0 l1 98304
  tensix.read argument 0 page 0 l1 98304
  // CHECK-NEXT: tensix.post counter 0
  tensix.post counter 0
  // CHECK-NEXT: tensix.write argument 1 page 0 l1 106496
  tensix.write argument 1 page 0 l1 106496
}
