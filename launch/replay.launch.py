"""Plays a recording into the node, on the recording's own clock.

All arguments of scene_graph.launch.py are understood too: a recording with other topics than the node's needs
color_topic and depth_topic.
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess, IncludeLaunchDescription
from launch.conditions import IfCondition
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.substitutions import ExecutableInPackage


def generate_launch_description():
    share = get_package_share_directory('rgbd_scene_graph')
    node = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(os.path.join(share, 'launch', 'scene_graph.launch.py')),
        launch_arguments={'use_sim_time': 'true'}.items(),
    )
    # Our own player reads MCAP files and rosbag2 folders, publishes /clock, and needs no rosbag2.
    player = ExecuteProcess(
        cmd=[
            ExecutableInPackage('rgbd-scene-graph', 'rgbd_scene_graph'),
            'play',
            LaunchConfiguration('bag'),
            '--rate',
            LaunchConfiguration('rate'),
        ],
        output='screen',
    )
    rviz = Node(
        package='rviz2',
        executable='rviz2',
        arguments=['-d', os.path.join(share, 'config', 'scene_graph.rviz')],
        condition=IfCondition(LaunchConfiguration('rviz')),
    )
    return LaunchDescription(
        [
            DeclareLaunchArgument('bag', description='MCAP file or rosbag2 folder.'),
            DeclareLaunchArgument('rate', default_value='1.0', description='Speed; 2.0 is twice as fast.'),
            DeclareLaunchArgument('rviz', default_value='false', description='Start rviz as well.'),
            node,
            player,
            rviz,
        ]
    )
