// Strokes as the canvas standard says: the line's width is in user space, so that a matrix that squeezes squeezes it
// too.
//
// A stroke is the union of a rectangle for each segment, a join at each corner and a cap at each end. All of them are
// walked in the same sense, so that the sum of their winding numbers is nowhere zero inside the union; edges that two
// of them share in opposite directions are left out.
#include "paint.h"

enum { BUTT, ROUND, SQUARE };
enum { MITER, ROUND_JOIN, BEVEL };

typedef struct {
  float x, y;
} Point;

// A normal of half the line's width towards its left: in user space, and as it is on the canvas, in sixteenths.
typedef struct {
  Point user, device;
} Normal;

static float half_width;

static Point to_device(Point p) {
  return (Point){SUB_PIXELS * (matrix.a * p.x + matrix.c * p.y + matrix.e),
                 SUB_PIXELS * (matrix.b * p.x + matrix.d * p.y + matrix.f)};
}

static Point direction_to_device(Point p) {
  return (Point){SUB_PIXELS * (matrix.a * p.x + matrix.c * p.y), SUB_PIXELS * (matrix.b * p.x + matrix.d * p.y)};
}

static inline Normal normal_of(Point from, Point to) {
  const float dx = to.x - from.x, dy = to.y - from.y;
  const float scale = half_width / __builtin_sqrtf(dx * dx + dy * dy);
  const Point user = {dy * scale, -dx * scale};
  return (Normal){user, direction_to_device(user)};
}

static inline Fixed place(Point p) {
  const v128_t fixed = to_fixed(wasm_f32x4_make(p.x, p.y, 0, 0));
  return (Fixed){wasm_i32x4_extract_lane(fixed, 0), wasm_i32x4_extract_lane(fixed, 1)};
}

static inline Fixed beside(Point p, Point offset) { return place((Point){p.x + offset.x, p.y + offset.y}); }

// The two places beside a point of the line.
typedef struct {
  Fixed left, right;
} Sides;

static inline Sides sides_of(Point p, Normal normal) {
  const Point n = normal.device;
  const v128_t fixed = to_fixed(wasm_f32x4_make(p.x + n.x, p.y + n.y, p.x - n.x, p.y - n.y));
  return (Sides){{wasm_i32x4_extract_lane(fixed, 0), wasm_i32x4_extract_lane(fixed, 1)},
                 {wasm_i32x4_extract_lane(fixed, 2), wasm_i32x4_extract_lane(fixed, 3)}};
}

// The half circle, or less, around `centre` on the canvas from user space offset `from` clockwise to offset `to`.
static void add_arc(Point centre, Point from, Point to) {
  // Steps by a fixed small angle: 1/16 of a right angle is under a hundredth of a pixel off for lines up to 8 wide.
  const float cosine = 0.99518473f, sine = 0.09801714f;
  Fixed last = beside(centre, direction_to_device(from));
  Point p = from;
  for (int step = 0; step < 32; step++) {
    p = (Point){p.x * cosine - p.y * sine, p.x * sine + p.y * cosine};
    if (p.x * to.y - p.y * to.x <= 0 && p.x * to.x + p.y * to.y > 0) break;
    const Fixed next = beside(centre, direction_to_device(p));
    add_edge(last, next);
    last = next;
  }
  add_edge(last, beside(centre, direction_to_device(to)));
}

static Point opposite(Point p) { return (Point){-p.x, -p.y}; }

// The corner at `p` between segments with normals n and m, whose sides end and begin at `in` and `out`.
static void add_join(Point p, Normal n, Normal m, Sides in, Sides out, int32_t join, float miter_limit) {
  const Fixed centre = place(p);
  const float turn = n.user.x * m.user.y - n.user.y * m.user.x;
  // Left of the line runs forward and right of it backward. The outer side is the left one where the line turns right,
  // that is where `turn` is positive (y points down).
  const int on_left = turn > 0;
  const Fixed first = on_left ? in.left : out.right, last = on_left ? out.left : in.right;
  if (on_left) {
    add_edge(centre, in.right);
    add_edge(out.right, centre);
  } else {
    add_edge(in.left, centre);
    add_edge(centre, out.left);
  }
  if (join == ROUND_JOIN) {
    add_arc(p, on_left ? n.user : opposite(m.user), on_left ? m.user : opposite(n.user));
    return;
  }
  // Where u is half the angle between the normals, the tip is 1 / cos u half widths away; 1 + along / square = 2
  // cos^2 u.
  const float along = n.user.x * m.user.x + n.user.y * m.user.y, twice_cos2 = 1 + along / (half_width * half_width);
  if (join == MITER && twice_cos2 * miter_limit * miter_limit >= 2) {
    const float scale = (on_left ? 1.0f : -1.0f) / twice_cos2;
    const Fixed tip =
        beside(p, (Point){(n.device.x + m.device.x) * scale, (n.device.y + m.device.y) * scale});
    add_edge(first, tip);
    add_edge(tip, last);
  } else {
    add_edge(first, last);
  }
}

// The end of an open line at `p`, from its left side around to its right; `n` is the left normal of a walk to the end.
static void add_cap(Point p, Normal n, int32_t cap) {
  const Sides sides = sides_of(p, n);
  if (cap == ROUND) {
    add_arc(p, n.user, opposite(n.user));
  } else if (cap == SQUARE) {
    const Point ahead = direction_to_device((Point){-n.user.y, n.user.x});
    const Sides tips = sides_of((Point){p.x + ahead.x, p.y + ahead.y}, n);
    add_edge(sides.left, tips.left);
    add_edge(tips.left, tips.right);
    add_edge(tips.right, sides.right);
  } else {
    add_edge(sides.left, sides.right);
  }
}

static inline int same(Point a, Point b) { return a.x == b.x && a.y == b.y; }

static void stroke_contour(const Point *p, int32_t count, int closed, int32_t cap, int32_t join, float miter_limit) {
  while (closed && count > 1 && same(p[count - 1], p[0])) count--;
  int32_t next = 1;
  while (next < count && same(p[next], p[0])) next++;
  if (next >= count) return;
  Point to = p[next];
  const Normal first_normal = normal_of(p[0], to);
  const Point first_place = to_device(p[0]);
  const Sides first_sides = sides_of(first_place, first_normal);
  Normal normal = first_normal;
  Sides start = first_sides;
  if (!closed) add_cap(first_place, (Normal){opposite(normal.user), opposite(normal.device)}, cap);
  for (int closing = 0;;) {
    const Point to_place = to_device(to);
    const Sides end = sides_of(to_place, normal);
    add_edge(start.left, end.left);
    add_edge(end.right, start.right);
    if (closing) {
      add_join(to_place, normal, first_normal, end, first_sides, join, miter_limit);
      return;
    }
    do next++;
    while (next < count && same(p[next], to));
    if (next >= count && !closed) {
      add_cap(to_place, normal, cap);
      return;
    }
    closing = next >= count;
    const Point following = closing ? p[0] : p[next];
    const Normal turned = normal_of(to, following);
    start = sides_of(to_place, turned);
    add_join(to_place, normal, turned, end, start, join, miter_limit);
    to = following, normal = turned;
  }
}

EXPORT(stroke_path) void stroke_path(int32_t contours, float width, int32_t cap, int32_t join, float miter_limit) {
  half_width = 0.5f * width;
  begin_stroke();
  int32_t at = 0;
  for (int32_t contour = 0; contour < contours; contour++) {
    const int32_t end = contour_ends[contour];
    stroke_contour((const Point *)points + at, end - at, contour_closed[contour], cap, join, miter_limit);
    at = end;
  }
  sweep();
}
