import { isPrintable, isUnicodeSpace, parseTime } from "@landscaper/golang";
import type { ChartDependency, ChartLock, ChartMetadata } from "./chart.ts";
import { ChartError } from "./chart-error.ts";
import { type Decoded, decodeStruct, type StructType } from "./decode-struct.ts";

const maintainerType: StructType = {
  name: "chart.Maintainer",
  fields: { name: "string", email: "string", url: "string" },
};

const dependencyType: StructType = {
  name: "chart.Dependency",
  fields: {
    name: "string",
    version: "string",
    repository: "string",
    condition: "string",
    tags: "strings",
    enabled: "bool",
    "import-values": "list",
    alias: "string",
  },
};

const metadataType: StructType = {
  name: "chart.Metadata",
  fields: {
    name: "string",
    home: "string",
    sources: "strings",
    version: "string",
    description: "string",
    keywords: "strings",
    maintainers: { structs: maintainerType },
    icon: "string",
    apiVersion: "string",
    condition: "string",
    tags: "string",
    appVersion: "string",
    deprecated: "bool",
    annotations: "stringMap",
    kubeVersion: "string",
    dependencies: { structs: dependencyType },
    type: "string",
  },
};

const lockType: StructType = {
  name: "chart.Lock",
  fields: { generated: "time", digest: "string", dependencies: { structs: dependencyType } },
};

/** Chart.yaml as it is read: nothing is required yet, and lists may have empty entries. See validateMetadata. */
export type DraftMetadata = Decoded;

/** Adds what a text says to what is known; v1 charts have their dependencies in a second file. */
export function readMetadata(text: string, draft: DraftMetadata = {}): DraftMetadata {
  return decodeStruct(text, metadataType, draft) ?? draft;
}

const rfc3339 = "2006-01-02T15:04:05Z07:00";

/** Chart.lock or requirements.lock; undefined for an empty text. Throws ChartError with Go's message. */
export function readLock(text: string): ChartLock | undefined {
  const lock = decodeStruct(text, lockType);
  if (lock === undefined) return undefined;
  const { generated, digest, dependencies } = lock;
  const time = textOf(generated);
  const parsed = time === "" ? undefined : parseTime(rfc3339, time);
  if (typeof parsed === "string") {
    throw new ChartError(`error unmarshaling JSON: while decoding JSON: ${parsed}`);
  }
  return {
    generated: time,
    digest: textOf(digest),
    ...(Array.isArray(dependencies) ? { dependencies: listOf(dependencies).flatMap(lockedDependency) } : {}),
  };
}

function lockedDependency(item: Decoded | null): ChartDependency[] {
  return item === null ? [] : [dependencyOf(item, (text) => text)];
}

/** The metadata of a valid draft, with texts of one line of printable characters. */
export function finishMetadata(draft: DraftMetadata): ChartMetadata {
  const { apiVersion, type, deprecated, annotations, sources, keywords, maintainers, dependencies } = draft;
  const texts: Record<string, string> = {};
  for (const field of ["description", "home", "icon", "condition", "tags", "appVersion", "kubeVersion"]) {
    if (typeof draft[field] === "string") texts[field] = printable(draft[field]);
  }
  return {
    ...texts,
    name: printable(textOf(draft["name"])),
    version: printable(textOf(draft["version"])),
    apiVersion: textOf(apiVersion),
    ...(typeof type === "string" ? { type } : {}),
    ...(typeof deprecated === "boolean" ? { deprecated } : {}),
    ...(isRecord(annotations) ? { annotations: annotations as Record<string, string> } : {}), // decodeStruct made it of texts
    ...(Array.isArray(sources) ? { sources: textsOf(sources) } : {}),
    ...(Array.isArray(keywords) ? { keywords: textsOf(keywords) } : {}),
    ...(Array.isArray(maintainers) ? { maintainers: listOf(maintainers).map(maintainerOf) } : {}),
    ...(Array.isArray(dependencies)
      ? { dependencies: listOf(dependencies).map((item) => dependencyOf(item ?? {}, printable)) }
      : {}),
  };
}

function maintainerOf(item: Decoded | null): Record<string, string> {
  const entries = Object.entries(item ?? {}).map(([key, value]) => [key, printable(textOf(value))] as const);
  return Object.fromEntries(entries);
}

function dependencyOf(item: Decoded, clean: (text: string) => string): ChartDependency {
  const { name, tags, enabled, "import-values": importValues } = item;
  const texts: Record<string, string> = {};
  for (const field of ["version", "repository", "condition", "alias"]) {
    if (typeof item[field] === "string") texts[field] = clean(item[field]);
  }
  return {
    ...texts,
    name: clean(textOf(name)),
    ...(Array.isArray(tags) ? { tags: tags.map((tag: unknown) => clean(textOf(tag))) } : {}),
    ...(typeof enabled === "boolean" ? { enabled } : {}),
    ...(Array.isArray(importValues) ? { importValues } : {}),
  };
}

function textsOf(items: readonly unknown[]): string[] {
  return items.map((item) => printable(textOf(item)));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A list of structs. */
function listOf(value: unknown): readonly (Decoded | null)[] {
  return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Spaces of any kind as " ", and nothing that cannot be printed. */
function printable(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  let clean = "";
  for (const rune of text) {
    if (isUnicodeSpace(rune)) clean += " ";
    else if (isPrintable(rune)) clean += rune;
  }
  return clean;
}
