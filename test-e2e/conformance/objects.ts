import { stringify } from "yaml";
import { apiVersion } from "../src/kits/plain-api.ts";
import { reconcile } from "../src/kits/contract-names.ts";
import type { Playback } from "./playback.ts";
import { playbackType } from "./playback.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface ItemFields extends Playback {
  /** Other fields of the deploy item: dependsOn, target, updateOnChangeOnly. */
  readonly item?: Fields;
}

/** One entry of a deployItems list for the suite's deployer. */
export function playbackItem(name: string, { item, ...playback }: ItemFields = {}): Fields {
  return {
    name,
    type: playbackType,
    config: { apiVersion: "conformance.test/v1", kind: "Playback", ...playback },
    ...item,
  };
}

/** An executor "default" of a Go template. */
export const goTemplate = (template: string): readonly Fields[] => [{ name: "default", type: "GoTemplate", template }];
export const deployItems = (...items: readonly Fields[]): readonly Fields[] =>
  goTemplate(stringify({ deployItems: items }));

export const text = (name: string, fields: Fields = {}): Fields => ({
  name,
  type: "data",
  schema: { type: "string" },
  ...fields,
});
export const anything = (name: string): Fields => ({ name, type: "data", schema: {} });
export const targetType = "conformance.test/place";
export const targetParameter = (name: string, type = "target"): Fields => ({ name, type, targetType });

export const blueprint = (fields: Fields): Fields => ({
  inline: { filesystem: { "blueprint.yaml": stringify({ apiVersion, kind: "Blueprint", ...fields }) } },
});

/**
 * The component of every blueprint. Nothing is fetched for it: it refers to no other component and has no resources. The lists and a repository
 * are there because the schema of the original requires them, also where they are empty.
 */
export const componentDescriptor: Fields = {
  inline: {
    meta: { schemaVersion: "v2" },
    component: {
      name: "conformance.test/blueprint",
      version: "v1.0.0",
      provider: "conformance.test",
      repositoryContexts: [{ type: "ociRegistry", baseUrl: "components.conformance.test" }],
      sources: [],
      componentReferences: [],
      resources: [],
    },
  },
};

export interface InstallationFields {
  readonly name: string;
  /** Fields of blueprint.yaml. */
  readonly blueprint: Fields;
  readonly imports?: Fields;
  readonly exports?: Fields;
  readonly spec?: Fields;
  /** `reconcile` by default. */
  readonly annotations?: Readonly<Record<string, string>>;
}

export function installation({ name, imports, exports, spec, annotations = reconcile, ...rest }: InstallationFields) {
  return {
    apiVersion,
    kind: "Installation",
    metadata: { name, annotations },
    spec: {
      componentDescriptor,
      blueprint: blueprint(rest.blueprint),
      ...(imports === undefined ? {} : { imports }),
      ...(exports === undefined ? {} : { exports }),
      ...spec,
    },
  } as const;
}

/** A template of a nested Installation in a blueprint. */
export function subInstallation({ name, imports, exports, ...rest }: Omit<InstallationFields, "annotations">): Fields {
  return {
    apiVersion,
    kind: "InstallationTemplate",
    name,
    blueprint: { filesystem: { "blueprint.yaml": stringify({ apiVersion, kind: "Blueprint", ...rest.blueprint }) } },
    ...(imports === undefined ? {} : { imports }),
    ...(exports === undefined ? {} : { exports }),
  };
}

export const dataObject = (name: string, data: unknown) =>
  ({ apiVersion, kind: "DataObject", metadata: { name }, data }) as const;

export const target = (name: string, config: Fields = { place: name }) =>
  ({ apiVersion, kind: "Target", metadata: { name }, spec: { type: targetType, config } }) as const;

/** Imports and exports whose names are the same inside and outside. */
export const dataRefs = (...names: readonly string[]): Fields => ({
  data: names.map((name) => ({ name, dataRef: name })),
});

/** What is expected of so many objects alike. */
export const times = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);
