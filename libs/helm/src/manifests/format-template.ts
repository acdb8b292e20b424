import type { RenderedChart } from "../rendering/render-chart.ts";
import { pathMatcher } from "../glob/match-path.ts";
import type { HelmDialect } from "../versions/helm-dialect.ts";
import { helm3 } from "../versions/helm3.ts";
import { ChartError } from "../chart/chart-error.ts";
import { decodeUtf8, trimSpace } from "@landscaper/golang";
import type { Hook } from "./hook.ts";

export interface FormatTemplateOptions {
  /** Manifests of crds/ come first. */
  readonly includesCrds?: boolean | undefined;
  readonly leavesOutHooks?: boolean | undefined;
  /** Hooks of the event "test" are left out. */
  readonly skipsTests?: boolean | undefined;
  /** Paths of templates below their chart, as patterns; only what is from them. Default: all. */
  readonly showOnly?: readonly string[] | undefined;
  /** Default: Helm 3. */
  readonly dialect?: HelmDialect | undefined;
}

/**
 * What `helm template` prints for a rendered chart: manifests in their order, then hooks, each with the file that it is
 * from. Throws ChartError for a pattern that no manifest is from.
 */
export function formatTemplate(rendered: RenderedChart, options: FormatTemplateOptions = {}): string {
  const text = `${trimSpace(formatManifests(rendered, options))}\n${formatHooks(rendered, options)}`;
  const { showOnly = [], dialect = helm3 } = options;
  return showOnly.length === 0 ? text : chooseManifests(text, showOnly, dialect);
}

/** The manifests of a release as its record keeps them: without hooks. */
export function formatManifests(
  { crds, manifests }: Pick<RenderedChart, "crds" | "manifests">,
  { includesCrds }: Pick<FormatTemplateOptions, "includesCrds"> = {},
): string {
  const shown = includesCrds === true ? crds : [];
  return [
    ...shown.map(({ filename, data }) => formatDocument(filename, decodeUtf8(data))),
    ...manifests.map(({ path, content }) => formatDocument(path, content)),
  ].join("");
}

/** One document with the file that it is from. */
export function formatDocument(path: string, content: string): string {
  return `---\n# Source: ${path}\n${content}\n`;
}

function formatHooks({ hooks }: RenderedChart, options: FormatTemplateOptions): string {
  return shownHooks(hooks, options)
    .map(({ path, manifest }) => formatDocument(path, manifest))
    .join("");
}

/** The hooks that are shown. */
export function shownHooks(hooks: readonly Hook[], { leavesOutHooks, skipsTests }: FormatTemplateOptions): Hook[] {
  if (leavesOutHooks === true) return [];
  return hooks.filter(({ events }) => skipsTests !== true || !events.includes("test"));
}

function chooseManifests(text: string, patterns: readonly string[], dialect: HelmDialect): string {
  const documents = dialect.splitManifests(text).map((document) => ({
    document,
    file: /# Source: [^/\n]+\/(.+)/.exec(document)?.[1],
  }));
  const chosen = patterns.flatMap((pattern) => {
    const matches = pathMatcher(pattern);
    const found = documents.filter(({ file }) => file !== undefined && matches(file));
    if (found.length === 0) throw new ChartError(`could not find template ${pattern} in chart`);
    return found;
  });
  return chosen.map(({ document }) => `---\n${document}\n`).join("");
}
