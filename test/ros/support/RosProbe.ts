import type { RosContext } from '../../../src/ros/rcl.js';
import type { QosProfile, RosNode, RosPublisher } from '../../../src/ros/rosTypes.js';
import type { RosModules } from './ros.js';
import { waitFor } from './waitFor.js';

/** A second node beside the one under test: publishes to it, listens to it and calls its services. */
export class RosProbe {
  readonly node: RosNode;
  readonly #context: RosContext;

  static async start(ros: RosModules, name = 'probe'): Promise<RosProbe> {
    ros.rcl.removeSignalHandlers();
    const context = new ros.rcl.Context();
    await ros.rcl.init(context, []);
    return new RosProbe(ros, context, name);
  }

  private constructor(
    private readonly ros: RosModules,
    context: RosContext,
    name: string,
  ) {
    this.#context = context;
    this.node = new ros.rcl.Node(name, '', context);
    this.node.spin();
  }

  publisher(type: string, topic: string, qos: QosProfile): RosPublisher {
    return this.node.createPublisher(type, topic, { qos: this.ros.toRclQos(qos) });
  }

  /** Every message of a topic from now on. */
  listen<Message>(type: string, topic: string, qos: QosProfile): Message[] {
    const heard: Message[] = [];
    const options = { qos: this.ros.toRclQos(qos), isRaw: false };
    this.node.createSubscription(type, topic, options, (message: Message) => {
      heard.push(message);
    });
    return heard;
  }

  async call<Answer>(type: string, service: string, request: object, timeoutMs = 5000): Promise<Answer> {
    const client = this.node.createClient(type, service);
    try {
      await waitFor(`service ${service}`, 10_000, () => client.isServiceServerAvailable());
      return (await client.sendRequestAsync(request, { timeout: timeoutMs })) as Answer;
    } finally {
      this.node.destroyClient(client);
    }
  }

  stop(): void {
    this.node.destroy();
    this.ros.rcl.shutdown(this.#context);
  }
}
