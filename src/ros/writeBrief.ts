import type { RosTime } from '../time/Stamp.js';
import { CdrWriter } from './CdrWriter.js';
import type { BriefMessage, ObjectBriefMessage, PoseMessage, RobotBriefMessage } from './messages.js';

/** The Brief as CDR: the fields of `SceneGraphBrief.msg` and of the messages in it, in their order. */
export function writeBrief(message: BriefMessage): Buffer {
  const writer = new CdrWriter();
  writeTime(writer, message.header.stamp);
  writer
    .string(message.header.frame_id)
    .string(message.provenance)
    .string(message.freshness)
    .uint32(message.revision)
    .string(message.perception_state)
    .string(message.perception_reason);
  writeTime(writer, message.blind_since);
  writer.sequence(message.objects, writeObject);
  writeRobot(writer, message.robot);
  return writer.finish();
}

/** `std_msgs/String` */
export function writeText(text: string): Buffer {
  return new CdrWriter().string(text).finish();
}

function writeObject(writer: CdrWriter, object: ObjectBriefMessage): void {
  const { x, y, z } = object.coarse_position;
  writer.string(object.object_ref).string(object.label).float64(x).float64(y).float64(z);
  writer.float32(object.confidence).string(object.freshness);
  writeTime(writer, object.last_seen);
  writer.string(object.container_state).sequence(object.contents, writeString);
}

function writeRobot(writer: CdrWriter, robot: RobotBriefMessage): void {
  writer.bool(robot.pose_known);
  writePose(writer, robot.pose);
  writer.sequence(robot.holding, writeString).sequence(robot.grippers, writeString);
}

export function writeTime(writer: CdrWriter, time: RosTime): void {
  writer.int32(time.sec).uint32(time.nanosec);
}

export function writePose(writer: CdrWriter, { position, orientation }: PoseMessage): void {
  writer.float64(position.x).float64(position.y).float64(position.z);
  writer.float64(orientation.x).float64(orientation.y).float64(orientation.z).float64(orientation.w);
}

function writeString(writer: CdrWriter, text: string): void {
  writer.string(text);
}
