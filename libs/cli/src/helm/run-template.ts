import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { encodeUtf8 } from "@landscaper/golang";
import { TemplateError } from "@landscaper/gotemplate";
import {
  type Capabilities,
  type Chart,
  ChartError,
  checkDependencies,
  defaultApiVersions,
  formatDocument,
  formatTemplate,
  loadChart,
  ManifestError,
  parseKubeVersion,
  processDependencies,
  renderChart,
  type RenderChartOptions,
  type RenderedChart,
  renderValues,
  type ValueFlags,
  valuesOfFlags,
} from "@landscaper/helm";
import type { CommandContext } from "../command.ts";
import type { ParsedFlags } from "../flags/parse-flags.ts";
import { readCsv } from "../flags/read-csv.ts";
import { HelmFailure } from "./helm-failure.ts";
import { kubeconfigNamespace } from "./kubeconfig-namespace.ts";
import { checkReleaseName, nameAndChart } from "./release-name.ts";
import { formatOptions, writeOutputDir } from "./write-output-dir.ts";

const dryRuns = new Set(["false", "true", "none", "client", "server"]);

/**
 * Does what `helm template` does and writes what it prints. Throws HelmFailure, ChartError or TemplateError in Helm's
 * words.
 */
export async function runTemplate(parsed: ParsedFlags, context: CommandContext): Promise<void> {
  const warn = (text: string): void => context.writeError(`${text}\n`);
  const capabilities = readCapabilities(parsed);
  const dryRun = parsed.text("dry-run");
  if (dryRun !== undefined && !dryRuns.has(dryRun)) {
    throw new HelmFailure(`Invalid dry-run flag. Flag must one of the following: ${[...dryRuns].join(", ")}`);
  }
  const { name, chart: reference } = nameAndChart(parsed);
  const path = locateChart(reference);
  const given = valuesOfFlags(valueFlags(parsed), await fileReader(parsed, context));
  const loaded = await loadChart(path, { warn });
  checkIsInstallable(loaded, warn);
  checkReleaseName(name);
  const chart = processDependencies(loaded, given, warn);
  const values = renderValues(chart, given, { warn, skipsSchemas: parsed.isSet("skip-schema-validation") });
  const rendered = render(
    chart,
    {
      values,
      release: { name, namespace: namespaceOf(parsed, context), isUpgrade: parsed.isSet("is-upgrade") },
      capabilities,
      now: () => new Date(context.now()),
      random: (bytes) => randomBytes(bytes),
    },
    { writeFiles: parsed.isSet("debug") ? context.write : undefined },
  );
  for (const events of rendered.unknownHooks) warn(`info: skipping unknown hook: "${events}"`);
  const folder = parsed.text("output-dir") ?? "";
  if (folder === "") context.write(formatTemplate(rendered, formatOptions(parsed)));
  else writeOutputDir(rendered, { folder, name, parsed, write: context.write });
}

function readCapabilities(parsed: ParsedFlags): Capabilities {
  const kubeVersion = parsed.text("kube-version") ?? "";
  return {
    kubeVersion: kubeVersion === "" ? undefined : parseKubeVersion(kubeVersion),
    apiVersions: [...defaultApiVersions, ...csvOf(parsed, "api-versions")],
  };
}

function csvOf(parsed: ParsedFlags, name: string): string[] {
  return parsed.list(name).flatMap(readCsv);
}

function valueFlags(parsed: ParsedFlags): ValueFlags {
  return {
    valueFiles: csvOf(parsed, "values"),
    json: parsed.list("set-json"),
    set: parsed.list("set"),
    string: parsed.list("set-string"),
    file: parsed.list("set-file"),
    literal: parsed.list("set-literal"),
  };
}

/** Reads files of values; "-" is stdin. */
async function fileReader(parsed: ParsedFlags, context: CommandContext): Promise<(name: string) => Uint8Array> {
  const stdin = csvOf(parsed, "values").includes("-") ? await context.readStdin() : "";
  return (name) => {
    if (name.trim() === "-") return encodeUtf8(stdin);
    try {
      return readFileSync(name);
    } catch (error) {
      throw new ChartError(`open ${name}: ${systemMessage(error)}`, { file: name, cause: error });
    }
  };
}

/** Go's words for what the system says. */
function systemMessage(error: unknown): string {
  const message = String(Reflect.get(Object(error), "message") ?? error);
  return /^E[A-Z]+: ([^,]+)/.exec(message)?.[1] ?? message;
}

function locateChart(reference: string): string {
  if (statSync(reference, { throwIfNoEntry: false }) !== undefined) return resolve(reference);
  if (isAbsolute(reference) || reference.startsWith(".")) throw new HelmFailure(`path "${reference}" not found`);
  throw new HelmFailure(`chart "${reference}" not found: expected a folder or a packed file, charts are not fetched`);
}

function checkIsInstallable(chart: Chart, warn: (text: string) => void): void {
  const { type = "", deprecated } = chart.metadata;
  if (type !== "" && type !== "application") throw new HelmFailure(`${type} charts are not installable`);
  if (deprecated === true) warn("WARNING: This chart is deprecated");
  try {
    checkDependencies(chart);
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    const advice = "You may need to run `helm dependency build` to fetch missing dependencies";
    throw new HelmFailure(`An error occurred while checking for chart dependencies. ${advice}: ${error.message}`);
  }
}

function namespaceOf(parsed: ParsedFlags, { environment }: CommandContext): string {
  const given = parsed.text("namespace") ?? environment["HELM_NAMESPACE"] ?? "";
  if (given !== "") return given;
  const context = parsed.text("kube-context") ?? environment["HELM_KUBECONTEXT"];
  return kubeconfigNamespace({ file: parsed.text("kubeconfig"), context, environment }) ?? "default";
}

/** Renders; what a chart made that is no manifest is written when it is asked for. */
function render(
  chart: Chart,
  options: RenderChartOptions,
  { writeFiles }: { readonly writeFiles: ((text: string) => void) | undefined },
): RenderedChart {
  try {
    return renderChart(chart, options);
  } catch (error) {
    if (!(error instanceof ChartError) && !(error instanceof TemplateError)) throw error;
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
