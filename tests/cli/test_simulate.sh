#!/usr/bin/env bash
# What `spindle simulate` measures, says and draws.
# One thread.
set -u
name=test_simulate
. tests/cli/lib.sh
make_json_reader

short="--generate by-scene --seconds 20 --load 0.9"

# Is the number in the JSON at $1 a number that passes the test `$2 $3`?
json_is() {
    json_has "$1" && awk -v x="$(cat "$folder/value")" -v y="$3" "BEGIN { exit !(x $2 y) }"
}

exits 0 "simulate compares all orders" spindle simulate $short
for order in sweep key fifo sstf c-look edf; do check "$order is among them" says "^  $order "; done
check "and says what was read" says "made up, load 0.90, seed 1, files by-scene, 20.0 s"
cp "$folder/stdout" "$folder/first"
exits 0 "again" spindle simulate $short
check "says the same" cmp -s "$folder/first" "$folder/stdout"
check "without a word on stderr" silent
exits 0 "one order alone" spindle simulate $short --scheduler clook
check "is one row in each table" test "$(grep -c '^  c-look ' "$folder/stdout")" = 2
check "and no other" sh -c "! grep -q '^  fifo ' '$folder/stdout'"

exits 0 "as JSON" spindle simulate $short --scheduler key --json
check "with its verb" json_has verb '"simulate"'
check "names the order" json_has runs.0.order '"key"'
check "which the runtime chooses" json_has runs.0.chosen_by '"runtime"'
check "of some reads" json_is runs.0.asked ">" 50
check "all of which ended well" json_has runs.0.failed 0
check "with waits by class" json_is runs.0.classes.stream.p99_ms ">" 0
check "and what the drive did" json_is runs.0.drive.seeks ">" 10
exits 0 "another seed" spindle simulate $short --scheduler key --seed 2
check "is another game" sh -c "! cmp -s '$folder/first' '$folder/stdout'"
exits 0 "faults" spindle simulate $short --faults 40 --json --scheduler sweep
check "fail reads" json_is runs.0.failed ">" 0

# ---- a trace on a pak -------------------------------------------------------
mkdir -p "$folder/data"
for i in 1 2 3 4 5 6 7 8; do head -c $((i * 70000)) /dev/zero | tr '\0' "$i" >"$folder/data/f$i.dds"; done
exits 0 "a pak" spindle pack "$folder/data" -o "$folder/data.spk" --codec lz4hc
{
    printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "one", "reads": ['
    for i in 1 2 3 4 5 6 7 8; do
        [ $i = 1 ] || printf ', '
        printf '{"at_us": %u, "path": "f%u.dds", "task": "texture", "deadline_us": 3000000}' $((i * 20000)) $i
    done
    printf ']}]}'
} >"$folder/trace.json"
exits 0 "a trace on a pak" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" --drive wii_dvd6x --json
check "reads all of it" json_has runs.0.done 8
check "in every order" json_has runs.5.done 8
check "in time" json_has runs.0.late 0
exits 0 "less of it" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" --seconds 1 --json
check "is shorter" json_is runs.0.seconds "<=" 1
exits 1 "a trace of other files" sh -c "sed s/f/g/g '$folder/trace.json' >'$folder/other.json'; \${EXEC:-} '$SPINDLE' simulate --trace '$folder/other.json' --layout '$folder/data.spk'"
check "is refused by name" says "other.json: g1.dds: not in the pak"
check "in a line" one_line
: >"$folder/data/empty.dds"
exits 0 "a pak with an empty file" spindle pack "$folder/data" -o "$folder/empty.spk"
sed 's/f3/f9/; s/f5/empty/' "$folder/trace.json" >"$folder/other.json"
exits 0 "a trace of other files, too" spindle simulate --trace "$folder/other.json" --layout "$folder/empty.spk" --json
check "says what is left out, once" test "$(cat "$folder/stderr")" = "spindle: warning: $folder/other.json: f9.dds: not in the pak: 2 of 8 reads are left out"
check "and how many" json_has left_out 2
check "and reads the rest" json_has runs.0.done 6
exits 1 "a pak that is none" spindle simulate --trace "$folder/trace.json" --layout "$folder/trace.json"
exits 1 "a trace that is none" spindle simulate --trace "$folder/data.spk" --layout "$folder/data.spk"

# ---- what is refused ----------------------------------------------------------
exits 2 "nothing to read" spindle simulate
exits 2 "two things to read" spindle simulate --generate copies --trace "$folder/trace.json" --layout "$folder/data.spk"
exits 2 "a trace without a layout" spindle simulate --trace "$folder/trace.json"
exits 2 "a layout without a trace" spindle simulate --generate copies --layout "$folder/data.spk"
exits 2 "an order that is none" spindle simulate $short --scheduler best
exits 2 "an operand" spindle simulate $short "$folder/data.spk"
exits 1 "a drive that is none" spindle simulate $short --drive wii_dvd6y
check "is told the nearest" says 'did you mean "wii_dvd6x"'
exits 3 "a page where nothing can be written" spindle simulate $short --scheduler key -o "$folder/none/page.html"
exits 1 "a page that is the trace" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" -o "$folder/trace.json"
check "which stays as it is" grep -q '"kind": "trace"' "$folder/trace.json"

# ---- the page -----------------------------------------------------------------
exits 0 "simulate draws a page" spindle simulate $short --faults 5 -o "$folder/page.html"
check "that is whole" test "$(tail -n 1 "$folder/page.html")" = "</html>"
check "with its numbers" grep -q '"moves":\[' "$folder/page.html"
check "without the mark that they stand for" sh -c "! grep -q 'DATA\*/' '$folder/page.html'"
check "that needs nothing from outside" sh -c "! grep -Eq '(src|href)=.?https?:|url\(|@import|fetch\(|XMLHttp' '$folder/page.html'"
cp "$folder/trace.json" "$folder/a<b>.json"
if spindle compile "$folder/a<b>.json" -o "$folder/none" 2>&1 | grep -q 'cannot open'; then
    echo "  skipped: no such names on this system"
    skipped=$((skipped + 2))
else
    exits 0 "names that would end the script" spindle simulate --trace "$folder/a<b>.json" --layout "$folder/data.spk" -o "$folder/odd.html"
    check "do not" sh -c "grep -q 'a.u003cb>.json' '$folder/odd.html' && ! grep -q 'a<b>' '$folder/odd.html'"
fi

browser=
for candidate in chromium chromium-browser google-chrome; do
    command -v $candidate >/dev/null && browser=$candidate && break
done

# The page in a frame of a width, told from inside what became of it: sets
# $folder/told to "errors scrollWidth width charts tip".
look() {
    sed '/^<meta http-equiv/d' "$folder/page.html" | sed 's|^"use strict";$|"use strict"; window.wrong = 0; addEventListener("error", () => window.wrong++);|' >"$folder/inner.html"
    cat >>"$folder/inner.html" <<'END'
<script>
const painted = id => { const c = document.getElementById(id), p = c.getContext("2d").getImageData(0, 0, c.width, c.height).data; return p.some(x => x > 0); };
const canvas = document.getElementById("rate"), box = canvas.getBoundingClientRect();
document.querySelectorAll("#pick input").forEach(i => i.click());
document.getElementById("in").click();
canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + box.width / 2, clientY: box.top + 40 }));
parent.postMessage([window.wrong, document.documentElement.scrollWidth, innerWidth, ["moves", "depth", "rate", "heap"].filter(painted).length, document.getElementById("tip").textContent.includes("MB/s") ? "tip" : "none"].join(" "), "*");
</script>
END
    cat >"$folder/outer.html" <<END
<!doctype html><title>nothing</title><iframe src="inner.html" style="width:$1px;height:800px;border:0"></iframe>
<script>addEventListener("message", e => { document.title = "told " + e.data; });</script>
END
    timeout 120 $browser --headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync --no-first-run --hide-scrollbars --user-data-dir="$folder/browser" --virtual-time-budget=5000 --dump-dom "file://$folder/outer.html" 2>/dev/null |
        sed -n 's|.*<title>told \([^<]*\)</title>.*|\1|p' >"$folder/told"
}

if [ -z "$browser" ]; then
    skipped=$((skipped + 1))
    echo "  skipped: no chromium to look at the page with"
else
    for width in 1280 390 320; do
        look $width
        check "at a width of $width all is drawn, nothing fails, nothing sticks out" test "$(cat "$folder/told")" = "0 $width $width 4 tip"
    done
fi

# The same numbers on every machine.
exits 0 "what the README shows" spindle simulate --generate scattered --load 0.95
for order in order sweep key fifo; do
    row=$(grep -m 1 "^  $order " "$folder/stdout")
    check "$order is as the README has it" grep -qxF -- "    $row" README.md
done

exits 0 "simulate --help" spindle simulate --help
check "begins with examples" says "^  spindle simulate"
finish
