import type { FaultLog } from './guard.js';
import { guard } from './guard.js';
import { rcl } from './rcl.js';
import type { RosNode, RosTimer } from './rosTypes.js';

/**
 * A timer on the steady clock. The node's own clock stands still under `use_sim_time` while nobody publishes
 * `/clock`, and with it every ordinary timer: watchdogs and diagnostics would be silent just when needed.
 */
export function createSteadyTimer(
  node: RosNode,
  faults: FaultLog,
  name: string,
  periodS: number,
  callback: () => unknown,
): RosTimer {
  const clock = new rcl.Clock(rcl.ClockType.STEADY_TIME);
  const periodNs = BigInt(Math.round(periodS * 1e9));
  const timer = node.createTimer(periodNs, guard(faults, name, callback) as () => void, clock);
  // The native timer uses the clock's memory and does not keep it: once collected, the process crashes.
  // The node holds its timers, and so this timer holds its clock.
  return Object.assign(timer, { clock });
}
