-- Wireshark and tshark decode what Halyard's programs exchange over UDP.
--
--   tshark -X lua_script:tools/wireshark/halyard.lua -i lo -f 'udp port 3540'
--
-- Wireshark: copy this file into the folder "Personal Lua Plugins" (Help, About Wireshark, Folders).
--
-- hyxrp, hyteensy: packets between a robot program and a robot (docs/spec/wire.md). Nothing in a packet says which
-- dialect it is, so the preference "Dialect on port 3540" does, or "Decode As" for one conversation.
-- hyicd: the messages of joystick, core, sim and view (docs/spec/icd.md), on the document's ports.

-- ------------------------------------------------------------------------ robots: fields

local xrp = Proto("hyxrp", "Halyard XRP packet")
local teensy = Proto("hyteensy", "Halyard Teensy packet")

local control_names = { [0] = "disabled", [1] = "enabled" }
local level_names = { [0] = "low", [1] = "high" }

-- Wireshark has one list of fields; both dialects share these.
local field = {
    seq = ProtoField.uint16("hyrobot.seq", "Sequence number"),
    control = ProtoField.uint8("hyrobot.control", "Control", base.DEC, control_names),
    padding = ProtoField.bytes("hyrobot.padding", "Padding"),
    size = ProtoField.uint8("hyrobot.block.size", "Size of tag and payload"),
    tag = ProtoField.uint8("hyrobot.block.tag", "Tag", base.HEX),
    channel = ProtoField.uint8("hyrobot.block.channel", "Channel"),
    motor = ProtoField.float("hyrobot.motor", "Motor effort"),
    servo = ProtoField.float("hyrobot.servo", "Servo position"),
    dio = ProtoField.uint8("hyrobot.dio", "Digital level", base.DEC, level_names),
    analog = ProtoField.float("hyrobot.analog", "Analog voltage [V]"),
    gyro_rate = ProtoField.float("hyrobot.gyro.rate", "Rate [deg/s]"),
    gyro_angle = ProtoField.float("hyrobot.gyro.angle", "Angle [deg]"),
    accel = ProtoField.float("hyrobot.accel", "Acceleration [g]"),
    count = ProtoField.int32("hyrobot.encoder.count", "Encoder count"),
    period_num = ProtoField.uint32("hyrobot.encoder.period_num", "Period numerator"),
    period_den = ProtoField.uint32("hyrobot.encoder.period_den", "Period denominator [ticks/s]"),
    rate = ProtoField.float("hyrobot.encoder.rate", "Encoder rate [counts/s]"),
    unknown = ProtoField.bytes("hyrobot.unknown", "Unknown payload"),
}
xrp.fields = field

local cut_header = ProtoExpert.new("hyrobot.cut_header", "Shorter than a header", expert.group.MALFORMED,
    expert.severity.ERROR)
local cut_block = ProtoExpert.new("hyrobot.cut_block", "Block longer than the datagram", expert.group.MALFORMED,
    expert.severity.ERROR)
xrp.experts = { cut_header, cut_block }

-- ------------------------------------------------------------------------ robots: payloads

-- Each reads `payload` into `tree` and returns a few words; nil if the payload is too short.

local function channel_value(value_field)
    return function(tree, payload)
        if payload:len() < 5 then
            return nil
        end
        tree:add(field.channel, payload(0, 1))
        tree:add(value_field, payload(1, 4))
        return string.format("%d = %.4g", payload(0, 1):uint(), payload(1, 4):float())
    end
end

local function dio(tree, payload)
    if payload:len() < 2 then
        return nil
    end
    tree:add(field.channel, payload(0, 1))
    tree:add(field.dio, payload(1, 1))
    return string.format("%d = %d", payload(0, 1):uint(), payload(1, 1):uint())
end

local function add_axes(tree, value_field, payload, from)
    for axis, name in ipairs({ "x", "y", "z" }) do
        tree:add(value_field, payload(from + 4 * (axis - 1), 4)):append_text(" about " .. name)
    end
end

local function gyro(tree, payload)
    if payload:len() < 24 then
        return nil
    end
    add_axes(tree, field.gyro_rate, payload, 0)
    add_axes(tree, field.gyro_angle, payload, 12)
    return string.format("z %.4g deg/s, %.4g deg", payload(8, 4):float(), payload(20, 4):float())
end

local function accel(tree, payload)
    if payload:len() < 12 then
        return nil
    end
    for axis, name in ipairs({ "x", "y", "z" }) do
        tree:add(field.accel, payload(4 * (axis - 1), 4)):append_text(" along " .. name)
    end
    return string.format("z %.4g g", payload(8, 4):float())
end

-- SPEC wire 6: bit 0 of the numerator is the direction, the other bits are ticks per count.
local function encoder_rate(numerator, denominator)
    local ticks = math.floor(numerator / 2)
    if ticks == 0 or denominator == 0 then
        return nil
    end
    if ticks == 0x7FFFFFFF then
        return 0
    end
    return (numerator % 2 == 1 and 1 or -1) * denominator / ticks
end

local function encoder(tree, payload)
    if payload:len() < 5 then
        return nil
    end
    tree:add(field.channel, payload(0, 1))
    tree:add(field.count, payload(1, 4))
    local text = string.format("%d = %d", payload(0, 1):uint(), payload(1, 4):int())
    if payload:len() < 13 then
        return text
    end
    tree:add(field.period_num, payload(5, 4))
    tree:add(field.period_den, payload(9, 4))
    local rate = encoder_rate(payload(5, 4):uint(), payload(9, 4):uint())
    if rate == nil then
        return text
    end
    tree:add(field.rate, payload(5, 8), rate):set_generated()
    return text .. string.format(" at %.4g/s", rate)
end

-- ------------------------------------------------------------------------ robots: dialects

local motor, servo, analog = channel_value(field.motor), channel_value(field.servo), channel_value(field.analog)

-- SPEC wire 4 and 5: tag -> what it is called, how it is read.
local xrp_blocks = {
    [0x12] = { "motor", motor }, [0x13] = { "servo", servo }, [0x14] = { "DIO", dio },
    [0x15] = { "analog", analog }, [0x16] = { "gyro", gyro }, [0x17] = { "accelerometer", accel },
    [0x18] = { "encoder", encoder },
}
local teensy_blocks = {
    [0x12] = { "motor", motor }, [0x13] = { "DIO", dio }, [0x14] = { "analog", analog },
    [0x15] = { "gyro", gyro }, [0x16] = { "encoder", encoder },
}

local no_bytes = ByteArray.new("")

local function add_block(tree, block, blocks)
    local tag = block(1, 1):uint()
    local kind = blocks[tag]
    local payload = block:len() > 2 and block(2) or nil
    local branch = tree:add(block, kind and kind[1] or string.format("unknown tag 0x%02x", tag))
    branch:add(field.size, block(0, 1))
    branch:add(field.tag, block(1, 1))
    local text = kind and payload and kind[2](branch, payload)
    if text then
        branch:append_text(" " .. text)
    elseif payload then
        branch:append_text(string.format(", %d bytes", payload:len()))
        branch:add(field.unknown, payload)
    end
end

local function add_blocks(tree, packet, blocks)
    local at, count = 3, 0
    while at < packet:len() do
        local size = packet(at, 1):uint()
        if size == 0 then
            tree:add(field.padding, packet(at, 1))
        elseif size > packet:len() - at - 1 then
            tree:add_proto_expert_info(cut_block, string.format("Block at %d is longer than the datagram", at))
            return count
        else
            add_block(tree, packet(at, 1 + size), blocks)
            count = count + 1
        end
        at = at + 1 + size
    end
    return count
end

local function dissect_robot(proto, name, blocks, buffer, pinfo, root)
    local packet = buffer()
    pinfo.cols.protocol = name
    local tree = root:add(proto, packet)
    if packet:len() < 3 then
        tree:add_proto_expert_info(cut_header)
        pinfo.cols.info = string.format("%d bytes, shorter than a header", packet:len())
        return packet:len()
    end
    tree:add(field.seq, packet(0, 2))
    tree:add(field.control, packet(2, 1))
    local count = add_blocks(tree, packet, blocks)
    local control = packet(2, 1):uint()
    local from_robot = pinfo.src_port == 3540
    pinfo.cols.info = string.format("%s %d%s, %d blocks", from_robot and "status" or "command", packet(0, 2):uint(),
        from_robot and "" or control == 1 and " enabled" or " disabled", count)
    return packet:len()
end

function xrp.dissector(buffer, pinfo, root)
    return dissect_robot(xrp, "XRP", xrp_blocks, buffer, pinfo, root)
end

function teensy.dissector(buffer, pinfo, root)
    return dissect_robot(teensy, "Teensy", teensy_blocks, buffer, pinfo, root)
end

-- ------------------------------------------------------------------------ robots: the port

local udp = DissectorTable.get("udp.port")
local dialects = { { 1, "XRP", 0 }, { 2, "Teensy", 1 } }

xrp.prefs.dialect = Pref.enum("Dialect on port 3540", 0, "Which robot listens there", dialects)

local function choose_dialect()
    local chosen = xrp.prefs.dialect == 1 and teensy or xrp
    udp:remove(3540, chosen == xrp and teensy or xrp)
    udp:add(3540, chosen)
end

function xrp.prefs_changed()
    choose_dialect()
end

udp:add_for_decode_as(xrp)
udp:add_for_decode_as(teensy)
choose_dialect()

-- ------------------------------------------------------------------------ the four-part simulator

local icd = Proto("hyicd", "Halyard simulator message")

local icd_field = {
    message = ProtoField.string("hyicd.message", "Message"),
    player = ProtoField.uint8("hyicd.player", "Player"),
}

-- The keys at the top of a message whose values are numbers or flags: each one a field to filter and to plot.
local keys = {
    "leftTrigger", "rightTrigger", "leftBumper", "rightBumper", "a", "b", "x", "y", "back", "start", "guide",
    "leftDriveMotorSpeed", "rightDriveMotorSpeed", "intakeCenterMotorSpeed", "intakeLeftMotorSpeed",
    "intakeRightMotorSpeed", "tubeMotorSpeed", "timerStartStop", "reset", "outtake", "theta", "leftDriveEncoder",
    "rightDriveEncoder", "numIngestedBalls", "blueScore", "redScore", "isTimerRunning", "timer",
}
for _, key in ipairs(keys) do
    icd_field[key] = ProtoField.double("hyicd." .. key, key)
end
local sticks = { "leftJoystick", "rightJoystick" }
for _, key in ipairs(sticks) do
    for _, axis in ipairs({ "x", "y" }) do
        icd_field[key .. axis] = ProtoField.double("hyicd." .. key .. "." .. axis, key .. " " .. axis)
    end
end
icd.fields = icd_field

-- By the thousands of the port where a message arrives: its name, and what its information column shows.
local messages = {
    [2] = { "heartbeat of the core" },
    [4] = { "sticks" },
    [6] = { "sensors", "leftDriveEncoder", "rightDriveEncoder" },
    [8] = { "commands", "leftDriveMotorSpeed", "rightDriveMotorSpeed" },
    [10] = { "heartbeat of the view" },
    [12] = { "match", "blueScore", "redScore", "timer" },
    [14] = { "status of the sim" },
    [16] = { "sticks that the core used" },
}
local players = 6

local function port_meaning(port)
    local message = messages[math.floor(port / 1000)]
    local offset = port % 1000
    if message == nil or offset % 10 ~= 0 or offset / 10 >= players then
        return nil
    end
    return message, math.floor(offset / 10) + 1
end

-- The text of a message with the insides of nested objects and lists taken out, so that keys of vehicles do not count.
local function top_level(text)
    local inside = text:match("^%s*{(.*)}%s*$") or ""
    return (inside:gsub("%b[]", "[]"):gsub("%b{}", "{}"))
end

local function add_numbers(tree, text)
    local found, flat = {}, top_level(text)
    for _, key in ipairs(keys) do
        local value = flat:match('"' .. key .. '"%s*:%s*([-+%w%.]+)')
        local number = value == "true" and 1 or value == "false" and 0 or tonumber(value or "")
        if number then
            tree:add(icd_field[key], number)
            found[key] = number
        end
    end
    for _, key in ipairs(sticks) do
        local x, y = text:match('"' .. key .. '"%s*:%s*%[%s*([-%d%.eE+]+)%s*,%s*([-%d%.eE+]+)%s*%]')
        if x and tonumber(x) and tonumber(y) then
            tree:add(icd_field[key .. "x"], tonumber(x))
            tree:add(icd_field[key .. "y"], tonumber(y))
        end
    end
    return found
end

function icd.dissector(buffer, pinfo, root)
    local message, player = port_meaning(pinfo.dst_port)
    local text = buffer():string()
    if message == nil or not text:find("^%s*{") then
        return 0 -- something else on such a port: other dissectors may try
    end
    local tree = root:add(icd, buffer(), "Simulator: " .. message[1] .. ", player " .. player)
    tree:add(icd_field.message, message[1])
    tree:add(icd_field.player, player)
    local found = add_numbers(tree, text)
    Dissector.get("json"):call(buffer, pinfo, tree)
    local info = message[1] .. " of player " .. player
    for i = 2, #message do
        info = info .. (found[message[i]] and string.format(" %s=%g", message[i], found[message[i]]) or "")
    end
    pinfo.cols.protocol = "Simulator"
    pinfo.cols.info = info
    return buffer:len()
end

for thousands in pairs(messages) do
    for player = 1, players do
        udp:add(thousands * 1000 + 10 * (player - 1), icd)
    end
end
