"""A camera that stands still and a detector beside it: rclpy_detections.py FOLDER STAMPS.

FOLDER holds rgb, depth and look.json; the detector copies the pictures' stamps (STAMPS is copied) or has some half way
between them (between). Plays until the Brief names what was detected or the time is over, and prints what the last Brief and
the diagnostics told as JSON.
"""

import json
import pathlib
import sys
import time

import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import TransformStamped
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.time import Time
from rgbd_scene_graph.msg import SceneGraphBrief
from sensor_msgs.msg import CameraInfo, Image
from tf2_msgs.msg import TFMessage
from vision_msgs.msg import Detection2D, Detection2DArray, ObjectHypothesisWithPose

PERIOD_S = 0.1
# In pictures.
DETECTOR_DELAY = 2
LIMIT_S = 25.0
FRAME = 'camera_color_optical_frame'

folder, stamps = pathlib.Path(sys.argv[1]), sys.argv[2]
look = json.loads((folder / 'look.json').read_text())
rgb, depth = (folder / 'rgb').read_bytes(), (folder / 'depth').read_bytes()
wanted = {name for name, _, _ in look['detections']}
latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)

rclpy.init()
node = rclpy.create_node('camera')
publishers = {
    topic: node.create_publisher(kind, topic, 5)
    for topic, kind in (
        ('color/image_raw', Image), ('depth/image_raw', Image), ('color/camera_info', CameraInfo),
        ('depth/camera_info', CameraInfo), ('detections', Detection2DArray))
}
static = node.create_publisher(TFMessage, '/tf_static', latched)
seen = {'labels': [], 'detector': [], 'detections': {}}


def on_brief(message):
    seen['labels'] = [o.label for o in message.objects]


def on_diagnostics(message):
    for status in message.status:
        name = status.name.split(': ')[-1]
        if name == 'detector':
            seen['detector'] = [int.from_bytes(status.level, 'little'), status.message]
        if name == 'detections':
            seen['detections'] = {value.key: value.value for value in status.values}


node.create_subscription(SceneGraphBrief, '/rgbd_scene_graph/brief', on_brief, latched)
node.create_subscription(DiagnosticArray, '/diagnostics', on_diagnostics, 10)


def is_over():
    if stamps == 'copied':
        return wanted <= set(seen['labels']) and 'finds' in ' '.join(map(str, seen['detector']))
    return len(seen['detector']) > 0 and seen['detector'][0] == 1 and 'within' in seen['detector'][1]


def header_of(message, stamp):
    message.header.stamp = stamp
    message.header.frame_id = FRAME
    return message


def place():
    transform = TransformStamped(child_frame_id=FRAME)
    transform.header.frame_id = 'map'
    vector, turn = transform.transform.translation, transform.transform.rotation
    vector.x, vector.y, vector.z = look['translation']
    turn.x, turn.y, turn.z, turn.w = look['rotation']
    static.publish(TFMessage(transforms=[transform]))


def take_picture(stamp):
    width, height = look['width'], look['height']
    fx, fy, cx, cy = look['pinhole']
    info = CameraInfo(
        width=width, height=height, distortion_model='plumb_bob', d=[0.0] * 5,
        k=[fx, 0.0, cx, 0.0, fy, cy, 0.0, 0.0, 1.0], r=[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        p=[fx, 0.0, cx, 0.0, 0.0, fy, cy, 0.0, 0.0, 0.0, 1.0, 0.0])
    color = Image(width=width, height=height, encoding='rgb8', step=3 * width, data=rgb)
    deep = Image(width=width, height=height, encoding='16UC1', step=2 * width, data=depth)
    publishers['color/camera_info'].publish(header_of(info, stamp))
    publishers['depth/camera_info'].publish(header_of(info, stamp))
    publishers['color/image_raw'].publish(header_of(color, stamp))
    publishers['depth/image_raw'].publish(header_of(deep, stamp))


def detect(stamp):
    array = header_of(Detection2DArray(), stamp)
    for name, score, (x0, y0, x1, y1) in look['detections']:
        found = header_of(Detection2D(), stamp)
        found.bbox.center.position.x, found.bbox.center.position.y = (x0 + x1) / 2, (y0 + y1) / 2
        found.bbox.size_x, found.bbox.size_y = float(x1 - x0), float(y1 - y0)
        guess = ObjectHypothesisWithPose()
        guess.hypothesis.class_id, guess.hypothesis.score = name, score
        found.results.append(guess)
        array.detections.append(found)
    publishers['detections'].publish(array)


def between(a, b):
    sum_ns = Time.from_msg(a).nanoseconds + Time.from_msg(b).nanoseconds
    return Time(nanoseconds=sum_ns // 2).to_msg()


place()
taken = []
deadline = time.monotonic() + LIMIT_S
while not is_over() and time.monotonic() < deadline:
    end = time.monotonic() + PERIOD_S
    taken.append(node.get_clock().now().to_msg())
    take_picture(taken[-1])
    if len(taken) > DETECTOR_DELAY:
        detect(taken[-1 - DETECTOR_DELAY] if stamps == 'copied' else between(taken[-3], taken[-2]))
    while time.monotonic() < end:
        rclpy.spin_once(node, timeout_sec=max(0.0, end - time.monotonic()))
print(json.dumps(seen))
node.destroy_node()
rclpy.shutdown()
