/* hdf5_serve.h - the child's side: answers requests with libhdf5. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_HDF5_SERVE_H
#define OFFLINE_ABC_HDF5_SERVE_H

#include "abc/hdf5_child.h"

/* Open the file and answer until the parent hangs up. Returns how the process
 * is to end. */
int hdf5_serve(int socket, const struct hdf5_source *source);

#endif
