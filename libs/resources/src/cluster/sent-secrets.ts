import { everything, findSensitive, joinPath, redactAnswer, redactQuoted, type JsonPath } from "@landscaper/api";
import { fieldAt, isJsonObject } from "../json-value.ts";
import { FieldPlaces, stepsOfField, stepsOfPath } from "./field-places.ts";

/** A scalar, and where it stands in its object. */
interface Leaf {
  readonly leaf: unknown;
  readonly path: JsonPath;
}

/** What of the objects that are sent to a target is secret. */
export interface SentSecrets {
  /** Tells it of the scalars of an object. */
  judge(sent: unknown): (leaf: Leaf) => boolean;
  /** Where objects on the target may hold secrets that are not sent, such as those of an earlier specification; a number stands for any. */
  readonly fields: readonly JsonPath[];
}

export const nothingSecret: SentSecrets = { judge: () => () => false, fields: [] };

/** Secrets are all that stands at the fields, and the values wherever they stand, also as a part. */
export function secretsAt(fields: readonly JsonPath[], values: readonly unknown[]): SentSecrets {
  const places = new FieldPlaces(fields);
  // Too short to be searched for in texts.
  const exact = new Set(values.flatMap((value) => leavesOf(value)).map(({ leaf }) => String(leaf)));
  const judge: SentSecrets["judge"] = (sent) => {
    const found = new Set(findSensitive(sent, values));
    return ({ leaf, path }) => exact.has(String(leaf)) || found.has(path) || places.covers(stepsOfPath(path));
  };
  return { judge, fields };
}

/** Secret is everything but what these values, which are none, have as well. */
export function secretsBut(plain: readonly unknown[]): SentSecrets {
  const known = new Set(plain.flatMap((value) => leavesOf(value)).map(({ leaf }) => leaf));
  const isSecret = ({ leaf }: Leaf): boolean => !known.has(leaf);
  return { judge: () => isSecret, fields: everything };
}

function leavesOf(value: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  collectLeaves(value, "", leaves);
  return leaves;
}

function collectLeaves(value: unknown, path: JsonPath, leaves: Leaf[]): void {
  if (value === null || value === undefined) return;
  if (typeof value !== "object") leaves.push({ leaf: value, path });
  else for (const [key, member] of Object.entries(value)) collectLeaves(member, joinPath(path, key), leaves);
}

/** What names an object: never a secret, and needed in messages. */
const identityPaths: readonly (readonly string[])[] = [
  ["apiVersion"],
  ["kind"],
  ["metadata", "name"],
  ["metadata", "namespace"],
];
/** Of a Secret. */
const contentFields = ["/data", "/stringData"];

/** An answer of a server, masked: what of `sent` is secret, and the values that it quotes of fields that are, or may be. */
export function maskAnswer(message: string, sent: unknown, secrets: SentSecrets): string {
  const identity = new Set(identityPaths.map((path) => fieldAt(sent, ...path)));
  const contents = new FieldPlaces(isSecretObject(sent) ? contentFields : []);
  const isSecret = secrets.judge(sent);
  const leaves = leavesOf(sent);
  const secretLeaves = leaves.filter(
    (leaf) => !identity.has(leaf.leaf) && (contents.covers(stepsOfPath(leaf.path)) || isSecret(leaf)),
  );
  const unsent = new FieldPlaces(secrets.fields);
  if (secretLeaves.length === 0 && unsent.isEmpty && contents.isEmpty) return message;
  const masked = redactAnswer(
    message,
    secretLeaves.map(({ leaf }) => leaf),
  );
  const secretPlaces = new FieldPlaces(secretLeaves.map(({ path }) => path));
  const places = new FieldPlaces(leaves.map(({ path }) => path));
  return redactQuoted(masked, (field) => {
    if (field === undefined) return true;
    const steps = stepsOfField(field);
    if (secretPlaces.touches(steps)) return true;
    return !places.leadsTo(steps) && (unsent.touches(steps) || contents.touches(steps));
  });
}

function isSecretObject(sent: unknown): boolean {
  return isJsonObject(sent) && sent["apiVersion"] === "v1" && sent["kind"] === "Secret";
}
