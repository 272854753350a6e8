import { FaultLog } from './guard.js';
import { rcl } from './rcl.js';
import type { RosNode } from './rosTypes.js';

/** A small node for a command: its own context, spinning until it is closed. */
export interface OpenRosNode {
  readonly node: RosNode;
  readonly faults: FaultLog;
  close(): void;
}

export async function openRosNode(name: string, rosArguments: readonly string[] = []): Promise<OpenRosNode> {
  const context = new rcl.Context();
  await rcl.init(context, rosArguments);
  // The caller decides what an interrupt means.
  rcl.removeSignalHandlers();
  const node = new rcl.Node(name, '', context);
  node.spin();
  return {
    node,
    faults: new FaultLog(node.getLogger()),
    close() {
      node.destroy();
      rcl.shutdown(context);
    },
  };
}
