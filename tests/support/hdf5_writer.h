/* hdf5_writer.h - write the same archive as HDF5, as Alembic would. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_HDF5_WRITER_H
#define TESTS_SUPPORT_HDF5_WRITER_H

#include "abc/archive.h"

struct hdf5_style {
    bool is_latest;     /* the newest file format of the library, otherwise the
                         * oldest */
    bool is_compressed; /* data sets consist of deflated chunks */
    bool is_big_endian;
    bool is_old; /* without attributes that archives before version 1.1 lack */
    bool has_no_version;
    int32_t version; /* of the archive; 0 means -8 */
};

/* Write `archive` to `path`. Does nothing in a build without libhdf5: see
 * abc_has_hdf5. */
void hdf5_write(const struct abc_archive *archive, const char *path,
                const struct hdf5_style *style);

/* Damage a file: replace the object at `path`, or add one. `target` depends on
 * the kind. */
enum hdf5_spoil {
    HDF5_SPOIL_HARD,     /* a hard link to the group or data set `target` */
    HDF5_SPOIL_SOFT,     /* a soft link to `target` */
    HDF5_SPOIL_EXTERNAL, /* a link to the root group of the file `target` */
    HDF5_SPOIL_CLAIM,    /* a data set of 2^40 floats without storage; no
                          * target */
    HDF5_SPOIL_STORAGE,  /* a data set of ten floats stored in the file
                          * `target` */
    HDF5_SPOIL_VIRTUAL   /* a virtual data set whose source `target` is made a
                          * pipe: opening it never returns */
};
void hdf5_spoil(const char *file, const char *path, enum hdf5_spoil spoil,
                const char *target);

#endif
