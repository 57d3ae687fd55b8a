/* status.h - results of functions, and descriptions of faults.
 *
 * Every function that can fail returns an spn_status: 0 is success, a positive
 * number means "not now, try again", a negative number is an error. Numbers
 * never change. Outputs of a function are written only if it returns SPN_OK,
 * unless its comment says otherwise.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_STATUS_H
#define SPINDLE_STATUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The compiler warns if the result of the function is not used. */
#if defined(__GNUC__) || defined(__clang__)
#define SPN_NODISCARD __attribute__((warn_unused_result))
#else
#define SPN_NODISCARD
#endif

/* X(name, number, text). The text is general; the comment of a function says
 * what a status means there. */
#define SPN_STATUS_MAP(X)                                                      \
    X(SPN_OK, 0, "ok")                                                         \
    X(SPN_PENDING, 1, "not finished yet")                                      \
    X(SPN_NO_MEMORY_NOW, 2, "no memory at the moment, will be retried")        \
    X(SPN_EMPTY, 3, "nothing there at the moment")                             \
    X(SPN_FULL, 4, "no room at the moment")                                    \
    X(SPN_NO_TIME_NOW, 5, "the drive has no time at the moment")               \
    X(SPN_ERR_ARG, -1, "invalid argument")                                     \
    X(SPN_ERR_HANDLE, -2, "stale or invalid handle")                           \
    X(SPN_ERR_MEMORY, -3, "the block of memory is too small")                  \
    X(SPN_ERR_TABLE_FULL, -4, "a table sized at init is full")                 \
    X(SPN_ERR_NOT_FOUND, -5, "not found")                                      \
    X(SPN_ERR_IO, -6, "the device failed")                                     \
    X(SPN_ERR_RANGE, -7, "offset or size beyond the end of the file")          \
    X(SPN_ERR_SHORT_READ, -8, "the file ended before the read did")            \
    X(SPN_ERR_ABORTED, -9, "aborted by the caller")                            \
    X(SPN_ERR_SHUTDOWN, -10, "aborted by shutdown")                            \
    X(SPN_ERR_FORMAT, -11, "the file is damaged or not of this format")        \
    X(SPN_ERR_VERSION, -12, "the file is of a version unknown to this build")  \
    X(SPN_ERR_CHECKSUM, -13, "checksum mismatch")                              \
    X(SPN_ERR_CODEC, -14, "the block codec refused the data")                  \
    X(SPN_ERR_STATE, -15, "not allowed in this state")                         \
    X(SPN_ERR_TIMEOUT, -16, "the time-out passed")                             \
    X(SPN_ERR_PLATFORM, -17, "the platform table refused")                     \
    X(SPN_ERR_NO_CODEC, -18, "the block codec is unknown or not registered")   \
    X(SPN_ERR_NOT_BUILT, -19, "this part of the runtime was not built")        \
    X(SPN_ERR_FPU, -20, "the floating-point unit does not round to nearest")   \
    X(SPN_ERR_SKELETON, -21, "the clip was made for another skeleton")         \
    X(SPN_ERR_REST_POSE, -22, "the clip was made for another rest pose")

typedef enum spn_status {
#define SPN_STATUS_ENUM(name, number, text) name = (number),
    SPN_STATUS_MAP(SPN_STATUS_ENUM)
#undef SPN_STATUS_ENUM
} spn_status;

/* The name of a status, e.g. "SPN_ERR_IO"; "SPN_UNKNOWN" if there is no such
 * status. Static string. Thread: any. */
const char *spn_status_name(spn_status status);

/* The text of a status from the table above, an English phrase without a full
 * stop. Static string. Thread: any. */
const char *spn_status_text(spn_status status);

/* Why bytes of a file were refused or could not be read, and where they are. If
 * a checksum is wrong, `offset` is the first byte that it covers, `value` the
 * checksum computed from the bytes that were read, and `expected` the checksum
 * stored in the file. In coded data, whose numbers do not begin at a byte,
 * `offset` is how far the decoder has read. */
typedef struct spn_fault {
    const char *what;      /* the field or rule, e.g. "frame size". Static
                            * string; NULL: there is no fault */
    uint64_t offset;       /* bytes from the start of the file */
    uint64_t value;        /* what was found */
    uint64_t expected;     /* the right value, if has_expected is 1 */
    uint32_t has_expected; /* 1: only one value is right; 0: several are */
    spn_status status;     /* the error */
    const char *file;      /* path of the file; valid as long as the cache, node
                            * or pak that it was reported for; may be NULL */
} spn_fault;

#ifdef __cplusplus
}
#endif
#endif
