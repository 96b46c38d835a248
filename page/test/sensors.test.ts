import { strict as assert } from "node:assert";
import { test } from "node:test";
import { groupReadings } from "../src/panels/robot_panel.ts";
import { placeOf } from "../src/scene/sensors.ts";

test("readings are grouped by their sensor, in their order", () => {
    assert.deepEqual(groupReadings(["rear.range_m", "top.gyro_rate_x_rad_s", "top.accel_z_m_s2"]), [
        ["rear", ["range_m"]],
        ["top", ["gyro_rate_x_rad_s", "accel_z_m_s2"]],
    ]);
});

test("a sensor's place turns with its robot", () => {
    const [x, y, heading] = placeOf([1, 2, Math.PI / 2], [0.1, 0.02, Math.PI]);
    assert.ok(
        Math.abs(x - 0.98) < 1e-9 &&
            Math.abs(y - 2.1) < 1e-9 &&
            Math.abs(heading - 1.5 * Math.PI) < 1e-9,
    );
});
