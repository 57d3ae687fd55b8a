/* hdf5_missing.c - replaces the HDF5 backend if the tool was built without
 * libhdf5: refuses all HDF5 archives.
 */
/* SPDX-License-Identifier: MIT */
#include "abc/backend.h"

static bool refuse_open(struct abc_store *store, struct abc_raw *top)
{
    (void)top;
    return ABC_STORE_REFUSE(store, 0, NULL,
                            "is an HDF5 archive, and this spindle was built "
                            "without libhdf5: make an Ogawa archive of it "
                            "with abcconvert -toOgawa");
}

const struct abc_backend abc_hdf5_backend = {
    .container = "HDF5",
    .magic = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'},
    .magic_bytes = 8,
    .open = refuse_open,
};
