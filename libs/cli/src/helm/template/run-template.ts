import type { GoMap } from "@landscaper/golang";
import {
  type Capabilities,
  type Chart,
  ChartError,
  defaultApiVersions,
  formatDocument,
  formatTemplate,
  type HelmDialect,
  ManifestError,
  parseKubeVersion,
  processDependencies,
  type RenderedChart,
} from "@landscaper/helm";
import type { CommandContext } from "../../command.ts";
import type { ParsedFlags } from "../../flags/parse-flags.ts";
import { readCsv } from "../../flags/read-csv.ts";
import { givenValues } from "../chart-values.ts";
import { checkedValues } from "../checked-values.ts";
import { type HelmBehaviour, helmFailure, loadBehaviour } from "../helm-behaviour.ts";
import type { HelmCluster } from "../helm-cluster.ts";
import { HelmFailure } from "../helm-failure.ts";
import { installableChart, locateChart } from "../charts/locate-chart.ts";
import { nameAndChart, releaseNameProblem } from "../release-name.ts";
import { releaseNamespace } from "../release-namespace.ts";
import { isRenderFailure, renderRelease, type RenderInput } from "../render-release.ts";
import type { HelmWords } from "../words/helm-words.ts";
import { type ClusterUse, clusterUse } from "./dry-run.ts";
import { formatOptions, writeOutputDir } from "./write-output-dir.ts";

/**
 * Does what `helm template` does and writes what it prints. A cluster is asked only with --validate and --dry-run=server. Throws HelmFailure,
 * ChartError or TemplateError in Helm's words.
 */
export async function runTemplate(parsed: ParsedFlags, context: CommandContext): Promise<void> {
  const behaviour = await loadBehaviour(parsed);
  const offline = offlineCapabilities(parsed, behaviour.dialect);
  const use = clusterUse(behaviour.dialect.version, parsed, context);
  if (!use.looksUp && !use.validates) {
    return await template(parsed, context, { offline, use, access: undefined, behaviour });
  }
  const { withHelmCluster } = await import("../helm-cluster.ts");
  await withHelmCluster(parsed, context, async (access) =>
    template(parsed, context, { offline, use, access, behaviour }),
  );
}

interface Surroundings {
  readonly offline: Capabilities;
  readonly use: ClusterUse;
  /** Undefined if no cluster is used. */
  readonly access: HelmCluster | undefined;
  readonly behaviour: HelmBehaviour;
}

async function template(
  parsed: ParsedFlags,
  context: CommandContext,
  { offline, use, access, behaviour }: Surroundings,
): Promise<void> {
  const { dialect, words } = behaviour;
  const warn = (text: string): void => context.writeError(words.logLine(text));
  const { name, chart: reference } = nameAndChart(parsed);
  const load = await locateChart(reference, parsed, { context, behaviour });
  const given = await givenValues(parsed, context, dialect);
  const loaded = await installableChart(await load(), reference, { parsed, context, behaviour });
  const nameProblem = releaseNameProblem(name);
  if (nameProblem !== undefined) throw helmFailure(words.invalidReleaseName(nameProblem), context);
  const { signal } = context;
  const validation =
    access !== undefined && use.validates
      ? await (await import("./start-validation.ts")).startValidation(access.cluster, signal)
      : undefined;
  const capabilities = validation?.capabilities ?? offline;
  const chart = processed(loaded, given, { context, behaviour });
  const values = await checkedValues(chart, given, { parsed, context, warn, dialect });
  const namespace = releaseNamespace(parsed, context);
  const release = { name, namespace, isUpgrade: parsed.isSet("is-upgrade") };
  const input: RenderInput = { chart, values, release, capabilities, dialect };
  const writeContent = (text: string): void => context.writeContent(text, { isRaw: parsed.isSet("raw") });
  const writeFiles = parsed.isSet("debug") ? writeContent : undefined;
  const rendered = await renderOrExplain(input, {
    context,
    access: use.looksUp ? access : undefined,
    writeFiles,
    words,
  });
  writeUnknownHooks(rendered, words, context);
  await validation?.validate(rendered, release);
  const folder = parsed.text("output-dir") ?? "";
  if (folder === "") writeContent(formatTemplate(rendered, { ...formatOptions(parsed), dialect }));
  else writeOutputDir(rendered, { folder, name, parsed, write: context.write });
}

function processed(
  chart: Chart,
  given: GoMap,
  { context, behaviour }: { readonly context: CommandContext; readonly behaviour: HelmBehaviour },
): Chart {
  const { dialect, words } = behaviour;
  try {
    return processDependencies(chart, given, { warn: (text) => context.writeError(words.logLine(text)), dialect });
  } catch (error) {
    throw error instanceof ChartError ? helmFailure(words.failedDependencies(error.message), context) : error;
  }
}

function writeUnknownHooks(
  { unknownHooks }: Pick<RenderedChart, "unknownHooks">,
  words: HelmWords,
  { writeError }: Pick<CommandContext, "writeError">,
): void {
  for (const events of unknownHooks) writeError(words.unknownHook(events));
}

function offlineCapabilities(parsed: ParsedFlags, dialect: HelmDialect): Capabilities {
  const kubeVersion = parsed.text("kube-version") ?? "";
  return {
    kubeVersion: kubeVersion === "" ? undefined : parseKubeVersion(kubeVersion, dialect),
    apiVersions: [...defaultApiVersions, ...parsed.list("api-versions").flatMap(readCsv)],
  };
}

/** Renders; what a chart made that is no manifest is written when it is asked for. */
async function renderOrExplain(
  input: RenderInput,
  {
    writeFiles,
    words,
    ...surroundings
  }: Pick<Surroundings, "access"> & {
    readonly context: CommandContext;
    readonly words: HelmWords;
    readonly writeFiles: ((text: string) => void) | undefined;
  },
): Promise<RenderedChart> {
  try {
    return await renderRelease(input, surroundings);
  } catch (error) {
    if (!isRenderFailure(error)) throw error;
    if (error instanceof ManifestError) writeUnknownHooks(error, words, surroundings.context);
    if (writeFiles === undefined) {
      throw new HelmFailure(`${words.renderFailure(error)}\n\nUse --debug flag to render out invalid YAML`, {
        cause: error,
      });
    }
    if (error instanceof ManifestError) {
      const files = [...error.files].filter(([, text]) => text.trim() !== "");
      writeFiles(files.map(([name, text]) => formatDocument(name, text)).join(""));
    }
    throw new HelmFailure(words.renderFailure(error), { cause: error });
  }
}
