#!/usr/bin/env bash
# Goal: `spindle view` draws what `spindle render` draws, on both of its fill paths, and
# refuses what it cannot do.
# Method: open a real window on a virtual display (Xvfb; without it SDL's offscreen
# driver), write screenshots, and compare them with pictures of render. The runs have a
# virtual clock, so that they are repeatable. Drivers of OpenGL are not built for the
# thread sanitizer and leak memory, so leaks are not looked for.
# One thread.
set -u
name=test_view
. tests/cli/lib.sh
. tests/view/lib.sh
data=tests/data

# ---- the command line ----------------------------------------------------------
for archive in demo colors instances visibility ngons; do
    exits 0 "compile $archive" spindle compile --quiet $data/$archive.abc -o "$folder/$archive.sgc"
done
demo=$folder/demo.sgc
for line in "--size 10x10" "--size big" "--screenshot x.png" "--screenshot 1=" "--screenshot=-1=x.png" "--screenshot 1=-" "--json" \
    "--disc-layout x.txt" "--fault stall,at=1,for=1" "--virtual --workers 2" "--up x"; do
    exits 2 "view $line is a usage error" spindle view "$demo" $line
    check "view $line prints a line and where to find help" says "^spindle: view: "
done
exits 2 "view --streams below the number of files is a usage error" spindle view "$demo" "$demo" --streams 1

if ! has_sdl2; then
    exits 3 "view without SDL2 is refused" spindle view "$demo"
    check "the message without SDL2 names the package" says "libsdl2-dev"
    skipped=$((skipped + 1))
    echo "  skipped: no SDL2"
    finish
    exit
fi
if is_tsan; then end_here_with_tsan; fi

# ---- a display -------------------------------------------------------------------
open_display "$demo"
check "view opens a window of its size" test -s "$folder/first.png"
exits 3 "view without a display is refused" env SDL_VIDEODRIVER=none "$SPINDLE" view "$demo"
check "the message without a display is one line" one_line
exits 2 "view refuses an unknown key" spindle view "$demo" --keys 'o%f'
check "the message has the unknown key" says '^spindle: view: --keys: the first letter of "%f" is no key'
exits 1 "view refuses an unknown tuning variable" spindle view "$demo" --tune none=1
check "the message has the unknown variable" says '^spindle: --tune: no tuning variable "none"'
exits 3 "view of a missing file is refused" spindle view "$folder/none.sgc"
exits 3 "view --screenshot to a missing folder is refused" spindle view "$demo" --screenshot 0="$folder/none/x.png" --virtual --size 64x64

# ---- pictures ------------------------------------------------------------------
check "the comparer of pictures compiles" compile_comparer
# Edges of triangles have other samples: pixels there differ by some steps of 255.
renders() {
    spindle render "$folder/$1.sgc" --frames $2 --view clip --size 320x240 -o "$folder/render.png" &&
        view "$folder/$1.sgc" --screenshot $3="$folder/fill.png" --keys o && view "$folder/$1.sgc" --screenshot $3="$folder/frames.png" --keys of &&
        is_near "$folder/fill.png" "$folder/render.png" 1500 12 4 4 && is_near "$folder/frames.png" "$folder/render.png" 1500 12 4 4
}
check "a moving cloth looks as render draws it" renders demo 30 1
cp "$folder/fill.png" "$folder/demo.png"
check "view of another frame of the cloth" view "$demo" --screenshot 2="$folder/later.png" --keys o
check "another frame of the cloth does not" is_apart "$folder/later.png" "$folder/render.png" 1500 12 4 4
check "vertex colours look as render draws them" renders colors 0 0
check "instances and transforms look as render draws them" renders instances 6 0.25
check "hidden meshes are hidden as in render" renders visibility 12 0.5
check "polygons of one frame look as render draws them" renders ngons 0 0

# Between two frames both paths interpolate.
check "view between two frames" view "$demo" --screenshot 1.017="$folder/fill.png" --keys o
check "view between two frames on the path of frames" view "$demo" --screenshot 1.017="$folder/frames.png" --keys of
check "both paths show the same between two frames" is_near "$folder/fill.png" "$folder/frames.png" 50 1
for keys in o of; do
    check "view without interpolation, keys ${keys}i" view "$demo" --screenshot 1.017="$folder/floor.png" --keys ${keys}i
    check "keys ${keys}i: the picture is that of the frame before" is_near "$folder/floor.png" "$folder/demo.png" 0 0
done

# ---- keys ------------------------------------------------------------------------
for keys in w ww n cc ccc 3 h; do
    check "view --keys of$keys" view "$demo" --screenshot 1="$folder/keys.png" --keys of$keys
    check "--keys of$keys changes the picture" is_far "$folder/keys.png" "$folder/demo.png"
done
check "view --keys onw" view "$demo" --screenshot 1="$folder/fill.png" --keys onw
check "view --keys onwf" view "$demo" --screenshot 1="$folder/frames.png" --keys onwf
check "--keys onw: both paths show the same" is_near "$folder/fill.png" "$folder/frames.png" 50 1
check "view --keys o2" view "$demo" --screenshot 1="$folder/none.png" --keys o2
check "2 leaves out what is animated" is_far "$folder/none.png" "$folder/demo.png"
check "view --keys o1" view "$demo" --screenshot 1="$folder/animated.png" --keys o1
check "1 shows what is animated" is_near "$folder/animated.png" "$folder/demo.png" 0 0
check "view --tune of draw mode and overlay" view "$demo" --screenshot 1="$folder/tuned.png" --tune e_GeomCacheDebugDrawMode=2 --tune debug=0
check "--tune of draw mode and overlay does what the keys do" is_near "$folder/tuned.png" "$folder/none.png" 0 0
check "view of several files and a drive" view "$demo" "$folder/colors.sgc" --drive x360_dvd12x --screenshot 0.5="$folder/two.png"
check "two screenshots in one run" view "$demo" --screenshot 0.5="$folder/a.png" --screenshot 1="$folder/b.png" --keys o
check "the second screenshot is that of its time" is_near "$folder/b.png" "$folder/demo.png" 0 0
check "the first screenshot is another picture" is_far "$folder/a.png" "$folder/demo.png"

# ---- the engine sample -------------------------------------------------------------
# It has the camera and the light of render. Its background has one colour, and so has the
# middle of render's: only pixels that differ by much count.
sample=tests/examples/engine_sample.c
mkdir -p "$folder/include/spindle" && cp runtime/include/spindle/*.h platform/posix/platform_posix.h "$folder/include/spindle/"
compile_sample() {
    read -ra sdl < <(sed -n 's/^SDL2_CPPFLAGS := //p' "$BUILD/sdl2.mk")
    "${CC:-cc}" -std=c11 -Wall -Wextra -Werror ${SANITIZE:-} "-I$folder/include" "${sdl[@]}" -o "$folder/sample" $sample \
        "$BUILD/libspindle-posix.a" "$BUILD/libspindle.a" -llz4 -lpthread -lSDL2 -lGL -lm
}
sample() { "$folder/sample" offline/view/shaders "${@:2}" >"$folder/$1.ppm" 2>"$folder/stderr"; }
# drew ITEMS GROUPS CALLS: what the last run said.
drew() { grep -qx "$1 items, $2 groups, $3 draw calls" "$folder/stderr" || { cat "$folder/stderr" && false; }; }
check "engine_sample.c has at most 300 lines" test "$(wc -l <$sample)" -le 300
if echo 'int main(void) { return 0; }' | "${CC:-cc}" -x c -o "$folder/linked" - -lSDL2 -lGL 2>/dev/null; then
    cp "$folder/ngons.sgc" "$folder/more.sgc"
    cp "$folder/ngons.sgc" "$folder/last.sgc"
    check "engine_sample.c compiles" compile_sample
    check "engine_sample shows a second of a cloth" sample cloth 1 1 0 "$demo"
    check "a node that moves is one item and one draw call" drew 1 0 1
    spindle render "$demo" --frames 30 --view clip --size 320x240 -o "$folder/render.png"
    check "its picture looks as render draws it" is_near "$folder/cloth.ppm" "$folder/render.png" 20000 12 4 4
    check "engine_sample shows another time" sample earlier 1 0.5 0 "$demo"
    check "the picture of another time does not look so" is_apart "$folder/earlier.ppm" "$folder/render.png" 255000 50 4 4
    check "engine_sample plays 12 nodes of two files with the same static meshes" sample groups 12 1 0 "$folder/ngons.sgc" "$folder/more.sgc" "$folder/last.sgc"
    check "each mesh is one group over both files, and one draw call" drew 72 6 6
    check "engine_sample plays them without instances" sample single 12 1 0 instance_min=0 "$folder/ngons.sgc" "$folder/more.sgc" "$folder/last.sgc"
    check "each item is a draw call" drew 72 0 72
    check "instances look as single items do" is_near "$folder/groups.ppm" "$folder/single.ppm" 0 0
    check "engine_sample plays 12 nodes of a cloth" sample row 12 1 0 "$demo" "$folder/last.sgc"
    check "each of them is a draw call" drew 12 0 12
    check "engine_sample draws stand-ins beyond a distance" sample stand-ins 12 1 0.1 "$demo" "$folder/last.sgc"
    check "the stand-ins are one group" drew 12 1 2
    check "stand-ins change the picture" is_apart "$folder/stand-ins.ppm" "$folder/row.ppm" 255000 5
else
    skipped=$((skipped + 1))
    echo "  skipped: no libraries to link with SDL2 and OpenGL"
fi

# ---- damage ------------------------------------------------------------------------
{ head -c 60000 "$demo"; printf 'XXXX'; tail -c +60005 "$demo"; } >"$folder/bent.sgc"
for keys in o of; do
    exits 1 "view of damaged frames says so at the end, keys $keys" spindle view "$folder/bent.sgc" --virtual --size 64x64 --frames 241 --keys $keys
    check "keys $keys: the message names the frame" says "bent.sgc: offset 0x[0-9a-f]*: frame [0-9]*: .* frames not shown"
    check "keys $keys: the report is printed all the same" says "^viewed  *241 pictures"
    exits 1 "a screenshot of a damaged file says so, too, keys $keys" spindle view "$folder/bent.sgc" --virtual --size 64x64 --screenshot 0.08="$folder/bent-$keys.png" --keys $keys
    check "the screenshot of a damaged frame is written, keys $keys" test -s "$folder/bent-$keys.png"
done

# ---- mouse and keyboard ----------------------------------------------------------
# Click in the middle of the time bar, and press q, until the window closes. The window may not have the focus yet.
ends_by_hand() {
    SDL_MOUSE_FOCUS_CLICKTHROUGH=1 spindle view "$demo" --size 320x240 --frames 100000 --virtual --json >"$folder/stdout" 2>"$folder/stderr" &
    local viewer=$! window i
    window=$(timeout 20 xdotool search --sync --name 'spindle view' | head -n 1) && xdotool windowfocus "$window" || return
    for i in $(seq 100); do
        kill -0 $viewer 2>/dev/null || break
        xdotool mousemove --window "$window" 160 220 click 1 key --clearmodifiers q 2>/dev/null
        sleep 0.1
    done
    kill $viewer 2>/dev/null && return 1
    wait $viewer
}
make_json_reader
if [ "$SDL_VIDEODRIVER" = x11 ] && command -v xdotool >/dev/null; then
    check "q closes the window" ends_by_hand
    check "a click in the middle of the time bar goes to the middle of the clip" eval 'json_has time_s && grep -q "^1.98" "$folder/value"'
else
    skipped=$((skipped + 2))
    echo "  skipped: no xdotool"
fi

# ---- bytes -----------------------------------------------------------------------
value() { json_has "$1" && cat "$folder/value"; }
gpu_bytes() { spindle view "$demo" --streams 4 --size 64x64 --frames 120 --virtual --json --keys "o$1" >"$folder/stdout" && value gpu_bytes; }
fill_bytes=$(gpu_bytes '') frames_bytes=$(gpu_bytes f)
# 2142 vertices of 40 bytes in each of 120 pictures of 4 streams.
check "the CPU writes 40 bytes a vertex and picture" test "$fill_bytes" = $((2142 * 40 * 120 * 4))
check "the path of frames writes at most 45 % of the bytes" test $((frames_bytes * 100)) -le $((fill_bytes * 45))
check "the path of frames writes whole frames of 24 bytes a vertex" test $((frames_bytes % (2142 * 24))) = 0 -a "$frames_bytes" -gt 0
check "the path of frames shows every picture in time" json_has pictures_late 0
# In any order.
check "view --frames --screenshot" view "$demo" --frames 70 --screenshot 1="$folder/played.png" --screenshot 0.5="$folder/before.png" --keys o
check "the screenshot of --frames is the picture at its time" is_near "$folder/played.png" "$folder/demo.png" 0 0
check "an earlier screenshot is the picture at its time, too" is_near "$folder/before.png" "$folder/a.png" 0 0
exits 3 "view --frames that ends before the screenshot" spindle view "$demo" --frames 2 --virtual --size 64x64 --screenshot 1="$folder/never.png"
check "the message says when playback ended" says "never.png: playback ended at 0.03[0-9]* s, before 1 s"
exits 3 "view --screenshot of a window that closes first" spindle view "$demo" --virtual --size 64x64 --screenshot 1="$folder/never.png" --keys q
check "the message says that the window was closed" says "never.png: the window was closed before the picture at 1 s"
check "there is no screenshot of a time that was not played" test ! -e "$folder/never.png"
exits 0 "view --frames prints a report" spindle view "$demo" --size 64x64 --frames 3 --virtual
check "the report says how many bytes went to the GPU" says "to the GPU 85.7 kB a picture"

# The same with 16 streams of a large cloth of 30,389 vertices.
sail=${SPINDLE_ASSETS:-../shared/assets}/large/sail_irr.abc
if [ -f "$sail" ]; then
    exits 0 "compile of a large cloth" spindle compile --quiet --codec lz4hc "$sail" -o "$folder/sail.sgc"
    large_bytes() { spindle view "$folder/sail.sgc" --streams 16 --heap 256 --size 64x64 --frames 6 --virtual --json --keys "o$1" >"$folder/stdout" && value gpu_bytes; }
    fill_bytes=$(large_bytes '') frames_bytes=$(large_bytes f)
    check "16 streams of a large cloth: the CPU writes 40 bytes a vertex and picture" test "$fill_bytes" = $((30389 * 40 * 6 * 16))
    check "16 streams of a large cloth: the path of frames writes at most 45 % ($frames_bytes of $fill_bytes)" test "$frames_bytes" -gt 0 -a $((frames_bytes * 100)) -le $((fill_bytes * 45))
else
    skipped=$((skipped + 1))
    echo "  skipped: no $sail"
fi
finish
