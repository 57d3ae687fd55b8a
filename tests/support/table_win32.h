/* table_win32.h - the Windows table, for its tests. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_TABLE_WIN32_H
#define TESTS_SUPPORT_TABLE_WIN32_H

#include "../../platform/win32/platform_win32.h"
#include "../../platform/win32/win32_path.h"
#include "support/platform_table.h"

/* Wait for a completion as the io thread does. */
spn_platform_completion end_of_read(uint64_t event);

#endif
