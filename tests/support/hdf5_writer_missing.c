/* hdf5_writer_missing.c - replaces hdf5_writer.c in builds without libhdf5. */
/* SPDX-License-Identifier: MIT */
#include "support/hdf5_writer.h"

#include "harness.h"

void hdf5_write(const struct abc_archive *archive, const char *path,
                const struct hdf5_style *style)
{
    (void)archive;
    (void)style;
    test_fail(__FILE__, __LINE__, "%s cannot be written", path);
}

void hdf5_spoil(const char *file, const char *path, enum hdf5_spoil spoil,
                const char *target)
{
    (void)path;
    (void)spoil;
    (void)target;
    test_fail(__FILE__, __LINE__, "%s cannot be written", file);
}
