#!/bin/sh
# find_hdf5.sh LOOK FLAGS... - prints the variables of a makefile that say where
# libhdf5 is, and nothing where a program of $CC cannot be linked with it or
# LOOK is not "yes". pkg-config may know the library of another machine: the
# linker decides.
[ "$1" = yes ] || exit 0
shift

links() {
    echo '#include <hdf5.h>
int main(void) { return H5open() < 0; }' |
        $CC "$@" -x c - -x none -o /dev/null $libraries 2>/dev/null
}

for package in hdf5 hdf5-serial none; do
    includes=
    libraries=-lhdf5
    if [ $package != none ]; then
        includes=$($PKG_CONFIG --cflags $package 2>/dev/null) || continue
        libraries=$($PKG_CONFIG --libs $package 2>/dev/null) || continue
    fi
    if links "$@" $includes; then
        echo "HAS_HDF5 := yes"
        echo "HDF5_CPPFLAGS := $includes"
        echo "HDF5_LDLIBS := $libraries"
        exit 0
    fi
done
