import { redactLeaves, type UnstructuredObject } from "@landscaper/api";
import type { FieldChange } from "./field-diff.ts";
import { fieldAt, isJsonObject } from "../json-value.ts";

/** What stands in a diff for a value that must not be seen. */
export const maskedValue = "(masked)";

/** Fields that are secrets wherever they stand, by the last word of their name. */
const sensitiveName =
  /(?:passw(?:or)?d|passphrase|token|secret|credentials?|private[-_.]?key|api[-_.]?key|kubeconfig)$/i;
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/** Hides values of Secrets, wherever they stand, and of fields whose name says that they are secret. */
export class ChangeMask {
  readonly #secrets: readonly unknown[];

  /** `objects`: all forms of all objects that are compared; what their Secrets hold is secret in every other one, too. */
  constructor(objects: readonly (UnstructuredObject | undefined)[]) {
    this.#secrets = objects.flatMap(secretValuesOf);
  }

  mask(object: Pick<UnstructuredObject, "apiVersion" | "kind">, changes: readonly FieldChange[]): FieldChange[] {
    const isSecret = isSecretKind(object);
    return changes.map((change) => {
      const hidden = (isSecret && isSecretField(change.path)) || isSensitive(change.path);
      const cover = (value: unknown): unknown => (hidden ? maskedValue : this.#cover(value));
      return {
        path: change.path,
        type: change.type,
        ...("from" in change ? { from: cover(change.from) } : {}),
        ...("to" in change ? { to: cover(change.to) } : {}),
      };
    });
  }

  #cover(value: unknown): unknown {
    if (typeof value === "string") return redactLeaves(value, this.#secrets);
    if (Array.isArray(value)) return value.map((item) => this.#cover(item));
    if (!isJsonObject(value)) return value;
    const isNamedSecret = typeof value["name"] === "string" && sensitiveName.test(value["name"]);
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        const isHidden = isSensitive(key) || (isNamedSecret && key === "value");
        return [key, isHidden && isScalar(member) ? maskedValue : this.#cover(member)];
      }),
    );
  }
}

function secretValuesOf(object: UnstructuredObject | undefined): unknown[] {
  if (object === undefined || !isSecretKind(object)) return [];
  const data = fieldAt(object, "data");
  const decoded = isJsonObject(data)
    ? Object.values(data).map((value) =>
        typeof value === "string" ? Buffer.from(value, "base64").toString("utf8") : value,
      )
    : [];
  return [data, decoded, fieldAt(object, "stringData")];
}

function isSecretKind({ apiVersion, kind }: Pick<UnstructuredObject, "apiVersion" | "kind">): boolean {
  return apiVersion === "v1" && kind === "Secret";
}

/** Everything but what names and sorts a Secret: annotations may repeat its data. */
function isSecretField(path: string): boolean {
  return !/^\.(?:type|immutable|metadata\.(?:labels|finalizers|ownerReferences))\b/.test(path);
}

/** `path` may also be a single key. */
function isSensitive(path: string): boolean {
  const key = path.replace(/["\]]+$/, "").replace(/\[name=([^\]]*)\]?\.value$/, ".$1");
  return sensitiveName.test(key) || key.includes(lastApplied);
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}
