import { apiVersion } from "../../src/objects/api-group.ts";
import type { ObjectMeta, UnstructuredObject } from "../../src/objects/kube-object.ts";

/** An object that the API server must take. */
export interface GoodObject {
  /** A sentence that says what is special about it. */
  readonly name: string;
  readonly object: UnstructuredObject;
}

/** An object that the API server must refuse with exactly this message. */
export interface BadObject extends GoodObject {
  /** Created first, where the fault is in the change; `object` replaces it. */
  readonly before?: UnstructuredObject;
  /** HTTP status of the answer. */
  readonly code: 403 | 422;
  readonly message: string;
}

/** An object of Landscaper; `fields` are its fields beside apiVersion, kind and metadata. */
export function sample(kind: string, fields: Record<string, unknown>, metadata: ObjectMeta = {}): UnstructuredObject {
  const name = metadata.generateName === undefined ? { name: "sample" } : {};
  return { apiVersion, kind, metadata: { ...name, ...metadata }, ...fields };
}

/** The message of a refusal by the admission policy of the kind with this plural. */
export function denied(plural: string, name: string, message: string): string {
  const policy = `${plural}.validation.landscaper.gardener.cloud`;
  return `${plural}.landscaper.gardener.cloud "${name}" is forbidden: ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied request: ${message}`;
}
