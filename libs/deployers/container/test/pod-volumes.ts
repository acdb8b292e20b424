// What the kubelet mounts into the containers of a Pod of a container item, below a folder of the test.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kubeResources, type Pod } from "@landscaper/api";
import type { ContainerName } from "../src/contract/environment.ts";
import { containerPaths, type ContainerPaths } from "../src/contract/paths.ts";
import type { HostPods } from "./host-pods.ts";

interface Container {
  readonly name: string;
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly fieldRef: { readonly fieldPath: string } };
  }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string; readonly items?: readonly { readonly key: string }[] };
  readonly configMap?: { readonly name: string };
}

/** A container as the spec of the Pod has it. */
function containerOf({ spec = {} }: Pod, name: ContainerName): Container {
  const lists = [spec["initContainers"], spec["containers"]] as readonly (readonly Container[] | undefined)[]; // of a Pod that the API server has taken
  const found = lists.flatMap((list) => list ?? []).find((container) => container.name === name);
  if (found === undefined) throw new Error(`the Pod has no container ${name}`);
  return found;
}

/** The files of one container: those of the shared volume are below `root`, those that only this container mounts below `root/NAME`. */
export function pathsOf(root: string, name: ContainerName): ContainerPaths {
  const own = containerPaths(join(root, name));
  const { shared, imports, exports, componentDescriptor, target, content, state } = containerPaths(root);
  return { ...own, shared, imports, exports, componentDescriptor, target, content, state };
}

const mountRoot = containerPaths().shared.slice(0, -"/shared".length);

/** A path of the container as one of this machine; undefined for one that is not below /data/ls. */
function placeOf(path: string, root: string, name: ContainerName): string | undefined {
  if (!path.startsWith(`${mountRoot}/`)) return undefined;
  const below = path.slice(mountRoot.length);
  return below.startsWith("/shared") ? join(root, below) : join(root, name, below);
}

/** The environment that the spec gives the container, with paths of this machine. */
export function environmentIn(pod: Pod, root: string, name: ContainerName): Readonly<Record<string, string>> {
  const fields: Readonly<Record<string, string | undefined>> = {
    "metadata.name": pod.metadata.name,
    "metadata.namespace": pod.metadata.namespace,
  };
  const entries = (containerOf(pod, name).env ?? []).map(({ name: variable, value = "", valueFrom }) => {
    const found = valueFrom === undefined ? value : (fields[valueFrom.fieldRef.fieldPath] ?? "");
    return [variable, placeOf(found, root, name) ?? found];
  });
  return Object.fromEntries(entries) as Readonly<Record<string, string>>;
}

/** Writes the Secrets and ConfigMaps that the container mounts below /data/ls. */
export async function mountVolumes(pod: Pod, root: string, { name, host }: MountOptions): Promise<void> {
  const volumes = (pod.spec?.["volumes"] ?? []) as readonly Volume[]; // as above
  for (const mount of containerOf(pod, name).volumeMounts ?? []) {
    const folder = placeOf(mount.mountPath, root, name);
    const volume = volumes.find((each) => each.name === mount.name);
    if (folder === undefined || volume === undefined) continue;
    mkdirSync(folder, { recursive: true });
    for (const [key, content] of await readVolume(volume, host)) writeFileSync(join(folder, key), content);
  }
}

interface MountOptions {
  readonly name: ContainerName;
  readonly host: HostPods;
}

async function readVolume({ secret, configMap }: Volume, { host, namespace }: HostPods): Promise<[string, Buffer][]> {
  if (secret !== undefined) {
    const { data = {} } = await host.get(kubeResources.secret, { namespace, name: secret.secretName });
    const keys = secret.items?.map(({ key }) => key) ?? Object.keys(data);
    return keys.map((key) => [key, Buffer.from(data[key] ?? "", "base64")]);
  }
  if (configMap === undefined) return [];
  const { data = {} } = await host.get(kubeResources.configMap, { namespace, name: configMap.name });
  return Object.entries(data).map(([key, text]) => [key, Buffer.from(text)]);
}
