/* cache_references.h - references to a cache, which keep it open.
 *
 * A cache stays open while the user has references to it or a node plays it.
 * Opening a path that is already open gives the same cache and one more
 * reference, unless that cache failed or is closing. When the user returns the
 * last reference, the handle becomes stale. If nodes still play the cache, it
 * gets a new handle, which is returned if the path is opened again.
 * Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CACHE_REFERENCES_H
#define SPN_PLAY_CACHE_REFERENCES_H

#include "play/cache.h"

/* Open a path; the contract is that of spn_cache_open. */
spn_status spn__cache_open(struct manager *m, const char *path, spn_cache *out);
/* Return one reference of the user. */
spn_status spn__cache_release(struct cache *c);
/* A node begins or ends to use the cache. */
void spn__cache_attach_node(struct cache *c);
void spn__cache_detach_node(struct cache *c);
/* Return all references of the user, for shutdown. */
void spn__cache_force_close(struct cache *c);

#endif
