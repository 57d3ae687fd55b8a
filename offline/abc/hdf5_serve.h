/* hdf5_serve.h - the main loop of the child process (hdf5_child.h): it answers
 * the requests of hdf5_wire.h by calls of libhdf5.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_HDF5_SERVE_H
#define OFFLINE_ABC_HDF5_SERVE_H

#include "abc/hdf5_child.h"

/* Open the file and answer requests until the parent closes its socket. Returns
 * the exit status of the process. */
int hdf5_serve(int socket, const struct hdf5_source *source);

#endif
