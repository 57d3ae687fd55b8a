#!/usr/bin/env bash
# Goal: a seed of the simulator makes the same run on every machine, faults included:
# the runtime's decisions depend neither on byte order nor on the size of a pointer.
# Method: the simulator prints the hash of each seed's events on this machine
# ($HOST_SIM) and on the other ($SIM, run by $EXEC), and the lines are compared.
name=test_sim_hashes
. tests/cli/lib.sh

export HASHES=8 STEPS= SEED= FIRST=
check "the simulator runs on this machine" sh -c '"$HOST_SIM" >"$0/here"' "$folder"
check "the simulator runs on the other machine" sh -c '$EXEC "$SIM" >"$0/there"' "$folder"
check "there is a line for each seed" test "$(wc -l <"$folder/here")" = "$HASHES"
check "both machines print the same lines" diff "$folder/here" "$folder/there"
finish
