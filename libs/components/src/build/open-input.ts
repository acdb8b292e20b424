import { isUtf8 } from "node:buffer";
import { createReadStream, type Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { fromYaml, toGoJson, toYaml, YamlError } from "@landscaper/goyaml";
import { isNestedDeeper, parseJson } from "@landscaper/json";
import type { BinaryInput, DirInput, FileInput, Input, SpiffInput, Utf8Input, WgetInput } from "@landscaper/ocm";
import { treeLimits } from "../archive/archive-limits.ts";
import { gzipped, packFiles } from "../archive/pack-files.ts";
import { streamOf } from "../archive/stream-of.ts";
import { componentError, withPlace } from "../component-error.ts";
import { decodeBase64 } from "./decode-base64.ts";
import { mediaTypeOfUrl, parseUrl } from "./fetch-url.ts";
import type { InputContent, OpenInputOptions, SpiffFile } from "./input-tools.ts";
import { listFolder } from "./list-folder.ts";
import { openDocker, openDockermulti, openOciArtifact } from "./open-artifact.ts";
import { openChart } from "./open-chart.ts";

/** Opens what an input names; it is read when its stream is. Throws LandscaperError. */
export async function openInput(input: Input, options: OpenInputOptions): Promise<InputContent> {
  const { where } = options;
  switch (input.type) {
    case "file":
      return await openFile(input, options);
    case "dir":
      return openFolder(input, options);
    case "utf8":
      return packed(streamOf(Buffer.from(textOf(input, where))), input);
    case "binary":
      return packed(streamOf(decodeBase64(input.data, `${where}: data`)), input);
    case "helm":
      return await openChart(input, options);
    case "ociArtifact":
      return await openOciArtifact(input, options);
    case "docker":
      return await openDocker(input, options);
    case "dockermulti":
      return await openDockermulti(input, options);
    case "wget":
      return await openUrl(input, options);
    case "spiff":
      return await openTemplate(input, options);
  }
}

async function openFile(input: FileInput, options: OpenInputOptions): Promise<InputContent> {
  const { folder, where, warn } = options;
  const file = resolve(folder, input.path);
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() === true) return packed(createReadStream(file), input);
  if (found?.isDirectory() === true) {
    warn(`${where}: path: ${file} is a folder: the content is a tar of it, as for the type dir`);
    return openFolder({ ...input, type: "dir" }, options);
  }
  throw noFile(`${where}: path`, file, found);
}

/** `place` names the field. */
function noFile(place: string, file: string, found: Stats | undefined): Error {
  const what = found === undefined ? "nothing" : found.isDirectory() ? "a folder" : "neither a file nor a folder";
  return componentError(
    "InvalidComponent",
    `${place}: expected a file, found ${what} at ${file}. Correct the path; it is relative to the constructor file.`,
  );
}

function openFolder(input: DirInput, { folder, where, warn }: OpenInputOptions): InputContent {
  const files = listFolder(resolve(folder, input.path), { ...input, where, warn });
  return packed(packFiles(files), input);
}

async function openUrl(input: WgetInput, { tools, where, signal }: OpenInputOptions): Promise<InputContent> {
  const fetched = await tools.fetchUrl(input, { where, signal });
  const mediaType = fetched.mediaType ?? mediaTypeOfUrl(parseUrl(input.url, `${where}: url`));
  return packed(fetched.stream, input, mediaType);
}

/** Evaluates a spiff template. Its binding `values` has the settings; `inputvalues` has the values of the input, and is absent without them. */
async function openTemplate(input: SpiffInput, { tools, folder, where }: OpenInputOptions): Promise<InputContent> {
  const { path, libraries = [], values } = input;
  const read = async (name: string, field: string): Promise<SpiffFile> => {
    const file = resolve(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() !== true) throw noFile(`${where}: ${field}`, file, found);
    if (found.size > treeLimits.fileBytes) {
      throw componentError(
        "InvalidComponent",
        `${where}: ${field}: ${file} has ${found.size} bytes, more than the allowed ${treeLimits.fileBytes}`,
      );
    }
    const bytes = await readFile(file);
    if (isUtf8(bytes)) return { name, text: bytes.toString("utf8") };
    throw componentError(
      "InvalidComponent",
      `${where}: ${field}: expected text in UTF-8, found other bytes in ${file}. Save the file as UTF-8.`,
    );
  };
  const template = await read(path, "path");
  const stubs: SpiffFile[] = [];
  for (const [at, library] of libraries.entries()) stubs.push(await read(library, `libraries[${at}]`));
  const bindings = { values: tools.settings, ...(values === undefined ? {} : { inputvalues: values }) };
  const text = await withPlace(where, async () => tools.evaluateSpiff({ template, stubs, bindings }));
  return packed(streamOf(Buffer.from(text)), input);
}

interface MediaTypes {
  readonly plain: string;
  readonly compressed: string;
}

type StoredInput = BinaryInput | DirInput | FileInput | SpiffInput | Utf8Input | WgetInput;

const bytes: MediaTypes = { plain: "application/octet-stream", compressed: "application/gzip" };

/** Of inputs without `mediaType`. */
const defaultMediaTypes: Readonly<Record<StoredInput["type"], MediaTypes>> = {
  binary: bytes,
  dir: { plain: "application/x-tar", compressed: "application/x-tgz" },
  file: bytes,
  spiff: bytes,
  utf8: bytes,
  wget: bytes,
};

/** `found` is the media type of the content where its source names one. */
function packed(content: AsyncIterable<Uint8Array>, input: StoredInput, found?: string): InputContent {
  const { type, compress = false, mediaType } = input;
  const { plain, compressed } = defaultMediaTypes[type];
  return {
    mediaType: mediaType ?? (compress ? compressed : (found ?? plain)),
    stream: compress ? gzipped(content) : content,
  };
}

type DataForm = Exclude<(typeof forms)[number], "text">;
const forms = ["text", "json", "formattedJson", "yaml"] as const;

function textOf(input: Utf8Input, where: string): string {
  const given = forms.filter((form) => input[form] !== undefined);
  const [form] = given;
  if (form === undefined || given.length > 1) {
    const found = form === undefined ? "none" : given.join(" and ");
    throw componentError("InvalidComponent", `${where}: expected one of ${forms.join(", ")}, found ${found}`);
  }
  if (form === "text") return input.text ?? "";
  const value = parseText(input[form], form, `${where}: ${form}`);
  if (isNestedDeeper(value, maxLevels)) {
    throw componentError(
      "InvalidComponent",
      `${where}: ${form}: lists and maps are nested more than ${maxLevels} levels deep. Nest fewer levels, or use text.`,
    );
  }
  try {
    return encode(value, form);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw componentError(
      "InvalidComponent",
      `${where}: ${form}: expected JSON data, found NaN or an infinite number. Put it in quotes.`,
    );
  }
}

/** Maximum nesting; that of the YAML reader. */
const maxLevels = 1000;

function encode(value: unknown, form: DataForm): string {
  switch (form) {
    case "json":
      return toGoJson(value);
    case "formattedJson":
      return toGoJson(value, { indent: "  " });
    case "yaml":
      return toYaml(value);
  }
}

/** Parses a string: as JSON for `json`, as YAML otherwise. Returns other values unchanged. */
function parseText(value: unknown, form: DataForm, where: string): unknown {
  if (typeof value !== "string") return value;
  try {
    return form === "json" ? parseJson(value) : fromYaml(value, { integers: "exact" });
  } catch (error) {
    if (form !== "json" && !(error instanceof YamlError)) throw error;
    const language = form === "json" ? "JSON" : "YAML or JSON";
    const found = error instanceof YamlError ? `: line ${error.line ?? 1}: ${error.problem}` : "";
    throw componentError(
      "InvalidComponent",
      `${where}: expected a value, or ${language} as text, found other text${found}`,
    );
  }
}
