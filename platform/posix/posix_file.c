/* posix_file.c - open files; get their sizes, places and alignments.
 *
 * The place is the position of the file's first byte, from the map of the file
 * system (FIEMAP, on Linux). Reads of a disc with a head are ordered by it. The
 * map's other extents are not used. The place is unknown on file systems
 * without such a map (in memory, over a network, compressed).
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

/* Alignment that fits every device: a multiple of all sector sizes and DMA
 * units. It is the largest that the runtime permits. */
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

/* O_NONBLOCK prevents that opening a pipe waits for its writer. It has no
 * effect on a regular file. */
static int open_plain(const char *path, int more)
{
    int descriptor;

    do {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | more);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

/* Alignment of unbuffered reads of a file; 0: it has no unbuffered reads. */
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

/* Open a file for unbuffered reads, and set *align. Fails if that is not
 * possible. */
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

/* Open a file with the options. A file without unbuffered reads is read through
 * the cache, without read-ahead. */
static int open_with_options(const struct spn_platform_posix *posix,
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
    /* The extents follow the map in memory. */
    union {
        struct fiemap map;
        uint8_t bytes[sizeof(struct fiemap) + sizeof(struct fiemap_extent)];
    } request;
    const struct fiemap_extent *first = &request.map.fm_extents[0];
    const uint32_t nowhere =
        FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC | FIEMAP_EXTENT_ENCODED |
        FIEMAP_EXTENT_DATA_ENCRYPTED | FIEMAP_EXTENT_NOT_ALIGNED |
        FIEMAP_EXTENT_DATA_INLINE | FIEMAP_EXTENT_DATA_TAIL;

    memset(&request, 0, sizeof request);
    request.map.fm_length = FIEMAP_MAX_OFFSET;
    request.map.fm_extent_count = 1;
    if (ioctl(descriptor, FS_IOC_FIEMAP, &request) == 0 &&
        request.map.fm_mapped_extents == 1 && !(first->fe_flags & nowhere) &&
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
    int descriptor = open_with_options(posix, path, &align);

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
    /* Not repeated after EINTR: Linux has closed the descriptor already, and
     * another thread may use its number. */
    close(spn__posix_descriptor(file));
}

void spn__posix_files_fill(spn_platform *table)
{
    table->file_open = file_open;
    table->file_close = file_close;
}
