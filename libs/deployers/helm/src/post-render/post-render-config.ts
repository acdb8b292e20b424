import { typeWord } from "@landscaper/json";
import type { PostRenderFields } from "@landscaper/api";
import { fromYaml, YamlError } from "@landscaper/goyaml";
import { splitManifests } from "@landscaper/helm";
import type { JsonPatchOperation } from "@landscaper/patch";
import { isJsonObject } from "@landscaper/resources";
import { configError } from "@landscaper/manifest-deployer-lib";
import { parseTarget, type PatchTarget, type TargetFields } from "./patch-target.ts";
import type { ImageReplacement } from "./replace-images.ts";

/** What happens to rendered objects before they are deployed, in this order. */
export interface PostRender {
  readonly patches: readonly PostRenderPatch[];
  readonly commonLabels: Readonly<Record<string, string>>;
  readonly commonAnnotations: Readonly<Record<string, string>>;
  readonly images: readonly ImageReplacement[];
  /** As it was written: what decides whether there is something new to deploy. */
  readonly source: PostRenderFields;
}

export type PostRenderPatch = {
  readonly target: PatchTarget;
  /** What is patched, in words. */
  readonly targetText: string;
  /** Its place in the configuration, for messages. */
  readonly field: string;
} & (
  | { readonly type: "merge"; readonly patch: Readonly<Record<string, unknown>> }
  | { readonly type: "json"; readonly operations: readonly JsonPatchOperation[] }
);

/** Field `postRender`; `where` is its place. Throws LandscaperError that names the field. */
export function parsePostRender(fields: PostRenderFields | undefined, where: string): PostRender | undefined {
  if (fields === undefined) return undefined;
  const { patches = [], commonLabels = {}, commonAnnotations = {}, images = [] } = fields;
  for (const [index, { newName, newTag, digest }] of images.entries()) {
    if (newName !== undefined || newTag !== undefined || digest !== undefined) continue;
    throw configError(`${where}.images[${index}]: expected newName, newTag or digest, found none of them`);
  }
  const length = patches.reduce((sum, { patch }) => sum + (typeof patch === "string" ? patch.length : 0), 0);
  if (length > maxTextLength) {
    throw configError(`${where}.patches: expected at most ${maxTextLength / 1024} Ki characters of text, found more`);
  }
  if (patches.length > maxPatches) {
    throw configError(`${where}.patches: expected at most ${maxPatches} patches, found ${patches.length}`);
  }
  return {
    patches: patches.map((patch, index) => parsePatch(patch, { index, where })),
    commonLabels,
    commonAnnotations,
    images,
    source: fields,
  };
}

function parsePatch(
  { target, patch }: NonNullable<PostRenderFields["patches"]>[number],
  { index, where }: { readonly index: number; readonly where: string },
): PostRenderPatch {
  const place = `${where}.patches[${index}]`;
  const content = typeof patch === "string" ? readText(patch, `${place}.patch`) : patch;
  const field = `postRender.patches[${index}]`;
  if (Array.isArray(content)) {
    if (content.length > maxOperations) {
      throw configError(`${place}.patch: expected at most ${maxOperations} operations, found ${content.length}`);
    }
    const operations = content.map((operation, at) => parseOperation(operation, `${place}.patch[${at}]`));
    if (target === undefined)
      throw configError(`${place}.target: required field is missing: a JSON patch names no object`);
    return {
      type: "json",
      operations,
      target: parseTarget(target, `${place}.target`),
      targetText: textOf(target),
      field,
    };
  }
  if (!isJsonObject(content)) {
    throw configError(`${place}.patch: expected an object or a list of operations, found ${typeName(content)}`);
  }
  const chosen = target ?? ownTarget(content, `${place}.patch`);
  return {
    type: "merge",
    patch: withoutIdentity(content),
    target: parseTarget(chosen, `${place}.target`),
    targetText: textOf(chosen),
    field,
  };
}

const maxPatches = 1000;
/** Of all patches that are texts. */
const maxTextLength = 256 * 1024;
/** Of a JSON patch. */
const maxOperations = 1000;

function readText(text: string, where: string): unknown {
  if (splitManifests(text).filter((document) => document.trim() !== "").length > 1) {
    throw configError(`${where}: expected one document, found several`);
  }
  try {
    return fromYaml(text, { integers: "exact" });
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw configError(
      `${where}: expected YAML: ${error.line === undefined ? "" : `line ${error.line}: `}${error.problem}`,
    );
  }
}

const operations: ReadonlySet<unknown> = new Set(["add", "remove", "replace", "move", "copy", "test"]);

function parseOperation(operation: unknown, where: string): JsonPatchOperation {
  if (!isJsonObject(operation)) throw configError(`${where}: expected an operation, found ${typeName(operation)}`);
  const { op, path, from } = operation;
  if (!operations.has(op)) {
    throw configError(`${where}.op: expected one of ${[...operations].map((name) => JSON.stringify(name)).join(", ")}`);
  }
  checkPointer(path, `${where}.path`);
  if (op === "move" || op === "copy") checkPointer(from, `${where}.from`);
  const needsValue = op === "add" || op === "replace" || op === "test";
  if (needsValue && operation["value"] === undefined) throw configError(`${where}.value: required field is missing`);
  // Its fields are those of its op.
  return operation as unknown as JsonPatchOperation;
}

function checkPointer(pointer: unknown, where: string): void {
  if (typeof pointer === "string" && /^(\/.*)?$/s.test(pointer)) return;
  const found =
    pointer === undefined ? "none" : typeof pointer === "string" ? "no slash at its begin" : typeName(pointer);
  throw configError(`${where}: expected a path such as /spec/replicas, found ${found}`);
}

/** Of a patch that says itself which object it is for. */
function ownTarget({ apiVersion, kind, metadata }: Readonly<Record<string, unknown>>, where: string): TargetFields {
  const { name, namespace } = isJsonObject(metadata) ? metadata : {};
  if (typeof kind !== "string" || typeof name !== "string") {
    throw configError(`${where}: expected kind and metadata.name of the object, or a target beside it`);
  }
  const slash = typeof apiVersion === "string" ? apiVersion.lastIndexOf("/") : -1;
  return {
    ...(typeof apiVersion === "string"
      ? { group: literal(apiVersion.slice(0, Math.max(0, slash))), version: literal(apiVersion.slice(slash + 1)) }
      : {}),
    kind: literal(kind),
    name: literal(name),
    ...(typeof namespace === "string" ? { namespace: literal(namespace) } : {}),
  };
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** With a target they are only there because every object has them. */
function withoutIdentity({
  apiVersion: _version,
  kind: _kind,
  metadata,
  ...rest
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!isJsonObject(metadata)) return rest;
  const { name: _name, namespace: _namespace, ...others } = metadata;
  return Object.keys(others).length === 0 ? rest : { ...rest, metadata: others };
}

/** "kind Deployment, name web" */
function textOf(target: TargetFields): string {
  return Object.entries(target)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} ${value === "" ? '""' : value.replaceAll("\\", "")}`)
    .join(", ");
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  return Array.isArray(value) ? "a list" : `a ${typeWord(value)}`;
}
