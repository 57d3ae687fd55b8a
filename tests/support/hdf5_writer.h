/* hdf5_writer.h - writes the HDF5 twin of an archive, as Alembic would. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_HDF5_WRITER_H
#define TESTS_SUPPORT_HDF5_WRITER_H

#include "abc/archive.h"

struct hdf5_style {
    bool is_latest;     /* the library's newest format, else its oldest */
    bool is_compressed; /* data sets in deflated chunks */
    bool is_big_endian;
    bool is_old; /* without what archives of before 1.1 have not */
    bool has_no_version;
    int32_t version; /* instead of -8; 0: -8 */
};

/* Write `archive` to `path`. Nothing is done in a build without libhdf5: see
 * abc_has_hdf5. */
void hdf5_write(const struct abc_archive *archive, const char *path,
                const struct hdf5_style *style);

/* Spoil a file: link what is at `path` to `target` instead, or what is not
 * there. */
enum hdf5_spoil {
    HDF5_SPOIL_HARD,     /* another name of the group or data set `target` */
    HDF5_SPOIL_SOFT,     /* a link by name */
    HDF5_SPOIL_EXTERNAL, /* a link to the root of the file `target` */
    HDF5_SPOIL_CLAIM,    /* 2^40 floats without storage; no target */
    HDF5_SPOIL_STORAGE,  /* ten floats in the file `target` */
    HDF5_SPOIL_VIRTUAL   /* floats of a data set of a pipe, which is made: to
                          * open `target` takes for ever */
};
void hdf5_spoil(const char *file, const char *path, enum hdf5_spoil spoil,
                const char *target);

#endif
