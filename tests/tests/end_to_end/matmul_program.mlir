// A matrix product as the code of a tile's cores, by hand: the list form's instructions, in loops. Work is the tiles of the
// result; ROWS x DEPTH and DEPTH x COLUMNS tiles are multiplied. Steps alternate between two buffers of operands, tiles with the
// halves of Dst and two buffers of results. Counters: 0 operands are there, 1 are no longer needed, 2 a result is packed,
// 3 is written.
tensix.program @matmul_tensix implements @forward_matmul_0 on "wormhole_b0" arguments 3 work WORK unpack {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %first = tensix.argument first
  %last = tensix.argument last
  %depth = tensix.argument imm DEPTH
  tensix.setdmareg (payload_sig_sel 21, reg_index_16b 32)
  tensix.setdmareg (payload_sig_sel 256, reg_index_16b 33)
  tensix.setdmareg (payload_sig_sel 1, reg_index_16b 34)
  tensix.setdmareg (payload_sig_sel 4, reg_index_16b 35)
  tensix.setdmareg (payload_sig_sel 1, reg_index_16b 36)
  tensix.setdmareg (reg_index_16b 37)
  tensix.setdmareg (reg_index_16b 38)
  tensix.setdmareg (reg_index_16b 39)
  tensix.wrcfg (cfg_reg 52, gpr_address 16, wr128b 1)
  tensix.setdmareg (payload_sig_sel 5, reg_index_16b 32)
  tensix.setdmareg (reg_index_16b 33)
  tensix.setdmareg (payload_sig_sel 3, reg_index_16b 34)
  tensix.setdmareg (reg_index_16b 35)
  tensix.setdmareg (reg_index_16b 36)
  tensix.wrcfg (cfg_reg 60, gpr_address 16, wr128b 1)
  tensix.setdmareg (payload_sig_sel 6143, reg_index_16b 32)
  tensix.wrcfg (cfg_reg 64, gpr_address 16)
  tensix.setdmareg (payload_sig_sel 6271, reg_index_16b 32)
  tensix.wrcfg (cfg_reg 65, gpr_address 16)
  tensix.setdmareg (payload_sig_sel 21, reg_index_16b 32)
  tensix.setdmareg (payload_sig_sel 256, reg_index_16b 33)
  tensix.setdmareg (payload_sig_sel 1, reg_index_16b 34)
  tensix.setdmareg (payload_sig_sel 4, reg_index_16b 35)
  tensix.setdmareg (payload_sig_sel 1, reg_index_16b 36)
  tensix.wrcfg (cfg_reg 92, gpr_address 16, wr128b 1)
  tensix.setdmareg (payload_sig_sel 5, reg_index_16b 32)
  tensix.setdmareg (reg_index_16b 33)
  tensix.setdmareg (payload_sig_sel 3, reg_index_16b 34)
  tensix.setdmareg (reg_index_16b 35)
  tensix.setdmareg (reg_index_16b 36)
  tensix.wrcfg (cfg_reg 100, gpr_address 16, wr128b 1)
  tensix.setdmareg (payload_sig_sel 6399, reg_index_16b 32)
  tensix.wrcfg (cfg_reg 104, gpr_address 16)
  tensix.setdmareg (payload_sig_sel 6527, reg_index_16b 32)
  tensix.wrcfg (cfg_reg 105, gpr_address 16)
  tensix.setdmareg (payload_sig_sel 64, reg_index_16b 32)
  tensix.setdmareg (payload_sig_sel 64, reg_index_16b 33)
  tensix.wrcfg (cfg_reg 72, gpr_address 16)
  tensix.setdmareg (payload_sig_sel 256, reg_index_16b 32)
  tensix.setdmareg (payload_sig_sel 256, reg_index_16b 33)
  tensix.wrcfg (cfg_reg 74, gpr_address 16)
  tensix.setc16 (setc16_reg 3, setc16_value 4)
  tensix.setc16 (setc16_reg 39)
  tensix.setadcxy (bit_mask 15, cnt_set_mask 3)
  tensix.setadczw (bit_mask 15, cnt_set_mask 3)
  tensix.setadcxx (cnt_set_mask 3, x_end2 1023)
  scf.for %tile = %first to %last step %one {
    scf.for %k = %zero to %depth step %one {
      %done = arith.subi %tile, %first : index
      %done_steps = arith.muli %done, %depth : index
      %step = arith.addi %done_steps, %k : index
      %next = arith.addi %step, %one : index
      %buffer = arith.andi %step, %one : index
      tensix.await counter 0 at_least %next
      tensix.push "unpacr" cfg_context_id = %buffer (last 1, ovrd_thread_id 1, set_dat_valid 1)
      tensix.push "unpacr" cfg_context_id = %buffer (last 1, ovrd_thread_id 1, set_dat_valid 1, unpack_block_selection 1)
      tensix.stallwait (stall_res 2, wait_res 6)
      tensix.sempost (sem_sel 8)
      tensix.poll_sem 3 at_least 1
      tensix.store_semget 3
      tensix.post counter 1
    }
  }
} math {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rows = arith.constant 256 : index
  %first = tensix.argument first
  %last = tensix.argument last
  %depth = tensix.argument imm DEPTH
  tensix.setdmareg (reg_index_16b 32)
  tensix.setdmareg (payload_sig_sel 10922, payload_sig_sel_size 1, reg_index_16b 33)
  tensix.wrcfg (cfg_reg 1, gpr_address 16)
  tensix.setdmareg (payload_sig_sel 1, reg_index_16b 32)
  tensix.setdmareg (reg_index_16b 33)
  tensix.wrcfg (cfg_reg 14, gpr_address 16)
  tensix.nop
  tensix.replay (len 16, load_mode 1, start_idx 16)
  tensix.mvmul
  tensix.mvmul (addr_mode 1, dst 8)
  tensix.mvmul (dst 16)
  tensix.mvmul (addr_mode 2, dst 24)
  tensix.mvmul (dst 32)
  tensix.mvmul (addr_mode 1, dst 40)
  tensix.mvmul (addr_mode 3, dst 48)
  tensix.mvmul (dst 56)
  tensix.mvmul
  tensix.mvmul (addr_mode 1, dst 8)
  tensix.mvmul (dst 16)
  tensix.mvmul (addr_mode 2, dst 24)
  tensix.mvmul (dst 32)
  tensix.mvmul (addr_mode 1, dst 40)
  tensix.mvmul (addr_mode 3, dst 48)
  tensix.mvmul (addr_mode 1, dst 56)
  tensix.store_mop_cfg 0, 1
  tensix.store_mop_cfg 1, 4
  tensix.store_mop_cfg 2, 33554432
  tensix.store_mop_cfg 3, 935329807
  tensix.store_mop_cfg 4, 33554432
  tensix.store_mop_cfg 5, 67371264
  tensix.store_mop_cfg 6, 33554432
  tensix.store_mop_cfg 7, 67371264
  tensix.store_mop_cfg 8, 67371264
  tensix.setc16 (setc16_reg 7, setc16_value 2048)
  tensix.setc16 (setc16_reg 23)
  tensix.setc16 (setc16_reg 48)
  tensix.setc16 (setc16_reg 9, setc16_value 14352)
  tensix.setc16 (setc16_reg 24)
  tensix.setc16 (setc16_reg 49)
  tensix.setc16 (setc16_reg 11, setc16_value 6192)
  tensix.setc16 (setc16_reg 25)
  tensix.setc16 (setc16_reg 50)
  tensix.setc16 (setc16_reg 13, setc16_value 2048)
  tensix.setc16 (setc16_reg 26)
  tensix.setc16 (setc16_reg 51, setc16_value 1)
  tensix.setc16 (setc16_reg 15, setc16_value 10256)
  tensix.setc16 (setc16_reg 27)
  tensix.setc16 (setc16_reg 52, setc16_value 16)
  tensix.setc16 (setc16_reg 17, setc16_value 32896)
  tensix.setc16 (setc16_reg 28, setc16_value 8192)
  tensix.setc16 (setc16_reg 53, setc16_value 16)
  scf.for %tile = %first to %last step %one {
    %done = arith.subi %tile, %first : index
    %half = arith.andi %done, %one : index
    %base = arith.muli %half, %rows : index
    tensix.semwait (sem_sel 2, stall_res 322, wait_sem_cond 2)
    tensix.push "setc16" setc16_value = %base (setc16_reg 1)
    tensix.push "zeroacc" dst = %half (clear_mode 2)
    scf.for %k = %zero to %depth step %one {
      tensix.mop (mop_type 1)
    }
    tensix.stallwait (stall_res 2, wait_res 16512)
    tensix.sempost (sem_sel 2)
  }
} pack {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %four = arith.constant 4 : index
  %first = tensix.argument first
  %last = tensix.argument last
  tensix.setdmareg (reg_index_16b 32)
  tensix.setdmareg (reg_index_16b 33)
  tensix.setdmareg (payload_sig_sel 6655, reg_index_16b 34)
  tensix.setdmareg (payload_sig_sel_size 2, reg_index_16b 35)
  tensix.setdmareg (payload_sig_sel 1361, reg_index_16b 36)
  tensix.setdmareg (reg_index_16b 37)
  tensix.setdmareg (reg_index_16b 38)
  tensix.setdmareg (reg_index_16b 39)
  tensix.wrcfg (cfg_reg 56, gpr_address 16, wr128b 1)
  tensix.setdmareg (payload_sig_sel 4096, reg_index_16b 32)
  tensix.wrcfg (cfg_reg 24, gpr_address 16)
  tensix.setdmareg (reg_index_16b 32)
  tensix.setdmareg (payload_sig_sel 31, reg_index_16b 34)
  tensix.setdmareg (reg_index_16b 35)
  tensix.wrcfg (cfg_reg 84, gpr_address 16, wr128b 1)
  tensix.setdmareg (payload_sig_sel 4096, reg_index_16b 32)
  tensix.wrcfg (cfg_reg 25, gpr_address 16)
  tensix.setdmareg (reg_index_16b 32)
  tensix.setdmareg (payload_sig_sel 63, reg_index_16b 34)
  tensix.wrcfg (cfg_reg 96, gpr_address 16, wr128b 1)
  tensix.setdmareg (payload_sig_sel 4096, reg_index_16b 32)
  tensix.wrcfg (cfg_reg 26, gpr_address 16)
  tensix.setdmareg (reg_index_16b 32)
  tensix.setdmareg (payload_sig_sel 95, reg_index_16b 34)
  tensix.wrcfg (cfg_reg 124, gpr_address 16, wr128b 1)
  tensix.setdmareg (payload_sig_sel 4096, reg_index_16b 32)
  tensix.wrcfg (cfg_reg 27, gpr_address 16)
  tensix.setdmareg (payload_sig_sel 2, reg_index_16b 32)
  tensix.wrcfg (cfg_reg 8, gpr_address 16)
  tensix.setdmareg (reg_index_16b 32)
  tensix.wrcfg (cfg_reg 2, gpr_address 16)
  tensix.setdmareg (payload_sig_sel 16383, payload_sig_sel_size 3, reg_index_16b 32)
  tensix.setdmareg (payload_sig_sel 456, reg_index_16b 33)
  tensix.wrcfg (cfg_reg 20, gpr_address 16)
  tensix.setdmareg (reg_index_16b 33)
  tensix.wrcfg (cfg_reg 21, gpr_address 16)
  tensix.setdmareg (reg_index_16b 32)
  tensix.wrcfg (cfg_reg 22, gpr_address 16)
  tensix.wrcfg (cfg_reg 16, gpr_address 16)
  tensix.setdmareg (payload_sig_sel 5461, payload_sig_sel_size 1, reg_index_16b 32)
  tensix.setdmareg (payload_sig_sel 5461, payload_sig_sel_size 1, reg_index_16b 33)
  tensix.wrcfg (cfg_reg 17, gpr_address 16)
  tensix.setdmareg (reg_index_16b 32)
  tensix.setdmareg (reg_index_16b 33)
  tensix.wrcfg (cfg_reg 18, gpr_address 16)
  tensix.setdmareg (payload_sig_sel 5461, payload_sig_sel_size 1, reg_index_16b 32)
  tensix.setdmareg (payload_sig_sel 5461, payload_sig_sel_size 1, reg_index_16b 33)
  tensix.wrcfg (cfg_reg 19, gpr_address 16)
  tensix.setdmareg (payload_sig_sel 6655, reg_index_16b 4)
  tensix.setdmareg (payload_sig_sel_size 2, reg_index_16b 5)
  tensix.setdmareg (reg_index_16b 8)
  tensix.setdmareg (reg_index_16b 9)
  tensix.setdmareg (payload_sig_sel 16, reg_index_16b 10)
  tensix.setdmareg (reg_index_16b 11)
  tensix.setdmareg (payload_sig_sel 32, reg_index_16b 12)
  tensix.setdmareg (reg_index_16b 13)
  tensix.setdmareg (payload_sig_sel 48, reg_index_16b 14)
  tensix.setdmareg (reg_index_16b 15)
  tensix.setdmareg (payload_sig_sel 6783, reg_index_16b 6)
  tensix.setdmareg (payload_sig_sel_size 2, reg_index_16b 7)
  tensix.setdmareg (payload_sig_sel 256, reg_index_16b 16)
  tensix.setdmareg (reg_index_16b 17)
  tensix.setdmareg (payload_sig_sel 272, reg_index_16b 18)
  tensix.setdmareg (reg_index_16b 19)
  tensix.setdmareg (payload_sig_sel 288, reg_index_16b 20)
  tensix.setdmareg (reg_index_16b 21)
  tensix.setdmareg (payload_sig_sel 304, reg_index_16b 22)
  tensix.setdmareg (reg_index_16b 23)
  tensix.setadcxy (bit_mask 15, cnt_set_mask 4)
  tensix.setadczw (bit_mask 15, cnt_set_mask 4)
  tensix.setadcxx (cnt_set_mask 4, x_end2 255)
  scf.for %tile = %first to %last step %one {
    %done = arith.subi %tile, %first : index
    %half = arith.andi %done, %one : index
    %written = arith.subi %done, %one : index
    %quads = arith.addi %half, %one : index
    %base = arith.muli %quads, %four : index
    %address = arith.addi %half, %two : index
    tensix.await counter 3 at_least %written
    tensix.push "wrcfg" gpr_address = %base (cfg_reg 152, wr128b 1)
    tensix.push "wrcfg" gpr_address = %address (cfg_reg 57)
    tensix.semwait (sem_sel 2, stall_res 6, wait_sem_cond 1)
    tensix.pacr (last 1, pack_sel 15)
    tensix.stallwait (stall_res 2, wait_res 120)
    tensix.semget (sem_sel 2)
    tensix.sempost (sem_sel 4)
    tensix.poll_sem 2 at_least 1
    tensix.store_semget 2
    tensix.post counter 2
  }
} read {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %bytes = arith.constant 2048 : index
  %lhs_buffers = arith.constant 102400 : index
  %rhs_buffers = arith.constant 98304 : index
  %lhs = tensix.argument base 0
  %rhs = tensix.argument base 1
  %first = tensix.argument first
  %last = tensix.argument last
  %depth = tensix.argument imm DEPTH
  %columns = tensix.argument imm COLUMNS
  scf.for %tile = %first to %last step %one {
    %row = arith.divui %tile, %columns : index
    %column = arith.remui %tile, %columns : index
    %row_begin = arith.muli %row, %depth : index
    scf.for %k = %zero to %depth step %one {
      %done = arith.subi %tile, %first : index
      %done_steps = arith.muli %done, %depth : index
      %step = arith.addi %done_steps, %k : index
      %buffer = arith.andi %step, %one : index
      %offset = arith.muli %buffer, %bytes : index
      %lhs_l1 = arith.addi %lhs_buffers, %offset : index
      %rhs_l1 = arith.addi %rhs_buffers, %offset : index
      %lhs_page = arith.addi %row_begin, %k : index
      %above = arith.muli %k, %columns : index
      %rhs_page = arith.addi %above, %column : index
      %drained = arith.subi %step, %one : index
      tensix.await counter 1 at_least %drained
      tensix.noc_read page %lhs_page of %lhs bytes 2048 to %lhs_l1 transaction %zero
      tensix.noc_read page %rhs_page of %rhs bytes 2048 to %rhs_l1 transaction %zero
      tensix.noc_wait transaction %zero
      tensix.post counter 0
    }
  }
} write {
  tensix.seminit (max_value 2, sem_sel 2)
  tensix.release
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %bytes = arith.constant 2048 : index
  %buffers = arith.constant 106496 : index
  %result = tensix.argument base 2
  %first = tensix.argument first
  %last = tensix.argument last
  scf.for %tile = %first to %last step %one {
    %done = arith.subi %tile, %first : index
    %packed = arith.addi %done, %one : index
    %half = arith.andi %done, %one : index
    %offset = arith.muli %half, %bytes : index
    %l1 = arith.addi %buffers, %offset : index
    tensix.await counter 2 at_least %packed
    tensix.noc_write page %tile of %result bytes 2048 from %l1 transaction %zero
    tensix.noc_wait transaction %zero
    tensix.post counter 3
  }
}
