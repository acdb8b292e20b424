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
import { secretNameError } from "@landscaper/manifest-deployer-lib";
import type { RenderedItem } from "./render-release.ts";

/** Refuses a release whose name or namespace derives from a secret. Throws LandscaperError, which does not tell the name. */
export function checkReleaseNames({ metadata }: Pick<DeployItem, "metadata">): void {
  const paths = parsePaths(metadata.annotations?.[annotations.sensitiveConfig]) ?? [];
  const field = ["/name", "/namespace"].find((each) => paths.includes(each));
  if (field !== undefined) throw secretNameError(`spec.config: ${field.slice(1)}`);
}

export type Rendered = Pick<RenderedItem, "manifest" | "hooks">;

export interface RenderedNames {
  readonly chart: string;
  readonly rendered: Rendered;
  /** Paths of values that derive from secrets. */
  readonly secretPaths: readonly JsonPath[];
  /** Their values, for a chart that cannot be rendered with others. */
  readonly secrets: readonly unknown[];
  /** Renders again, with other texts at the paths. */
  readonly render: (perturbedAt?: readonly JsonPath[]) => Promise<Rendered>;
}

/**
 * Refuses objects whose name, namespace or kind derives from a secret: with other secrets, the chart names them otherwise. A name that also differs with the
 * same secrets is random. Throws LandscaperError, which does not tell the name.
 */
export async function checkRenderedNames(options: RenderedNames): Promise<void> {
  const { chart, rendered, secretPaths, render } = options;
  // If everything may be secret, nothing is known of single values.
  if (secretPaths.length === 0 || secretPaths.includes("")) return;
  const names = await listNames(rendered);
  const place = ({ template, field }: NamePart): string => `chart ${chart}: template ${template}: ${field}`;
  const others = await textsOf(() => render(secretPaths));
  if (others === undefined) {
    const found = await findText(names, options.secrets);
    if (found !== undefined) throw secretNameError(place(found));
    return;
  }
  const differing = names.filter(({ text }) => !others.has(text));
  if (differing.length === 0) return;
  const repeated = await textsOf(() => render());
  const found = differing.find(({ text }) => repeated?.has(text) !== false);
  if (found !== undefined) throw secretNameError(place(found));
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

/** Undefined: the chart cannot be rendered so. */
async function textsOf(render: () => Promise<Rendered>): Promise<ReadonlySet<string> | undefined> {
  try {
    return new Set((await listNames(await render())).map(({ text }) => text));
  } catch (error) {
    if (error instanceof LandscaperError) return undefined;
    throw error;
  }
}

/** The first name with one of the secret values in it. */
async function findText(names: readonly NamePart[], secrets: readonly unknown[]): Promise<NamePart | undefined> {
  const texts = names.map(({ text }) => text);
  const masked = await redactTextsInTurns(texts, secrets, createBreather());
  return names.find((_, index) => masked[index] !== texts[index]);
}
