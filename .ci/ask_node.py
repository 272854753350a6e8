"""Asks a running node for its Brief, as any ROS client would; exits 1 when no good answer comes in time."""

import sys

import rclpy
from rgbd_scene_graph.srv import GetBrief

TIME_LIMIT_S = 30.0


def main(service):
    rclpy.init()
    node = rclpy.create_node('ci_client')
    client = node.create_client(GetBrief, service)
    if not client.wait_for_service(timeout_sec=TIME_LIMIT_S):
        return f'no service {service}'
    future = client.call_async(GetBrief.Request())
    rclpy.spin_until_future_complete(node, future, timeout_sec=TIME_LIMIT_S)
    answer = future.result()
    if answer is None:
        return f'no answer from {service}'
    print(answer.text)
    return None if answer.success and answer.text else f'{service} refused: {answer.kind} {answer.message}'


sys.exit(main(sys.argv[1]))
