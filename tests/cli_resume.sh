#!/bin/bash
# A run that is interrupted or killed goes on as if nothing had happened.
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/cli_tools.bash"
args=(run tiny --time 0.4s)

want 0 "${args[@]}" --out whole --json --quiet
hash=$(value out state_hash)
milliseconds=$(awk "BEGIN { print int($(value out wall_s) * 1000) + 20 }")

# Killed outright, again and again, at moments nobody chose.
moments=""
rounds=0
until [ $rounds -eq 7 ]; do
    moment=$((RANDOM % milliseconds / (rounds % 3 + 1)))
    moments="$moments $moment"
    if [ -e killed/scene.yaml ]; then
        "$rill" run --resume --out killed --quiet >out 2>err &
    else
        rm -rf killed
        "$rill" "${args[@]}" --out killed --quiet >out 2>err &
    fi
    sleep "$(awk "BEGIN { print $moment / 1000 }")"
    kill -KILL $! 2>/dev/null || true
    wait $! 2>/dev/null || true
    rounds=$((rounds + 1))
done
if [ -e killed/scene.yaml ]; then
    want 0 run --resume --out killed --json --quiet
else
    want 0 "${args[@]}" --out killed --json --quiet
fi
[ "$(value out state_hash)" = "$hash" ] || fail "killed after$moments ms, the run ended elsewhere"
same_run whole killed
[ -z "$(find killed -name '*.tmp*')" ] || fail "killed after$moments ms, a temporary file was left"

# Killed right at the start, before or after the first frame.
for moment in 0.005 0.02 0.04; do
    rm -rf early
    "$rill" "${args[@]}" --out early --quiet >out 2>err &
    sleep $moment
    kill -KILL $! 2>/dev/null || true
    wait $! 2>/dev/null || true
    [ -e early/scene.yaml ] || continue
    want 0 run early --resume --json --quiet
    [ "$(value out state_hash)" = "$hash" ] || fail "killed after $moment s, the run ended elsewhere"
    same_run whole early
done

# Some programs (timeout among them) signal the process and its group: that is one request, not two.
"$rill" run tiny --time 60s --fps 20 --out twice >out 2>err &
until [ -e twice/frames/frame_000001.h5 ]; do sleep 0.01; done
kill -TERM $!
sleep 0.002
kill -TERM $! 2>/dev/null || true
code=0
wait $! || code=$?
[ "$code" -eq 3 ] || fail "two signals in one moment made it exit with $code instead of 3"
says out 'rill run --resume --out twice'

# Signalled too early a program is not listening yet, too late and it is done: the next delay to try after one that
# ended with this code.
next_delay() {
    awk "BEGIN { print $1 * ($2 == 0 ? 0.6 : 1.8) }"
}

# Asked to stop: it finishes the frame, says how to go on, and exits with 3.
asked=0
for signal in TERM INT; do
    delay=0.15
    for _ in {1..8}; do
        rm -rf stopped
        # A shell starts its background jobs deaf to SIGINT; env makes them hear it again.
        env --default-signal=INT "$rill" "${args[@]}" --out stopped >out 2>err &
        sleep $delay
        kill -$signal $! 2>/dev/null || true
        code=0
        wait $! || code=$?
        [ "$code" -eq 3 ] && break
        [ "$code" -eq 0 ] || [ "$code" -gt 128 ] || fail "SIG$signal made it exit with $code"
        delay=$(next_delay "$delay" "$code")
    done
    [ "$code" -eq 3 ] || continue
    asked=$((asked + 1))
    says out 'rill run --resume --out stopped'
    frames=$(ls stopped/frames | wc -l)
    [ "$frames" -ge 1 ] && [ "$frames" -lt 13 ] || fail "$frames frames after an interruption"
    want 0 info stopped
    says out 'not at its end'
    want 0 run stopped --resume --json
    says out '"resumed": true'
    [ "$(value out state_hash)" = "$hash" ] || fail "stopped by SIG$signal, the run ended elsewhere"
    same_run whole stopped
done
[ $asked -ge 1 ] || fail "no signal ever met a run under way"

# A run without frames stops at once, and resumes all the same.
delay=0.15
for _ in {1..8}; do
    rm -rf sparse
    "$rill" "${args[@]}" --set output.frames=false --out sparse >out 2>err &
    sleep $delay
    kill -TERM $! 2>/dev/null || true
    code=0
    wait $! || code=$?
    [ "$code" -eq 3 ] && break
    delay=$(next_delay "$delay" "$code")
done
if [ "$code" -eq 3 ]; then
    want 0 run sparse --resume --json --quiet
    [ -n "$(value out state_hash)" ] || fail "no summary of the resumed run"
    want 0 "${args[@]}" --set output.frames=false --out sparse_whole --json --quiet
    [ "$(value out state_hash)" = "$("$rill" run sparse --resume --json --quiet | sed -n 's/.*"state_hash": "\(.*\)",/\1/p')" ] ||
        fail "a run without frames ended elsewhere after an interruption"
fi

# Resuming what is complete changes nothing; the same command again goes on with the same run only.
cp -r whole before
want 0 run --resume --out whole --json
[ "$(value out state_hash)" = "$hash" ] || fail "resuming a complete run changed it"
same_run before whole
want 0 "${args[@]}" --out whole --resume --quiet
refuse 2 "other settings" run tiny --time 0.3s --out whole --resume
refuse 2 "keeps the scene" run --resume --out whole --time 0.3s
refuse 2 "add --resume" run whole
refuse 2 "no run" run --resume --out nothing
refuse 2 "folder" run tiny --resume
want 0 run tiny --time 20ms --out fresh --resume --quiet
[ -d fresh/frames ] || fail "--resume with a scene and a new folder did not start a run"

# Bodies in the middle of all their motions go on as if nothing had happened, though the file of keyframes is another one.
mkdir -p scene
printf 'time, move.z, turn.y\n0,0,0\n0.1 s,5 cm,0\n0.4,0.2,-30 deg\n' >scene/gate.csv
cat >scene/moving.yaml <<'EOF'
particle_diameter: 50 mm
time: {end: 0.4 s}
fill: [{box: {from: [0, 0, 0], to: [0.4, 0.4, 0.4]}}]
boundaries:
  tank: {box: {from: [0, 0, 0], to: [1, 0.4, 0.6]}}
  gate: {box: {from: [0.4, 0, 0], to: [0.46, 0.4, 0.6]}, solid: true, motion: {keyframes_file: gate.csv}}
  paddle:
    box: {from: [0.15, 0.1, 0.1], to: [0.2, 0.3, 0.4]}
    solid: true
    motion: {spin: {axis: [0, 1, 0], speed: 30 rpm}, swing: [0.2, 0, 0], period: 0.3 s, ramp: 0.1 s,
             sines: [{amplitude: [2 cm, 0, 0], period: 0.25 s, phase: 1}], about: [0.17, 0.2, 0.3]}
probes: {front: {kind: front, axis: x}}
EOF
want 0 run scene/moving.yaml --out moving --json --quiet
moved=$(value out state_hash)
cp -r moving cut
rm cut/frames/frame_00000[6-9].h5 cut/frames/frame_00001*.h5
printf 'time, move.z\n0,0\n1,1\n' >scene/gate.csv
want 0 run --resume --out cut --json --quiet
[ "$(value out state_hash)" = "$moved" ] || fail "bodies in motion went elsewhere after an interruption"
same_run moving cut
rm scene/gate.csv
want 0 run --resume --out cut --json --quiet
refuse 2 "gate.csv cannot be read: No such file" run scene/moving.yaml --out moving --resume

# Asked to stop long before its next frame, a run does not go on until then, and resumes from the last.
"$rill" run tiny --time 1e6s --fps 0.0001 --out far --quiet &
far=$!
until [ -e far/frames/frame_000000.h5 ]; do sleep 0.1; done
kill -TERM $far
code=0
wait $far || code=$?
[ "$code" -eq 3 ] || fail "asked to stop, a run with rare frames ended with $code"
want 0 info far
says out 'run --resume --out far'

# A damaged frame is passed over, kept aside, and written again.
cp -r whole damaged
size=$(stat -c %s damaged/frames/frame_000012.h5)
truncate -s $((size / 2)) damaged/frames/frame_000012.h5
refuse 1 "damaged\|truncated\|not whole\|cut short\|incomplete" shot damaged --frame last --out shot.png
[ ! -e shot.png ] || fail "a picture was made of a damaged frame"
want 0 run damaged --resume --json
says err 'damaged'
[ "$(value out state_hash)" = "$hash" ] || fail "after a damaged frame the run ended elsewhere"
[ -e damaged/frames/frame_000012.h5.damaged ] || fail "the damaged frame was thrown away"
rm damaged/frames/*.damaged
same_run whole damaged
echo "resume: passed (killed after$moments ms)"
