/**
 * The narrow shapes of the client library that this folder works with. Its own types promise named exports that
 * do not exist at run time and type the message of a subscription with options as `any`.
 */

export const RELIABILITY = { reliable: 1, bestEffort: 2 } as const;
export const DURABILITY = { transientLocal: 1, volatile: 2 } as const;

/** A quality of service; all of ours keep the last `depth` messages. */
export interface QosProfile {
  readonly reliability: 'reliable' | 'best_effort';
  readonly durability: 'volatile' | 'transient_local';
  readonly depth: number;
}

/** One publisher as the ROS graph shows it. */
export interface PublisherInfo {
  readonly node_name: string;
  readonly node_namespace: string;
  readonly topic_type: string;
  readonly qos_profile: { readonly reliability: number; readonly durability: number; readonly depth: number };
}

export interface RosPublisher {
  /** A Buffer is sent as it is (CDR); anything else is converted field by field. */
  publish(message: object): void;
  readonly subscriptionCount: number;
  readonly topic: string;
}

export interface RosSubscription {
  readonly topic: string;
}

export interface RosTimer {
  cancel(): void;
}

export interface RosService {
  readonly serviceName: string;
}

/** A class of the client library's form. */
export type RosServiceClass = new () => object;

export interface RosServiceResponse {
  send(response: object): void;
}

export interface RosClient {
  sendRequestAsync(request: object, options?: { timeout?: number; signal?: AbortSignal }): Promise<object>;
  isServiceServerAvailable(): boolean;
  waitForService(timeoutMs?: number): Promise<boolean>;
}

export interface RosClock {
  now(): { readonly nanoseconds: bigint };
  rosTimeOverride?: object;
}

export interface RosParameter {
  readonly name: string;
  readonly type: number;
  readonly value: unknown;
}

export interface RosLogger {
  debug(text: string): void;
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}

export interface SetParametersResult {
  readonly successful: boolean;
  readonly reason: string;
}

export interface RosNode {
  name(): string;
  namespace(): string;
  getFullyQualifiedName(): string;
  resolveTopicName(name: string, onlyExpand?: boolean): string;
  resolveServiceName(name: string, onlyExpand?: boolean): string;
  getLogger(): RosLogger;
  getClock(): RosClock;
  createPublisher(type: string, topic: string, options: { qos: object }): RosPublisher;
  destroyPublisher(publisher: RosPublisher): void;
  createSubscription(
    type: string,
    topic: string,
    options: { qos: object; isRaw: boolean },
    callback: (message: never) => void,
  ): RosSubscription;
  destroySubscription(subscription: RosSubscription): void;
  createTimer(periodNs: bigint, callback: () => void, clock: object): RosTimer;
  destroyTimer(timer: RosTimer): void;
  createService(
    type: string | RosServiceClass,
    name: string,
    options: { qos: object },
    callback: (request: never, response: RosServiceResponse) => void,
  ): RosService;
  createClient(type: string | RosServiceClass, name: string, options?: { qos: object }): RosClient;
  destroyClient(client: RosClient): void;
  getPublishersInfoByTopic(topic: string): readonly PublisherInfo[];
  getSubscriptionsInfoByTopic(topic: string): readonly PublisherInfo[];
  countServices(name: string): number;
  getNodeNamesAndNamespaces(): readonly { readonly name: string; readonly namespace: string }[];
  declareParameter(parameter: RosParameter, descriptor: object): RosParameter;
  getParameter(name: string): RosParameter;
  setParameter(parameter: RosParameter): SetParametersResult;
  addPreSetParametersCallback(
    callback: (parameters: readonly RosParameter[]) => readonly RosParameter[],
  ): void;
  addOnSetParametersCallback(callback: (parameters: readonly RosParameter[]) => SetParametersResult): void;
  addPostSetParametersCallback(callback: (parameters: readonly RosParameter[]) => void): void;
  spin(timeoutMs?: number): void;
  destroy(): void;
}

/** For state that a late subscriber must get at once: Brief and markers. */
export const LATCHED: QosProfile = { reliability: 'reliable', durability: 'transient_local', depth: 1 };

/**
 * Of services and their clients. The usual depth of 10 loses calls when more come at once than that, and a caller of a
 * reliable service cannot tell: it waits for ever.
 */
export const SERVICE_QOS: QosProfile = { reliability: 'reliable', durability: 'volatile', depth: 100 };
