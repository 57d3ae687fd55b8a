/* tuning_table.h - the tuning variables of a runtime, in one table.
 *
 * spindle/tuning.h says what a tuning variable is. Each has a row here: a name
 * that ends with its unit, an alias, a default and a range. It is set by name
 * and text; the runtime reads it by index. Owner: the caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_TUNING_TABLE_H
#define SPN_BASE_TUNING_TABLE_H

#include <spindle/status.h>
#include <spindle/tuning.h>
#include <stdint.h>

/* The numbers. X(name, alias, scale, unit, value, low, high, description)
 *
 * alias, scale  see spn_tuning; "" and 1: none
 * value         the default. spn_init sets stream_memory_kib and
 *               read_budget_kib as spn_config says */
#define SPN_TUNING_MAP(X)                                                      \
    X(geometry, "e_GeomCaches", 1, "", 1, 0, 1,                                \
      "0: nodes start no reads and no decoding, and show nothing")             \
    X(stream_memory_kib, "e_GeomCacheBufferSize", 1024, "KiB", 65536, 64,      \
      4194304, "most memory of the heap for frames that are read or decoded")  \
    X(memory_play_kib, "e_GeomCacheMaxPlaybackFromMemorySize", 1024, "KiB",    \
      16384, 0, 4194304,                                                       \
      "caches whose decoded frames are not larger play from memory")           \
    X(request_kib, "e_GeomCachePreferredDiskRequestSize", 1, "KiB", 1024, 16,  \
      8192, "preferred size of one read")                                      \
    X(buffer_ahead_min_ms, "e_GeomCacheMinBufferAheadTime", 1000, "ms", 2000,  \
      100, 60000, "a read is started when less than this is requested ahead")  \
    X(buffer_ahead_max_ms, "e_GeomCacheMaxBufferAheadTime", 1000, "ms", 5000,  \
      200, 120000,                                                             \
      "a read that is started at the minimum reaches this far ahead")          \
    X(decode_ahead_ms, "e_GeomCacheDecodeAheadTime", 1000, "ms", 500, 20,      \
      10000, "frames are decoded this long before they are shown")             \
    X(interpolate, "e_GeomCacheLerpBetweenFrames", 1, "", 1, 0, 1,             \
      "1: interpolate between frames; 0: do not")                              \
    X(unload_hidden, "e_streamCGF", 1, "", 1, 0, 1,                            \
      "1: unload the static data of caches that are hidden; 0: keep it")       \
    X(unload_after_ms, "", 1, "ms", 5000, 0, 3600000,                          \
      "nodes that are away for this time stop streaming; 0: never")            \
    X(leave_out, "", 1, "", 1, 0, 1,                                           \
      "1: leave out frames if time or memory is short; 0: be late instead")    \
    X(drive_permille_max, "", 1, "permille", 900, 1, 1000000,                  \
      "largest sum of the drive shares of streams, in thousandths")            \
    X(reads_pending_ms, "", 1, "ms", 50, 0, 10000,                             \
      "device time of reads under way; 2 reads are always allowed")            \
    X(update_reads_max, "", 1, "reads", 16, 1, 256,                            \
      "most reads that one update starts")                                     \
    X(update_steps_max, "", 1, "steps", 4096, 1, 65536,                        \
      "most I/O and job steps of one update without threads")                  \
    X(read_budget_kib, "sys_streaming_memory_budget", 1, "KiB", 10240, 1,      \
      4194304, "most memory of reads in flight (spn_config)")                  \
    X(time_group_ms, "sys_streaming_requests_grouping_time_period", 1000,      \
      "ms", 2000, 10, 3600000,                                                 \
      "reads that arrive within this time are sorted by place")                \
    X(instance_min, "r_GeomCacheInstanceThreshold", 1, "items", 10, 0, 65536,  \
      "items that show the same static mesh become a group; 0: never")         \
    X(use_anim_image, "ca_UseIMG_CAF", 1, "", 1, 0, 1,                         \
      "to read only: 1: headers of clips come from an image; 0: from files "   \
      "(spn_config.anim_has_loose_headers)")                                   \
    X(anim_disable_unloading, "ca_DisableAnimationUnloading", 1, "", 0, 0, 1,  \
      "1: only calls free clips and databases, whatever happens")              \
    X(anim_unload_clips, "ca_UnloadAnimationCAF", 1, "", 1, 0, 1,              \
      "0: free no clip that was read by itself")                               \
    X(anim_unregister_ms, "ca_DBAUnloadUnregisterTime", 1000, "ms", 2000, 0,   \
      3600000,                                                                 \
      "clips of a database are unavailable after it was unused this "          \
      "long")                                                                  \
    X(anim_remove_ms, "ca_DBAUnloadRemoveTime", 1000, "ms", 4000, 0, 3600000,  \
      "a database unused this long is freed, not before anim_unregister_ms")   \
    X(anim_grace_ms, "", 1, "ms", 2000, 0, 3600000,                            \
      "a clip is freed after it was not wanted this long")                     \
    X(anim_ahead_ms, "", 1, "ms", 2000, 0, 60000,                              \
      "timelines read clips this long before they play")                       \
    X(anim_memory_kib, "", 1, "KiB", 4194304, 64, 4194304,                     \
      "most memory of the heap for clips and databases")                       \
    X(anim_reads_max, "", 1, "reads", 16, 1, 256,                              \
      "most reads of clips and databases under way")                           \
    X(anim_retry_ms, "", 1, "ms", 250, 1, 60000,                               \
      "a failed read of a clip is repeated after this time")                   \
    X(anim_decode_now, "", 1, "pieces", 8, 0, 4096,                            \
      "pieces of clips that an update decodes itself if a play lacks them: 2 " \
      "to open a clip, 1 for a segment")                                       \
    X(debug, "e_GeomCacheDebug", 1, "", 0, 0, 2,                               \
      "overlay: 0: none; 1: all nodes; 2: nodes that play")                    \
    X(debug_reads, "sys_streaming_debug", 1, "", 0, 0, 1,                      \
      "1: the overlay lists the reads under way")                              \
    X(debug_draw_mode, "e_GeomCacheDebugDrawMode", 1, "", 0, 0, 3,             \
      "draw 0: all; 1: animated meshes; 2: static ones; 3: each mesh in a "    \
      "colour of its own")

/* The texts. X(name, alias, description) */
#define SPN_TUNING_TEXT_MAP(X)                                                 \
    X(debug_filter, "e_GeomCacheDebugFilter",                                  \
      "the overlay lists caches, nodes and reads with this in the path")

/* Index of each number: TUNING_geometry and so on; then of each text. */
enum tuning_index {
#define SPN_TUNING_ENUM(name, alias, scale, unit, value, low, high, text)      \
    TUNING_##name,
    SPN_TUNING_MAP(SPN_TUNING_ENUM)
#undef SPN_TUNING_ENUM
        TUNING_NUMBERS,
    TUNING_BEFORE_TEXTS = TUNING_NUMBERS - 1,
#define SPN_TUNING_ENUM(name, alias, text) TUNING_##name,
    SPN_TUNING_TEXT_MAP(SPN_TUNING_ENUM)
#undef SPN_TUNING_ENUM
        TUNING_COUNT
};

/* Current values. */
struct tuning {
    uint32_t value[TUNING_NUMBERS];
    uint32_t initial[TUNING_NUMBERS];
    char text[TUNING_COUNT - TUNING_NUMBERS][SPN_TUNING_TEXT_BYTES_MAX];
};

/* Set all variables to their defaults. */
void spn__tuning_init(struct tuning *tuning);
/* Set the default of a number, and its value. What is beyond its range is
 * clamped to it. */
void spn__tuning_begin(struct tuning *tuning, enum tuning_index index,
                       uint64_t value);
/* Index of the variable with this name or alias; TUNING_COUNT: none. Any
 * thread. */
uint32_t spn__tuning_find(const char *name);
/* Set one variable; see spn_tuning_set. An error changes nothing. */
spn_status spn__tuning_set(struct tuning *tuning, const char *name,
                           const char *text);
/* Describe one variable. Returns SPN_OK; SPN_ERR_NOT_FOUND if index >=
 * TUNING_COUNT. */
spn_status spn__tuning_get(const struct tuning *tuning, uint32_t index,
                           spn_tuning *out);

#endif
