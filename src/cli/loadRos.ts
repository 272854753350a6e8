import { CommandError } from './Command.js';

/** The parts of the ROS folder that commands use. Loaded on demand: everything else works without ROS. */
export async function loadRos() {
  try {
    const [{ openRosNode }, { RecordingPlayer }, { SceneGraphClient }] = await Promise.all([
      import('../ros/openRosNode.js'),
      import('../ros/RecordingPlayer.js'),
      import('../ros/SceneGraphClient.js'),
    ]);
    return { openRosNode, RecordingPlayer, SceneGraphClient };
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new CommandError(`this command needs ROS 2, which cannot be loaded: ${reason}`);
  }
}
