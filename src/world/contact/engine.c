#include "engine.h"

#include <box2d/box2d.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/// The engine is tuned for bodies of about a metre (it lets them sink 5 mm into each other): a
/// robot of a hand's length is given to it ten times as large. Competition robots have the right size, and are
/// fast: what moves by more than a tenth of a unit must be filed anew.
#define UNITS_PER_M       10.0
#define CROWD_UNITS_PER_M 1.0

/// Walls around the floor reach this far out, so that nothing can be squeezed through them.
#define BORDER_M 2.0

/// Solver steps within one step of the world: with 10 ms about as many a second as the engine's
/// authors recommend (4 at 60 Hz).
#define SUB_STEPS 2

/// More of them where heavy robots jam light pieces.
#define CROWD_SUB_STEPS 4

/// Plastic on wood or cardboard.
#define BODY_FRICTION 0.3f

/// Two outlines touch if their gap is below this: the engine keeps half of it.
#define TOUCH_UNITS 0.01

/// What arrives more slowly than this does not bounce.
#define BOUNCE_M_S 1.0

/// What changes a vehicle's speed by less than this, if it is a piece, it does not feel.
#define LIGHT_M_S 0.03

/// Most contacts of one vehicle that are looked at.
#define CONTACTS 64

/// The engine's table of worlds is a global without a lock.
static atomic_flag worlds_lock = ATOMIC_FLAG_INIT;

static void lock_worlds(void)
{
    while (atomic_flag_test_and_set_explicit(&worlds_lock, memory_order_acquire)) {
    }
}
static void unlock_worlds(void)
{
    atomic_flag_clear_explicit(&worlds_lock, memory_order_release);
}

// --------------------------------------------------------------------------- memory

// The engine does not check what it is given, and nothing can take back a step that is half done: the one place where a library of
// ours ends the program, with a sentence instead of a crash.
static void *allocate(unsigned size, int alignment)
{
    void *const memory = aligned_alloc((size_t)alignment, size);
    if (memory == NULL) {
        (void)fputs("there is not enough memory for the physics engine; the program ends\n", stderr);
        _Exit(1);
    }
    return memory;
}

/// Under the lock.
static void set_allocator(void)
{
    static bool is_set;
    if (!is_set) {
        b2SetAllocator(allocate, free);
        is_set = true;
    }
}

// --------------------------------------------------------------------------- who collides

/// Kinds of shapes, a bit each.
enum {
    SOLID = 1 << 0, ///< Walls, obstacles, bodies and bumpers.
    INTAKE = 1 << 1,
    TUBE = 1 << 2,
    GOAL = 1 << 3,
    ON_FLOOR = 1 << 4, ///< Pieces, as in hy_piece_class.
    IN_INTAKE = 1 << 5,
    ALOFT = 1 << 6,
};

/// What a kind collides with. Intakes are solid to all but pieces, which they let in; a tube also
/// to pieces on the floor, which cannot come in from behind; goals are open from above only.
static b2Filter filter_of(uint64_t kind)
{
    const uint64_t regions = INTAKE | TUBE;
    uint64_t with = 0;
    switch (kind) {
    case SOLID: with = UINT64_MAX; break;
    case INTAKE: with = SOLID | regions | GOAL; break;
    case TUBE: with = SOLID | regions | GOAL | ON_FLOOR; break;
    case GOAL: with = SOLID | regions | ON_FLOOR | IN_INTAKE; break;
    case ON_FLOOR: with = SOLID | TUBE | GOAL | ON_FLOOR | IN_INTAKE; break;
    case IN_INTAKE: with = SOLID | GOAL | ON_FLOOR | IN_INTAKE | ALOFT; break;
    case ALOFT: with = SOLID | IN_INTAKE | ALOFT; break;
    default: break;
    }
    return (b2Filter){ .categoryBits = kind, .maskBits = with };
}

// --------------------------------------------------------------------------- conversions

static b2Vec2 to_units(double units_per_m, hy_vec v_m)
{
    return (b2Vec2){ (float)(v_m.x * units_per_m), (float)(v_m.y * units_per_m) };
}
static hy_vec from_units(double units_per_m, b2Vec2 v)
{
    return (hy_vec){ (double)v.x / units_per_m, (double)v.y / units_per_m };
}
static b2Rot to_rotation(const hy_pose *pose)
{
    return b2NormalizeRot((b2Rot){ (float)pose->cos, (float)pose->sin });
}

/// The engine turns bodies about their centre of mass, so that is where it has their origin.
static hy_vec center_of_mass(const hy_world_model *model, size_t index)
{
    return (hy_vec){ model->vehicle[index].body.com_ahead_m, 0 };
}

static b2BodyId vehicle_body(const hy_engine *engine, size_t index)
{
    return b2LoadBodyId(engine->vehicle[index]);
}

// --------------------------------------------------------------------------- building

static b2ShapeDef shape_definition(uint64_t kind)
{
    b2ShapeDef definition = b2DefaultShapeDef();
    definition.material.friction = BODY_FRICTION;
    definition.material.restitution = 0;
    definition.filter = filter_of(kind);
    definition.enableContactEvents = false; // nobody asks for them
    return definition;
}

typedef struct {
    b2WorldId world;
    double units_per_m;
    hy_vec center_m; ///< Of mass: where the engine has a body's origin.
} builder;

static void add_box(const builder *b, b2BodyId body, hy_vec center_m, hy_vec size_m,
                    const hy_pose *turned)
{
    const b2ShapeDef definition = shape_definition(SOLID);
    const b2Polygon box = b2MakeOffsetBox((float)(size_m.x / 2 * b->units_per_m),
                                          (float)(size_m.y / 2 * b->units_per_m),
                                          to_units(b->units_per_m, center_m), to_rotation(turned));
    b2CreatePolygonShape(body, &definition, &box);
}

static void add_disc(const builder *b, b2BodyId body, hy_vec center_m, double radius_m)
{
    const b2ShapeDef definition = shape_definition(SOLID);
    const b2Circle disc = { to_units(b->units_per_m, center_m), (float)(radius_m * b->units_per_m) };
    b2CreateCircleShape(body, &definition, &disc);
}

/// Polygons whose corners the engine cannot tell apart are left out.
static void add_polygon(const builder *b, b2BodyId body, const hy_point *points, size_t count,
                        uint64_t kind)
{
    b2Vec2 corners[HY_WORLD_CORNERS];
    for (size_t i = 0; i < count; i++) {
        const hy_vec corner_m = { points[i].x_m, points[i].y_m };
        corners[i] = to_units(b->units_per_m, hy_vec_sub(corner_m, b->center_m));
    }
    const b2Hull hull = b2ComputeHull(corners, (int)count);
    if (hull.count < 3) {
        return;
    }
    const b2Polygon outline = b2MakePolygon(&hull, 0);
    const b2ShapeDef shape = shape_definition(kind);
    b2CreatePolygonShape(body, &shape, &outline);
}

static void add_obstacle(const builder *b, b2BodyId ground, const hy_obstacle *obstacle)
{
    switch (obstacle->shape) {
    case HY_OBSTACLE_BOX:
        add_box(b, ground, obstacle->center.at_m, obstacle->size_m, &obstacle->center);
        break;
    case HY_OBSTACLE_DISC: add_disc(b, ground, obstacle->center.at_m, obstacle->radius_m); break;
    case HY_OBSTACLE_POLYGON:
        add_polygon(b, ground, obstacle->outline, obstacle->outline_count, SOLID);
        break;
    }
}

static void add_border(const builder *b, b2BodyId ground, const hy_world_model *model)
{
    for (size_t i = 0; i < model->border_wall_count; i++) {
        add_polygon(b, ground, model->border_wall[i].corners, 4, SOLID);
    }
    const double w = model->width_m;
    const double h = model->height_m;
    const double out = BORDER_M;
    const hy_pose straight = hy_pose_make(0, 0, 0);
    add_box(b, ground, (hy_vec){ w / 2, -out / 2 }, (hy_vec){ w + 2 * out, out }, &straight);
    add_box(b, ground, (hy_vec){ w / 2, h + out / 2 }, (hy_vec){ w + 2 * out, out }, &straight);
    add_box(b, ground, (hy_vec){ -out / 2, h / 2 }, (hy_vec){ out, h + 2 * out }, &straight);
    add_box(b, ground, (hy_vec){ w + out / 2, h / 2 }, (hy_vec){ out, h + 2 * out }, &straight);
}

static uint64_t add_field(const builder *b, const hy_world_model *model)
{
    const b2BodyDef definition = b2DefaultBodyDef();
    const b2BodyId ground = b2CreateBody(b->world, &definition);
    for (size_t i = 0; i < model->obstacle_count; i++) {
        add_obstacle(b, ground, &model->obstacles[i]);
    }
    add_border(b, ground, model);
    for (size_t i = 0; i < model->goal_count; i++) {
        add_polygon(b, ground, model->goal[i].corners, model->goal[i].count, GOAL);
    }
    return b2StoreBodyId(ground);
}

static uint64_t kind_of_part(hy_world_part_kind kind)
{
    return kind == HY_PART_BODY || kind == HY_PART_BUMPER ? SOLID
           : kind == HY_PART_TUBE                         ? TUBE
                                                          : INTAKE;
}

static uint64_t add_vehicle(const builder *b, const hy_world_model *model, size_t index)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    builder centered = *b;
    centered.center_m = center_of_mass(model, index);
    b2BodyDef definition = b2DefaultBodyDef();
    definition.type = b2_dynamicBody;
    definition.enableSleep = false; // its drive decides when it rests
    definition.isEnabled = false;
    const b2BodyId body = b2CreateBody(b->world, &definition);
    for (size_t i = 0; i < vehicle->hull_count; i++) {
        const hy_world_part *part = &vehicle->hull[i];
        add_polygon(&centered, body, part->corners, part->count, kind_of_part(part->kind));
    }
    b2Body_SetMassData(body, (b2MassData){
                                 .mass = (float)vehicle->body.mass_kg,
                                 .rotationalInertia = (float)(vehicle->body.inertia_kg_m2 *
                                                              b->units_per_m * b->units_per_m),
                             });
    return b2StoreBodyId(body);
}

static void add_piece(const builder *b, hy_engine *engine, const hy_pieces_model *pieces,
                      size_t index)
{
    b2BodyDef definition = b2DefaultBodyDef();
    definition.type = b2_dynamicBody;
    definition.position = to_units(b->units_per_m, pieces->at_m[index]);
    definition.angularDamping = 1; // what spins on a floor comes to rest
    const b2BodyId body = b2CreateBody(b->world, &definition);
    const b2Circle disc = { { 0, 0 }, (float)(pieces->radius_m * b->units_per_m) };
    b2ShapeDef shape = shape_definition(ON_FLOOR);
    shape.material.friction = (float)pieces->friction;
    shape.material.restitution = (float)pieces->restitution;
    const b2ShapeId id = b2CreateCircleShape(body, &shape, &disc);
    const float units = (float)(pieces->radius_m * b->units_per_m);
    const float mass = (float)pieces->mass_kg;
    b2Body_SetMassData(
        body, (b2MassData){ .mass = mass, .rotationalInertia = 0.5f * mass * units * units });
    engine->piece[index] = b2StoreBodyId(body);
    engine->piece_shape[index] = b2StoreShapeId(id);
}

static bool has_crowd(const hy_world_model *model)
{
    for (size_t i = 0; i < model->vehicle_count; i++) {
        if (model->vehicle[i].stays_in_engine) {
            return true;
        }
    }
    return false;
}

static b2WorldDef world_definition(double units_per_m)
{
    b2WorldDef definition = b2DefaultWorldDef();
    definition.gravity = (b2Vec2){ 0, 0 };
    definition.restitutionThreshold = (float)(BOUNCE_M_S * units_per_m);
    return definition;
}

static double units_of(const hy_world_model *model)
{
    return has_crowd(model) ? CROWD_UNITS_PER_M : UNITS_PER_M;
}

static void fill(hy_engine *engine, const hy_world_model *model, b2WorldId world)
{
    const double units_per_m = units_of(model);
    engine->world = b2StoreWorldId(world);
    engine->units_per_m = units_per_m;
    const builder b = { world, units_per_m, { 0, 0 } };
    engine->field = add_field(&b, model);
    for (size_t i = 0; i < model->vehicle_count; i++) {
        engine->vehicle[i] = add_vehicle(&b, model, i);
    }
    for (size_t i = 0; i < model->pieces.count; i++) {
        add_piece(&b, engine, &model->pieces, i);
    }
}

bool hy_engine_start(hy_engine *engine, const hy_world_model *model)
{
    const b2WorldDef definition = world_definition(units_of(model));
    lock_worlds();
    set_allocator();
    const b2WorldId world = b2CreateWorld(&definition);
    unlock_worlds();
    if (B2_IS_NULL(world)) {
        return false;
    }
    fill(engine, model, world);
    return true;
}

void hy_engine_restart(hy_engine *engine, const hy_world_model *model)
{
    const b2WorldDef definition = world_definition(units_of(model));
    lock_worlds(); // over both calls: nobody else may take the place that becomes free
    b2DestroyWorld(b2LoadWorldId(engine->world));
    const b2WorldId world = b2CreateWorld(&definition);
    unlock_worlds();
    fill(engine, model, world);
}

void hy_engine_end(hy_engine *engine)
{
    lock_worlds();
    b2DestroyWorld(b2LoadWorldId(engine->world));
    unlock_worlds();
    *engine = (hy_engine){ 0 };
}

// --------------------------------------------------------------------------- stepping

void hy_engine_enter(const hy_engine *engine, size_t index)
{
    b2Body_Enable(vehicle_body(engine, index));
}

void hy_engine_leave(const hy_engine *engine, size_t index)
{
    b2Body_Disable(vehicle_body(engine, index));
}

void hy_engine_place(const hy_engine *engine, const hy_world_model *model, size_t index,
                     const hy_pose *pose)
{
    const hy_vec center = hy_pose_point(pose, center_of_mass(model, index));
    b2Body_SetTransform(vehicle_body(engine, index), to_units(engine->units_per_m, center),
                        to_rotation(pose));
}

/// Pushes a body so that, left alone, its motion becomes `wanted`: as forces, which the engine spreads
/// over its sub-steps. A robot that pushes a wall would otherwise hit it anew in every step.
static void push_vehicle(const hy_engine *engine, const hy_world_model *model, size_t index,
                         const hy_engine_body *body, hy_motion wanted)
{
    const b2BodyId id = vehicle_body(engine, index);
    const hy_motion now = body->motion;
    const hy_pose end = hy_pose_make(0, 0, body->pose.heading_rad + wanted.turn * model->step_s);
    const hy_vec velocity = hy_pose_turn(&body->pose, (hy_vec){ now.x, now.y });
    const hy_vec goal = hy_pose_turn(&end, (hy_vec){ wanted.x, wanted.y });
    const hy_body_model *model_of_body = &model->vehicle[index].body;
    const double per_s = 1 / model->step_s;
    const hy_vec force = hy_vec_scale(hy_vec_sub(goal, velocity), model_of_body->mass_kg * per_s);
    const double torque = (wanted.turn - now.turn) * model_of_body->inertia_kg_m2 * per_s;
    b2Body_ApplyForceToCenter(id, to_units(engine->units_per_m, force), true);
    b2Body_ApplyTorque(id, (float)(torque * engine->units_per_m * engine->units_per_m), true);
}

void hy_engine_drive(const hy_engine *engine, const hy_world_model *model, size_t index,
                     const hy_engine_body *body, hy_motion wanted)
{
    const b2BodyId id = vehicle_body(engine, index);
    const hy_motion now = body->motion;
    const hy_vec velocity = hy_pose_turn(&body->pose, (hy_vec){ now.x, now.y });
    b2Body_SetLinearVelocity(id, to_units(engine->units_per_m, velocity));
    b2Body_SetAngularVelocity(id, (float)now.turn);
    push_vehicle(engine, model, index, body, wanted);
}

/// How far the engine's place of a vehicle is from `pose`, and how it is turned against it.
static hy_vec place_error(const hy_engine *engine, const hy_world_model *model, size_t index,
                          const hy_pose *pose, double *turned_rad)
{
    const b2Transform at = b2Body_GetTransform(vehicle_body(engine, index));
    const double c = (double)at.q.c, s = (double)at.q.s;
    const hy_vec center = hy_pose_point(pose, center_of_mass(model, index));
    *turned_rad = hy_atan2(pose->sin * c - pose->cos * s, pose->cos * c + pose->sin * s);
    return hy_vec_sub(center, from_units(engine->units_per_m, at.p));
}

void hy_engine_follow(const hy_engine *engine, const hy_world_model *model, size_t index,
                      const hy_engine_body *body, hy_motion wanted)
{
    const b2BodyId id = vehicle_body(engine, index);
    const double per_s = 1 / model->step_s;
    const hy_motion now = body->motion;
    double turned_rad;
    const hy_vec off = place_error(engine, model, index, &body->pose, &turned_rad);
    const hy_vec velocity = hy_pose_turn(&body->pose, (hy_vec){ now.x, now.y });
    b2Body_SetLinearVelocity(
        id, to_units(engine->units_per_m, hy_vec_add(velocity, hy_vec_scale(off, per_s))));
    b2Body_SetAngularVelocity(id, (float)(now.turn + turned_rad * per_s));
    push_vehicle(engine, model, index, body, wanted);
}

void hy_engine_move_to(const hy_engine *engine, const hy_world_model *model, size_t index,
                       const hy_pose *end)
{
    const b2BodyId id = vehicle_body(engine, index);
    const double per_s = 1 / model->step_s;
    double turned_rad;
    const hy_vec off = place_error(engine, model, index, end, &turned_rad);
    b2Body_SetLinearVelocity(id, to_units(engine->units_per_m, hy_vec_scale(off, per_s)));
    b2Body_SetAngularVelocity(id, (float)(turned_rad * per_s));
}

void hy_engine_step(const hy_engine *engine, double step_s, int substeps)
{
    const b2WorldId world = b2LoadWorldId(engine->world);
    const int sub_steps =
        engine->units_per_m == UNITS_PER_M || substeps > 1 ? SUB_STEPS : CROWD_SUB_STEPS;
    for (int i = 0; i < substeps; i++) {
        b2World_Step(world, (float)(step_s / substeps), sub_steps);
    }
}

/// The impulse of a contact; negative if there is a gap.
static double pressure(const hy_engine *engine, const b2Manifold *manifold)
{
    bool touching = false;
    double units = 0;
    for (int k = 0; k < manifold->pointCount; k++) {
        const b2ManifoldPoint *point = &manifold->points[k];
        // The engine also brakes what would arrive within the step.
        touching =
            touching || point->totalNormalImpulse > 0 || (double)point->separation < TOUCH_UNITS;
        units += (double)point->totalNormalImpulse;
    }
    return touching ? units / engine->units_per_m : -1;
}

static bool is_of(b2ShapeId shape, uint64_t body)
{
    return b2StoreBodyId(b2Shape_GetBody(shape)) == body;
}

static bool is_piece(b2ShapeId shape)
{
    return (b2Shape_GetFilter(shape).categoryBits & (ON_FLOOR | IN_INTAKE | ALOFT)) != 0;
}

/// A piece that is kicked away does not slow a robot down that anyone could tell; one that is jammed does.
static hy_engine_touch touches(const hy_engine *engine, b2BodyId id, double mass_kg)
{
    hy_engine_touch touch = { false, false };
    b2ContactData contacts[CONTACTS];
    const int count = b2Body_GetContactData(id, contacts, CONTACTS);
    for (int i = 0; i < count && !touch.field; i++) {
        const b2ContactData *contact = &contacts[i];
        const double impulse = pressure(engine, &contact->manifold);
        if (impulse < 0 || (impulse < LIGHT_M_S * mass_kg &&
                            (is_piece(contact->shapeIdA) || is_piece(contact->shapeIdB)))) {
            continue;
        }
        touch.any = true;
        touch.field =
            is_of(contact->shapeIdA, engine->field) || is_of(contact->shapeIdB, engine->field);
    }
    return touch;
}

hy_engine_touch hy_engine_touched(const hy_engine *engine, const hy_world_model *model,
                                  size_t index, hy_engine_body *body)
{
    const b2BodyId id = vehicle_body(engine, index);
    const hy_engine_touch touch = touches(engine, id, model->vehicle[index].body.mass_kg);
    if (!touch.any) {
        return touch;
    }
    const b2Transform at = b2Body_GetTransform(id);
    const double c = (double)at.q.c;
    const double s = (double)at.q.s;
    // The engine knows directions only: the turn since the step before keeps whole turns.
    const double turned_rad =
        hy_atan2(s * body->pose.cos - c * body->pose.sin, c * body->pose.cos + s * body->pose.sin);
    hy_pose pose = hy_pose_make(0, 0, body->pose.heading_rad + turned_rad);
    const hy_vec to_center = hy_pose_turn(&pose, center_of_mass(model, index));
    pose.at_m = hy_vec_sub(from_units(engine->units_per_m, at.p), to_center);

    // The velocities that the engine holds are remains of its solver, which would turn the wheels of
    // a robot that stands at a wall. What counts is the way that was gone.
    const double turn = turned_rad / model->step_s;
    const hy_vec moved = hy_vec_sub(pose.at_m, body->pose.at_m);
    const hy_vec axle = hy_pose_turn_back(&pose, hy_vec_scale(moved, 1 / model->step_s));
    const double com_m = model->vehicle[index].body.com_ahead_m;
    *body = (hy_engine_body){ pose, { axle.x, axle.y + com_m * turn, turn } };
    return touch;
}

// --------------------------------------------------------------------------- pieces

static b2BodyId piece_body(const hy_engine *engine, size_t index)
{
    return b2LoadBodyId(engine->piece[index]);
}

void hy_engine_piece(const hy_engine *engine, size_t index, hy_vec *at_m, hy_vec *velocity_m_s)
{
    *at_m = from_units(engine->units_per_m, b2Body_GetPosition(piece_body(engine, index)));
    *velocity_m_s =
        from_units(engine->units_per_m, b2Body_GetLinearVelocity(piece_body(engine, index)));
}

bool hy_engine_piece_is_awake(const hy_engine *engine, size_t index)
{
    return b2Body_IsAwake(piece_body(engine, index));
}

void hy_engine_piece_push(const hy_engine *engine, size_t index, hy_vec velocity_m_s)
{
    b2Body_SetLinearVelocity(piece_body(engine, index), to_units(engine->units_per_m, velocity_m_s));
}

void hy_engine_piece_place(const hy_engine *engine, size_t index, hy_vec at_m)
{
    const b2BodyId id = piece_body(engine, index);
    b2Body_SetTransform(id, to_units(engine->units_per_m, at_m), b2Rot_identity);
    b2Body_SetAngularVelocity(id, 0);
    b2Body_SetAwake(id, true);
}

void hy_engine_piece_sort(const hy_engine *engine, size_t index, hy_piece_class class)
{
    static const uint64_t kinds[] = {
        [HY_PIECE_ON_FLOOR] = ON_FLOOR, [HY_PIECE_IN_INTAKE] = IN_INTAKE, [HY_PIECE_ALOFT] = ALOFT
    };
    b2Shape_SetFilter(b2LoadShapeId(engine->piece_shape[index]), filter_of(kinds[class]));
}

// --------------------------------------------------------------------------- the engine's clock
// Box2D reads the clock some 40 times a step for a profile that nobody asks for, which costs a fifth of a step. These are all
// functions of its timer.c: a linker that has them already leaves that file out of the static library. They stand in this file,
// because a program that uses the engine needs it, so that they are seen before Box2D's. With Box2D as a shared library they
// are without effect.

uint64_t b2GetTicks(void)
{
    return 0;
}

float b2GetMilliseconds(uint64_t ticks)
{
    (void)ticks;
    return 0;
}

float b2GetMillisecondsAndReset(uint64_t *ticks)
{
    *ticks = 0;
    return 0;
}

/// Only Box2D's other threads wait, and it is given none.
void b2Yield(void) {}

/// Box2D's own: a program of a user may call it.
uint32_t b2Hash(uint32_t hash, const uint8_t *data, int count)
{
    for (int i = 0; i < count; i++) {
        hash = (hash << 5) + hash + data[i];
    }
    return hash;
}
