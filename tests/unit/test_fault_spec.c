/* test_fault_spec.c
 *
 * Goal: the text of a fault gives the stated fault, or is refused with the
 *   reason.
 * Method: every key, every default, and each kind of wrong word.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "drives/fault_spec.h"
#include "harness.h"

#include <string.h>

static struct fault_spec spec;
static char why[FAULT_SPEC_WHY_BYTES];

static const spn_emulator_fault *parse(const char *text)
{
    test_context("%s", text);
    memset(&spec, 0xaa, sizeof spec);
    why[0] = '\0';
    CHECK(fault_spec_parse(text, &spec, why));
    CHECK_STR(why, "");
    CHECK_EQ_U(spec.fault.drive, 0);
    CHECK(spec.fault.file == NULL);
    return &spec.fault;
}

static void every_key_is_understood(void)
{
    const spn_emulator_fault *f =
        parse("bad-sectors,offset=65536,bytes=4096,retries=3,times=2,at=1.5,"
              "for=0.000001,copy=2:data.spk:a,b=c.sgc");

    CHECK_EQ(f->kind, SPN_EMULATOR_BAD_SECTORS);
    CHECK_EQ_U(f->offset, 65536);
    CHECK_EQ_U(f->bytes, 4096);
    CHECK_EQ_U(f->retries, 3);
    CHECK_EQ_U(f->times, 2);
    CHECK_EQ_U(f->begin_us, 1500000);
    CHECK_EQ_U(f->length_us, 1);
    CHECK_EQ_U(spec.copy, 1);
    CHECK_STR(spec.name, "data.spk:a,b=c.sgc");
    f = parse("tray-open,failing,at=2,for=10");
    CHECK_EQ(f->kind, SPN_EMULATOR_TRAY_OPEN);
    CHECK_EQ_U(f->is_failing, 1);
    CHECK_EQ_U(f->begin_us, 2000000);
    CHECK_EQ_U(f->length_us, 10000000);
    CHECK(spec.name == NULL);
    CHECK_EQ(parse("stall")->kind, SPN_EMULATOR_STALL);
    CHECK_EQ(parse("disc-swapped,at=0")->kind, SPN_EMULATOR_DISC_SWAPPED);
    CHECK_EQ_U(parse("stall,at=18446744073709.551615")->begin_us, UINT64_MAX);
}

/* A place without a length is one byte. A file without a place is the whole
 * file. */
static void omitted_keys_have_defaults(void)
{
    const spn_emulator_fault *f = parse("unreadable,offset=0");

    CHECK_EQ(f->kind, SPN_EMULATOR_UNREADABLE);
    CHECK_EQ_U(f->bytes, 1);
    CHECK_EQ_U(f->retries, 1);
    CHECK_EQ_U(f->times, 0);
    CHECK_EQ_U(f->begin_us + f->length_us, 0);
    CHECK_EQ_U(spec.copy, 0);
    CHECK_EQ_U(parse("unreadable:a")->bytes, 0);
    CHECK_EQ_U(parse("unreadable,bytes=7:a")->bytes, 7);
    CHECK_EQ_U(parse("bad-sectors,retries=0:a")->retries, 0);
    f = parse("stall");
    CHECK_EQ_U(f->offset + f->bytes + f->retries + f->times + f->is_failing, 0);
}

static void refuse(const char *text, const char *words)
{
    const struct fault_spec before = spec;

    test_context("%s", text);
    why[0] = '\0';
    CHECK(!fault_spec_parse(text, &spec, why));
    CHECK(strstr(why, words) != NULL);
    CHECK_MEM(&spec, &before, sizeof spec);
}

static void bad_faults_are_refused_with_a_reason(void)
{
    refuse("", "begins with bad-sectors");
    refuse("tray", "begins with bad-sectors");
    refuse(":a", "begins with");
    refuse("stall,", "unknown key \"\"");
    refuse("stall,until=3", "column 7: unknown key \"until\"; there are at, ");
    refuse("stall,at", "at of how much");
    refuse("stall,at=", "seconds");
    refuse("stall,at=.5", "column 10: at is seconds");
    refuse("stall,at=1.2.3", "seconds");
    refuse("stall,at=1e3", "seconds");
    refuse("stall,at=-1", "seconds");
    refuse("stall,at=1.0000001", "seconds");
    refuse("stall,at=18446744073710", "seconds");
    refuse("stall,at=99999999999999999999", "seconds");
    refuse("stall,for=0", "more than 0");
    refuse("stall,at=1,at=1", "twice");
    refuse("stall,offset=1", "stall has no offset");
    refuse("stall:a", "of the drive");
    refuse("stall,failing", "stall has no failing");
    refuse("unreadable,failing,offset=1", "unreadable has no failing");
    refuse("tray-open,failing=1", "no value");
    refuse("tray-open,failing,failing", "twice");
    refuse("tray-open,retries=1", "tray-open has no retries");
    refuse("unreadable", "where?");
    refuse("unreadable,bytes=9", "where?");
    refuse("unreadable,offset=1:", "column 21: no name");
    refuse("unreadable,offset=1.5", "a whole number");
    refuse("unreadable,offset=0x10", "a whole number");
    refuse("unreadable,offset=18446744073709551616", "a whole number");
    refuse("unreadable,bytes=0:a", "more than 0");
    refuse("unreadable,times=0:a", "more than 0");
    refuse("unreadable,copy=0:a", "more than 0");
    refuse("unreadable,times=4294967296:a", "a whole number");
    refuse("unreadable,offset=1,copy=1", "file in a pak");
}

static void long_values_are_shortened(void)
{
    char text[4096] = "stall,";

    memset(text + 6, 'x', sizeof text - 7);
    text[sizeof text - 1] = '\0';
    refuse(text, "unknown key \"xxxxxxxx");
    CHECK(strlen(why) < sizeof why);
}

TEST_MAIN(TEST(every_key_is_understood), TEST(omitted_keys_have_defaults),
          TEST(bad_faults_are_refused_with_a_reason),
          TEST(long_values_are_shortened))
