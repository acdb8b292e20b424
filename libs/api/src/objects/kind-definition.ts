import type { TProperties } from "typebox";
import { groupName, versionName } from "./api-group.ts";
import { describeEffect } from "../schema/ignored-fields.ts";
import type { KubeObject, ResourceType } from "./kube-object.ts";

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "boolean" | "date";
  readonly jsonPath: string;
  /** 1: only with `-o wide`. */
  readonly priority?: 1;
}

/** Everything that a CRD says about a kind; `fields` are its top-level fields beside apiVersion, kind and metadata. */
export interface KindDefinition<T extends KubeObject = KubeObject> {
  readonly type: ResourceType<T>;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly description: string;
  readonly columns: readonly PrinterColumn[];
  /** Whether status is a subresource. */
  readonly hasStatusSubresource: boolean;
  readonly fields: TProperties;
}

interface KindOptions {
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly description: string;
  readonly columns: readonly PrinterColumn[];
  /** Of a kind that nothing reads: why. */
  readonly withoutEffect?: string;
  readonly clusterScoped?: boolean;
  readonly hasStatusSubresource?: boolean;
  readonly fields: TProperties;
}

/** Every kind shows its age last. */
const ageColumn: PrinterColumn = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };

export function column(name: string, jsonPath: string): PrinterColumn {
  return { name, type: "string", jsonPath };
}

const ready = (field: string): string => `.status.conditions[?(@.type=="Ready")].${field}`;

/** Whether the last job succeeded for the current spec, and if not, why. */
export const readyColumns: readonly PrinterColumn[] = [
  column("Ready", ready("status")),
  column("Reason", ready("reason")),
  { ...column("Message", ready("message")), priority: 1 },
];

/** Adds what all kinds of Landscaper share: group, version and the Age column. */
export function defineKind<T extends KubeObject>(options: KindOptions): KindDefinition<T> {
  const { kind, plural, singular, shortNames, description, columns, fields } = options;
  return {
    type: { group: groupName, version: versionName, kind, plural, namespaced: options.clusterScoped !== true },
    singular,
    shortNames,
    description: describeEffect(description, options.withoutEffect),
    columns: [...columns, ageColumn],
    hasStatusSubresource: options.hasStatusSubresource === true,
    fields,
  };
}
