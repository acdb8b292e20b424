import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { toYaml } from "@landscaper/goyaml";
import { parseJson } from "@landscaper/json";
import type { HelmInput, Input, Utf8Input } from "@landscaper/ocm";
import { packArtifact, packedTypeOf } from "../archive/pack-artifact.ts";
import { streamOf } from "../archive/stream-of.ts";
import { gzipped, packFiles } from "../archive/pack-files.ts";
import { componentError } from "../component-error.ts";
import { chartArtifact, type PackedChart } from "./chart-artifact.ts";
import { listFolder } from "./list-folder.ts";

export interface OpenInputOptions {
  /** Paths are relative to it. */
  readonly folder: string;
  /** Reads a chart from a folder or a packed file. Throws an error that says what is wrong with it. */
  readonly readChart: (path: string) => Promise<PackedChart>;
  /** Repositories of packed artifacts are below it. */
  readonly componentName: string;
  /** Begins messages. */
  readonly where: string;
}

/** Content that is made for a component. */
export interface InputContent {
  readonly mediaType: string;
  readonly stream: AsyncIterable<Uint8Array>;
  /** Of an artifact that is packed with its blobs. */
  readonly artifact?: { readonly digest: string; readonly referenceName: string } | undefined;
}

/** Opens what an input names; it is read when its stream is. Throws LandscaperError. */
export async function openInput(input: Input, options: OpenInputOptions): Promise<InputContent> {
  const { folder, where } = options;
  switch (input.type) {
    case "file": {
      const file = resolve(folder, input.path);
      if ((await stat(file).catch(() => undefined))?.isFile() === true) return packed(createReadStream(file), input);
      throw componentError("InvalidComponent", `${where}: path: expected a file, ${file} is none`);
    }
    case "dir": {
      const files = listFolder(resolve(folder, input.path), { ...input, where });
      return packed(packFiles(files), input, "application/x-tar");
    }
    case "utf8":
      return packed(streamOf(Buffer.from(textOf(input, where))), input);
    case "binary":
      return packed(streamOf(decodeBase64(input.data, where)), input);
    case "helm":
      return await openChart(input, options);
  }
}

/** The media type is that of the constructor, whether the content is compressed or not. */
function packed(
  content: AsyncIterable<Uint8Array>,
  { compress = false, mediaType }: { readonly compress?: boolean; readonly mediaType?: string },
  defaultType = "application/octet-stream",
): InputContent {
  return {
    mediaType: mediaType ?? (compress ? "application/gzip" : defaultType),
    stream: compress ? gzipped(content) : content,
  };
}

const forms = ["text", "json", "formattedJson", "yaml"] as const;

function textOf(input: Utf8Input, where: string): string {
  const given = forms.filter((form) => input[form] !== undefined);
  const [form] = given;
  if (form === undefined || given.length > 1) {
    const found = form === undefined ? "none" : given.join(" and ");
    throw componentError("InvalidComponent", `${where}: expected one of ${forms.join(", ")}, found ${found}`);
  }
  const value = form === "text" ? input.text : readJson(input[form], `${where}: ${form}`);
  switch (form) {
    case "text":
      return input.text ?? "";
    case "json":
      return JSON.stringify(value);
    case "formattedJson":
      return JSON.stringify(value, undefined, 2);
    case "yaml":
      return toYaml(value);
  }
}

/** A text is JSON by itself. */
function readJson(value: unknown, where: string): unknown {
  if (typeof value !== "string") return value;
  try {
    return parseJson(value);
  } catch {
    throw componentError("InvalidComponent", `${where}: expected a value, or JSON as text`);
  }
}

function decodeBase64(text: string, where: string): Buffer {
  const plain = text.replaceAll(/\s/g, "");
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(plain) && plain.length % 4 === 0) return Buffer.from(plain, "base64");
  throw componentError("InvalidComponent", `${where}: data: expected base64`);
}

async function openChart(
  { path, version, repository }: HelmInput,
  { folder, readChart, componentName, where }: OpenInputOptions,
): Promise<InputContent> {
  const chart = await readChart(resolve(folder, path));
  if (version !== undefined && version !== chart.version) {
    throw componentError(
      "InvalidComponent",
      `${where}: version: expected ${JSON.stringify(version)}, the chart ${chart.name} has ${JSON.stringify(chart.version)}`,
    );
  }
  const artifact = chartArtifact(chart);
  const { manifest, tag } = artifact;
  return {
    mediaType: packedTypeOf(manifest.mediaType),
    stream: packArtifact(artifact),
    artifact: { digest: manifest.digest, referenceName: `${componentName}/${repository ?? chart.name}:${tag}` },
  };
}
