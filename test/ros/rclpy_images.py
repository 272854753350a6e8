"""Publishes 640x480 rgb8 pictures as a camera driver does: rclpy_images.py TOPIC RELIABILITY COUNT RATE_HZ."""

import sys
import time

import rclpy
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import Image

topic, reliability, count, rate_hz = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
rclpy.init()
node = rclpy.create_node('camera')
policy = ReliabilityPolicy.RELIABLE if reliability == 'reliable' else ReliabilityPolicy.BEST_EFFORT
publisher = node.create_publisher(Image, topic, QoSProfile(depth=5, reliability=policy))
deadline = time.monotonic() + 15.0
while publisher.get_subscription_count() == 0 and time.monotonic() < deadline:
    time.sleep(0.02)
picture = Image(width=640, height=480, encoding='rgb8', step=1920, data=bytes(921600))
begin = time.monotonic()
for i in range(count):
    picture.header.stamp.sec = i + 1
    publisher.publish(picture)
    time.sleep(max(0.0, begin + (i + 1) / rate_hz - time.monotonic()))
print('sent', flush=True)
# What is on its way needs its publisher until it has arrived.
sys.stdin.read()
rclpy.shutdown()
