import { LandscaperError } from "@landscaper/api";
import { fromYaml, toYaml } from "@landscaper/goyaml";
import { ChartError, sortManifests, type HelmDialect, type Hook, type SortedManifests } from "@landscaper/helm";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  hasStrategicSchema,
  isDeepEqual,
  PatchError,
} from "@landscaper/patch";
import { isJsonObject } from "@landscaper/resources";
import { matchesTarget } from "./patch-target.ts";
import type { PostRender, PostRenderPatch } from "./post-render-config.ts";
import { replaceImages } from "./replace-images.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** Rendered documents and hooks of a chart. */
interface Rendered {
  readonly manifests: readonly RenderedDocument[];
  readonly hooks: readonly Hook[];
}

interface PostRenderOptions {
  /** Namespace of the release. */
  readonly namespace: string;
  readonly dialect?: HelmDialect | undefined;
}

interface RenderedDocument {
  readonly path: string;
  readonly content: string;
}

/**
 * Changes rendered manifests and hooks. Documents in which nothing changes stay as they are, byte for byte. Throws LandscaperError
 * (PostRenderingFailed) for a patch that matches nothing or does not apply; it names patch, operation and object.
 */
export function postRender(
  { manifests, hooks }: Rendered,
  rules: PostRender,
  { namespace, dialect }: PostRenderOptions,
): Pick<SortedManifests, "manifests" | "hooks"> {
  const pass = new PostRenderPass(rules, namespace);
  const documents = [...manifests, ...hooks.map((hook) => ({ path: hook.path, content: hook.manifest }))];
  const files = new Map<string, string>();
  for (const document of documents) {
    const content = pass.change(document);
    if (content === undefined) continue;
    const before = files.get(document.path);
    files.set(document.path, before === undefined ? content : `${before}${separatorAfter(before)}${content}`);
  }
  pass.checkPatches();
  const sorted = sortAgain(files, dialect);
  checkHooks(sorted);
  return sorted;
}

/** Returns the separator that keeps the end of a document, because the end is content with Helm 4. */
function separatorAfter(document: string): string {
  return document.endsWith("\n") ? "---\n" : "\n---\n";
}

/** Patches may have made something else of annotations than texts. */
function sortAgain(files: ReadonlyMap<string, string>, dialect: HelmDialect | undefined): SortedManifests {
  try {
    return sortManifests(files, { dialect });
  } catch (error) {
    throw error instanceof ChartError
      ? failure(`postRender: what it has made is no manifest: ${error.message}`)
      : error;
  }
}

/** Patches may change the events of a hook. */
function checkHooks({ unknownHooks: [events] }: SortedManifests): void {
  if (events !== undefined) throw failure(`postRender: a hook has unknown events "${events}" after it`);
}

/** One post-rendering: notes which patches have matched something. */
class PostRenderPass {
  readonly #rules: PostRender;
  readonly #namespace: string;
  readonly #matched = new Set<PostRenderPatch>();

  constructor(rules: PostRender, namespace: string) {
    this.#rules = rules;
    this.#namespace = namespace;
  }

  /** Undefined: a patch has deleted what the document has. */
  change({ path, content }: RenderedDocument): string | undefined {
    // A manifest is written with the end of its last line, which may belong to a block of text.
    const before = fromYaml(`${content}\n`, { integers: "exact" });
    const after = this.#changeValue(before, path);
    if (after === undefined) return undefined;
    return isDeepEqual(before, after) ? content : toYaml(after).trimEnd();
  }

  checkPatches(): void {
    const unused = this.#rules.patches.find((patch) => !this.#matched.has(patch));
    if (unused !== undefined) throw failure(`${unused.field}: matches no object of the chart: ${unused.targetText}`);
  }

  /** Lists are changed item by item. */
  #changeValue(value: unknown, path: string): unknown {
    if (!isJsonObject(value)) return value;
    const { kind, items } = value;
    if (typeof kind === "string" && kind.endsWith("List") && Array.isArray(items)) {
      const changed = items.map((item) => this.#changeValue(item, path));
      return { ...value, items: changed.filter((item) => item !== undefined) };
    }
    return this.#changeObject(value, path);
  }

  #changeObject(object: JsonObject, path: string): unknown {
    const { patches, commonLabels, commonAnnotations, images } = this.#rules;
    let changed = object;
    for (const patch of patches) {
      if (!matchesTarget(patch.target, changed, this.#namespace)) continue;
      this.#matched.add(patch);
      const patched = applyPatch(changed, patch, path);
      if (patched === undefined) return undefined;
      changed = patched;
    }
    const labelled = withMetadata(changed, "labels", commonLabels);
    return replaceImages(withMetadata(labelled, "annotations", commonAnnotations), images);
  }
}

/** Undefined: the patch deletes the object. */
function applyPatch(object: JsonObject, patch: PostRenderPatch, path: string): JsonObject | undefined {
  if (patch.type === "merge" && patch.patch["$patch"] === "delete") return undefined;
  const patched = patch.type === "merge" ? applyMerge(object, patch, path) : applyOperations(object, patch, path);
  if (isJsonObject(patched) && isNamed(patched)) return patched;
  throw failure(`${patch.field}: ${nameOf(object, path)} is left without apiVersion, kind or metadata.name`);
}

/** Strategic for built-in kinds, as `kubectl patch` a JSON merge patch for others. The identity of the object stays. */
function applyMerge(
  object: JsonObject,
  { patch, field }: Extract<PostRenderPatch, { type: "merge" }>,
  path: string,
): unknown {
  const { apiVersion, kind, metadata } = object;
  const type = { apiVersion: String(apiVersion), kind: String(kind) };
  try {
    const patched = hasStrategicSchema(type.apiVersion, type.kind)
      ? applyStrategicMergePatch({ ...object }, patch, type)
      : applyMergePatch(object, patch);
    if (!isJsonObject(patched) || !isJsonObject(metadata)) return patched;
    const { name, namespace } = metadata;
    const own = isJsonObject(patched["metadata"]) ? patched["metadata"] : {};
    const identity = { name, ...(namespace === undefined ? {} : { namespace }) };
    return { ...patched, apiVersion, kind, metadata: { ...own, ...identity } };
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw failure(`${field}: does not apply to ${nameOf(object, path)}: ${error.message}`);
  }
}

function applyOperations(
  object: JsonObject,
  { operations, field }: Extract<PostRenderPatch, { type: "json" }>,
  path: string,
): unknown {
  return operations.reduce<unknown>((document, operation, index) => {
    const what = `${field}.patch[${index}]: ${operation.op} ${operation.path}`;
    try {
      if (operation.op === "replace") checkExists(document, operation.path);
      const patched = applyJsonPatch(document, [operation]);
      if (operation.op === "copy") checkSize(patched);
      return patched;
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      throw failure(`${what} does not apply to ${nameOf(object, path)}: ${error.message}`);
    }
  }, object);
}

/** What is not there cannot be replaced (RFC 6902, 4.3); the API server, and so applyJsonPatch, adds it. Throws PatchError. */
function checkExists(document: unknown, pointer: string): void {
  if (pointer === "") return;
  try {
    applyJsonPatch(document, [{ op: "remove", path: pointer }]);
  } catch (error) {
    throw error instanceof PatchError ? new PatchError(422, "there is nothing to replace") : error;
  }
}

/** Copies of copies double with every operation. Throws PatchError. */
function checkSize(document: unknown): void {
  if (JSON.stringify(document).length > maxCopiedLength) {
    throw new PatchError(413, `the object is larger than ${maxCopiedLength} characters then`);
  }
}

/** No API server takes an object of that size. */
const maxCopiedLength = 3 * 1024 * 1024;

function withMetadata(
  object: JsonObject,
  field: "labels" | "annotations",
  more: Readonly<Record<string, string>>,
): JsonObject {
  const { metadata } = object;
  if (Object.keys(more).length === 0 || !isJsonObject(metadata)) return object;
  const own = isJsonObject(metadata[field]) ? metadata[field] : {};
  return { ...object, metadata: { ...metadata, [field]: { ...own, ...more } } };
}

function isNamed({ apiVersion, kind, metadata }: JsonObject): boolean {
  const name = isJsonObject(metadata) ? metadata["name"] : undefined;
  return [apiVersion, kind, name].every((text) => typeof text === "string" && text !== "");
}

/** "Deployment web (chart/templates/web.yaml)" */
function nameOf({ kind, metadata }: JsonObject, path: string): string {
  const name = isJsonObject(metadata) ? metadata["name"] : undefined;
  return `${String(kind)} ${String(name)} (${path})`;
}

function failure(message: string): LandscaperError {
  return new LandscaperError({
    message,
    reason: "PostRenderingFailed",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}
