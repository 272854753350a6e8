"""A client that is not ours: reads the latched Brief late, calls every service, and prints what it saw as JSON."""

import json
import sys
import time

import rclpy
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rgbd_scene_graph.msg import SceneGraphBrief
from rgbd_scene_graph.srv import (
    ApplyExecution, ExplainObject, FindObjects, Forget, GetBrief, GetImage, GetObject, GetObjectRelations, Merge,
    Relabel,
)
from std_msgs.msg import String
from std_srvs.srv import Trigger
from visualization_msgs.msg import MarkerArray

LIMIT_S = 10.0
NODE = '/rgbd_scene_graph'


def main():
    rclpy.init()
    node = rclpy.create_node('rclpy_client')
    ref, unknown = sys.argv[1], 'cup_99'
    seen = {
        'brief': latched(node, SceneGraphBrief, 'brief', brief_fields),
        'brief_text': latched(node, String, 'brief_text', lambda message: message.data),
        'markers': latched(node, MarkerArray, 'markers', marker_fields),
        'get_brief': call(node, GetBrief, 'get_brief', lambda a: {'objects': len(a.brief.objects), 'text': a.text}),
        'get_object_relations': call(node, GetObjectRelations, 'get_object_relations', relation_fields, object_ref=ref),
        'get_image': call(node, GetImage, 'get_image', image_fields, object_ref=ref),
        'get_object': call(node, GetObject, 'get_object', object_fields, object_ref=ref),
        'find_objects': call(node, FindObjects, 'find_objects', lambda a: [o.object_ref for o in a.objects]),
        'apply_process': apply(node, ref, 'process'),
        'apply_success': apply(node, ref, 'success'),
        'apply_again': apply(node, ref, 'success'),
        'explain_object': call(node, ExplainObject, 'explain_object', object_ref=ref),
        'unknown_relations': call(node, GetObjectRelations, 'get_object_relations', object_ref=unknown),
        'unknown_image': call(node, GetImage, 'get_image', object_ref=unknown),
        'unknown_relation_word': call(
            node, GetObjectRelations, 'get_object_relations', object_ref=ref, relation='under'),
        'blank_ref': call(node, GetObject, 'get_object', object_ref='  '),
        'relabel': call(node, Relabel, 'relabel', lambda a: list(a.changed_refs), object_ref=ref, label='кружка'),
        'merge_unknown': call(node, Merge, 'merge', keep_ref=ref, other_ref=unknown),
        'relabelled': call(node, GetObject, 'get_object', lambda a: a.object.label, object_ref=ref),
        'forget': call(node, Forget, 'forget', lambda a: list(a.changed_refs), object_ref=ref, why='test'),
        'forgotten': call(node, GetObject, 'get_object', object_ref=ref),
        'reset': call(node, Trigger, 'reset'),
        'after_reset': call(node, GetBrief, 'get_brief', lambda a: {'objects': len(a.brief.objects)}),
    }
    print(json.dumps(seen))
    node.destroy_node()
    rclpy.shutdown()


def latched(node, kind, topic, fields):
    qos = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    got = []
    subscription = node.create_subscription(kind, f'{NODE}/{topic}', got.append, qos)
    deadline = time.monotonic() + LIMIT_S
    while not got and time.monotonic() < deadline:
        rclpy.spin_once(node, timeout_sec=0.1)
    node.destroy_subscription(subscription)
    return fields(got[-1]) if got else None


def call(node, kind, service, fields=None, **request):
    client = node.create_client(kind, f'{NODE}/{service}')
    if not client.wait_for_service(timeout_sec=LIMIT_S):
        return {'error': 'no service'}
    future = client.call_async(kind.Request(**request))
    rclpy.spin_until_future_complete(node, future, timeout_sec=LIMIT_S)
    answer = future.result()
    node.destroy_client(client)
    if answer is None:
        return {'error': 'no answer'}
    seen = {'success': answer.success, 'kind': getattr(answer, 'kind', ''), 'message': answer.message}
    if fields is not None and answer.success:
        seen['content'] = fields(answer)
    return seen


def apply(node, ref, verdict):
    return call(
        node, ApplyExecution, 'apply_execution',
        lambda a: {'applied': a.applied, 'already_applied': a.already_applied, 'changed_refs': list(a.changed_refs)},
        execution_id='rclpy-1', tool_name='pick', arguments_json=json.dumps({'obj': ref}), result_json='{}',
        evaluator_verdict_json=verdict)


def brief_fields(message):
    return {
        'frame_id': message.header.frame_id,
        'stamp': [message.header.stamp.sec, message.header.stamp.nanosec],
        'provenance': message.provenance,
        'freshness': message.freshness,
        'revision': message.revision,
        'objects': [
            {
                'object_ref': o.object_ref,
                'label': o.label,
                'position': [o.coarse_position.x, o.coarse_position.y, o.coarse_position.z],
                'confidence': o.confidence,
                'freshness': o.freshness,
            }
            for o in message.objects
        ],
        'robot': [message.robot.pose_known, message.robot.pose.position.x, message.robot.pose.orientation.w],
    }


def relation_fields(answer):
    return [[r.relation, r.other_ref, r.inverse] for r in answer.relations]


def image_fields(answer):
    return [[image.name, image.media_type, bytes(image.data).hex()] for image in answer.images]


def object_fields(answer):
    o = answer.object
    return {'label': o.label, 'size': [o.box_size.x, o.box_size.y, o.box_size.z], 'observations': o.observations}


def marker_fields(message):
    return [[m.ns, m.id, m.type, m.action, m.header.frame_id, m.text, len(m.points)] for m in message.markers]


main()
