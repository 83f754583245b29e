# Prints what each program computes with: all code of the vector unit and, with -v matrix=1, of the
# math thread. Elsewhere, a program is the same for all functions.
#
# The vector unit's code lies in the pack thread between the instruction that selects its half of
# Dst and the wait for its end. Nothing between them is left out. Its instructions outside, in any
# thread, are printed too. Dots stand for what was left out.

/^  tensix\.program @/ {
  name = $3 == "implements" ? $4 : $2
  print name ":"
  thread = "unpack"
  shown = ""
  inside = 0
}
/^  \} [a-z]+ \{$/ { thread = $2; inside = 0 }

{
  begins = thread == "pack" && /tensix\.push "setc16"/ || matrix && thread == "math" && /scf\.for/
  inside = inside || begins
  if (inside || /tensix\.sfp/) {
    if (thread != shown) print thread ":"
    else if (skipped) print "  ..."
    shown = thread
    skipped = 0
    line = substr($0, 3)
    sub(/ +$/, "", line)
    print line
  } else {
    skipped = 1
  }
  ends = thread == "pack" && /tensix\.stallwait  \(stall_res 4, wait_res 16384\)/
  if (ends) inside = 0
}
