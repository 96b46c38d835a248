#include "engine.h"

#include <box2d/box2d.h>
#include <stdatomic.h>

/// The engine is tuned for bodies of about a metre (it lets them sink 5 mm into each other): a
/// robot of a hand's length is given to it ten times as large.
#define UNITS_PER_M 10.0

/// Walls around the floor reach this far out, so that nothing can be squeezed through them.
#define BORDER_M 2.0

/// Solver steps within one step of the world: with 10 ms about as many a second as the engine's
/// authors recommend (4 at 60 Hz).
#define SUB_STEPS 2

/// Plastic on wood or cardboard.
#define BODY_FRICTION 0.3f

/// Two outlines touch if their gap is below this: the engine keeps half a millimetre.
#define TOUCH_M 0.001

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

// --------------------------------------------------------------------------- conversions

static b2Vec2 to_units(hy_vec v_m)
{
    return (b2Vec2){ (float)(v_m.x * UNITS_PER_M), (float)(v_m.y * UNITS_PER_M) };
}
static hy_vec from_units(b2Vec2 v)
{
    return (hy_vec){ (double)v.x / UNITS_PER_M, (double)v.y / UNITS_PER_M };
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

static b2ShapeDef shape_definition(void)
{
    b2ShapeDef definition = b2DefaultShapeDef();
    definition.material.friction = BODY_FRICTION;
    definition.material.restitution = 0;
    return definition;
}

static void add_box(b2BodyId body, hy_vec center_m, hy_vec size_m, const hy_pose *turned)
{
    const b2ShapeDef definition = shape_definition();
    const b2Polygon box =
        b2MakeOffsetBox((float)(size_m.x / 2 * UNITS_PER_M), (float)(size_m.y / 2 * UNITS_PER_M),
                        to_units(center_m), to_rotation(turned));
    b2CreatePolygonShape(body, &definition, &box);
}

static void add_disc(b2BodyId body, hy_vec center_m, double radius_m)
{
    const b2ShapeDef definition = shape_definition();
    const b2Circle disc = { to_units(center_m), (float)(radius_m * UNITS_PER_M) };
    b2CreateCircleShape(body, &definition, &disc);
}

static void add_fixed(b2WorldId world, const hy_world_model *model)
{
    const b2BodyDef definition = b2DefaultBodyDef();
    const b2BodyId ground = b2CreateBody(world, &definition);
    for (size_t i = 0; i < model->obstacle_count; i++) {
        const hy_obstacle *obstacle = &model->obstacles[i];
        if (obstacle->shape == HY_OBSTACLE_BOX) {
            add_box(ground, obstacle->center.at_m, obstacle->size_m, &obstacle->center);
        } else {
            add_disc(ground, obstacle->center.at_m, obstacle->radius_m);
        }
    }
    const double w = model->width_m;
    const double h = model->height_m;
    const double out = BORDER_M;
    const hy_pose straight = hy_pose_make(0, 0, 0);
    add_box(ground, (hy_vec){ w / 2, -out / 2 }, (hy_vec){ w + 2 * out, out }, &straight);
    add_box(ground, (hy_vec){ w / 2, h + out / 2 }, (hy_vec){ w + 2 * out, out }, &straight);
    add_box(ground, (hy_vec){ -out / 2, h / 2 }, (hy_vec){ out, h + 2 * out }, &straight);
    add_box(ground, (hy_vec){ w + out / 2, h / 2 }, (hy_vec){ out, h + 2 * out }, &straight);
}

static uint64_t add_vehicle(b2WorldId world, const hy_world_model *model, size_t index)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    b2BodyDef definition = b2DefaultBodyDef();
    definition.type = b2_dynamicBody;
    definition.enableSleep = false; // its drive decides when it rests
    definition.isEnabled = false;
    const b2BodyId body = b2CreateBody(world, &definition);

    b2Vec2 corners[HY_VEHICLE_CORNERS];
    for (size_t i = 0; i < HY_VEHICLE_CORNERS; i++) {
        corners[i] = to_units(hy_vec_sub(vehicle->corner_m[i], center_of_mass(model, index)));
    }
    const b2Hull hull = b2ComputeHull(corners, HY_VEHICLE_CORNERS);
    const b2Polygon outline = b2MakePolygon(&hull, 0);
    const b2ShapeDef shape = shape_definition();
    b2CreatePolygonShape(body, &shape, &outline);
    b2Body_SetMassData(body, (b2MassData){
                                 .mass = (float)vehicle->body.mass_kg,
                                 .rotationalInertia = (float)(vehicle->body.inertia_kg_m2 *
                                                              UNITS_PER_M * UNITS_PER_M),
                             });
    return b2StoreBodyId(body);
}

bool hy_engine_start(hy_engine *engine, const hy_world_model *model)
{
    b2WorldDef definition = b2DefaultWorldDef();
    definition.gravity = (b2Vec2){ 0, 0 };
    lock_worlds();
    const b2WorldId world = b2CreateWorld(&definition);
    unlock_worlds();
    if (B2_IS_NULL(world)) {
        return false;
    }
    engine->world = b2StoreWorldId(world);
    add_fixed(world, model);
    for (size_t i = 0; i < model->vehicle_count; i++) {
        engine->vehicle[i] = add_vehicle(world, model, i);
    }
    return true;
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
    b2Body_SetTransform(vehicle_body(engine, index), to_units(center), to_rotation(pose));
}

void hy_engine_drive(const hy_engine *engine, const hy_world_model *model, size_t index,
                     const hy_engine_body *body, hy_motion wanted)
{
    const b2BodyId id = vehicle_body(engine, index);
    const hy_motion now = body->motion;
    const hy_pose end = hy_pose_make(0, 0, body->pose.heading_rad + wanted.turn * model->step_s);
    const hy_vec velocity = hy_pose_turn(&body->pose, (hy_vec){ now.x, now.y });
    const hy_vec goal = hy_pose_turn(&end, (hy_vec){ wanted.x, wanted.y });
    // As forces, which the engine spreads over its sub-steps: a robot that pushes a wall would
    // otherwise hit it anew in every step.
    const hy_body_model *model_of_body = &model->vehicle[index].body;
    const double per_s = 1 / model->step_s;
    const hy_vec force = hy_vec_scale(hy_vec_sub(goal, velocity), model_of_body->mass_kg * per_s);
    const double torque = (wanted.turn - now.turn) * model_of_body->inertia_kg_m2 * per_s;
    b2Body_SetLinearVelocity(id, to_units(velocity));
    b2Body_SetAngularVelocity(id, (float)now.turn);
    b2Body_ApplyForceToCenter(id, to_units(force), true);
    b2Body_ApplyTorque(id, (float)(torque * UNITS_PER_M * UNITS_PER_M), true);
}

void hy_engine_step(const hy_engine *engine, double step_s)
{
    b2World_Step(b2LoadWorldId(engine->world), (float)step_s, SUB_STEPS);
}

static bool touches(b2BodyId id)
{
    b2ContactData contacts[8];
    const int count = b2Body_GetContactData(id, contacts, 8);
    for (int i = 0; i < count; i++) {
        const b2Manifold *manifold = &contacts[i].manifold;
        for (int k = 0; k < manifold->pointCount; k++) {
            const b2ManifoldPoint *point = &manifold->points[k];
            // The engine also brakes what would arrive within the step.
            if (point->totalNormalImpulse > 0 || (double)point->separation < TOUCH_M * UNITS_PER_M) {
                return true;
            }
        }
    }
    return false;
}

bool hy_engine_touched(const hy_engine *engine, const hy_world_model *model, size_t index,
                       hy_engine_body *body)
{
    const b2BodyId id = vehicle_body(engine, index);
    if (!touches(id)) {
        return false;
    }
    const b2Transform at = b2Body_GetTransform(id);
    const double c = (double)at.q.c;
    const double s = (double)at.q.s;
    // The engine knows directions only: the turn since the step before keeps whole turns.
    const double turned_rad =
        hy_atan2(s * body->pose.cos - c * body->pose.sin, c * body->pose.cos + s * body->pose.sin);
    hy_pose pose = hy_pose_make(0, 0, body->pose.heading_rad + turned_rad);
    const hy_vec to_center = hy_pose_turn(&pose, center_of_mass(model, index));
    pose.at_m = hy_vec_sub(from_units(at.p), to_center);

    // The velocities that the engine holds are remains of its solver, which would turn the wheels of
    // a robot that stands at a wall. What counts is the way that was gone.
    const double turn = turned_rad / model->step_s;
    const hy_vec moved = hy_vec_sub(pose.at_m, body->pose.at_m);
    const hy_vec axle = hy_pose_turn_back(&pose, hy_vec_scale(moved, 1 / model->step_s));
    const double com_m = model->vehicle[index].body.com_ahead_m;
    *body = (hy_engine_body){ pose, { axle.x, axle.y + com_m * turn, turn } };
    return true;
}
