import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * What a test with ROS begins with: its own domain on this machine alone, and the modules that can only be loaded
 * where ROS is. Without ROS such tests are skipped, on CI they fail.
 */

/** One domain for this process; domains above 101 may clash with ephemeral ports. */
const DOMAIN_ID = 1 + (process.pid % 100);

export function isolateRos(): void {
  process.env['ROS_DOMAIN_ID'] = String(DOMAIN_ID);
  process.env['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST';
  const profile = resolve('config/fastdds.xml');
  if (existsSync(profile)) process.env['FASTDDS_DEFAULT_PROFILES_FILE'] ??= profile;
}

async function loadModules() {
  isolateRos();
  const [{ rcl, toRclQos }, { SceneGraphNode }, { SceneGraphClient }, { FaultLog }, { createSteadyTimer }] =
    await Promise.all([
      import('../../../src/ros/rcl.js'),
      import('../../../src/ros/SceneGraphNode.js'),
      import('../../../src/ros/SceneGraphClient.js'),
      import('../../../src/ros/guard.js'),
      import('../../../src/ros/steadyTimer.js'),
    ]);
  return { rcl, toRclQos, SceneGraphNode, SceneGraphClient, FaultLog, createSteadyTimer };
}

export type RosModules = Awaited<ReturnType<typeof loadModules>>;

/** To be called in a `before` hook with its `this`. */
export async function loadRos(hook: Mocha.Context): Promise<RosModules> {
  hook.timeout(30_000);
  if (process.env['AMENT_PREFIX_PATH'] === undefined && process.env['CI'] === undefined) hook.skip();
  return loadModules();
}
