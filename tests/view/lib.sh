# lib.sh - functions for the tests of `spindle view`; source it after tests/cli/lib.sh.
#
#   open_display FILE...   a virtual display (Xvfb; without it SDL's offscreen driver) that can
#                          show the files; without one the script ends here
#   view ARGUMENT...       run the viewer on the virtual clock in a small window
#   is_near, is_far        compare pictures; compile_comparer makes what they need

# Whether the tool has a viewer.
has_sdl2() { grep -qs HAS_SDL2 "$BUILD/sdl2.mk"; }

open_display() {
    export ASAN_OPTIONS=detect_leaks=0
    export SDL_VIDEODRIVER=offscreen LIBGL_ALWAYS_SOFTWARE=1
    if command -v Xvfb >/dev/null; then
        Xvfb -displayfd 3 -screen 0 800x600x24 3>"$folder/display" >"$folder/xvfb" 2>&1 &
        xvfb=$!
        trap 'kill $xvfb 2>/dev/null; rm -rf "$folder"' EXIT
        for i in $(seq 200); do
            [ ! -s "$folder/display" ] || break
            kill -0 $xvfb 2>/dev/null || break
            sleep 0.05
        done
        if [ -s "$folder/display" ]; then
            DISPLAY=:$(cat "$folder/display") SDL_VIDEODRIVER=x11
            export DISPLAY
        fi
    fi
    if ! spindle view "$@" --size 64x64 --screenshot 0="$folder/first.png" --virtual 2>"$folder/stderr"; then
        skipped=$((skipped + 1))
        echo "  skipped: no display: $(head -n 1 "$folder/stderr")"
        finish
        exit
    fi
}

compile_comparer() { "${CC:-cc}" -O1 -o "$folder/compare" tests/view/compare_pictures.c -lpng; }
view() { spindle view --virtual --size 320x240 "$@" >"$folder/stdout" 2>"$folder/stderr"; }
# compare A B [X Y]: the mean difference and the share of pixels that differ by much, both in thousandths.
compare() { read -r mean far < <("$folder/compare" "$@"); }
# is_near A B MEAN FAR [X Y]: whether the pictures differ by at most that.
is_near() {
    compare "$1" "$2" "${@:5}" || return
    [ "$mean" -le "$3" ] && [ "$far" -le "$4" ] || { echo "    $1 and $2 differ: $mean $far" && false; }
}
# is_apart A B MEAN FAR [X Y]: whether two pictures that are there differ by more.
is_apart() { compare "$1" "$2" "${@:5}" && { [ "$mean" -gt "$3" ] || [ "$far" -gt "$4" ]; }; }
is_far() { is_apart "$1" "$2" 500 10; }
