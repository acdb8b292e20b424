import { kubeResources, redactTextsInTurns, type DeployItem, type Pod, type Secret } from "@landscaper/api";
import { createBreather } from "@landscaper/controller-runtime";
import { secretConfigValues } from "@landscaper/deployer";
import { parseJson } from "@landscaper/json";
import { containerNames, ownContainers, type ContainerName } from "../../contract/environment.ts";
import { containerLabels, secretTypes } from "../../contract/labels.ts";
import { onHost } from "../host/host-error.ts";
import { selectItem, type HostPlace } from "../host/host-objects.ts";
import { finalStateOf, isUnstarted } from "../pod/program-end.ts";

/** What is known of each container in words; nothing secret. */
export type ContainerMessages = Readonly<Partial<Record<ContainerName, string>>>;

/** Returns the message of a container by its name; undefined for a container that another client has added. */
export function messageOf(messages: ContainerMessages, container: string): string | undefined {
  const own = ownContainers.find((name) => name === container);
  return own === undefined ? undefined : messages[own];
}

/** The kubelet takes as many bytes of the end of a log into the status of a container. */
const tailBytes = 2048;

export interface MessageOptions {
  readonly item: DeployItem;
  readonly place: HostPlace;
  /** Whether the words of the program are shown. */
  readonly showsLogs: boolean;
}

/**
 * The messages of the containers, with every value masked that derives from what the run was given: imports, the values of the configuration that are
 * secret, access data of the target, and credentials of registries. Without messages nothing is read.
 */
export async function readMessages(pod: Pod, { item, place, showsLogs }: MessageOptions): Promise<ContainerMessages> {
  const texts = ownContainers.map((container) => {
    const { waiting, terminated } = finalStateOf(pod, container);
    const isOfProgram = container === containerNames.main && terminated !== undefined && !isUnstarted(pod);
    if (isOfProgram && !showsLogs) return "";
    return cutTail(terminated?.message ?? waiting?.message ?? "");
  });
  if (texts.every((text) => text === "")) return {};
  const masked = await redactTextsInTurns(texts, await secretsOf(item, place), createBreather());
  return Object.fromEntries(
    ownContainers.flatMap((container, index) => {
      const text = masked[index]?.trim() ?? "";
      return text === "" ? [] : [[container, text]];
    }),
  );
}

/** The first line of a log that was cut may be the end of a value, which nobody recognizes. */
export function cutTail(text: string): string {
  if (Buffer.byteLength(text) < tailBytes) return text;
  const end = text.indexOf("\n");
  return end < 0 ? "" : text.slice(end + 1);
}

/** As the run got them: the item may have changed since. */
async function secretsOf(item: DeployItem, place: HostPlace): Promise<readonly unknown[]> {
  const { cluster, namespace, signal } = place;
  const types = [secretTypes.configuration, secretTypes.target, secretTypes.pullSecret];
  const labelSelector = `${selectItem(place.item)},${containerLabels.type} in (${types.join(",")})`;
  const options = { namespace, labelSelector, signal };
  const { items } = await onHost("a list of secrets", () => cluster.client.list(kubeResources.secret, options));
  return [...secretConfigValues(item), item.spec.config?.["importValues"], ...items.flatMap(valuesOf)];
}

/** What of a Secret is secret: of the configuration the imports, of a Target its access data. */
function valuesOf(secret: Secret): readonly unknown[] {
  const entry = (key: string): string => Buffer.from(secret.data?.[key] ?? "", "base64").toString("utf8");
  const type = secret.metadata.labels?.[containerLabels.type];
  if (type === secretTypes.configuration) return [fieldOf(entry("configuration.json"), "importValues")];
  if (type === secretTypes.target) {
    const json = entry("target.json");
    const target = JSON.stringify(fieldOf(json, "target") ?? null);
    const spec = JSON.stringify(fieldOf(target, "spec") ?? null);
    return [fieldOf(json, "content"), fieldOf(spec, "config")];
  }
  return Object.keys(secret.data ?? {}).map((key) => credentialsIn(entry(key)));
}

function fieldOf(json: string, field: string): unknown {
  try {
    const value: unknown = parseJson(json);
    return typeof value === "object" && value !== null ? Reflect.get(value, field) : undefined;
  } catch {
    return undefined;
  }
}

/** Users, passwords and tokens of a docker configuration, without the names of the registries. */
function credentialsIn(json: string): unknown {
  const auths = fieldOf(json, "auths");
  return typeof auths === "object" && auths !== null ? Object.values(auths) : undefined;
}
