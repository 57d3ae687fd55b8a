/* listen.h - telling the listener, if there is one.
 *
 * Ask listen_is_there first. Whoever owns a read tells of it. Any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_OBSERVE_LISTEN_H
#define SPN_OBSERVE_LISTEN_H

#include <spindle/features.h>
#include <spindle/listener.h>
#include <stdbool.h>

struct listen {
    bool is_there;
    spn_listener table;
    const spn_platform *platform;
};

/* The one branch that an event costs without a listener. */
static inline bool listen_is_there(const struct listen *listen)
{
    return SPN_WITH_OBSERVERS && listen->is_there;
}

/* `listener` is copied; NULL: nobody listens. */
void spn__listen_init(struct listen *listen, const spn_listener *listener,
                      const spn_platform *platform);
/* Puts the kind and the time in. */
void spn__listen_notify(const struct listen *listen, spn_event_kind kind,
                        spn_event *event);

#endif
