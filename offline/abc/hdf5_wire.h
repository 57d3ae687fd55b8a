/* hdf5_wire.h - what the tool and the process that runs libhdf5 say to each
 * other.
 *
 * The library is not safe with damaged files: it may crash, hang or ask for
 * any amount of memory. It therefore runs in a child process (hdf5_child.h),
 * which knows nothing of Alembic's rules: it lists groups and reads attributes
 * and data sets. Everything that it says is validated by the parent like the
 * bytes of a file.
 *
 * Both ends are the same program on the same machine, so structs are sent as
 * they lie in memory. The child first says whether the file is open; after
 * that each request gets one answer.
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

/* The address of the root group; others are places in the file. */
#define HDF5_ROOT UINT64_MAX

/* The names of the container and of what is in it follow, without zero
 * bytes. */
struct hdf5_request {
    uint32_t verb;
    uint32_t pod;             /* enum abc_pod, of the values */
    uint64_t group;           /* its address, as a listing gave it */
    uint32_t container_bytes; /* 0: the group itself; else a group in it */
    uint32_t name_bytes;
    uint32_t first; /* of a series */
    uint32_t count;
};
/* How an attribute or a data set is named that holds sample 7. */
#define HDF5_SAMPLE_NAME "%04u"
#define HDF5_NAME_BYTES_MAX ((uint32_t)64 << 10)

enum hdf5_outcome {
    HDF5_DONE,   /* a listing or values follow */
    HDF5_ABSENT, /* nothing follows: there is no such attribute or data set */
    HDF5_REFUSED /* what is wrong follows, in words */
};

struct hdf5_answer {
    uint32_t outcome;
    uint32_t reserved; /* zero */
    uint64_t bytes;    /* that follow */
};
#define HDF5_WORDS_BYTES_MAX 512u
#define HDF5_LIST_BYTES_MAX ((uint64_t)256 << 20)

/* A listing: this, then the metadata of the object that the group may be
 * (attribute .prop.meta), then the links, then the properties. A text is its
 * length in 4 bytes and its bytes. */
struct hdf5_list {
    uint32_t link_count;
    uint32_t property_count;
};
/* A link: this and a text, its name. */
struct hdf5_link {
    uint64_t address;
    uint32_t is_hard; /* else the address says nothing */
    uint32_t reserved;
};
/* An attribute NAME.info: this and two texts, NAME and its metadata. */
#define HDF5_INFO_WORDS_MAX 5u
struct hdf5_property {
    uint32_t word_count; /* may be larger: the rest is not sent */
    uint32_t words[HDF5_INFO_WORDS_MAX];
    uint32_t has_sample; /* is there a NAME.smp0? */
};

/* Values: this and `bytes` of them, little-endian PODs. A series is `count` of
 * those, one behind the other, or is refused. */
enum hdf5_shape { HDF5_NO_VALUES, HDF5_ONE_VALUE, HDF5_MANY_VALUES };
#define HDF5_DIMENSIONS_MAX 4u
struct hdf5_values {
    uint64_t bytes;
    uint32_t shape;
    uint32_t is_text; /* a string of fixed length, else numbers */
    uint32_t has_key;
    uint8_t key[16];
    uint32_t dimension_count; /* of attribute NAME.dims; may be larger */
    uint32_t dimensions[HDF5_DIMENSIONS_MAX];
};

#endif
