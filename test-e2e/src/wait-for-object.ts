import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject, ObjectKey, ResourceType } from "@landscaper/api";
import { formatKey, keyOf } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";

export interface ObjectWait<T extends KubeObject> {
  readonly client: Client;
  readonly type: ResourceType<T>;
  readonly key: ObjectKey;
  readonly isMet: (object: T | undefined) => boolean;
  readonly timeoutMs: number;
  /** What else belongs into the message when time is up. */
  readonly describe: () => Promise<string>;
}

/** Metadata and status for messages; conditions say the same as the rest of the status. */
export function describeJob(object: KubeObject | undefined): string {
  if (object === undefined) return "(no such object)";
  const status: unknown = { ...Object(Reflect.get(object, "status")), conditions: undefined };
  const metadata = {
    generation: object.metadata.generation,
    annotations: object.metadata.annotations,
    deletionTimestamp: object.metadata.deletionTimestamp,
  };
  return `${object.kind} ${formatKey(keyOf(object))}: ${JSON.stringify({ metadata, status }, undefined, 1)}`;
}

/** Waits for a state of one object. */
export async function waitForObject<T extends KubeObject>(wait: ObjectWait<T>): Promise<T | undefined> {
  const { client, type, key, isMet, timeoutMs, describe } = wait;
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const object = await client.find(type, key);
    if (isMet(object)) return object;
    if (Date.now() > deadline) {
      const what = `${type.kind} ${formatKey(key)} is not as expected after ${timeoutMs / 1000} s`;
      throw new Error(`${what}\n${describeJob(object)}\n${await describe()}`);
    }
    await sleep(50);
  }
}
