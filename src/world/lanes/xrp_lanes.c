#include "xrp_lanes.h"

#include "step.h"
#include "vehicles/kind.h"

#include <string.h>

// --------------------------------------------------------------------------- which models

static bool is_plain_xrp(const hy_vehicle_model *vehicle)
{
    return vehicle->kind == &hy_vehicle_xrp && vehicle->meets_field_alone &&
           vehicle->extra_count == 0 && !vehicle->lidar.fitted && !(vehicle->power.limit_a > 0);
}

bool hy_xrp_lanes_fit(const hy_world_model *model)
{
    return model->vehicle_count == 1 && model->pieces.count == 0 && model->region_count == 0 &&
           is_plain_xrp(&model->vehicle[0]);
}

// --------------------------------------------------------------------------- a lane and a vehicle's state

/// A number that lanes and vehicles both have.
typedef struct {
    size_t row, member; ///< Offsets.
} number_place;

#define PLACE(row_, member_)                                              \
    {                                                                     \
        offsetof(hy_xrp_lanes, row_), offsetof(hy_vehicle_state, member_) \
    }
#define PLACES3(row_, member_) \
    PLACE(row_[0], member_[0]), PLACE(row_[1], member_[1]), PLACE(row_[2], member_[2])
#define PLACES4(row_, member_) PLACES3(row_, member_), PLACE(row_[3], member_[3])

static const number_place places[] = {
    PLACE(now.x_m, pose.at_m.x),
    PLACE(now.y_m, pose.at_m.y),
    PLACE(now.heading_rad, pose.heading_rad),
    PLACE(now.cos, pose.cos),
    PLACE(now.sin, pose.sin),
    PLACE(now.motion_x, motion.x),
    PLACE(now.motion_y, motion.y),
    PLACE(now.motion_turn, motion.turn),
    PLACE(pushed_x, pushed.x),
    PLACE(pushed_y, pushed.y),
    PLACE(pushed_turn, pushed.turn),
    PLACES4(shaft_rad, shaft_rad),
    PLACES4(shaft_rad_s, shaft_rad_s),
    PLACES4(duty, duty),
    PLACE(battery_v, battery_v),
    PLACE(battery_open_v, battery.open_v),
    PLACE(battery_ohm, battery.resistance_ohm),
    PLACE(used_as, used_as),
    PLACE(recheck_distance_m, recheck_distance_m),
    PLACES4(random, random.s),
    PLACES3(gyro_bias_rad_s, gyro_bias_rad_s),
    PLACES3(accel_bias_m_s2, accel_bias_m_s2),
    PLACE(gyro_warm_up_rad_s, gyro_warm_up_rad_s),
    PLACES3(gyro_rate_rad_s, sensors.gyro_rate_rad_s),
    PLACES3(gyro_angle_rad, sensors.gyro_angle_rad),
    PLACES3(accel_m_s2, sensors.accel_m_s2),
    PLACE(floor_noise[0], floor_noise[0]),
    PLACE(floor_noise[1], floor_noise[1]),
    PLACE(range_m, sensors.range_m),
};
_Static_assert(HY_XRP_MOTORS == 4 && HY_PIN_REFLECTANCE == 2, "as the table has them");

#define NUMBER_SIZE sizeof(double) // as that of the random bits

void hy_xrp_lanes_put(hy_xrp_lanes *self, size_t lane, const hy_vehicle_state *vehicle)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        memcpy((char *)self + places[i].row + lane * NUMBER_SIZE,
               (const char *)vehicle + places[i].member, NUMBER_SIZE);
    }
    self->sonar[lane] = vehicle->sonar;
    self->led[lane] = vehicle->led;
    self->button[lane] = vehicle->button;
    self->near_edges[lane] = vehicle->near_edges;
    self->touching[lane] = vehicle->touching;
    self->touching_field[lane] = vehicle->touching_field;
    self->contact_kind[lane] = self->contact_passes[lane] = self->slide_rounds[lane] = 0;
}

void hy_xrp_lanes_get(const hy_xrp_lanes *self, size_t lane, hy_vehicle_state *vehicle)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        memcpy((char *)vehicle + places[i].member,
               (const char *)self + places[i].row + lane * NUMBER_SIZE, NUMBER_SIZE);
    }
    vehicle->sonar = self->sonar[lane];
    vehicle->led = self->led[lane];
    vehicle->button = self->button[lane];
    vehicle->near_edges = self->near_edges[lane];
    vehicle->touching = self->touching[lane];
    vehicle->touching_field = self->touching_field[lane];
}

// --------------------------------------------------------------------------- walls and obstacles

static hy_pose pose_at(const hy_xrp_motion *of, size_t lane)
{
    return (hy_pose){
        { of->x_m[lane], of->y_m[lane] }, of->heading_rad[lane], of->cos[lane], of->sin[lane]
    };
}

void hy_xrp_lanes_look(const hy_world_model *model, hy_xrp_lanes *self)
{
    self->any_near = false;
    for (size_t i = 0; i < HY_XRP_LANES; i++) {
        if (!(self->recheck_distance_m[i] > 0)) {
            const hy_pose pose = pose_at(&self->now, i);
            self->near_edges[i] =
                hy_look_at_edges(model, 0, &pose, self->near_edges[i], &self->recheck_distance_m[i]);
            if (!self->near_edges[i]) {
                self->touching[i] = self->touching_field[i] = false;
                self->pushed_x[i] = self->pushed_y[i] = self->pushed_turn[i] = 0;
            }
        }
        self->any_near = self->any_near || self->near_edges[i];
    }
}
