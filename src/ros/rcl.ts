import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { MessageDefinition } from './cdrEncoder.js';
import { DURABILITY, RELIABILITY } from './rosTypes.js';
import type { QosProfile, RosClock, RosNode, RosParameter } from './rosTypes.js';

/** The only module that imports rclnodejs, whose single export at run time is its default one. */

const KEEP_LAST = 1;

/** One `rcl` context: what `init` starts and `shutdown` ends. */
export interface RosContext {
  isValid(): boolean;
}

/** What is generated of a message, or of a service, whose `Request` and `Response` are messages. */
export interface GeneratedClass {
  readonly ROSMessageDef: MessageDefinition;
  readonly Request: unknown;
  readonly Response: GeneratedClass & (new () => { toRawROS(): Buffer });
  type(): object;
}

/** The parts of rclnodejs in use. */
export interface Rcl {
  init(context: RosContext, argv: readonly string[]): Promise<void>;
  shutdown(context: RosContext): void;
  removeSignalHandlers(): void;
  require(type: string): GeneratedClass;
  /** @param message an instance of the class, whose `serialize` tells its memory. */
  serializeMessage(message: { serialize(): Buffer }, type: new () => { serialize(): Buffer }): Buffer;
  /** Fills the memory of a new message of the class. */
  deserializeMessage(cdr: Buffer, type: new () => { toRawROS(): Buffer }): object;
  readonly Context: new () => RosContext;
  readonly Node: new (name: string, namespace: string, context: RosContext) => RosNode;
  readonly Clock: new (clockType: number) => RosClock;
  readonly ClockType: { readonly STEADY_TIME: number; readonly ROS_TIME: number };
  readonly Time: new (seconds: bigint, nanoseconds: bigint, clockType: number) => object;
  readonly QoS: new (history: number, depth: number, reliability: number, durability: number) => object;
  readonly Parameter: new (name: string, type: number, value: unknown) => RosParameter;
  readonly ParameterType: Readonly<Record<string, number>>;
  readonly ParameterDescriptor: new (
    name: string,
    type: number,
    description: string,
    readOnly: boolean,
  ) => { additionalConstraints: string; toMessage(): Record<string, unknown> };
}

export const rcl = await loadRcl();

/** The profile in the form that publishers and subscriptions take. */
export function toRclQos(profile: QosProfile): object {
  const reliability = profile.reliability === 'reliable' ? RELIABILITY.reliable : RELIABILITY.bestEffort;
  const durability =
    profile.durability === 'transient_local' ? DURABILITY.transientLocal : DURABILITY.volatile;
  return new rcl.QoS(KEEP_LAST, profile.depth, reliability, durability);
}

/**
 * Loads the client library only where it can load: when its binary does not find ROS, its own loader starts a
 * rebuild that first deletes the binary, and every later start fails.
 */
async function loadRcl(): Promise<Rcl> {
  if (process.env['AMENT_PREFIX_PATH'] === undefined) {
    throw new Error(
      'ROS 2 is not sourced in this shell (AMENT_PREFIX_PATH is not set); in a checkout: npm run exec -- npx rgbd-scene-graph …',
    );
  }
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve('rclnodejs/package.json'));
  const binary = join(folder, 'build', 'Release', 'rclnodejs.node');
  // Where there is none yet, a prebuilt one may fit.
  if (existsSync(binary)) require(binary);
  const { default: loaded } = await import('rclnodejs');
  return loaded as unknown as Rcl;
}
