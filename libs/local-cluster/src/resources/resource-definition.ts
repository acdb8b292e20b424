import type { UnstructuredObject } from "@landscaper/api";
import type { FieldError } from "../status/field-error.ts";
import type { PrinterColumn } from "../table/printer-column.ts";

export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

export interface SubresourceDefinition {
  readonly name: string;
  readonly kind: string;
  /** Absent: those of the parent resource. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly Verb[];
}

/** What a decoder of request bodies answers: the object to work on and what it dropped or stumbled over. */
export interface Decoded {
  readonly object: UnstructuredObject;
  /** `unknown field "spec.x"`: refused (fieldValidation=Strict), sent as warnings (Warn) or ignored. */
  readonly strictErrors: readonly string[];
}

/**
 * The rules of one kind. All functions are pure; `prepare*` answer the object to store, which may share structure with
 * their input but must not change it.
 */
export interface Strategy {
  /** Drops or refuses what the kind does not know. Throws StatusError for a value of a wrong type. */
  readonly decode?: (object: UnstructuredObject) => Decoded;
  /** Applies defaults; runs after `decode` and on the result of patches. `keepsNulls`: an apply leaves nulls to the validation. */
  readonly applyDefaults?: (object: UnstructuredObject, keepsNulls?: boolean) => UnstructuredObject;
  readonly prepareForCreate?: (object: UnstructuredObject) => UnstructuredObject;
  readonly prepareForUpdate?: (object: UnstructuredObject, old: UnstructuredObject) => UnstructuredObject;
  /** The object as the rules of its structs see it; the default is the object itself. */
  readonly forRules?: (object: UnstructuredObject, old: UnstructuredObject | undefined) => UnstructuredObject;
  readonly validate?: (object: UnstructuredObject, old: UnstructuredObject | undefined) => readonly FieldError[];
  readonly validateStatus?: (object: UnstructuredObject, old: UnstructuredObject) => readonly FieldError[];
  /** Finalizers without a domain are accepted. */
  readonly allowsBareFinalizers?: boolean;
  /** Problems of metadata.name as detail texts; default: a DNS-1123 subdomain. */
  readonly validateName?: (name: string) => readonly string[];
  /** Warnings to send with a successful create or update. */
  readonly warnings?: (object: UnstructuredObject, old: UnstructuredObject | undefined) => readonly string[];
  /** Grace period in seconds when a delete shall only mark the object; 0 removes at once. */
  readonly gracePeriod?: (object: UnstructuredObject, requestedSeconds: number | undefined) => number;
  /** Whether something beside metadata.finalizers keeps a deleted object (a namespace's spec.finalizers). */
  readonly isHeld?: (object: UnstructuredObject) => boolean;
  /** Changes an object that a delete has just marked. */
  readonly prepareForDelete?: (object: UnstructuredObject) => UnstructuredObject;
}

/** Fields whose change bumps metadata.generation. */
export type GenerationRule = "none" | "spec" | "all-but-status";

/** One served version of one resource. */
export interface ResourceDefinition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  readonly subresources: readonly SubresourceDefinition[];
  /** Collection in the store; definitions with equal keys share their objects. */
  readonly storage: string;
  readonly generation: GenerationRule;
  /** Custom resources: no strategic merge patch, type meta in list items, updates need a resourceVersion. */
  readonly custom: boolean;
  /** A create may set the status, though it has a subresource of its own. */
  readonly createsStatus: boolean;
  /** DELETE answers the object instead of a Status. */
  readonly returnsDeleted: boolean;
  readonly createOnUpdate: boolean;
  readonly unconditionalUpdate: boolean;
  /** Why nothing can be created at the moment; undefined when it can. */
  readonly createForbidden?: string;
  /** Warning of every answer to a request for this version; undefined if the version is not deprecated. */
  readonly deprecation?: string;
  readonly strategy: Strategy;
  readonly columns: readonly PrinterColumn[];
  /** Of custom resources, for `kubectl explain` and validation. */
  readonly openApiSchema?: Readonly<Record<string, unknown>>;
  /** Field selectors beside metadata.name and metadata.namespace. */
  readonly selectableFields: Readonly<Record<string, (object: UnstructuredObject) => string>>;
  /** For versions whose form differs from the stored one. */
  readonly convert?: {
    fromStorage(object: UnstructuredObject): UnstructuredObject;
    toStorage(object: UnstructuredObject): UnstructuredObject;
  };
}

export function groupVersionOf(definition: Pick<ResourceDefinition, "group" | "version">): string {
  return definition.group === "" ? definition.version : `${definition.group}/${definition.version}`;
}

export function hasStatusSubresource(definition: ResourceDefinition): boolean {
  return definition.subresources.some(({ name }) => name === "status");
}
