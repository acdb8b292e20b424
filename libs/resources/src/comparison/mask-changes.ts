import { redacted, redactTextsInTurns, type UnstructuredObject } from "@landscaper/api";
import { createBreather } from "@landscaper/controller-runtime";
import { isNumeric } from "@landscaper/json";
import type { FieldChange } from "./field-diff.ts";
import { fieldAt, isJsonObject } from "../json-value.ts";
import { isFormerSecret, noSecrets, type PlanSecrets } from "./plan-secrets.ts";

/** What stands in a diff for a value that must not be seen. */
export const maskedValue = "(masked)";

/** Fields that are secrets wherever they stand, by the last word of their name. */
const sensitiveName =
  /(?:passw(?:or)?d|passphrase|token|secret|credentials?|private[-_.]?key|api[-_.]?key|kubeconfig)$/i;
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/** The fields of an object that have changed. */
interface ChangedFields {
  readonly object: Pick<UnstructuredObject, "apiVersion" | "kind">;
  readonly fields: readonly FieldChange[];
}

/** Hides values of Secrets, wherever they stand, and of fields whose name says that they are secret. */
export class ChangeMask {
  readonly #secrets: readonly unknown[];
  readonly #former: PlanSecrets["former"];
  readonly #hidesAll: boolean;
  /** Texts of the changes in masked form. */
  #masked: ReadonlyMap<string, string> = new Map();

  /** `objects`: all forms of all objects that are compared; what their Secrets hold is secret in every other one, too. */
  constructor(
    objects: readonly (UnstructuredObject | undefined)[],
    { values, former, isUnknown = false }: PlanSecrets = noSecrets,
  ) {
    this.#secrets = [...values, ...objects.flatMap(secretValuesOf)];
    this.#former = former;
    this.#hidesAll = isUnknown;
  }

  /** The fields in masked form, in the same order. All objects at once: for each call the secrets are taken apart anew. Others get turns. */
  async mask(changed: readonly ChangedFields[]): Promise<FieldChange[][]> {
    const breathe = createBreather();
    const texts = await allTexts(changed, breathe);
    const masked = await redactTextsInTurns(texts, this.#secrets, breathe);
    this.#masked = new Map(texts.map((text, index) => [text, masked[index] ?? redacted]));
    const all: FieldChange[][] = [];
    for (const { object, fields } of changed) {
      const isSecret = isSecretKind(object);
      const shown: FieldChange[] = [];
      for (const field of fields) {
        await breathe();
        shown.push(this.#maskField(field, isSecret));
      }
      all.push(shown);
    }
    return all;
  }

  #maskField(change: FieldChange, isSecret: boolean): FieldChange {
    const hidden = this.#hidesAll || (isSecret && isSecretField(change.path)) || isSensitive(change.path);
    const cover = (value: unknown): unknown => (hidden ? maskedValue : this.#cover(value));
    // What a secret value takes the place of was secret as well, most likely.
    const isFromHidden = this.#isSecret(change.to) || isFormerSecret(change.path, this.#former);
    return {
      path: change.path,
      type: change.type,
      ...("from" in change ? { from: isFromHidden ? maskedValue : cover(change.from) } : {}),
      ...("to" in change ? { to: cover(change.to) } : {}),
    };
  }

  #isSecret(value: unknown): boolean {
    if (typeof value === "string" || isNumeric(value)) return this.#textOf(value) !== String(value);
    if (typeof value !== "object" || value === null) return false;
    return Object.values(value).some((member) => this.#isSecret(member));
  }

  #textOf(value: string | number | bigint): string {
    return this.#masked.get(String(value)) ?? redacted;
  }

  #cover(value: unknown): unknown {
    if (isNumeric(value)) return this.#isSecret(value) ? maskedValue : value;
    if (typeof value === "string") return this.#textOf(value);
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

async function allTexts(changed: readonly ChangedFields[], breathe: () => Promise<void>): Promise<readonly string[]> {
  const texts = new Set<string>();
  for (const { fields } of changed) {
    for (const { from, to } of fields) {
      await breathe();
      collectTexts(from, texts);
      collectTexts(to, texts);
    }
  }
  return [...texts];
}

function collectTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === "string" || isNumeric(value)) texts.add(String(value));
  else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) collectTexts(member, texts);
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
