import {
  annotations,
  LandscaperError,
  parsePaths,
  redactTextsInTurns,
  type DeployItem,
  type JsonPath,
} from "@landscaper/api";
import { createBreather } from "@landscaper/controller-runtime";
import { parsePlacedManifest } from "@landscaper/helm-release";
import { checkSecretFields, secretNameError } from "@landscaper/manifest-deployer-lib";
import type { PostRenderPatch } from "../post-render/post-render-config.ts";
import type { RenderedItem } from "./render-release.ts";

/**
 * Refuses a release whose name or namespace derives from a secret, and such names of objects that its exports and readiness checks read. Throws
 * LandscaperError, which does not contain the name.
 */
export function checkReleaseNames(item: Pick<DeployItem, "metadata">): void {
  checkSecretFields(item, /^\/(?:name|namespace)$/);
}

/** Paths into an object of its name, namespace and kind, and of the fields that contain them. */
const naming = /^(?:\/(?:apiVersion|kind|metadata(?:\/(?:name|namespace))?))?$/;

/**
 * Refuses JSON patches that set a name, namespace or kind to a value that derives from a secret. If the patch is a text, the core marks the text as a whole:
 * all of its values count as secret if one of them is. Other patches cannot set names. Throws LandscaperError, which does not contain the name.
 */
export function checkPatchedNames(
  { metadata }: Pick<DeployItem, "metadata">,
  patches: readonly PostRenderPatch[],
): void {
  const paths = parsePaths(metadata.annotations?.[annotations.sensitiveConfig]) ?? [];
  for (const [index, patch] of patches.entries()) {
    if (patch.type !== "json") continue;
    for (const [at, operation] of patch.operations.entries()) {
      if (!("value" in operation)) continue;
      const fields = paths.flatMap((path) => fieldsOf(path, `/postRender/patches/${index}/patch/${at}/value`));
      if (fields.some((field) => naming.test(`${operation.path}${field}`)))
        throw secretNameError(`spec.config: ${patch.field}.patch[${at}].value`);
    }
  }
}

/** Returns a secret path as a path into the value of an operation: at most one, and none if it leads elsewhere. */
function fieldsOf(path: JsonPath, value: JsonPath): string[] {
  if (path === value || path.startsWith(`${value}/`)) return [path.slice(value.length)];
  // The path "" marks everything as secret, because the core knows nothing of single values.
  return path !== "" && value.startsWith(`${path}/`) ? [""] : [];
}

export type Rendered = Pick<RenderedItem, "manifest" | "hooks">;

export interface RenderedNames {
  readonly chart: string;
  readonly release: { readonly name: string; readonly namespace: string };
  readonly rendered: Rendered;
  /** Paths of values that derive from secrets. */
  readonly secretPaths: readonly JsonPath[];
  /** Values at these paths. */
  readonly secrets: readonly unknown[];
  /** Renders again, with substituted secrets at the paths. */
  readonly render: (perturbedAt?: readonly JsonPath[]) => Promise<Rendered>;
}

/**
 * Refuses objects whose name, namespace or kind derives from a secret. Such a name contains a secret value, or a rendering with substituted secrets has
 * another name instead. Accepts random names, which also differ with the same secrets, and objects that the chart renders only for certain secrets: they
 * reveal a condition, not a text. Throws LandscaperError, which does not contain the name.
 */
export async function checkRenderedNames(options: RenderedNames): Promise<void> {
  const { chart, release, rendered, secretPaths, secrets, render } = options;
  // The path "" marks everything as secret, because the core knows nothing of single values.
  if (secretPaths.length === 0 || secretPaths.includes("")) return;
  const names = await listNames(rendered);
  const refuse = (found: NamePart | undefined): void => {
    if (found !== undefined) throw secretNameError(`chart ${chart}: template ${found.template}: ${found.field}`);
  };
  const plain = [chart, release.name, release.namespace];
  const others = await namesOf(() => render(secretPaths));
  if (others === undefined) return refuse(await findText(names, plain, secrets));
  const otherTexts = textsOf(others);
  const differing = names.filter(({ text }) => !otherTexts.has(text));
  if (differing.length === 0) return;
  refuse(await findText(differing, [...otherTexts, ...plain], secrets));
  const [counts, otherCounts] = [countByTemplate(names), countByTemplate(others)];
  const suspects = differing.filter(({ template }) => counts.get(template) === otherCounts.get(template));
  if (suspects.length === 0) return;
  const repeated = await namesOf(() => render());
  const repeatedTexts = repeated === undefined ? undefined : textsOf(repeated);
  refuse(suspects.find(({ text }) => repeatedTexts?.has(text) !== false));
}

interface NamePart {
  readonly template: string;
  readonly field: string;
  readonly text: string;
}

async function listNames({ manifest, hooks }: Rendered): Promise<readonly NamePart[]> {
  const placed = await parsePlacedManifest(manifest);
  const hooked = await Promise.all(hooks.map(async (hook) => parsePlacedManifest(hook.manifest)));
  const paths = hooked.flatMap((objects, index) => objects.map(({ object }) => ({ object, path: hooks[index]?.path })));
  return [...placed, ...paths].flatMap(({ path = "of an unknown file", object }) => {
    const { apiVersion, kind, metadata } = object;
    const fields = { apiVersion, kind, "metadata.name": metadata?.name, "metadata.namespace": metadata?.namespace };
    return Object.entries(fields).flatMap(([field, text]) =>
      typeof text === "string" && text !== "" ? [{ template: path, field, text }] : [],
    );
  });
}

/** Returns undefined if the chart cannot be rendered. */
async function namesOf(render: () => Promise<Rendered>): Promise<readonly NamePart[] | undefined> {
  try {
    return await listNames(await render());
  } catch (error) {
    if (error instanceof LandscaperError) return undefined;
    throw error;
  }
}

const textsOf = (names: readonly NamePart[]): ReadonlySet<string> => new Set(names.map(({ text }) => text));

function countByTemplate(names: readonly NamePart[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { template } of names) counts.set(template, (counts.get(template) ?? 0) + 1);
  return counts;
}

const word = /[\p{L}\p{N}]+/gu;

/** Returns the first name that contains a secret value. Words of `plain` texts are not secret. */
async function findText(
  names: readonly NamePart[],
  plain: readonly string[],
  secrets: readonly unknown[],
): Promise<NamePart | undefined> {
  const known = new Set(plain.flatMap((text) => text.match(word) ?? []));
  const texts = names.map(({ text }) => text.replaceAll(word, (each) => (known.has(each) ? "" : each)));
  const masked = await redactTextsInTurns(texts, secrets, createBreather());
  return names.find((_, index) => masked[index] !== texts[index]);
}
