#!/usr/bin/env bash
# Goal: spindle anim pack puts clips into databases and their headers into an image, by folder, by
# skeleton or not at all, and writes nothing if an input is refused.
# Method: clips compiled from files made by the project; the report is compared with the files.
# Threads as in test_compile.sh.
set -u
name=test_anim_pack
. tests/cli/lib.sh
data=tests/data/anim
export SPINDLE
check "the JSON reader of the tests compiles" make_json_reader
files() { (cd "$1" && find . -type f | LC_ALL=C sort | tr '\n' ' '); }
anims=$folder/anims
exits 0 "compile a hero" spindle anim compile $data/arm.glb -o "$anims/hero" --quiet
exits 0 "compile a prop" spindle anim compile $data/arm.bvh -o "$anims/prop" --quiet

# ---- groups ------------------------------------------------------------------
exits 0 "pack by folder" spindle anim pack "$anims" -o "$folder/game"
check "pack prints nothing on stderr" silent
check "pack makes a database of each folder, and an image" test "$(files "$folder/game")" = "./animations.sai ./hero.sad ./hero/arm.sas ./prop.sad ./prop/arm.sas "
check "pack prints the databases" says "^ *2 *$(wc -c <"$folder/game/hero.sad") .* hero.sad$"
check "pack prints the image" says "^  clips 3, bytes $(wc -c <"$folder/game/animations.sai"): image animations.sai$"
exits 0 "pack --json" spindle anim pack "$anims" -o "$folder/again" --json --jobs 1
check "pack --json has the kind packed" json_has kind '"packed"'
check "pack --json has the image" json_has image.file '"animations.sai"'
check "pack --json has the bytes of a database" json_has databases.0.bytes "$(wc -c <"$folder/game/hero.sad")"
check "pack --json has the bytes of its clips" json_has databases.0.clip_bytes "$(cat "$anims"/hero/*.sac | wc -c)"
check "all numbers of jobs give the same bytes" diff -r "$folder/game" "$folder/again"
exits 0 "pack twice to the same folder" spindle anim pack "$anims" -o "$folder/again" --quiet
check "pack --quiet prints nothing" test ! -s "$folder/stdout" -a ! -s "$folder/stderr"
exits 0 "pack into the folder of the clips" spindle anim pack "$anims" -o "$anims" --quiet
check "databases in the folder of the clips are the same" cmp "$anims/hero.sad" "$folder/game/hero.sad"
exits 0 "pack it again" spindle anim pack "$anims" -o "$folder/twice" --quiet
check "databases and images are no input" diff -r "$folder/game" "$folder/twice"
exits 0 "pack by skeleton" spindle anim pack "$anims" -o "$folder/skeletons" --by skeleton --quiet
check "databases have the names of the skeletons" test "$(files "$folder/skeletons")" = "./animations.sai ./hero/arm.sad ./hero/arm.sas ./prop/arm.sad ./prop/arm.sas "
exits 0 "pack by file" spindle anim pack "$anims" -o "$folder/singles" --by file --json
check "pack by file copies the clips" test "$(files "$folder/singles")" = "./animations.sai ./hero/arm.sas ./hero/spline.sac ./hero/wave.sac ./prop/arm.sac ./prop/arm.sas "
check "pack by file does not change the clips" cmp "$anims/hero/wave.sac" "$folder/singles/hero/wave.sac"
check "pack --json counts clips with files of their own" json_has own_files.clips 3
exits 0 "pack single files" spindle anim pack "$anims/hero/wave.sac" "$anims/hero/spline.sac" -o "$folder/few" --image hero.sai --json
check "clips without a folder have a database" test "$(files "$folder/few")" = "./animations.sad ./hero.sai "
exits 0 "pack --prefix" spindle anim pack "$anims" -o "$folder/prefixed" --prefix anims/ --quiet
check "the prefix is before the names of databases" test "$(files "$folder/prefixed")" = "./animations.sai ./anims/hero.sad ./anims/hero/arm.sas ./anims/prop.sad ./anims/prop/arm.sas "
exits 0 "a pak of clips" spindle pack "$anims/hero" -o "$folder/hero.spk" --prefix hero/ --quiet
exits 0 "pack the clips of a pak" spindle anim pack "$folder/hero.spk" -o "$folder/unpacked" --quiet
check "clips of a pak give the same database" cmp "$folder/unpacked/hero.sad" "$folder/game/hero.sad"

# ---- skeletons ---------------------------------------------------------------
check "pack copies the skeletons beside their clips" cmp "$anims/prop/arm.sas" "$folder/game/prop/arm.sas"
exits 0 "pack two folders with skeletons of one name" spindle anim pack "$anims/hero" "$anims/prop" -o "$folder/merged" --by file --json
check "pack --json has the skeletons" json_has skeletons.0.file '"arm.sas"'
check "pack --json has their bytes" json_has skeletons.1.bytes "$(wc -c <"$anims/prop/arm.sas")"
check "the first skeleton of a name keeps it" cmp "$anims/hero/arm.sas" "$folder/merged/arm.sas"
check "another one has its hashes in its name" cmp "$anims/prop/arm.sas" "$folder"/merged/arm-[0-9a-f]*-[0-9a-f]*.sas
exits 0 "play finds the copies" spindle play --virtual "$folder/merged/animations.sai" --characters 3 --seconds 1 --json
check "play finds a copy for each clip" json_has clips.skeletons 2
check "play with the copies has no warning" silent
exits 0 "pack a clip and a skeleton that are named" spindle anim pack "$anims/hero/wave.sac" "$anims/hero/arm.sas" -o "$folder/one" --quiet
check "a skeleton that is named is copied" test "$(files "$folder/one")" = "./animations.sad ./animations.sai ./arm.sas "
mkdir -p "$folder/lone/below"
cp "$anims/hero/wave.sac" "$anims/hero/arm.sas" "$folder/lone"
cp "$anims/prop/arm.sas" "$folder/lone/below"
exits 0 "pack a folder with a skeleton too many" spindle anim pack "$folder/lone" -o "$folder/fewer"
check "a skeleton that no clip has is not copied" test "$(files "$folder/fewer")" = "./animations.sad ./animations.sai ./arm.sas "
check "pack prints the skeletons" says "^ *1 *$(wc -c <"$anims/hero/arm.sas") *(skeletons)$"
exits 0 "pack the skeletons of a pak" spindle anim pack "$folder/hero.spk" -o "$folder/unpacked2" --quiet
check "skeletons of a pak are copied" cmp "$folder/unpacked2/hero/arm.sas" "$anims/hero/arm.sas"
head -c 60 "$anims/hero/arm.sas" >"$folder/lone/arm.sas"
exits 0 "pack beside a damaged skeleton" spindle anim pack "$folder/lone" -o "$folder/spoiled"
check "a damaged skeleton is not copied" test "$(files "$folder/spoiled")" = "./animations.sad ./animations.sai "
check "the warning names the skeleton" says "^spindle: warning: .*lone/arm.sas: a damaged skeleton; it is not copied$"

# ---- lists and traces --------------------------------------------------------
printf 'hero/wave.sac\n*/spline.sac\nthings.sad\nprop/*\n' >"$folder/moves.txt"
exits 0 "pack by a list" spindle anim pack "$anims" -o "$folder/listed" --list "$folder/moves.txt" --quiet
check "a list makes databases" test "$(files "$folder/listed")" = "./animations.sai ./hero/arm.sas ./moves.sad ./prop/arm.sas ./things.sad "
printf 'wave.sad\nwave.sac\nspline.sad\nspline.sac\n' >"$folder/alone.txt"
exits 0 "pack clips alone" spindle anim pack "$anims/hero" -o "$folder/alone" --list "$folder/alone.txt" --quiet
data_of() { for database in "$@"; do tail -c +2049 "$database"; done; }
check "clips lie in the order of the list" cmp <(data_of "$folder/listed/moves.sad") <(data_of "$folder/alone/wave.sad" "$folder/alone/spline.sad")
check "a clip takes fewer bytes in a database" test "$(data_of "$folder/alone/wave.sad" | wc -c)" -lt "$(wc -c <"$anims/hero/wave.sac")"
echo 'wave.sac' >"$folder/wave.txt"
exits 0 "pack by a list of some clips" spindle anim pack "$anims" -o "$folder/some" --list "$folder/wave.txt" --quiet
check "clips that no list names have files of their own" test "$(files "$folder/some")" = "./animations.sai ./hero/arm.sas ./hero/spline.sac ./prop/arm.sac ./prop/arm.sas ./wave.sad "
exits 0 "pack by a list and by folder" spindle anim pack "$anims" -o "$folder/both" --list "$folder/wave.txt" --by folder --quiet
check "clips that no list names are grouped by folder" test "$(files "$folder/both")" = "./animations.sai ./hero.sad ./hero/arm.sas ./prop.sad ./prop/arm.sas ./wave.sad "
cat >"$folder/play.json" <<'JSON'
{"schema": 1, "kind": "trace", "scenes": [{"name": "yard", "reads": [
  {"path": "game/hero/wave.sac", "task": "animation"}, {"path": "sea.wav"}, {"path": "hero/spline.sac"}]}]}
JSON
exits 0 "pack by a trace" spindle anim pack "$anims" -o "$folder/traced" --order "$folder/play.json" --json
check "pack --json counts clips that are used" json_has used_clips 2
check "a trace makes a database of each skeleton" test "$(files "$folder/traced")" = "./animations.sai ./hero/arm.sad ./hero/arm.sas ./prop/arm.sad ./prop/arm.sas "
check "clips lie in the order of their use" cmp <(data_of "$folder/traced/hero/arm.sad") <(data_of "$folder/alone/wave.sad" "$folder/alone/spline.sad")
exits 0 "pack by a trace, and by folder" spindle anim pack "$anims" -o "$folder/traced2" --order "$folder/play.json" --by folder
check "pack prints how many clips are used" says "^ *2 of the clips in the order of their use$"
check "clips of a folder lie in the order of their use" cmp "$folder/traced/hero/arm.sad" "$folder/traced2/hero.sad"
sed 's/game.hero.wave.sac/hero.sad/' "$folder/play.json" >"$folder/old.json"
exits 0 "pack by a trace of unknown databases" spindle anim pack "$anims" -o "$folder/traced3" --order "$folder/old.json"
check "reads of unknown databases are a warning" says "^spindle: warning: .*old.json: hero.sad: reads of databases that are not known are ignored (1); name the databases of the recorded game with --recorded$"
exits 0 "pack by a trace of known databases" spindle anim pack "$anims" -o "$folder/traced4" --order "$folder/old.json" --recorded "$folder/traced2/hero.sad" --json
check "reads of known databases are uses of their clips" json_has used_clips 2
check "known databases give no warning" silent
echo '{"schema": 1, "kind": "trace", "scenes": []}' >"$folder/none.json"
exits 0 "pack by an empty trace" spindle anim pack "$anims" -o "$folder/traced5" --order "$folder/none.json"
check "a trace without clips is a warning" says '^spindle: warning: .*none.json: it reads none of the clips, the first of which is "hero/spline.sac"$'

# ---- info --------------------------------------------------------------------
exits 0 "info of a database" spindle anim info "$folder/game/hero.sad" --tree
check "info of a database counts clips" says "hero.sad: database; clips 2, kinds 2$"
check "info of a database has its bytes" says "^  bytes $(wc -c <"$folder/game/hero.sad"); index [0-9]*, names 30, clips $(data_of "$folder/game/hero.sad" | wc -c)$"
check "info --tree lists clips with their places, rates and flags" says "^ *2048 *$(data_of "$folder/alone/spline.sad" | wc -c) .* 145 *240 *0.600  hero/spline.sac$"
check "info --tree prints flags" says " hero/wave.sac scale$"
exits 0 "info of an image" spindle anim info "$folder/game/animations.sai"
check "info of an image counts databases" says "animations.sai: image; clips 3, kinds 3, databases 2$"
check "info of an image lists databases" says "^ *2 *[0-9]* *$(wc -c <"$folder/game/hero.sad")  hero.sad$"
check "info without --tree does not list clips" eval '! says "wave.sac"'
exits 0 "info --tree of an image" spindle anim info "$folder/some/animations.sai" --tree
check "info --tree lists clips with files of their own" says "^  files of their own$"
exits 0 "info --json of an image" spindle anim info "$folder/some/animations.sai" --json
check "info --json has the kind image" json_has kind '"image"'
check "info --json has the file of a clip" json_has clips.0.file '"wave.sad"'
check "info --json has the own file of a clip" json_has clips.1.file '"hero/spline.sac"'
check "info --json has frames" json_has clips.1.frames 145
check "info --json has flags" json_has clips.0.flags '["scale"]'

exits 0 "compile clips with flags" spindle anim compile $data/arm.glb -o "$folder/flags" --loop wave --additive spline --root-motion wave --quiet
exits 0 "pack clips with flags" spindle anim pack "$folder/flags" -o "$folder/flags" --quiet
exits 0 "info of clips with flags" spindle anim info "$folder/flags/animations.sai" --tree
check "pack takes the flags of clips" says " wave.sac loops scale root-motion$"
check "each clip has its own flags" says " spline.sac additive$"
check "a clip that loops takes the time from its last frame to the first" says " 4 *1.250  wave.sac "

# ---- verify ------------------------------------------------------------------
exits 0 "verify of an image" spindle anim verify "$folder/game/animations.sai"
check "verify prints what it has checked" says "animations.sai: 3 clips, 2 databases, $(cat "$folder"/game/*.sa? | wc -c) bytes: passed$"
exits 0 "verify of a folder" spindle anim verify "$folder/game" "$anims/hero/wave.sac" --json
check "verify of several files has passed" json_has has_passed true
check "verify --json has each file" json_has files.5.joints 5
exits 0 "verify of a folder of clips" spindle anim verify "$anims/hero"
check "verify of a folder takes skeletons" says "hero/arm.sas: 5 joints: passed$"
exits 0 "verify --root" spindle anim verify "$folder/few/hero.sai" --root "$folder/few"
exits 0 "verify of clips against their source" spindle anim verify "$anims"/hero/*.sac --against $data/arm.glb
check "verify of clips prints the errors of each" eval 'test "$(grep -c "at frames" "$folder/stdout")" = 2'
cp -r "$folder/game" "$folder/worn"
bytes=$(wc -c <"$folder/worn/hero.sad")
{ head -c $((bytes - 1)) "$folder/game/hero.sad"; printf '\252'; } >"$folder/worn/hero.sad"
exits 1 "verify of a worn database is refused" spindle anim verify "$folder/worn/hero.sad" --json
check "the refusal of a worn database names the clip" says "worn/hero.sad: offset 0x[0-9a-f]*: hero/wave.sac: "
check "verify --json of a worn database has not passed" json_has has_passed false
check "verify --json has the clip of the fault" json_has fault.place '"hero/wave.sac"'
exits 1 "verify of a folder with a worn database fails" spindle anim verify "$folder/worn"
check "verify of a folder goes on after a refusal" says "worn/prop.sad: 1 clips, .*: passed$"
check "verify of a folder refuses each bad file" test "$(wc -l <"$folder/stderr")" = 2
mkdir "$folder/empty"
exits 1 "verify of an empty folder is refused" spindle anim verify "$folder/empty"
cp "$folder/traced2/hero.sad" "$folder/worn/hero.sad"
exits 1 "verify of an image with another database is refused" spindle anim verify "$folder/worn/animations.sai"
check "the refusal of another database names it" says "worn/hero.sad: checksum of the data: found 0x[0-9a-f]*, but the image has 0x"
for size in 0 7 127 2047 $((bytes - 1)); do
    head -c "$size" "$folder/game/hero.sad" >"$folder/worn/short.sad"
    exits 1 "verify of a database of $size bytes is refused" spindle anim verify "$folder/worn/short.sad"
done

# ---- refusals ----------------------------------------------------------------
for line in "pack" "pack a" "pack a -o -" "pack a -o b --by size" "pack a -o b --rate 3" "pack a -o b --recorded c.sad" "compile a -o b --by folder"; do
    # shellcheck disable=SC2086
    exits 2 "anim $line is a usage error" spindle anim $line
done
refuses() {
    wanted=$1 claim=$2 message=$3
    shift 3
    exits "$wanted" "$claim is refused" spindle anim pack "$@" -o "$folder/none"
    check "$claim: one line" one_line
    check "$claim: the message" says "$message"
    check "$claim: nothing is written" test ! -e "$folder/none"
}
refuses 1 "a folder without clips" "empty: there are no clips (\*.sac)$" "$folder/empty"
refuses 3 "a missing file" "nowhere.sac" "$folder/nowhere.sac"
refuses 1 "a file that is no clip" "arm.bvh: offset 0x0: " $data/arm.bvh
refuses 1 "a clip twice" "wave.sac: is also the name of " "$anims/hero" "$folder/singles/hero/wave.sac"
refuses 1 "a database of two skeletons" "^spindle: animations.sad: spline.sac: its skeleton [0-9a-f]* is not that of arm.sac, [0-9a-f]*$" "$anims/hero" "$anims/prop"
check "a database of two skeletons: the hint" says "^hint: --by skeleton packs a database for each skeleton and rest pose$"
refuses 1 "an image with the name of a database" "hero.sad: is the name of the image, too$" "$anims" --image hero.sad
refuses 1 "an image with the name of a clip" "hero/wave.sac: is the name of the image, too$" "$anims" --by file --image hero/wave.sac
printf 'hero/wave.sac\nHERO.sad\nhero/spline.sac\n' >"$folder/hero.txt"
refuses 1 "databases whose names differ in case" "HERO.sad" "$anims" --list "$folder/hero.txt"
refuses 1 "an image with a bad name" "a/../b.sai" "$anims" --image a/../b.sai
refuses 1 "a prefix that makes a bad name" "CON" "$anims" --prefix CON/
echo 'hero/run.sac' >"$folder/bad.txt"
refuses 1 "a list with an unknown clip" '^spindle: .*bad.txt: line 1: there is no clip "hero/run.sac"$' "$anims" --list "$folder/bad.txt"
refuses 3 "a missing list" "nowhere.txt" "$anims" --list "$folder/nowhere.txt"
refuses 1 "a damaged trace" "bad.txt: " "$anims" --order "$folder/bad.txt"
refuses 1 "a recorded database that is a clip" "wave.sac: offset 0x0: " "$anims" --order "$folder/play.json" --recorded "$anims/hero/wave.sac"
cp -r "$anims" "$folder/bent"
bytes=$(wc -c <"$anims/hero/wave.sac")
head -c $((bytes - 1)) "$anims/hero/wave.sac" >"$folder/bent/hero/wave.sac"
refuses 1 "a short clip" "bent/hero/wave.sac: offset 0x0: file size: found $((bytes - 1)), expected $bytes$" "$folder/bent"
{ head -c $((bytes - 1)) "$anims/hero/wave.sac"; printf '\252'; } >"$folder/bent/hero/wave.sac"
refuses 1 "a damaged clip" "bent/hero/wave.sac: offset 0x[0-9a-f]*: .*checksum" "$folder/bent"
exits 3 "pack to a folder that is a file fails" spindle anim pack "$anims" -o "$folder/game/hero.sad"
finish
