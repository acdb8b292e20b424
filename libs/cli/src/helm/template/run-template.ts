import { quote } from "@landscaper/golang";
import {
  type Capabilities,
  defaultApiVersions,
  formatDocument,
  formatTemplate,
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
import type { HelmCluster } from "../helm-cluster.ts";
import { HelmFailure } from "../helm-failure.ts";
import { helmLogLine } from "../helm-log.ts";
import { installableChart, locateChart } from "../charts/locate-chart.ts";
import { checkReleaseName, nameAndChart } from "../release-name.ts";
import { releaseNamespace } from "../release-namespace.ts";
import { isRenderFailure, renderRelease, type RenderInput } from "../render-release.ts";
import { formatOptions, writeOutputDir } from "./write-output-dir.ts";

const dryRuns = new Set(["false", "true", "none", "client", "server"]);

/**
 * Does what `helm template` does and writes what it prints. A cluster is asked only with --validate and --dry-run=server. Throws HelmFailure,
 * ChartError or TemplateError in Helm's words.
 */
export async function runTemplate(parsed: ParsedFlags, context: CommandContext): Promise<void> {
  const dryRun = parsed.text("dry-run");
  const offline = offlineCapabilities(parsed);
  if (dryRun !== undefined && !dryRuns.has(dryRun)) {
    throw new HelmFailure(`Invalid dry-run flag. Flag must one of the following: ${[...dryRuns].join(", ")}`);
  }
  const looksUp = dryRun === "server";
  const isLive = parsed.isSet("validate") || looksUp;
  if (!isLive) return await template(parsed, context, { offline, looksUp, access: undefined });
  const { withHelmCluster } = await import("../helm-cluster.ts");
  await withHelmCluster(parsed, context, async (access) => template(parsed, context, { offline, looksUp, access }));
}

interface Surroundings {
  readonly offline: Capabilities;
  /** Whether lookup is answered. */
  readonly looksUp: boolean;
  /** Undefined where no cluster is to be asked. */
  readonly access: HelmCluster | undefined;
}

async function template(
  parsed: ParsedFlags,
  context: CommandContext,
  { offline, looksUp, access }: Surroundings,
): Promise<void> {
  const warn = (text: string): void => context.writeError(helmLogLine(text));
  const { name, chart: reference } = nameAndChart(parsed);
  const load = await locateChart(reference, parsed, context);
  const given = await givenValues(parsed, context);
  const loaded = await installableChart(await load(), reference, { parsed, context });
  checkReleaseName(name);
  const { signal } = context;
  const validation =
    access !== undefined && parsed.isSet("validate")
      ? await (await import("./start-validation.ts")).startValidation(access.cluster, signal)
      : undefined;
  const capabilities = validation?.capabilities ?? offline;
  const chart = processDependencies(loaded, given, warn);
  const values = await checkedValues(chart, given, { parsed, context, warn });
  const namespace = releaseNamespace(parsed, context);
  const release = { name, namespace, isUpgrade: parsed.isSet("is-upgrade") };
  const input: RenderInput = { chart, values, release, capabilities };
  const writeContent = (text: string): void => context.writeContent(text, { isRaw: parsed.isSet("raw") });
  const writeFiles = parsed.isSet("debug") ? writeContent : undefined;
  const rendered = await renderOrExplain(input, { context, access: looksUp ? access : undefined, writeFiles });
  tellUnknownHooks(rendered, context);
  await validation?.validate(rendered, release);
  const folder = parsed.text("output-dir") ?? "";
  if (folder === "") writeContent(formatTemplate(rendered, formatOptions(parsed)));
  else writeOutputDir(rendered, { folder, name, parsed, write: context.write });
}

function tellUnknownHooks(
  { unknownHooks }: Pick<RenderedChart, "unknownHooks">,
  { writeError }: Pick<CommandContext, "writeError">,
): void {
  for (const events of unknownHooks) writeError(helmLogLine(`info: skipping unknown hook: ${quote(events)}`));
}

function offlineCapabilities(parsed: ParsedFlags): Capabilities {
  const kubeVersion = parsed.text("kube-version") ?? "";
  return {
    kubeVersion: kubeVersion === "" ? undefined : parseKubeVersion(kubeVersion),
    apiVersions: [...defaultApiVersions, ...parsed.list("api-versions").flatMap(readCsv)],
  };
}

/** Renders; what a chart made that is no manifest is written when it is asked for. */
async function renderOrExplain(
  input: RenderInput,
  {
    writeFiles,
    ...surroundings
  }: Pick<Surroundings, "access"> & {
    readonly context: CommandContext;
    readonly writeFiles: ((text: string) => void) | undefined;
  },
): Promise<RenderedChart> {
  try {
    return await renderRelease(input, surroundings);
  } catch (error) {
    if (!isRenderFailure(error)) throw error;
    if (error instanceof ManifestError) tellUnknownHooks(error, surroundings.context);
    if (writeFiles === undefined) {
      throw new HelmFailure(`${error.message}\n\nUse --debug flag to render out invalid YAML`, { cause: error });
    }
    if (error instanceof ManifestError) {
      const files = [...error.files].filter(([, text]) => text.trim() !== "");
      writeFiles(files.map(([name, text]) => formatDocument(name, text)).join(""));
    }
    throw error;
  }
}
