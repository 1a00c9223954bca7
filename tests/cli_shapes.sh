#!/bin/bash
# Every shape as a container, as an obstacle and as a fill: filled, run, resumed, drawn and rendered.
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/cli_tools.bash"

head=$'particle_diameter: 50 mm\ntime: {end: 20 ms, frames_per_second: 100}\n'
turn='rotate: {axis: [1, 2, 0], angle: 20 deg}'

# Containers, filled to a level; each once upright and once rotated.
containers=('box: {from: [0, 0, 0], size: [0.8, 0.6, 0.6]}' 'sphere: {center: [0, 0, 0], radius: 0.4}'
    'cylinder: {from: [0, 0, 0], to: [0, 0, 0.7], radius: 0.3}'
    'cylinder: {from: [0, 0, 0], to: [0.7, 0.3, 0.1], radius: 30 cm}'
    'capsule: {from: [0, 0, 0], to: [0.5, 0, 0.2], radius: 6 d}')
n=0
for shape in "${containers[@]}"; do
    for more in "" ", $turn"; do
        n=$((n + 1))
        printf '%sfill: [{inside: tank, level: 0.3 m}]\nboundaries: {tank: {%s, solid: false%s}}\n' \
            "$head" "$shape" "$more" >s$n.yaml
        want 0 run s$n.yaml --out r$n --quiet
        want 0 shot r$n --quiet --width 320 --height 180 --out shot$n.png
        [ -s shot$n.png ] || fail "no picture of $shape"
        want 0 info s$n.yaml
        says out 'inside tank up to 0.3 m'
    done
done
want 0 render r6 --frames last --samples 4 --width 160 --height 90 --quiet
want 0 render r10 --frames last --samples 4 --width 160 --height 90 --quiet

# Every shape as an obstacle and as a fill, and a plane as the floor of it all.
cat >all.yaml <<END
${head}fill:
  - {cylinder: {from: [0.5, 0.5, 0.5], to: [0.5, 0.5, 0.8], radius: 0.2}, $turn}
  - {capsule: {from: [1.2, 0.5, 0.6], to: [1.4, 0.5, 0.6], radius: 0.15}}
  - {box: {from: [2, 0.3, 0.4], size: [0.3, 0.3, 0.3]}, rotate: {axis: [0, 0, 1], angle: 0.5, about: [2, 0, 0]}}
boundaries:
  floor: {plane: {point: [0, 0, 0], normal: [0.1, 0, 2]}, slip: 0}
  wall: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}, rotate: {axis: [0, 0, 1], angle: 5 deg}}
  log: {cylinder: {from: [0.4, 0.2, 0.2], to: [0.4, 0.9, 0.2], radius: 0.1}, motion: {velocity: [0.5, 0, 0]}}
  pill: {capsule: {from: [1.2, 0.5, 0.2], to: [1.5, 0.6, 0.2], radius: 0.1}, rotate: {axis: [0, 1, 0], angle: 30 deg}}
  brick: {box: {from: [1.7, 0.3, 0.05], size: [0.2, 0.4, 0.2]}, solid: true, $turn, motion: {velocity: [0, 0.5, 0]}}
END
want 0 run all.yaml --out whole --json --quiet
hash=$(value out state_hash)
want 0 shot whole --quiet --surface --width 320 --height 180
want 0 render whole --frames last --samples 4 --width 160 --height 90 --quiet
want 0 info all.yaml
says out 'plane through (0, 0, 0) m, normal (0.1, 0, 2)'
says out 'rotated by 30 degrees about (0, 1, 0)'

# A run that goes on ends where one that was never interrupted does.
want 0 run all.yaml --out part --time 10ms --quiet
sed -i 's/^  end: .*/  end: 20 ms/' part/scene.yaml
want 0 run --resume --out part --json --quiet
[ "$(value out state_hash)" = "$hash" ] || fail "the resumed run ended elsewhere"

# Another shape takes the place of the one there was, and what a shape has not cannot be set.
want 0 run all.yaml --out other --quiet --time 0 --set 'boundaries.log.sphere={center: [0.4, 0.5, 0.2], radius: 0.1}' \
    --set boundaries.pill.rotate.angle='0.1 rad'
want 0 info all.yaml --set "boundaries.log.sphere={center: [0.4, 0.5, 0.2], radius: 0.1}"
says out 'sphere at (0.4, 0.5, 0.2) m, radius 0.1 m'
refuse 2 "boundaries.log.cylinder needs" info all.yaml --set boundaries.log.cylinder='{radius: 1}'
refuse 2 "no length" info all.yaml --set 'boundaries.log.cylinder.to=[0.4, 0.2, 0.2]'
refuse 2 "no direction" info all.yaml --set 'boundaries.floor.plane.normal=[0, 0, 0]'
refuse 2 "no boundary of that name" info s1.yaml --set fill.0.inside=tub
refuse 2 "needs 'axis'" info s1.yaml --set boundaries.tank.rotate.angle=3
