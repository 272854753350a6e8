// A command in the foreground, on whose behalf this process runs: its output, its signals and its exit code.

import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** A signal within this time of its like is the same one: a terminal sends it to us, npm sends it on once more. */
const SAME_SIGNAL_MS = 500;

const ROS_TOOLS = new Set(['ros2', 'rqt', 'rviz2']);
const NO_ROS_TOOLS =
  ' The ROS that the set-up brings has rclpy but none of the ROS 2 tools: source a full ROS 2, or use a few lines of rclpy.';

/**
 * Runs a command to its end, passing signals on, and gives its exit code. The command is in a process group of its
 * own, so that an interrupt from the terminal reaches it once, through here.
 */
export function passOn(program, args, options = {}) {
  const child = spawn(program, args, { ...options, stdio: 'inherit', detached: true });
  const last = {};
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      const now = performance.now();
      if (now - (last[signal] ?? -Infinity) > SAME_SIGNAL_MS) child.kill(signal);
      last[signal] = now;
    });
  }
  return new Promise((done, fail) => {
    child.on('error', (error) => {
      if (error.code !== 'ENOENT') return fail(error);
      console.error(`There is no command '${program}' here.${ROS_TOOLS.has(program) ? NO_ROS_TOOLS : ''}`);
      done(127);
    });
    child.on('close', (code, signal) => done(code ?? 128 + constants.signals[signal]));
  });
}
