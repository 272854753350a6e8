"""Starts the node on a robot's camera, or on whatever publishes such topics."""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction, SetEnvironmentVariable
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterFile

PROFILE = 'FASTDDS_DEFAULT_PROFILES_FILE'

# The node's topics that an argument can move. Left empty, a topic keeps its name; the compressed transports and the
# sibling camera_info of an image follow the image.
TOPICS = {
    'color_topic': ('color/image_raw', 'Topic of the colour images.'),
    'depth_topic': ('depth/image_raw', 'Topic of the depth images: 16-bit millimetres or 32-bit metres.'),
    'color_info_topic': ('color/camera_info', 'Topic of the camera information of the colour images.'),
    'depth_info_topic': ('depth/camera_info', 'Topic of the camera information of the depth images.'),
    'detections_topic': ('detections', 'Topic of boxes with names, used with detector.source topic.'),
    'instances_topic': ('instances', 'Topic of images of instance numbers, used with detector.source topic.'),
    'odom_topic': ('odom', 'Topic of the odometry, used where /tf lacks the edge from odometry to base.'),
}

ARGUMENTS = {
    'namespace': ('', 'Namespace of the node and of its relative topics.'),
    'params_file': ('', 'Parameters of the node; empty: its defaults.'),
    'use_sim_time': ('false', 'Time from /clock: true for recordings and simulators.'),
    'log_level': ('info', 'debug, info, warn, error or fatal.'),
}


def generate_launch_description():
    shipped_profile = os.path.join(get_package_share_directory('rgbd_scene_graph'), 'config', 'fastdds.xml')
    arguments = {
        **ARGUMENTS,
        **{name: ('', f'{text} Empty: {topic}.') for name, (topic, text) in TOPICS.items()},
        'fastdds_profile': (
            os.environ.get(PROFILE, shipped_profile),
            'Profile of Fast DDS, by default one with room for images; empty: Fast DDS as it comes.',
        ),
    }
    return LaunchDescription(
        [
            *(DeclareLaunchArgument(name, default_value=value, description=text)
              for name, (value, text) in arguments.items()),
            OpaqueFunction(function=start_node),
        ]
    )


def start_node(context):
    """Makes the node's action once the arguments are known: what is empty is not passed on at all."""

    def value(name):
        return LaunchConfiguration(name).perform(context)

    parameters = [ParameterFile(value('params_file'), allow_substs=True)] if value('params_file') else []
    # After the file, so that the argument decides.
    parameters.append({'use_sim_time': value('use_sim_time').lower() in ('true', '1')})
    node = Node(
        package='rgbd_scene_graph',
        executable='scene_graph_node',
        name='rgbd_scene_graph',
        namespace=value('namespace'),
        parameters=parameters,
        remappings=[(topic, value(name)) for name, (topic, _) in TOPICS.items() if value(name)],
        ros_arguments=['--log-level', value('log_level')],
        output='screen',
        emulate_tty=True,
    )
    profile = value('fastdds_profile')
    return [SetEnvironmentVariable(PROFILE, profile), node] if profile else [node]
