#!/bin/sh
# find_sdl2.sh LOOK FLAGS... - prints the variables of a makefile that say where the
# headers of SDL2 are, and nothing where $CC cannot compile a program with them or LOOK
# is not "yes". The library is not linked: spindle view loads it when it runs, so that
# the other verbs start without it. Older C libraries have the functions for that in
# libdl.
[ "$1" = yes ] || exit 0
shift

compiles() {
    echo '#include <SDL.h>
#include <SDL_opengl.h>
#include <dlfcn.h>
int main(void) { return SDL_MAJOR_VERSION != 2 || !dlopen("x", RTLD_NOW); }' |
        $CC "$@" -x c - -x none -o /dev/null -ldl 2>/dev/null
}

for includes in "$($PKG_CONFIG --cflags sdl2 2>/dev/null)" -I/usr/include/SDL2 -I/usr/local/include/SDL2; do
    # Warnings of their headers are not ours.
    includes=$(printf '%s' "$includes" | sed 's/-I */-isystem /g')
    if compiles "$@" $includes; then
        echo "HAS_SDL2 := yes"
        echo "SDL2_CPPFLAGS := $includes"
        echo "SDL2_LDLIBS := -ldl"
        exit 0
    fi
done
