# walker.awk - write a walking figure of 19 joints as BVH; the demo compiles it.
#
#   awk -v stride=30 -v lift=35 -v swing=25 -v frames=36 -f walker.awk
#
# stride, lift and swing are the angles of thighs, knees and arms in degrees. The last frame equals
# the first, so the clip is a loop. 30 frames a second, in centimetres, y up.
# SPDX-License-Identifier: MIT

# Depth in the hierarchy, name, and offset from the parent.
function joint(depth, name, x, y, z) {
    count++
    depths[count] = depth
    names[count] = name
    offsets[count] = x " " y " " z
}

function leg(side, x) {
    joint(1, side "Thigh", x, -4, 0)
    joint(2, side "Knee", 0, -42, 0)
    joint(3, side "Ankle", 0, -40, 0)
    joint(4, side "Toes", 0, -6, 14)
}

function arm(side, x) {
    joint(3, side "Shoulder", x, 14, 0)
    joint(4, side "Elbow", x * 1.6, -2, 0)
    joint(5, side "Hand", x * 1.4, 0, 0)
}

function indent(depth) { return substr("\t\t\t\t\t\t\t\t", 1, depth) }

function print_hierarchy(  i, k) {
    print "HIERARCHY"
    for (i = 1; i <= count; i++) {
        print indent(depths[i]) (i == 1 ? "ROOT " : "JOINT ") names[i]
        print indent(depths[i]) "{"
        print indent(depths[i] + 1) "OFFSET " offsets[i]
        print indent(depths[i] + 1) (i == 1 ? "CHANNELS 6 Xposition Yposition Zposition " : "CHANNELS 3 ") "Zrotation Xrotation Yrotation"
        if (i == count || depths[i + 1] <= depths[i])
            print indent(depths[i] + 1) "End Site\n" indent(depths[i] + 1) "{\n" indent(depths[i] + 2) "OFFSET 0 6 0\n" indent(depths[i] + 1) "}"
        for (k = depths[i]; k >= (i == count ? 0 : depths[i + 1]); k--)
            print indent(k) "}"
    }
}

# Rotations about x, y and z of a joint at the phase p of the step, in radians.
function pose(name, p,  half) {
    half = name ~ /^Right/ ? 3.14159265358979 : 0
    x = y = z = 0
    if (name ~ /Thigh/) x = -stride * sin(p + half)
    if (name ~ /Knee/) x = lift * (1 - cos(p + half + 0.6)) / 2
    if (name ~ /Ankle/) x = lift * 0.3 * sin(p + half + 1.2)
    if (name ~ /Shoulder/) { x = swing * sin(p + half); z = half ? 70 : -70 }
    if (name ~ /Elbow/) y = (half ? 1 : -1) * swing * (1.2 + 0.5 * sin(p + half))
    if (name == "Hips") { y = stride * 0.2 * sin(p); z = 2 * cos(p) }
    if (name == "Spine" || name == "Chest") y = -stride * 0.15 * sin(p)
    if (name == "Head") x = 3 * cos(2 * p)
}

BEGIN {
    joint(0, "Hips", 0, 0, 0)
    joint(1, "Spine", 0, 12, 0)
    joint(2, "Chest", 0, 18, 0)
    joint(3, "Neck", 0, 22, 0)
    joint(4, "Head", 0, 9, 2)
    arm("Left", 17)
    arm("Right", -17)
    leg("Left", 9)
    leg("Right", -9)
    print_hierarchy()
    print "MOTION\nFrames: " frames + 1 "\nFrame Time: 0.0333333"
    for (f = 0; f <= frames; f++) {
        p = 2 * 3.14159265358979 * (f % frames) / frames
        line = sprintf("0 %.4f 0", 92 + lift * 0.06 * cos(2 * p))
        for (i = 1; i <= count; i++) {
            pose(names[i], p)
            line = line sprintf(" %.4f %.4f %.4f", z, x, y)
        }
        print line
    }
}
