/* cache_jobs.h - the jobs that validate and unpack a cache's static data.
 *
 * Each function is a job_fn (base/jobs.h) whose context is the struct cache.
 * Any worker runs it. While a job runs, it owns the fields that it fills in. A
 * job that fails sets cache.has_failed; the first job that fails also sets
 * job_status and job_fault. The last access of a job to the cache is the
 * decrement of jobs_left, with release order.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CACHE_JOBS_H
#define SPN_PLAY_CACHE_JOBS_H

#include "base/jobs.h"
#include "play/cache.h"

/* Validate the frame table in read_block and fill the chunks. */
void spn__cache_frames_job(void *context, uint32_t argument,
                           struct job_worker *worker);
/* Validate the tables in read_block, and compute cache.plan: where the blocks
 * of a decoded frame lie in memory. */
void spn__cache_tables_job(void *context, uint32_t argument,
                           struct job_worker *worker);
/* Unpack one blob.
 *
 * argument  index of the blob */
void spn__cache_blob_job(void *context, uint32_t argument,
                         struct job_worker *worker);
/* Compare static meshes with their content hashes, as many as one job takes.
 *
 * argument  index of the first mesh */
void spn__cache_hash_job(void *context, uint32_t argument,
                         struct job_worker *worker);
/* The index behind the last mesh of the job that begins with `first`. */
uint32_t spn__cache_hash_limit(const struct cache *c, uint32_t first);
/* The state in which a blob is unpacked. Some blobs are decoded with the data
 * of other blobs, which are unpacked in an earlier state. */
enum cache_state spn__cache_blob_state(const struct cache_blob *blob);

#endif
