/* pak.h - paks: many files in one file, read as if each were on the disc.
 *
 *   spn_pak_mount(rt, "data.spk", &pak);
 *   ... updates, until spn_pak_get_status says SPN_OK ...
 *   spn_pak_find(rt, 0, "harbour/sea.wav", &entry);
 *   desc.entry = entry;             a read of it, or simply
 *   desc.path = "harbour/sea.wav";  paths are looked up in paks first
 *
 * An entry is read like a file: its offsets and sizes are those of what was
 * packed, whether it is compressed or not. A pak may have several copies of an
 * entry. A read chooses a copy when it is about to start. With the deadline
 * scheduler it is the copy nearest to another waiting read that has only one
 * place, because the head goes there in any case. Without such a read, and with
 * the sort key, it is the copy that the drive reaches first by its profile; if
 * no profile is known, the nearest in bytes.
 *
 * Names are compared byte by byte: the name that `spindle pack` gave, with
 * '/' and no "./" before it. Where several paks have a name, the one that was
 * mounted last counts. Paths (spn_read_desc.path, spn_file_open, and so
 * spn_cache_open) are looked for in mounted paks, then on the disc;
 * spn_config.has_loose_files_only leaves out the paks. A pak takes part from
 * when its status is SPN_OK.
 *
 * Every block of 64 KiB has a checksum. It is verified before a read ends, on
 * a worker, if the read brings all of the block, and of compressed entries in
 * any case. If a block is damaged or cannot be read, and the entry has other
 * copies, the read goes on with another copy. Otherwise it fails, and
 * spn_read_result.fault has the place. Other reads do not fail.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_PAK_H
#define SPINDLE_PAK_H

#include <spindle/features.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if SPN_WITH_PAKS

/* Mount a pak: its header and index are read, the index in one read into a
 * block of the heap as large as it is, and validated on a worker. If the heap
 * has no room now, the mount waits for it. Names are looked up in the latest
 * mount first. Returns SPN_OK at once, with a handle that must be unmounted
 * also when the status turns out to be an error; SPN_ERR_TABLE_FULL when
 * pak_count paks are mounted or not yet gone, or file_count files open;
 * SPN_ERR_ARG; SPN_ERR_SHUTDOWN. The path is that of a file on the disc.
 * Thread: caller's.
 */
SPN_NODISCARD spn_status spn_pak_mount(spn_runtime *rt, const char *path,
                                       spn_pak *out);

/* Unmount. The handle and the entries found by it are stale at once, and
 * names are not found in it any more. Reads already started end normally, and
 * files opened from it can be read until they are closed: the pak's memory and
 * file are given back when the last of them is gone. SPN_ERR_HANDLE for a
 * handle that is stale or none. Thread: caller's. */
spn_status spn_pak_unmount(spn_runtime *rt, spn_pak pak);

/* SPN_PENDING while it is being mounted; SPN_OK; or why it is not: the device
 * failed, SPN_ERR_FORMAT, SPN_ERR_VERSION, SPN_ERR_CHECKSUM, or SPN_ERR_MEMORY
 * for an index that is larger than the heap. Then `fault` (NULL: not wanted)
 * says where. SPN_ERR_HANDLE. Thread: caller's. */
spn_status spn_pak_get_status(const spn_runtime *rt, spn_pak pak,
                              spn_fault *fault);

/* Load the whole pak into the heap (one block: best while a level loads), and
 * serve it from there as a file in memory, without any drive (one whose file
 * is in memory anyway takes no more). Its reads go on
 * from the disc until all of it is there; then streams of its caches give back
 * what they have of the drive's time, and ask for it when the memory is given
 * back (spn_node_desc.overload). `priority` is that of the loading;
 * 0: the default of SPN_TASK_PAK.
 * Returns SPN_OK also when it is loaded or loading already; SPN_ERR_ARG;
 * SPN_ERR_HANDLE; SPN_ERR_STATE when it is just being unloaded, or could not be
 * mounted. Thread: caller's. */
spn_status spn_pak_load(spn_runtime *rt, spn_pak pak, spn_priority priority);

/* Give the memory back as soon as no read is served from it any more; until
 * then it stays, and new reads go to the disc at once. Ends a load that is
 * under way. SPN_OK also when nothing is loaded; SPN_ERR_HANDLE. Thread:
 * caller's. */
spn_status spn_pak_unload(spn_runtime *rt, spn_pak pak);

/* SPN_OK: served from memory; SPN_PENDING: loading, or waiting for memory;
 * SPN_EMPTY: not loaded, nor asked to be; or why it could not be loaded: it
 * stays on the disc, and may be tried again. SPN_ERR_HANDLE. Thread: caller's.
 */
spn_status spn_pak_get_load_status(const spn_runtime *rt, spn_pak pak);

/* The paks of a level, named in one call:
 *
 *   spn_pak_mount_all(rt, paths, 3, paks);
 *   spn_pak_load_all(rt, paks, 3, SPN_PRIORITY_NORMAL);
 *   ... updates, until spn_pak_get_status_all says SPN_OK ...
 *   spn_pak_unmount_all(rt, paks, 3);
 *
 * Mount all of them in this order, so that the last one is looked into first,
 * or none: then what spn_pak_mount returns for the first that is refused.
 * `out` has room for `count` > 0 handles (of 0 SPN_ERR_ARG), and none of them
 * means anything after a refusal. Thread: caller's. */
SPN_NODISCARD spn_status spn_pak_mount_all(spn_runtime *rt,
                                           const char *const *paths,
                                           uint32_t count, spn_pak *out);
/* Each as by spn_pak_load, spn_pak_unmount, one after the other and whatever
 * becomes of the others; returns the first refusal. None is SPN_OK.
 * Thread: caller's. */
spn_status spn_pak_load_all(spn_runtime *rt, const spn_pak *paks,
                            uint32_t count, spn_priority priority);
spn_status spn_pak_unmount_all(spn_runtime *rt, const spn_pak *paks,
                               uint32_t count);
/* SPN_OK: all are mounted, and those loaded that were asked to be;
 * SPN_PENDING: not yet; or the first error among them, of mounting or loading.
 * Unless it is SPN_OK *which (NULL: not wanted) is the index in `paks` of the
 * one that it is of. SPN_ERR_HANDLE; SPN_ERR_ARG for NULL, which leaves *which
 * alone. Thread: caller's. */
spn_status spn_pak_get_status_all(const spn_runtime *rt, const spn_pak *paks,
                                  uint32_t count, uint32_t *which);

/* Find the entry of a name in one pak, or, with 0, in all of them, the latest
 * first.
 * SPN_ERR_NOT_FOUND; SPN_ERR_HANDLE; SPN_PENDING while that pak is being
 * mounted; SPN_ERR_ARG. Thread: any. */
spn_status spn_pak_find(const spn_runtime *rt, spn_pak pak, const char *name,
                        spn_pak_entry *out);

#endif

typedef struct spn_pak_entry_info {
    uint64_t bytes;        /* as a read sees it */
    uint64_t stored_bytes; /* of one copy, compressed */
    uint32_t copy_count;   /* 0: it has no bytes */
    uint32_t codec;        /* SPN_CODEC_STORE ... */
} spn_pak_entry_info;

#if SPN_WITH_PAKS

/* Get the sizes and the codec of an entry. SPN_ERR_HANDLE; SPN_PENDING while
 * the pak is being mounted; SPN_ERR_ARG when it has no such entry. Thread: any.
 */
spn_status spn_pak_get_entry(const spn_runtime *rt, spn_pak_entry entry,
                             spn_pak_entry_info *out);

/* Get the number of entries. Their indices, for spn_pak_get_entry, begin at 0
 * and have no particular order. SPN_ERR_HANDLE; SPN_PENDING. Thread: any. */
spn_status spn_pak_get_entry_count(const spn_runtime *rt, spn_pak pak,
                                   uint32_t *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
