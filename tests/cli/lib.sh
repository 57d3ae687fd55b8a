# lib.sh - functions for the tests of the command line; source it.
#
#   name=test_x; . tests/cli/lib.sh
#   check "claim" command...        passes when the command succeeds
#   exits CODE "claim" command...   passes when it exits with CODE
#   finish                          prints the summary line
#
# $folder is an empty temporary folder. spindle runs the tool. A claim must be
# understood alone: a log shows it without the claims before.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0 skipped=0

spindle() { ${EXEC:-} "$SPINDLE" "$@"; }

good() { passed=$((passed + 1)); }
bad() {
    echo "  FAILED: $1"
    [ -s "$folder/stderr" ] && head -n 5 "$folder/stderr" | sed 's/^/    /'
    failed=$((failed + 1))
}
check() {
    claim=$1
    shift
    if "$@"; then good; else bad "$claim"; fi
}
# Run a command. Its stdout and stderr stay in $folder for later claims.
exits() {
    wanted=$1 claim=$2
    shift 2
    "$@" >"$folder/stdout" 2>"$folder/stderr" </dev/null
    code=$?
    if [ "$code" = "$wanted" ]; then good; else bad "$claim (exit $code, not $wanted)"; fi
}
one_line() { [ "$(grep -vc '^hint: \|^spindle: warning: ' "$folder/stderr")" = 1 ]; }
silent() { [ ! -s "$folder/stderr" ]; }
says() { grep -q -- "$1" "$folder/stdout" "$folder/stderr"; }

is_tsan() { case ${SANITIZE:-} in *thread*) ;; *) return 1 ;; esac }

# The thread sanitizer finds nothing in single-threaded runs and slows them down
# tenfold. With it the script ends here.
end_here_with_tsan() {
    is_tsan || return 0
    echo "  skipped: the remaining claims have one thread"
    skipped=$((skipped + 1))
    finish
    exit
}

# single_threaded COMMAND...: a claim about a single-threaded command; skipped with the thread
# sanitizer.
single_threaded() {
    if is_tsan; then single_threaded_count=$((${single_threaded_count:-0} + 1)); else "$@"; fi
}

# limit_for_tsan LIST COUNT: with the thread sanitizer keep only the first COUNT
# entries of the array LIST, because threads do the same for each entry.
limit_for_tsan() {
    is_tsan || return 0
    local -n list=$1
    echo "  skipped: $((${#list[@]} - $2)) of ${#list[@]} $1: threads do the same for each"
    skipped=$((skipped + ${#list[@]} - $2))
    list=("${list[@]:0:$2}")
}

# Compile a reader of JSON that uses the tool's JSON library. json_has NAME VALUE reads
# $folder/stdout; NAME has points between levels, as in meshes.0.path.
make_json_reader() {
    cat >"$folder/json.c" <<'EOF'
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    static char text[1 << 22];
    size_t bytes = fread(text, 1, sizeof text - 1, stdin);
    cJSON *json = cJSON_ParseWithLengthOpts(text, bytes + 1, NULL, 1);
    cJSON *item = json;
    char *name = argc > 1 ? strtok(argv[1], ".") : NULL;
    for (; item && name; name = strtok(NULL, "."))
        item = cJSON_IsArray(item) ? cJSON_GetArrayItem(item, atoi(name)) : cJSON_GetObjectItem(item, name);
    char *value = item ? cJSON_PrintUnformatted(item) : NULL;
    if (!value)
        return 1;
    puts(value);
    return argc > 2 && strcmp(argv[2], value) != 0;
}
EOF
    "${CC:-cc}" -o "$folder/json" "$folder/json.c" ${SANITIZE:-} -lcjson >"$folder/stderr" 2>&1
}
json_has() { ASAN_OPTIONS=detect_leaks=0 ${JSON_EXEC-${EXEC:-}} "$folder/json" "$@" <"$folder/stdout" >"$folder/value"; }

finish() {
    if [ "${single_threaded_count:-0}" != 0 ]; then
        echo "  skipped: $single_threaded_count claims about single-threaded commands"
        skipped=$((skipped + single_threaded_count))
    fi
    echo "$name: $passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ]
}
