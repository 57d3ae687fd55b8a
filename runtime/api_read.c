/* api_read.c - spindle/read.h over the stream engine. */
/* SPDX-License-Identifier: MIT */
#include "runtime.h"

spn_status spn_file_open(spn_runtime *rt, const char *path, spn_file *out)
{
    if (!rt || !path || !out)
        return SPN_ERR_ARG;
    return spn__io_file_open(rt->io, path, out);
}

spn_status spn_file_close(spn_runtime *rt, spn_file file)
{
    return rt ? spn__io_file_close(rt->io, file) : SPN_ERR_ARG;
}

spn_status spn_read_start(spn_runtime *rt, const spn_read_desc *desc,
                          spn_read *out)
{
    return rt ? spn__io_read_start(rt->io, desc, out) : SPN_ERR_ARG;
}

spn_status spn_read_abort(spn_runtime *rt, spn_read read)
{
    return rt ? spn__io_abort(rt->io, read) : SPN_ERR_ARG;
}

spn_status spn_read_poll(spn_runtime *rt, spn_read read)
{
    return rt ? spn__io_poll(rt->io, read) : SPN_ERR_ARG;
}

void spn_io_get_stats(const spn_runtime *rt, spn_io_stats *out)
{
    if (rt && out)
        spn__io_get_stats(rt->io, out);
}
