/* refusals.h - the reasons for which the compiler refuses a scene, and its
 * warnings.
 *
 * The two tables have a text for each reason; a message starts with it. The
 * tables of offline/abc/SUPPORT.md are generated from them. Damaged files are
 * not in the tables: the archive reader refuses them. With --strict each
 * warning becomes a refusal with the same text. The warnings are in groups:
 * objects and properties that are dropped, attributes that do not fit the mesh,
 * face sets, frame times and triangles, accuracy.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_REPORT_REFUSALS_H
#define OFFLINE_COMPILE_REPORT_REFUSALS_H

#include "abc/archive.h"
#include "compile/report/options.h"

#include <stdbool.h>

/* X(name, text, explanation) */
#define REFUSAL_TABLE(X)                                                       \
    X(UNKNOWN_GEOMETRY, "unknown kind of geometry",                            \
      "the object's schema is a geometry schema that Alembic does "            \
      "not define, or another version of one")                                 \
    X(TOPOLOGY, "topology changes over time",                                  \
      "faces and the number of points must be the same in every sample")       \
    X(NO_PARAM, "no mesh has the requested parameter",                         \
      "no mesh has a parameter with the name that `--colors` or "              \
      "`--uv-sets` states")                                                    \
    X(NOT_FINITE, "not a finite number",                                       \
      "a position, normal, texture coordinate, colour, velocity, "             \
      "transform or sample time is infinite or not a number, or "              \
      "becomes so in single precision")                                        \
    X(NO_MESHES, "there are no meshes",                                        \
      "no mesh is ever visible and has triangles; `--allow-empty` compiles "   \
      "the transforms alone")                                                  \
    X(TOO_LARGE, "does not fit a cache",                                       \
      "more than 262,144 frames, 65,535 nodes, meshes or material ids, "       \
      "715,827,882 corners of a mesh, 4,294,967,295 indices, 2 GiB of names, " \
      "4 GiB of tables, 4 GiB of frames from one index frame (which refers "   \
      "to no other frame) to the next, or 36,000 years")

#define WARNING_TABLE(X)                                                       \
    X(DROPPED_CURVES, "curves are dropped", "only meshes are kept")            \
    X(DROPPED_POINTS, "points are dropped", "only meshes are kept")            \
    X(DROPPED_CAMERA, "cameras are dropped", "only meshes are kept")           \
    X(DROPPED_LIGHT, "lights are dropped", "only meshes are kept")             \
    X(DROPPED_NUPATCH, "NURBS patches are dropped", "only meshes are kept")    \
    X(CONTROL_CAGE, "subdivision surfaces become their control cages",         \
      "the cage is compiled as a polygon mesh and not subdivided; "            \
      "to keep a smooth surface, export it as a polygon mesh")                 \
    X(DROPPED_MATERIAL, "material definitions are dropped",                    \
      "a cache stores materials as numbers, taken from the names of "          \
      "face sets")                                                             \
    X(DROPPED_COLLECTION, "collections are dropped",                           \
      "a cache has no lists of objects")                                       \
    X(DROPPED_OTHER, "objects of unknown schemas are dropped",                 \
      "only transforms and meshes are kept")                                   \
    X(DROPPED_FOREIGN, "properties outside the schema are dropped",            \
      "their meaning is unknown; properties under .userProperties "            \
      "are dropped without a warning and counted in the report")               \
    X(DROPPED_PARAMS, "geometry parameters are dropped",                       \
      "velocities and texture coordinates that were not requested "            \
      "(`--velocities`, `--uv-sets`), values under .arbGeomParams "            \
      "that are not colours, and parameters that the schema does "             \
      "not define")                                                            \
    X(DROPPED_HIDDEN, "meshes that are never visible are dropped",             \
      "they would never be shown")                                             \
    X(DROPPED_XFORM, "transforms with nothing below them are dropped",         \
      "no object below them is kept, and no other warning names one")          \
    X(EMPTY_MESH, "empty meshes are dropped",                                  \
      "the mesh has no samples, points or triangles")                          \
    X(NORMALS_MISFIT, "normals do not fit the mesh and are recomputed",        \
      "their number matches neither faces, points nor corners, or "            \
      "changes over time")                                                     \
    X(UVS_MISFIT, "texture coordinates do not fit the mesh and are dropped",   \
      "their number matches neither faces, points nor corners, or "            \
      "changes over time")                                                     \
    X(COLORS_MISFIT, "colours do not fit the mesh and are dropped",            \
      "their number matches neither faces, points nor corners, or "            \
      "changes over time")                                                     \
    X(VELOCITIES_MISFIT, "velocities do not fit the mesh and are dropped",     \
      "their number is not the number of points, or changes over "             \
      "time")                                                                  \
    X(NO_DATA, "requested data does not exist",                                \
      "no mesh has velocities (`--velocities`), or second texture "            \
      "coordinates (`--uv-sets 2`)")                                           \
    X(COLOR_SETS, "further colour sets are dropped",                           \
      "a vertex has one colour: that of `--colors`, or of the first "          \
      "parameter by name")                                                     \
    X(COLOR_RANGE, "colours outside 0..1 are clamped",                         \
      "a colour component has eight bits")                                     \
    X(FACE_TWICE, "faces in two face sets",                                    \
      "such a face belongs to the first of the sets")                          \
    X(FACE_OUTSIDE, "face sets name faces that the mesh does not have",        \
      "they are ignored")                                                      \
    X(FACE_SETS_CHANGE, "face sets change over time",                          \
      "the first sample is used in all frames")                                \
    X(MERGED, "samples nearer than 10 µs are merged",                          \
      "samples of one object; they become one frame at the time of "           \
      "the earliest sample; there is one warning for each time sampling of "   \
      "the archive, and it names the property with the most samples")          \
    X(FLIPPED, "faces have flipped triangles",                                 \
      "the face intersects itself, or no triangulation of it is right in "     \
      "all frames; a face of more than 32 corners keeps the triangulation "    \
      "of the first sample")                                                   \
    X(HANDEDNESS, "corners whose texture changes its handedness",              \
      "a vertex has one handedness: that of the first frame in "               \
      "which its texture has one")                                             \
    X(PRECISION, "precision is not reached",                                   \
      "16 bits per axis are too few for the size of the mesh, or "             \
      "for the range of a texture coordinate; a single distant "               \
      "value makes all values coarse")                                         \
    X(STRETCHED_NORMALS,                                                       \
      "normals differ by more than 0.5 degrees in the world",                  \
      "a transform stretches the mesh more along one axis than "               \
      "along another, which enlarges the quantization steps of its "           \
      "normals; apply the scale to the mesh")                                  \
    X(TRANSFORM, "world transforms have rounding errors",                      \
      "of more than 1e-5 of the scene's size, or more than `--precision`: "    \
      "single precision is too coarse for a mesh so far from its own origin "  \
      "or from that of the world")

enum refusal {
#define REFUSAL_ENUM(name, text, explanation) REFUSAL_##name,
    REFUSAL_TABLE(REFUSAL_ENUM)
#undef REFUSAL_ENUM
        REFUSAL_COUNT
};

enum warning {
#define WARNING_ENUM(name, text, explanation) WARNING_##name,
    WARNING_TABLE(WARNING_ENUM)
#undef WARNING_ENUM
        WARNING_COUNT
};

struct refusal_reason {
    const char *text;        /* identifies the reason: messages begin with it */
    const char *explanation; /* for the documents */
};
extern const struct refusal_reason refusal_reasons[REFUSAL_COUNT];
extern const struct refusal_reason warning_reasons[WARNING_COUNT];

/* The warnings of a compile, by kind; zeroed at first. Each kind is printed as
 * one line, with the number of warnings and the first of them. One thread. */
#define WARNING_NAMED_MAX 8u
struct warnings {
    /* Properties under .userProperties, which are dropped without a warning:
     * they are notes of the program that wrote the archive. Blender adds one to
     * every mesh. */
    uint64_t user_property_count;
    struct {
        uint64_t count; /* all warnings of the kind */
        struct warning_entry {
            const char *place; /* object or property; NULL: the whole archive */
            const char *detail;     /* NULL: none */
        } named[WARNING_NAMED_MAX]; /* the first ones */
    } of[WARNING_COUNT];            /* by enum warning */
};

/* Does a refusal have one of the reasons of REFUSAL_TABLE? `what` is its
 * message (diag.h). False: the file is damaged or could not be read. */
bool refusal_is_scene(const char *what);

/* Refuse `file` with "TEXT: DETAIL"; `format` NULL: without a detail. `place`
 * is an object or a property of the archive; NULL: none. Always returns false.
 */
__attribute__((format(printf, 5, 6))) bool refusal_report(
    struct diag *diag, const char *file, enum refusal refusal,
    const char *place, const char *format, ...);
/* The same for an open archive, whose diag gets the refusal. */
#define compile_refuse(archive, ...)                                           \
    refusal_report((archive)->diag, (archive)->file_name, __VA_ARGS__)

/* Add a warning. `place` and `detail` must live until warnings_flush; they may
 * have any length. If consecutive warnings of one kind have the same place, the
 * line has that place once, followed by their details. */
void warnings_add(struct warnings *warnings, enum warning warning,
                  const char *place, const char *detail);

/* Print all warnings. If options->is_strict, refuse the first kind instead and
 * return false. */
bool warnings_flush(const struct warnings *warnings,
                    const struct abc_archive *archive,
                    const struct compile_options *options);

/* For the analyzer: the result is always false, as in common/diag.h. */
#ifdef __clang_analyzer__
#define refusal_report(...) ((void)refusal_report(__VA_ARGS__), false)
#endif

#endif
