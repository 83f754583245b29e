#!/bin/sh
# Replays recorded hosts: tensix.sh PATH..., folders with *.trace files, or such files. Nothing of them is part of this
# repository; docs/reference/tensix/traces.md says which there are and what came of them. Prints a table; options for
# tensix-emu trace can stand in TENSIX_EMU_OPTIONS. Exit code 1 if any reply differs or the chip stops.
set -eu
[ $# -gt 0 ] || { echo "usage: tensix.sh PATH..., folders with recorded hosts (*.trace) or such files" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
cargo build --quiet --release --manifest-path "$here/../../Cargo.toml" -p tensix-emu
emu=${CARGO_TARGET_DIR:-$here/../../target}/release/tensix-emu
list=$(mktemp)
told=$(mktemp)
trap 'rm -f "$list" "$told"' EXIT
find "$@" -type f -name '*.trace' | LC_ALL=C sort >"$list"
[ -s "$list" ] || { echo "there are no *.trace files in $*" >&2; exit 2; }
echo '| trace | result | what came of it |'
echo '|---|---|---|'
failed=0
while IFS= read -r trace; do
    if "$emu" trace ${TENSIX_EMU_OPTIONS:-} "$trace" >"$told" 2>&1; then
        result=pass
    else
        result=fail
        failed=1
    fi
    why=$(tail -n 1 "$told")
    echo "| $(basename "$trace" .trace) | $result | ${why#"$trace: "} |"
done <"$list"
exit $failed
