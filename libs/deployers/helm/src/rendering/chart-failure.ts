import { LandscaperError } from "@landscaper/api";
import { TemplateError } from "@landscaper/gotemplate";
import { ChartError, contentTypeOf } from "@landscaper/helm";
import { suggestMeant } from "./suggest-meant.ts";

/** A chart that cannot be installed whatever is tried. */
export function invalidChart(message: string, cause?: unknown, hint?: string): LandscaperError {
  return new LandscaperError({
    message,
    reason: "InvalidChart",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
    hint,
    cause,
  });
}

const packHint = 'pack the chart with "helm package"';

/** Error of a file that is not compressed; `from` names its place. */
export function notPacked(file: Uint8Array, from: string): LandscaperError {
  const found = file.length === 0 ? "an empty file" : `${file.length} bytes of type ${typeOf(file)}`;
  return invalidChart(
    `chart ${from}: expected a chart archive (tar, compressed with gzip), found ${found}`,
    undefined,
    packHint,
  );
}

/** Helm takes short texts for binary data: it fills them with zeros. */
function typeOf(file: Uint8Array): string {
  const start = Buffer.alloc(512, " ");
  start.set(file.subarray(0, start.length));
  return contentTypeOf(start).replace(/;.*/, "");
}

/** Helm's messages about the bytes of an archive, with what users see of it. */
const archiveProblems: ReadonlyMap<string, string> = new Map([
  ["unexpected EOF", "the chart archive ends too early"],
  ["EOF", "the chart archive is empty"],
  ["gzip: invalid header", "the chart archive is damaged: its gzip header is invalid"],
  ["gzip: invalid checksum", "the chart archive is damaged: its checksum is wrong"],
  ["flate: corrupt input", "the chart archive is damaged: it cannot be uncompressed"],
  ["archive/tar: invalid tar header", "expected a chart archive (tar, compressed with gzip), found no tar in it"],
  ["no files in chart archive", "the chart archive has no files"],
]);

/** Like `chartFailure`, for the archive of a chart; `from` names its place. */
export function archiveFailure(error: unknown, from: string): unknown {
  const problem = error instanceof ChartError ? archiveProblems.get(error.message) : undefined;
  if (problem === undefined) return chartFailure(error, from);
  return invalidChart(`chart ${from}: ${problem}`, error, packHint);
}

/**
 * What loading and values make of a mistake: Helm's message with the chart in front, and with its place behind where the message does not
 * name it. Other errors stay as they are.
 */
export function chartFailure(error: unknown, chart: string): unknown {
  if (!(error instanceof ChartError)) return error;
  return invalidChart(`chart ${chart}: ${error.message}${placeOf(error)}`, error, remedyOf(error.message));
}

/** Remedies by the beginning of Helm's message. */
const remedies: readonly (readonly [string, string])[] = [
  ["Chart.yaml file is missing", 'pack the folder that has the Chart.yaml with "helm package"'],
  ["found in Chart.yaml, but missing in charts/ directory", 'run "helm dependency update", and pack the chart again'],
];

function remedyOf(message: string): string | undefined {
  return remedies.find(([start]) => message.startsWith(start))?.[1];
}

function placeOf({ message, file, line, column }: ChartError): string {
  if (file === undefined) return "";
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return message.includes(line === undefined ? file : place) ? "" : ` (${place})`;
}

export interface RenderedChart {
  readonly chart: string;
  /** Whether the templates have read objects of the target. Otherwise, the same templates fail again with the same values. */
  readonly mayChange: boolean;
  /** Names of the templates that the files of the chart define. */
  readonly templates: () => readonly string[];
}

/** Explains what failed in rendering: Helm's message, with the nearest known name of an unknown one. Returns other errors unchanged. */
export function renderFailure(error: unknown, { chart, mayChange, templates }: RenderedChart): unknown {
  if (!(error instanceof ChartError) && !(error instanceof TemplateError)) return error;
  const final = { codes: ["ERR_CONFIGURATION_PROBLEM"], retry: "never" } as const;
  const place = error instanceof ChartError ? placeOf(error) : "";
  return new LandscaperError({
    message: `chart ${chart}: ${error.message}${place}${suggestMeant(error.message, templates)}`,
    reason: "ChartRenderingFailed",
    ...(mayChange ? {} : final),
    cause: error,
  });
}
