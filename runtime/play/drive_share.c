/* drive_share.c - request, return and sum the shares of a drive. */
/* SPDX-License-Identifier: MIT */
#include "play/drive_share.h"

#include "base/assert.h"

uint32_t spn__drive_share_permille(const struct manager *m, spn_medium medium)
{
    return m->drive_permille[medium];
}

void spn__drive_share_request(struct cursor *s)
{
    if (s->has_admission)
        return;
    s->share_serial = s->manager->next_serial++;
    s->manager->admission_is_due = true;
}

void spn__drive_share_release(struct cursor *s)
{
    struct manager *m = s->manager;

    if (!s->has_admission)
        return;
    if (s->admission == SPN_ADMITTED) {
        SPN_ASSERT(m->drive_permille[s->cache->medium] >= s->drive_permille);
        m->drive_permille[s->cache->medium] -= s->drive_permille;
    }
    s->has_admission = false;
    s->admission = SPN_ADMITTED;
    s->drive_permille = 0;
    s->drive_read_us = 0;
    m->admission_is_due = true;
}

void spn__drive_share_finish(struct cursor *s)
{
    /* The cursor may be degraded; it does not need the drive either. */
    if (s->drive_permille > 0)
        spn__drive_share_release(s);
}
