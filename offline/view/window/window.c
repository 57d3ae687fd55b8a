/* window.c - SDL's window and events. */
/* SPDX-License-Identifier: MIT */
#include "view/window/window.h"

#include "view/view_overlay.h"

#define SAMPLES 4
/* Radians for a drag over the whole height. */
#define TURN 4.0f

static bool refuse(const struct window *window, const char *what,
                   struct diag *diag)
{
    return diag_io(diag, "view", 0, "%s: %s", what, window->sdl.GetError());
}

static bool open_with(struct window *window, const char *title, int width,
                      int height, int samples)
{
    const struct sdl_library *sdl = &window->sdl;

    sdl->GL_SetAttribute(SDL_GL_MULTISAMPLEBUFFERS, samples > 0);
    sdl->GL_SetAttribute(SDL_GL_MULTISAMPLESAMPLES, samples);
    window->window = sdl->CreateWindow(
        title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height,
        SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (!window->window)
        return false;
    window->context = sdl->GL_CreateContext(window->window);
    if (window->context)
        return true;
    sdl->DestroyWindow(window->window);
    window->window = NULL;
    return false;
}

static void measure(struct window *window)
{
    int width = 0;
    int height = 0;

    window->sdl.GL_GetDrawableSize(window->window, &width, &height);
    window->width = width > 0 ? (uint32_t)width : 1;
    window->height = height > 0 ? (uint32_t)height : 1;
}

bool window_open(struct window *window, const char *title, uint32_t width,
                 uint32_t height, bool waits, struct diag *diag)
{
    const struct sdl_library *sdl = &window->sdl;

    sdl->SetMainReady();
    /* The tool removes its temporaries on signals itself. */
    sdl->SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    if (sdl->Init(SDL_INIT_VIDEO) != 0)
        return refuse(window, "no display", diag);
    sdl->GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    sdl->GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    sdl->GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK,
                         SDL_GL_CONTEXT_PROFILE_CORE);
    sdl->GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
    sdl->GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    if (!open_with(window, title, (int)width, (int)height, SAMPLES) &&
        !open_with(window, title, (int)width, (int)height, 0))
        return refuse(window, "no window with OpenGL 3.3", diag);
    (void)sdl->GL_SetSwapInterval(waits ? 1 : 0);
    measure(window);
    return gl_library_load(&window->gl, sdl, diag);
}

void window_close(struct window *window)
{
    const struct sdl_library *sdl = &window->sdl;

    if (window->context)
        sdl->GL_DeleteContext(window->context);
    if (window->window)
        sdl->DestroyWindow(window->window);
    if (sdl->Quit)
        sdl->Quit();
}

/* -- input -- */

static int key_of(SDL_Keycode code)
{
    switch (code) {
    case SDLK_LEFT:
        return VIEW_KEY_LEFT;
    case SDLK_RIGHT:
        return VIEW_KEY_RIGHT;
    case SDLK_UP:
        return VIEW_KEY_UP;
    case SDLK_DOWN:
        return VIEW_KEY_DOWN;
    case SDLK_HOME:
        return VIEW_KEY_HOME;
    case SDLK_END:
        return VIEW_KEY_END;
    default:
        return code > 0 && code < 128 ? (int)code : 0;
    }
}

/* Characters of the filter depend on the layout of the keyboard. The key that
 * begins it has a character, too. */
static void type_text(struct window *window, struct view_controls *controls,
                      const char *text)
{
    if (window->skips_text)
        text = "";
    window->skips_text = false;
    for (; controls->is_typing && *text; text++)
        (void)view_controls_press(controls, (unsigned char)*text);
}

static void press_key(struct window *window, struct view_controls *controls,
                      const SDL_KeyboardEvent *e)
{
    int key = key_of(e->keysym.sym);
    bool is_text = key >= ' ' && key < 127;
    bool was_typing = controls->is_typing;

    if (key != 0 && !(was_typing && is_text))
        (void)view_controls_press(controls, key);
    window->skips_text = controls->is_typing && !was_typing;
}

/* Pixels of the picture for one of the window. */
static float pixel_scale(const struct window *window)
{
    int width = 0;
    int height = 0;

    window->sdl.GetWindowSize(window->window, &width, &height);
    return width > 0 ? (float)window->width / (float)width : 1;
}

static void press_button(struct window *window, struct view_controls *controls,
                         const SDL_MouseButtonEvent *e)
{
    float scale = pixel_scale(window);
    double share;

    if (e->button != SDL_BUTTON_LEFT) {
        window->drag = DRAG_PAN;
        return;
    }
    window->drag = DRAG_ORBIT;
    if (controls->has_overlay &&
        view_overlay_time_at(window->width, window->height, (float)e->x * scale,
                             (float)e->y * scale, &share)) {
        window->drag = DRAG_TIME;
        view_controls_scrub(controls, share);
    }
}

static void move_mouse(struct window *window, struct view_controls *controls,
                       struct orbit *orbit, const SDL_MouseMotionEvent *e)
{
    float scale = pixel_scale(window);
    float height = (float)window->height / scale;
    double share;

    controls->mouse[0] = (float)e->x * scale;
    controls->mouse[1] = (float)e->y * scale;
    switch (window->drag) {
    case DRAG_NOTHING:
        break;
    case DRAG_ORBIT:
        orbit_turn(orbit, -TURN * (float)e->xrel / height,
                   TURN * (float)e->yrel / height);
        break;
    case DRAG_PAN:
        orbit_pan(orbit, -(float)e->xrel / height, (float)e->yrel / height,
                  window->width, window->height);
        break;
    case DRAG_TIME:
        (void)view_overlay_time_at(window->width, window->height,
                                   (float)e->x * scale, (float)e->y * scale,
                                   &share);
        view_controls_scrub(controls, share);
        break;
    }
}

void window_poll(struct window *window, struct view_controls *controls,
                 struct orbit *orbit)
{
    SDL_Event e;

    while (window->sdl.PollEvent(&e))
        switch (e.type) {
        case SDL_QUIT:
            controls->wants_end = true;
            break;
        case SDL_KEYDOWN:
            press_key(window, controls, &e.key);
            break;
        case SDL_TEXTINPUT:
            type_text(window, controls, e.text.text);
            break;
        case SDL_MOUSEBUTTONDOWN:
            press_button(window, controls, &e.button);
            break;
        case SDL_MOUSEBUTTONUP:
            window->drag = DRAG_NOTHING;
            break;
        case SDL_MOUSEMOTION:
            move_mouse(window, controls, orbit, &e.motion);
            break;
        case SDL_MOUSEWHEEL:
            orbit_zoom(orbit, (float)e.wheel.y);
            break;
        default:
            break;
        }
    measure(window);
}

void window_swap(struct window *window)
{
    window->sdl.GL_SwapWindow(window->window);
}
