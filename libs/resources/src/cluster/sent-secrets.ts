import {
  everything,
  findSensitiveInTurns,
  joinPath,
  redactAnswerInTurns,
  redactQuoted,
  type JsonPath,
} from "@landscaper/api";
import { createBreather } from "@landscaper/controller-runtime";
import { fieldAt, isJsonObject } from "../json-value.ts";
import { FieldPlaces, stepsOfField, stepsOfPath } from "./field-places.ts";

/** A scalar, and where it stands in its object. */
interface Leaf {
  readonly leaf: unknown;
  readonly path: JsonPath;
}

type Breathe = () => Promise<void>;

/** What of the objects that are sent to a target is secret. */
export interface SentSecrets {
  /** Tells it of the scalars of an object. The time that this takes is for `breathe` to divide. */
  judge(sent: unknown, breathe: Breathe): Promise<(leaf: Leaf) => boolean>;
  /** Where objects on the target may hold secrets that are not sent, such as those of an earlier specification; a number stands for any. */
  readonly fields: readonly JsonPath[];
}

export const nothingSecret: SentSecrets = { judge: async () => () => false, fields: [] };

/** Secrets are all that stands at the fields, and the values wherever they stand, also as a part. */
export function secretsAt(fields: readonly JsonPath[], values: readonly unknown[]): SentSecrets {
  const places = new FieldPlaces(fields);
  const judge: SentSecrets["judge"] = async (sent, breathe) => {
    // Too short to be searched for in texts.
    const exact = new Set((await leavesOf(values, breathe)).map(({ leaf }) => String(leaf)));
    const found = new Set(await findSensitiveInTurns(sent, values, breathe));
    return ({ leaf, path }) => exact.has(String(leaf)) || found.has(path) || places.covers(stepsOfPath(path));
  };
  return { judge, fields };
}

/** Secret is everything but what these values, which are none, have as well. */
export function secretsBut(plain: readonly unknown[]): SentSecrets {
  const judge: SentSecrets["judge"] = async (_sent, breathe) => {
    const known = new Set((await leavesOf(plain, breathe)).map(({ leaf }) => leaf));
    return ({ leaf }) => !known.has(leaf);
  };
  return { judge, fields: everything };
}

const leavesPerPart = 256;

async function leavesOf(value: unknown, breathe: Breathe): Promise<Leaf[]> {
  const leaves: Leaf[] = [];
  for (const leaf of eachLeaf(value, "")) {
    leaves.push(leaf);
    if (leaves.length % leavesPerPart === 0) await breathe();
  }
  return leaves;
}

function* eachLeaf(value: unknown, path: JsonPath): Generator<Leaf> {
  if (value === null || value === undefined) return;
  if (typeof value !== "object") yield { leaf: value, path };
  else for (const [key, member] of Object.entries(value)) yield* eachLeaf(member, joinPath(path, key));
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

/** An answer of a server, masked: what of `sent` is secret, and the values that it quotes of fields that are, or may be. Others get turns meanwhile. */
export async function maskAnswer(message: string, sent: unknown, secrets: SentSecrets): Promise<string> {
  const breathe = createBreather();
  const identity = new Set(identityPaths.map((path) => fieldAt(sent, ...path)));
  const contents = new FieldPlaces(isSecretObject(sent) ? contentFields : []);
  const isSecret = await secrets.judge(sent, breathe);
  const leaves = await leavesOf(sent, breathe);
  const secretLeaves: Leaf[] = [];
  for (const [index, leaf] of leaves.entries()) {
    if (index % leavesPerPart === 0) await breathe();
    if (identity.has(leaf.leaf)) continue;
    if (contents.covers(stepsOfPath(leaf.path)) || isSecret(leaf)) secretLeaves.push(leaf);
  }
  const unsent = new FieldPlaces(secrets.fields);
  if (secretLeaves.length === 0 && unsent.isEmpty && contents.isEmpty) return message;
  const masked = await redactAnswerInTurns(
    message,
    secretLeaves.map(({ leaf }) => leaf),
    breathe,
  );
  const secretPlaces = await placesOf(secretLeaves, breathe);
  const places = await placesOf(leaves, breathe);
  return redactQuoted(masked, (field) => {
    if (field === undefined) return true;
    const steps = stepsOfField(field);
    if (secretPlaces.touches(steps)) return true;
    return !places.leadsTo(steps) && (unsent.touches(steps) || contents.touches(steps));
  });
}

async function placesOf(leaves: readonly Leaf[], breathe: Breathe): Promise<FieldPlaces> {
  const places = new FieldPlaces([]);
  for (const [index, { path }] of leaves.entries()) {
    if (index % leavesPerPart === 0) await breathe();
    places.add(path);
  }
  return places;
}

function isSecretObject(sent: unknown): boolean {
  return isJsonObject(sent) && sent["apiVersion"] === "v1" && sent["kind"] === "Secret";
}
