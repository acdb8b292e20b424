// A kind whose cluster stops serving one of its versions.
import {
  kubeResources,
  type CustomResourceDefinition,
  type KubeObject,
  type UnstructuredObject,
} from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { waitFor } from "../wait-for.ts";

export interface VersionedKind {
  readonly group: string;
  /** Its CRD, with the versions v1beta1 and v1. */
  readonly definition: CustomResourceDefinition;
  /** Creates an object in version v1. */
  readonly create: (key: { readonly namespace: string; readonly name: string }) => Promise<void>;
  /** An object, by default of version v1beta1. */
  readonly lid: (key: { readonly namespace: string; readonly name: string }, version?: string) => UnstructuredObject;
  /** The objects in a namespace, in version v1. */
  readonly list: (namespace: string) => Promise<readonly KubeObject[]>;
  readonly names: (namespace: string) => Promise<readonly string[]>;
  /** Resolves when the cluster serves both versions. */
  readonly untilServed: () => Promise<void>;
  /** Stops serving v1beta1. */
  readonly drop: () => Promise<void>;
  readonly deleteKind: () => Promise<void>;
}

const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };

/** Creates the kind Lid in a group, and waits until its versions are served. */
export async function createVersionedKind(client: Client, group: string): Promise<VersionedKind> {
  const kind = versionedKind(client, group);
  await client.create(kubeResources.customResourceDefinition, kind.definition);
  await kind.untilServed();
  return kind;
}

async function isServed(client: Client, apiVersion: string): Promise<boolean> {
  return await client.request({ method: "GET", path: `/apis/${apiVersion}` }).then(
    () => true,
    () => false,
  );
}

/** The kind Lid in a group. The caller creates its CRD. */
export function versionedKind(client: Client, group: string): VersionedKind {
  const type = { group, version: "v1", kind: "Lid", plural: "lids", namespaced: true };
  const name = `lids.${group}`;
  const definition: CustomResourceDefinition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind: "Lid", plural: "lids", singular: "lid", listKind: "LidList" },
      versions: [
        { name: "v1beta1", served: true, storage: false, schema },
        { name: "v1", served: true, storage: true, schema },
      ],
    },
  };
  const lid: VersionedKind["lid"] = (key, version = "v1beta1") => ({
    apiVersion: `${group}/${version}`,
    kind: "Lid",
    metadata: key,
  });
  const list: VersionedKind["list"] = async (namespace) => (await client.list(type, { namespace })).items;
  return {
    group,
    definition,
    create: async (key) => void (await client.create(type, lid(key, "v1"))),
    lid,
    list,
    names: async (namespace) => (await list(namespace)).map(({ metadata }) => metadata.name ?? ""),
    untilServed: async () => {
      for (const version of ["v1beta1", "v1"]) await waitFor(async () => await isServed(client, `${group}/${version}`));
    },
    drop: async () => {
      const body = [{ op: "replace", path: "/spec/versions/0/served", value: false }];
      await client.patch(kubeResources.customResourceDefinition, { name }, { type: "json", body });
      await waitFor(async () => !(await isServed(client, `${group}/v1beta1`)));
    },
    deleteKind: async () => {
      await client.delete(kubeResources.customResourceDefinition, { name });
      await waitFor(async () => !(await isServed(client, `${group}/v1`)));
    },
  };
}
