/* anim_skeleton.c - reads skeletons. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_skeleton.h"

#include "codec/lift/model_reader.h"

#include "anim/anim_name_reader.h"
#include "anim/anim_skeleton_model.h"
#include "anim/anim_wire.h"
#include "base/checksum.h"
#include "base/endian.h"
#include "base/hash64.h"
#include "codec/lift/root.h"

SPN_STATIC_ASSERT(ANIM_SKELETON_HEADER_BYTES ==
                      sizeof(struct anim_wire_skeleton),
                  anim_skeleton_header_bytes);
#define AT(field) ((uint32_t)offsetof(struct anim_wire_skeleton, field))

spn_status spn__anim_skeleton_read_header(const uint8_t *bytes,
                                          struct anim_skeleton_header *header,
                                          spn_fault *fault)
{
    const struct anim_wire_skeleton *wire = (const void *)bytes;
    const uint32_t version = spn_load_u16le(wire->version);
    const struct anim_skeleton_header h = {
        .joint_count = spn_load_u16le(wire->joint_count),
        .name_bytes = spn_load_u32le(wire->name_bytes),
        .file_bytes = spn_load_u32le(wire->file_bytes),
        .hash = spn_load_u64le(wire->hash),
        .body_checksum = spn_load_u32le(wire->body_checksum),
    };
    spn_status status =
        spn__wire_validate_signature(bytes, ANIM_SKELETON_SIGNATURE, fault);

    if (status == SPN_OK && version != ANIM_VERSION)
        status = wire_refuse_for(fault, SPN_ERR_VERSION, "version", AT(version),
                                 version, ANIM_VERSION);
    if (status == SPN_OK)
        status = spn__wire_validate_checksum(bytes, sizeof *wire, fault);
    if (status != SPN_OK)
        return status;
    if (h.joint_count == 0 || h.joint_count > ANIM_JOINTS_MAX)
        return wire_refuse(fault, "joint count", AT(joint_count),
                           h.joint_count);
    if (h.name_bytes < h.joint_count ||
        h.name_bytes > h.joint_count * ANIM_NAME_BYTES_MAX)
        return wire_refuse(fault, "bytes of names", AT(name_bytes),
                           h.name_bytes);
    if (h.file_bytes < ANIM_SKELETON_HEADER_BYTES)
        return wire_refuse(fault, "file size", AT(file_bytes), h.file_bytes);
    *header = h;
    return SPN_OK;
}

size_t spn__anim_skeleton_bytes(const struct anim_skeleton_header *header)
{
    const size_t joint =
        sizeof(spn_anim_transform) + sizeof(uint32_t) + sizeof(uint16_t);

    return header->joint_count * joint + header->name_bytes;
}

/* The arrays of a skeleton while they are filled. */
struct body_reader {
    struct coder coder;
    const uint8_t *file;
    spn_fault *fault; /* NULL: not wanted */
    struct anim_skeleton_models *models;
    spn_anim_transform *rest;
    uint32_t *name;
    uint16_t *parent;
    char *names;
    uint32_t name_bytes; /* written */
    uint32_t name_limit; /* bytes at `names` */
    struct checksum rest_pose;
};

static bool read_joint_name(struct body_reader *r, uint32_t joint)
{
    const char *before = joint > 0 ? r->names + r->name[joint - 1] : "";
    const uint32_t before_bytes =
        joint > 0 ? r->name_bytes - r->name[joint - 1] - 1 : 0;
    uint32_t bytes;

    r->name[joint] = r->name_bytes;
    if (!read_name(&r->coder, &r->models->names, before, before_bytes,
                   r->names + r->name_bytes, r->name_limit - r->name_bytes,
                   &bytes))
        return false;
    r->name_bytes += bytes + 1;
    return true;
}

static bool load_floats(const uint32_t *bits, uint32_t count, float *values)
{
    for (uint32_t i = 0; i < count; i++) {
        if ((bits[i] >> 23 & 255u) == 255u)
            return false;
        memcpy(&values[i], &bits[i], sizeof values[i]);
    }
    return true;
}

/* Complete a unit quaternion by its largest component. */
static bool load_rotation(const struct anim_rest_bits *bits, float q[4])
{
    float c[3];
    float rest;

    if (!load_floats(bits->rotation, 3, c))
        return false;
    rest = ((1.0f - c[0] * c[0]) - c[1] * c[1]) - c[2] * c[2];
    /* The largest component of a unit quaternion is at least 1/2. */
    if (!(rest > 0.2f))
        return false;
    for (uint32_t k = 0, i = 0; k < 4; k++)
        q[k] = k == bits->largest ? spn__float_root(rest) : c[i++];
    return true;
}

static bool read_rest(struct body_reader *r, spn_anim_transform *rest)
{
    struct anim_rest_bits bits = {0};

    *rest = (spn_anim_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    code_rest(&r->coder, r->models, &bits);
    hash_rest(&r->rest_pose, &bits);
    if (!bits.is_unrotated && !load_rotation(&bits, rest->rotation))
        return false;
    if (!bits.is_unscaled && !load_floats(bits.scale, 3, rest->scale))
        return false;
    return load_floats(bits.translation, 3, rest->translation);
}

/* The place of a fault is how far the coder has read. It reads four bytes
 * ahead. */
static uint32_t place_of(const struct body_reader *r)
{
    return (uint32_t)(r->coder.at - r->file);
}

static spn_status refuse(const struct body_reader *r, const char *what,
                         uint32_t value)
{
    return wire_refuse(r->fault, what, place_of(r), value);
}

static spn_status read_body(struct body_reader *r, uint32_t joint_count)
{
    for (uint32_t j = 0; j < joint_count; j++) {
        const uint32_t distance = code_number(&r->coder, &r->models->parent, 0);

        if (distance > j)
            return refuse(r, "distance from a joint to its parent", distance);
        r->parent[j] = (uint16_t)(distance > 0 ? j - distance : ANIM_NO_PARENT);
        if (!read_joint_name(r, j))
            return refuse(r, "joint with a damaged name", j);
        if (!read_rest(r, &r->rest[j]))
            return refuse(r, "joint with a damaged rest pose", j);
    }
    if (r->name_bytes != r->name_limit)
        return wire_refuse_unlike(r->fault, "bytes of names", AT(name_bytes),
                                  r->name_limit, r->name_bytes);
    if (!range_decoder_is_used_up(&r->coder))
        return wire_refuse_unlike(r->fault, "end of the codes of the skeleton",
                                  place_of(r), place_of(r) + r->coder.beyond,
                                  (uint32_t)(r->coder.end - r->file));
    return SPN_OK;
}

spn_status spn__anim_skeleton_open(const struct anim_skeleton_header *header,
                                   const uint8_t *file,
                                   struct anim_skeleton_models *models,
                                   void *memory, struct anim_skeleton *skeleton,
                                   spn_fault *fault)
{
    const uint32_t body_bytes = header->file_bytes - ANIM_SKELETON_HEADER_BYTES;
    const uint8_t *body = file + ANIM_SKELETON_HEADER_BYTES;
    const uint32_t checksum = spn__checksum(body, body_bytes, WIRE_SEED);
    const uint32_t count = header->joint_count;
    struct body_reader r = {
        .file = file,
        .fault = fault,
        .models = models,
        .rest = memory,
        .name_limit = header->name_bytes,
    };
    struct anim_skeleton s = {.joint_count = count, .hash = header->hash};
    uint64_t hash;
    spn_status status;

    if (checksum != header->body_checksum)
        return wire_refuse_for(
            fault, SPN_ERR_CHECKSUM, "checksum of the skeleton",
            ANIM_SKELETON_HEADER_BYTES, checksum, header->body_checksum);
    r.name = (uint32_t *)(void *)(r.rest + count);
    r.parent = (uint16_t *)(void *)(r.name + count);
    r.names = (char *)(r.parent + count);
    range_decoder_begin(&r.coder, body, body_bytes);
    number_models_reset(models, sizeof *models);
    spn__checksum_begin(&r.rest_pose, ANIM_HASH_SEED);
    status = read_body(&r, count);
    if (status != SPN_OK)
        return status;
    s.rest_pose_hash = spn__checksum_end(&r.rest_pose);
    s.parent = r.parent;
    s.rest = r.rest;
    s.name = r.name;
    s.names = r.names;
    hash = spn__anim_skeleton_hash(&s);
    if (hash != header->hash)
        return wire_refuse_for(fault, SPN_ERR_FORMAT,
                               "hash of names and parents", AT(hash),
                               header->hash, hash);
    *skeleton = s;
    return SPN_OK;
}

uint64_t spn__anim_skeleton_hash(const struct anim_skeleton *skeleton)
{
    struct hash64 hash;

    spn__hash64_begin(&hash, ANIM_HASH_SEED);
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        const char *name = skeleton->names + skeleton->name[j];
        uint8_t parent[2];

        spn_store_u16le(parent, skeleton->parent[j]);
        do
            spn__hash64_add(&hash, name, 1);
        while (*name++ != 0);
        spn__hash64_add(&hash, parent, sizeof parent);
    }
    return spn__hash64_end(&hash);
}
