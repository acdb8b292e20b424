import { readFileSync } from "node:fs";
import type { ResourceType } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import type { NatsConnection } from "@nats-io/transport-node";
import { connect } from "@nats-io/transport-node";
import type { Environment } from "../services/environment.ts";
import type { TestNamespace } from "./test-namespace.ts";

/** A text that others than the owner of the data can see. */
export interface VisibleText {
  readonly where: string;
  readonly text: string;
}

/** Everything that was published on NATS since the subscription. */
export interface NatsTap {
  readonly texts: readonly VisibleText[];
  stop(): Promise<void>;
}

export async function tapNats(url: string): Promise<NatsTap> {
  const connection: NatsConnection = await connect({ servers: url });
  const texts: VisibleText[] = [];
  connection.subscribe(">", {
    callback: (_error, message) => {
      texts.push({ where: `NATS ${message.subject}`, text: message.string() });
    },
  });
  await connection.flush();
  return { texts, stop: async () => connection.close() };
}

const jobKinds: readonly ResourceType[] = [resources.installation, resources.execution, resources.deployItem];

/** Status and metadata of the job objects, events, logs and metrics. */
export async function collectVisibleTexts(environment: Environment, scope: TestNamespace): Promise<VisibleText[]> {
  return [...(await collectObjectTexts(scope)), ...(await collectServiceTexts(environment))];
}

/** Status and metadata of the job objects, metadata of data and Targets, and events. */
export async function collectObjectTexts(scope: TestNamespace): Promise<VisibleText[]> {
  const texts: VisibleText[] = [];
  for (const type of jobKinds) {
    for (const object of await scope.list(type)) {
      const visible: unknown[] = [object.metadata, Reflect.get(object, "status")];
      texts.push({ where: `${type.kind} ${object.metadata.name ?? ""}`, text: JSON.stringify(visible) });
    }
  }
  for (const type of [resources.dataObject, resources.target]) {
    for (const { metadata } of await scope.list(type)) {
      texts.push({ where: `metadata of ${type.kind} ${metadata.name ?? ""}`, text: JSON.stringify(metadata) });
    }
  }
  for (const event of await scope.list(kubeResources.event)) {
    texts.push({ where: `event ${event.metadata.name ?? ""}`, text: JSON.stringify(event) });
  }
  return texts;
}

/** Logs, of all processes that a service has had, and metrics. */
export async function collectServiceTexts(environment: Environment): Promise<VisibleText[]> {
  const texts: VisibleText[] = [];
  for (const service of environment.services) {
    texts.push({ where: `log of ${service.name}`, text: readFileSync(service.logFile, "utf8") });
    texts.push({ where: `metrics of ${service.name}`, text: await service.metrics() });
  }
  return texts;
}

/** Where the recogniser finds something, with the text around it. */
export function findLeaks(
  texts: readonly VisibleText[],
  findIn: (text: string) => string | undefined,
): { readonly where: string; readonly found: string }[] {
  return texts.flatMap(({ where, text }) => {
    // Line by line, so that a message shows the line and not the whole log.
    const line = text.split("\n").find((each) => findIn(each) !== undefined);
    return line === undefined ? [] : [{ where, found: line.slice(0, 2000) }];
  });
}
