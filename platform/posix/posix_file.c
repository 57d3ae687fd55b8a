/* posix_file.c - files: opened as the options say, with size, place and unit.
 *
 * The place is that of the file's first byte, from the file system's map
 * (FIEMAP, on Linux). It orders reads of a disc with a head; of a file that
 * lies in several pieces the others are elsewhere. A file system that has no
 * places to tell (in memory, over a network, compressed) leaves it unknown.
 */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_DIRECT, statx */
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#define _FILE_OFFSET_BITS 64
#include "platform_posix.h"

#include "posix_state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#endif

/* What every sector size and DMA unit divides, and the largest that the
 * runtime knows. */
#define DIRECT_ALIGN_BYTES 4096u

#define IS_OPTICAL ((spn_platform_file)1 << 32)

spn_medium spn__posix_medium(spn_platform_file file)
{
    return file & IS_OPTICAL ? SPN_MEDIUM_OPTICAL : SPN_MEDIUM_HARD_DISK;
}

int spn__posix_descriptor(spn_platform_file file)
{
    return (int)(file & ~IS_OPTICAL);
}

static bool is_optical(const struct spn_platform_posix *posix, const char *path)
{
    const char *folder = posix->optical_folder;
    size_t len = folder ? strlen(folder) : 0;

    if (len == 0 || strncmp(path, folder, len) != 0)
        return false;
    return folder[len - 1] == '/' || path[len] == '/';
}

static spn_status status_of_open(int error)
{
    return error == ENOENT || error == ENOTDIR ? SPN_ERR_NOT_FOUND : SPN_ERR_IO;
}

/* O_NONBLOCK: opening a pipe would wait for its writer for ever. It means
 * nothing to a regular file. */
static int open_plain(const char *path, int more)
{
    int descriptor;

    do {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | more);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

/* What reads past the cache must be multiples of; 0: there are none. */
static uint32_t direct_align(int descriptor)
{
#if defined(STATX_DIOALIGN)
    struct statx about;

    memset(&about, 0, sizeof about);
    if (statx(descriptor, "", AT_EMPTY_PATH, STATX_DIOALIGN, &about) == 0 &&
        (about.stx_mask & STATX_DIOALIGN)) {
        uint32_t align = about.stx_dio_mem_align > about.stx_dio_offset_align
                             ? about.stx_dio_mem_align
                             : about.stx_dio_offset_align;

        if (about.stx_dio_offset_align == 0)
            return 0;
        return align <= DIRECT_ALIGN_BYTES ? align : 0;
    }
#endif
    (void)descriptor;
    return DIRECT_ALIGN_BYTES;
}

/* Open past the system's cache, or not at all; *align is set. */
static int open_direct(const char *path, uint32_t *align)
{
#if defined(O_DIRECT)
    int descriptor = open_plain(path, O_DIRECT);

    if (descriptor < 0)
        return -1;
    *align = direct_align(descriptor);
    if (*align > 0)
        return descriptor;
    close(descriptor);
    return -1;
#elif defined(F_NOCACHE)
    int descriptor = open_plain(path, 0);

    *align = 1;
    if (descriptor >= 0)
        (void)fcntl(descriptor, F_NOCACHE, 1);
    return descriptor;
#else
    (void)path;
    (void)align;
    return -1;
#endif
}

/* As the options say; what they cannot have is read through the cache, without
 * the system's own reading ahead. */
static int open_as_asked(const struct spn_platform_posix *posix,
                         const char *path, uint32_t *align)
{
    int descriptor = -1;

    *align = 1;
    if (posix->options & SPN_POSIX_DIRECT)
        descriptor = open_direct(path, align);
    if (descriptor >= 0)
        return descriptor;
    *align = 1;
    descriptor = open_plain(path, 0);
#if defined(POSIX_FADV_RANDOM)
    if (descriptor >= 0 &&
        (posix->options & (SPN_POSIX_DIRECT | SPN_POSIX_NO_READ_AHEAD)))
        (void)posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM);
#endif
    return descriptor;
}

static uint64_t place_of(int descriptor)
{
#if defined(FS_IOC_FIEMAP)
    /* The map has the extents behind itself. */
    union {
        struct fiemap map;
        uint8_t bytes[sizeof(struct fiemap) + sizeof(struct fiemap_extent)];
    } asked;
    const struct fiemap_extent *first = &asked.map.fm_extents[0];
    const uint32_t nowhere =
        FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC | FIEMAP_EXTENT_ENCODED |
        FIEMAP_EXTENT_DATA_ENCRYPTED | FIEMAP_EXTENT_NOT_ALIGNED |
        FIEMAP_EXTENT_DATA_INLINE | FIEMAP_EXTENT_DATA_TAIL;

    memset(&asked, 0, sizeof asked);
    asked.map.fm_length = FIEMAP_MAX_OFFSET;
    asked.map.fm_extent_count = 1;
    if (ioctl(descriptor, FS_IOC_FIEMAP, &asked) == 0 &&
        asked.map.fm_mapped_extents == 1 && !(first->fe_flags & nowhere) &&
        first->fe_logical == 0)
        return first->fe_physical;
#endif
    (void)descriptor;
    return UINT64_MAX;
}

static spn_status file_open(void *user, const char *path,
                            spn_platform_file_info *info)
{
    struct spn_platform_posix *posix = user;
    struct stat about;
    uint32_t align;
    int descriptor = open_as_asked(posix, path, &align);

    if (descriptor < 0)
        return status_of_open(errno);
    if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode) ||
        about.st_size < 0) {
        close(descriptor);
        return SPN_ERR_IO;
    }
    info->file = (spn_platform_file)descriptor;
    info->bytes = (uint64_t)about.st_size;
    info->disc_offset = place_of(descriptor);
    info->align_bytes = align;
    if (is_optical(posix, path)) {
        info->file |= IS_OPTICAL;
        info->medium = SPN_MEDIUM_OPTICAL;
    }
    return SPN_OK;
}

static void file_close(void *user, spn_platform_file file)
{
    (void)user;
    /* Not again after EINTR: Linux has closed the descriptor by then, and
     * another thread may own the number already. */
    close(spn__posix_descriptor(file));
}

void spn__posix_files_fill(spn_platform *table)
{
    table->file_open = file_open;
    table->file_close = file_close;
}
