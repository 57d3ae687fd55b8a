/* status.c - names and texts of the status codes, from their one table. */
/* SPDX-License-Identifier: MIT */
#include <spindle/status.h>

const char *spn_status_name(spn_status status)
{
    switch (status) {
#define STATUS_NAME(name, number, text)                                        \
    case name:                                                                 \
        return #name;
        SPN_STATUS_MAP(STATUS_NAME)
#undef STATUS_NAME
    }
    return "SPN_UNKNOWN";
}

const char *spn_status_text(spn_status status)
{
    switch (status) {
#define STATUS_TEXT(name, number, text)                                        \
    case name:                                                                 \
        return text;
        SPN_STATUS_MAP(STATUS_TEXT)
#undef STATUS_TEXT
    }
    return "unknown status";
}
