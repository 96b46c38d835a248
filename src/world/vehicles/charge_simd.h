/// @file charge_simd.h
/// Batteries that empty, LANES at once (lanes.h). docs/spec/robot.md has the curves.
#ifndef HY_WORLD_CHARGE_SIMD_H
#define HY_WORLD_CHARGE_SIMD_H

#include "charge.h"
#include "vehicles/drive_simd.h"

// Four alkaline AA cells. SPEC robot, "The battery".
typedef struct {
    double used;              ///< Share of the capacity.
    double volts, resistance; ///< Without load; as a factor of a full battery's.
} charge_point;

static const charge_point charge_curve[] = {
    { 0.00, 6.60, 1.0 }, { 0.05, 6.20, 1.0 }, { 0.15, 5.80, 1.1 }, { 0.35, 5.40, 1.2 },
    { 0.60, 5.00, 1.4 }, { 0.85, 4.60, 1.7 }, { 1.00, 4.00, 2.5 },
};
#define CHARGE_POINTS (sizeof charge_curve / sizeof charge_curve[0])

/// A piece of the curve, of each lane.
typedef struct {
    lanes from_used, to_used, from_volts, to_volts, from_resistance, to_resistance;
} charge_piece;

static inline charge_piece charge_piece_at(lanes used)
{
    const charge_point *const points = charge_curve;
    charge_piece piece = { broadcast(points[0].used),       broadcast(points[1].used),
                           broadcast(points[0].volts),      broadcast(points[1].volts),
                           broadcast(points[0].resistance), broadcast(points[1].resistance) };
    for (size_t i = 1; i + 1 < CHARGE_POINTS; i++) {
        const mask is_beyond = used > points[i].used;
        if (!any(is_beyond)) {
            break;
        }
        piece.from_used = blend(is_beyond, broadcast(points[i].used), piece.from_used);
        piece.to_used = blend(is_beyond, broadcast(points[i + 1].used), piece.to_used);
        piece.from_volts = blend(is_beyond, broadcast(points[i].volts), piece.from_volts);
        piece.to_volts = blend(is_beyond, broadcast(points[i + 1].volts), piece.to_volts);
        piece.from_resistance =
            blend(is_beyond, broadcast(points[i].resistance), piece.from_resistance);
        piece.to_resistance =
            blend(is_beyond, broadcast(points[i + 1].resistance), piece.to_resistance);
    }
    return piece;
}

/// hy_charge_after().
static inline battery_lanes charge_after(const hy_charge_model *charge,
                                         const hy_battery_spec *at_start, lanes used_as)
{
    const lanes used = charge->first_used + used_as / charge->capacity_as;
    const charge_piece p = charge_piece_at(used);
    const lanes at = lanes_clamp(used, broadcast(0), broadcast(1)) - p.from_used;
    const lanes length = p.to_used - p.from_used;
    const lanes volts = p.from_volts + (p.to_volts - p.from_volts) * at / length;
    const lanes resistance = p.from_resistance + (p.to_resistance - p.from_resistance) * at / length;
    return (battery_lanes){ charge->v_scale * volts, charge->ohm_scale * resistance,
                            at_start->board_a };
}

#endif
