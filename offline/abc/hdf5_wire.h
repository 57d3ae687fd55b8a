/* hdf5_wire.h - the protocol between the tool and the child process that runs
 * libhdf5.
 *
 * The child knows nothing of Alembic's rules. It lists groups and reads
 * attributes and data sets. The parent validates everything that it receives,
 * like the bytes of a file.
 *
 * Both ends are the same program on the same machine, so structs are sent as
 * they are in memory. The child first sends one answer, when it has opened the
 * file or failed to. Then each request gets one answer.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_HDF5_WIRE_H
#define OFFLINE_ABC_HDF5_WIRE_H

#include <stdint.h>

enum hdf5_verb {
    HDF5_LIST,      /* links and property headers of a group */
    HDF5_ATTRIBUTE, /* values of attribute `name` of `container` */
    HDF5_DATA_SET,  /* values of data set `name` in `container` */
    HDF5_SERIES     /* values of attributes 0007, 0008, ... of `container` */
};

/* The address of the root group. Addresses of other groups are offsets in the
 * file. */
#define HDF5_ROOT UINT64_MAX

/* A request. The name of the container and the name of the attribute or data
 * set follow, without zero bytes. */
struct hdf5_request {
    uint32_t verb;
    uint32_t pod;             /* enum abc_pod, of the values */
    uint64_t group;           /* address of the group, from a listing */
    uint32_t container_bytes; /* 0: the group itself is the container */
    uint32_t name_bytes;
    uint32_t first; /* HDF5_SERIES: number of the first sample */
    uint32_t count; /* HDF5_SERIES: number of samples */
};
/* The printf format of the name of an attribute or data set with a sample. */
#define HDF5_SAMPLE_NAME "%04u"
#define HDF5_NAME_BYTES_MAX ((uint32_t)64 << 10)

enum hdf5_outcome {
    HDF5_DONE,   /* a listing or values follow */
    HDF5_ABSENT, /* nothing follows: there is no such attribute or data set */
    HDF5_REFUSED /* a message follows */
};

struct hdf5_answer {
    uint32_t outcome;
    uint32_t reserved; /* zero */
    uint64_t bytes;    /* number of bytes that follow */
};
#define HDF5_MESSAGE_BYTES_MAX 512u
#define HDF5_LIST_BYTES_MAX ((uint64_t)256 << 20)

/* A listing of a group: this struct, the metadata of the object (attribute
 * .prop.meta; a text), the links, and the properties. A text is its length in 4
 * bytes, followed by its bytes. */
struct hdf5_list {
    uint32_t link_count;
    uint32_t property_count;
};
/* A link of a group: this struct and its name, a text. */
struct hdf5_link {
    uint64_t address;
    uint32_t is_hard; /* 0: a soft or external link; address is unset */
    uint32_t reserved;
};
/* A property, from its attribute NAME.info: this struct and two texts, NAME and
 * the metadata. hdf5_header.c explains the words. */
#define HDF5_INFO_WORDS_MAX 5u
struct hdf5_property {
    uint32_t word_count; /* in the file; at most HDF5_INFO_WORDS_MAX are sent */
    uint32_t words[HDF5_INFO_WORDS_MAX];
    uint32_t has_sample; /* NAME.smp0 exists */
};

/* Values: this struct and `bytes` bytes of little-endian PODs. The answer to
 * HDF5_SERIES is `count` such records, one after the other; if one cannot be
 * read, all are refused. */
enum hdf5_shape { HDF5_NO_VALUES, HDF5_ONE_VALUE, HDF5_MANY_VALUES };
#define HDF5_DIMENSIONS_MAX 4u
struct hdf5_values {
    uint64_t bytes;
    uint32_t shape;
    uint32_t is_text; /* 1: a string of fixed length; 0: numbers */
    uint32_t has_key;
    uint8_t key[16];
    uint32_t dimension_count; /* of attribute NAME.dims; at most
                               * HDF5_DIMENSIONS_MAX are sent */
    uint32_t dimensions[HDF5_DIMENSIONS_MAX];
};

#endif
