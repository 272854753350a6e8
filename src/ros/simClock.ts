import type { FaultLog } from './guard.js';
import { guard } from './guard.js';
import { rcl, toRclQos } from './rcl.js';
import type { RosNode, RosSubscription } from './rosTypes.js';
import { stampFromRosTime } from '../time/Stamp.js';
import type { ClockJump } from '../time/JumpDetector.js';
import type { DurationNs, Stamp } from '../time/Stamp.js';

/**
 * Simulated time. The client library asks for `/clock` reliably, the player of recordings offers it best effort,
 * and so the node's clock would stay at zero for ever. This subscription asks for the latest value only, best
 * effort, which matches every publisher, and writes it into the node's clock.
 */

const CLOCK_QOS = { reliability: 'best_effort', durability: 'volatile', depth: 1 } as const;

export interface SimClock {
  /** The last value of `/clock`; undefined before the first. */
  readonly time: Stamp | undefined;
  stop(): void;
}

export interface SimClockOptions {
  readonly node: RosNode;
  readonly faults: FaultLog;
  /** Whether the node goes by simulated time now; else `/clock` is somebody else's. */
  readonly isActive: () => boolean;
  /** Steps back smaller than this are jitter of the publisher and no restart. */
  readonly jumpBackNs: DurationNs;
  /** Called after the clock stands at its new value. */
  readonly onJumpBack: (jump: ClockJump) => void;
}

export function followClock(options: SimClockOptions): SimClock {
  const { node, faults, isActive, jumpBackNs, onJumpBack } = options;
  let time: Stamp | undefined;
  const receive = guard(faults, 'subscription /clock', (cdr: Uint8Array) => {
    if (!isActive()) return;
    const previous = time;
    time = readClock(cdr);
    node.getClock().rosTimeOverride = new rcl.Time(0n, time, rcl.ClockType.ROS_TIME);
    if (previous !== undefined && previous - time >= jumpBackNs) onJumpBack({ from: previous, to: time });
  });
  let subscription: RosSubscription | undefined = node.createSubscription(
    'rosgraph_msgs/msg/Clock',
    '/clock',
    { qos: toRclQos(CLOCK_QOS), isRaw: true },
    receive,
  );
  return {
    get time() {
      return time;
    },
    stop() {
      if (subscription !== undefined) node.destroySubscription(subscription);
      subscription = undefined;
    },
  };
}

/** rosgraph_msgs/Clock: behind the four bytes of the header one builtin_interfaces/Time. */
function readClock(cdr: Uint8Array): Stamp {
  const view = new DataView(cdr.buffer, cdr.byteOffset, cdr.byteLength);
  const littleEndian = (view.getUint8(1) & 1) === 1;
  return stampFromRosTime({ sec: view.getInt32(4, littleEndian), nanosec: view.getUint32(8, littleEndian) });
}
