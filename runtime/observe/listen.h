/* listen.h - calls the functions of the game's listener.
 *
 * A listener (spindle/listener.h) is a table of functions, one for each kind of
 * event. Modules that cause events call listen_is_there first, fill in the
 * fields of an spn_event, and pass it to spn__listen_notify. Events can come
 * from any thread. Nothing here changes after init.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_OBSERVE_LISTEN_H
#define SPN_OBSERVE_LISTEN_H

#include <spindle/features.h>
#include <spindle/listener.h>
#include <stdbool.h>

struct listen {
    bool is_there; /* the game has a listener */
    spn_listener table;
    const spn_platform *platform; /* its clock */
};

/* Whether the game has a listener. Without one, an event costs this branch. */
static inline bool listen_is_there(const struct listen *listen)
{
    return SPN_WITH_OBSERVERS && listen->is_there;
}

/* `listener` is copied; NULL: there is none. */
void spn__listen_init(struct listen *listen, const spn_listener *listener,
                      const spn_platform *platform);
/* Set kind and now_us of the event, and call the function of its kind if the
 * listener has one. */
void spn__listen_notify(const struct listen *listen, spn_event_kind kind,
                        spn_event *event);

#endif
