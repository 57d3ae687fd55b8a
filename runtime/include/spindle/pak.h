/* pak.h - paks: archives whose files are read as if they were on the disc.
 *
 * `spindle pack` makes a pak of many files.
 *
 *   entry            one file in a pak
 *   to mount         to read the index of a pak, so that its entries are found
 *   to load          to read all of a pak into the heap, after mounting it
 *   block            64 KiB of an entry (the last one may be shorter), stored
 *                    compressed or not. Not the block of the heap in memory.h
 *   heap, extent     the runtime's memory for data; a contiguous piece of it
 *                    (memory.h)
 *   caller's thread  the thread that calls spn_update (spindle.h)
 *
 *   spn_pak_mount(rt, "data.spk", &pak);
 *   ... updates, until spn_pak_get_status returns SPN_OK ...
 *   spn_pak_find(rt, 0, "harbour/sea.wav", &entry);
 *   desc.entry = entry;             a read of the entry, or simply
 *   desc.path = "harbour/sea.wav";  because paths are looked up in paks first
 *
 * Offsets and sizes in reads are those of the packed file, whether the entry is
 * compressed or not.
 *
 * Names. An entry has the name that `spindle pack` gave it, with '/' between
 * folders and no "./" at the beginning. Names are compared byte by byte. If
 * several mounted paks have a name, the pak that was mounted last is used.
 * Paths (in spn_read_desc, spn_file_open and spn_cache_open) are looked up in
 * all mounted paks whose status is SPN_OK, then on the disc. With
 * spn_config.has_loose_files_only they are looked up on the disc only.
 *
 * Copies. A pak may store an entry several times, in different places of the
 * disc. A read chooses the copy when it is about to start. If the deadline
 * scheduler has another waiting read whose data is stored only once, the copy
 * nearest to that read is chosen, because the head goes there in any case.
 * Otherwise it is the copy that the drive reaches first, according to its
 * profile; without a profile, the copy nearest to the head in bytes.
 *
 * Checksums. Each block has one. A worker verifies it before the read ends: in
 * a compressed entry always, in another entry only if the read covers the whole
 * block. If a block is damaged or cannot be read, the read goes on with another
 * copy. If there is none, the read fails, and spn_read_result.fault has the
 * place. Other reads are not affected.
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

/* Begin to mount a pak, and return at once; spn_pak_get_status reports the
 * result. The header is read, then the index, in one read into one extent of
 * the heap; a worker validates it. If the heap has no room, the mount waits.
 * The handle must be unmounted even if the mount fails.
 *
 * path  of a file on the disc, never in another pak
 *
 * Returns SPN_ERR_TABLE_FULL if spn_config.pak_count paks are mounted or still
 * being freed, or file_count files are open; SPN_ERR_ARG if the path is NULL,
 * empty or too long; SPN_ERR_SHUTDOWN in a callback during spn_shutdown.
 * Thread: the caller's. */
SPN_NODISCARD spn_status spn_pak_mount(spn_runtime *rt, const char *path,
                                       spn_pak *out);

/* Unmount a pak. The handle and its entries are stale at once, and its names
 * are not found any more. Reads that were started before go on, and files that
 * were opened in it can be read until they are closed; after the last of them
 * the memory and the file of the pak are freed. SPN_ERR_HANDLE if the handle is
 * stale. Thread: the caller's. */
spn_status spn_pak_unmount(spn_runtime *rt, spn_pak pak);

/* Get the result of mounting a pak.
 *
 *   SPN_PENDING        it is being mounted
 *   SPN_OK             it is mounted
 *   SPN_ERR_NOT_FOUND, SPN_ERR_IO, SPN_ERR_SHORT_READ
 *                      the file could not be opened or read
 *   SPN_ERR_FORMAT, SPN_ERR_VERSION, SPN_ERR_CHECKSUM
 *                      the bytes are damaged or of an unknown version
 *   SPN_ERR_MEMORY     the index is larger than the heap without the blocks of
 *                      the caller and of other paks
 *   SPN_ERR_HANDLE     the handle is stale
 *
 * fault  written only if mounting failed: what is wrong, and where; NULL: not
 *        wanted
 *
 * Thread: the caller's. */
spn_status spn_pak_get_status(const spn_runtime *rt, spn_pak pak,
                              spn_fault *fault);

/* Begin to load a pak: read all of it into one extent of the heap, and then
 * serve its reads from there. Mounting need not have finished. Load a pak while
 * a level loads, because a large extent needs a heap that is not fragmented.
 * Until everything is loaded, reads are served from the disc. (If the platform
 * has the file of the pak in memory already, no further memory is used.)
 *
 * Streams of caches in a loaded pak do not need the drive. They give back their
 * share of its time (spn_admission), and request it again when the pak is
 * unloaded.
 *
 * priority  of the reads that load it; 0: the default of SPN_TASK_PAK
 *
 * Returns SPN_OK, also if it is loaded or being loaded; SPN_ERR_ARG if the
 * priority is invalid; SPN_ERR_HANDLE; SPN_ERR_STATE if the pak is being
 * unloaded, or mounting it failed. Thread: the caller's. */
spn_status spn_pak_load(spn_runtime *rt, spn_pak pak, spn_priority priority);

/* Unload a pak, or stop loading it. New reads are served from the disc at once.
 * The memory is freed when no read is served from it any more. No effect if it
 * is not loaded. SPN_ERR_HANDLE. Thread: the caller's. */
spn_status spn_pak_unload(spn_runtime *rt, spn_pak pak);

/* Get the result of loading a pak.
 *
 *   SPN_EMPTY       it is not loaded, and spn_pak_load was not called
 *   SPN_PENDING     it is being loaded, or waits for memory
 *   SPN_OK          its reads are served from memory
 *   SPN_ERR_HANDLE  the handle is stale
 *   other errors    it could not be loaded. Its reads are served from the disc;
 *                   spn_pak_load may be called again
 *
 * Thread: the caller's. */
spn_status spn_pak_get_load_status(const spn_runtime *rt, spn_pak pak);

/* The following functions handle several paks, e.g. those of a level:
 *
 *   spn_pak_mount_all(rt, paths, 3, paks);
 *   spn_pak_load_all(rt, paks, 3, SPN_PRIORITY_NORMAL);
 *   ... updates, until spn_pak_get_status_all returns SPN_OK ...
 *   spn_pak_unmount_all(rt, paks, 3);
 */

/* Begin to mount several paks: all of them, in this order, or none. Names are
 * looked up in the last one first.
 *
 * count  > 0, otherwise SPN_ERR_ARG
 * out    room for `count` handles; undefined if an error is returned
 *
 * Returns what spn_pak_mount returns for the first pak that is refused. Thread:
 * the caller's. */
SPN_NODISCARD spn_status spn_pak_mount_all(spn_runtime *rt,
                                           const char *const *paths,
                                           uint32_t count, spn_pak *out);
/* Call spn_pak_load or spn_pak_unmount for each pak, even if one fails. Returns
 * the first error; SPN_OK if there is none, or if `count` is 0. Thread: the
 * caller's. */
spn_status spn_pak_load_all(spn_runtime *rt, const spn_pak *paks,
                            uint32_t count, spn_priority priority);
spn_status spn_pak_unmount_all(spn_runtime *rt, const spn_pak *paks,
                               uint32_t count);
/* Get the result of mounting and loading several paks.
 *
 *   SPN_OK          all are mounted, and those for which spn_pak_load was
 *                   called are loaded
 *   SPN_PENDING     at least one is not, and none has failed
 *   SPN_ERR_ARG     a pointer is NULL; *which is not written
 *   SPN_ERR_HANDLE  a handle is stale
 *   other errors    the first error of mounting or loading one of them
 *
 * which  the index in `paks` of the pak that determined the result; not written
 *        with SPN_OK; NULL: not wanted
 *
 * Thread: the caller's. */
spn_status spn_pak_get_status_all(const spn_runtime *rt, const spn_pak *paks,
                                  uint32_t count, uint32_t *which);

/* Find an entry by its name.
 *
 * pak  where to look; 0: in all mounted paks, the one mounted last first
 *
 * Returns SPN_ERR_NOT_FOUND if there is no such entry; SPN_ERR_HANDLE if the
 * handle is stale; SPN_PENDING while the pak is being mounted; SPN_ERR_ARG if a
 * pointer is NULL. Thread: any. */
spn_status spn_pak_find(const spn_runtime *rt, spn_pak pak, const char *name,
                        spn_pak_entry *out);

#endif

typedef struct spn_pak_entry_info {
    uint64_t bytes;        /* size of the file */
    uint64_t stored_bytes; /* size of one copy in the pak, compressed */
    uint32_t copy_count;   /* 1 or more; 0 if the entry has no bytes */
    uint32_t codec;        /* SPN_CODEC_STORE ..., see codec.h */
} spn_pak_entry_info;

#if SPN_WITH_PAKS

/* Describe an entry. SPN_ERR_HANDLE if the pak's handle is stale; SPN_PENDING
 * while the pak is being mounted; SPN_ERR_ARG if it has no such entry. Thread:
 * any. */
spn_status spn_pak_get_entry(const spn_runtime *rt, spn_pak_entry entry,
                             spn_pak_entry_info *out);

/* Get the number of entries of a pak. An spn_pak_entry with any index below
 * that is an entry; the order of the indices has no meaning. SPN_ERR_HANDLE;
 * SPN_PENDING while the pak is being mounted. Thread: any. */
spn_status spn_pak_get_entry_count(const spn_runtime *rt, spn_pak pak,
                                   uint32_t *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
