import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFolder } from "@landscaper/components";
import { decodeUtf8 } from "@landscaper/golang";
import { formatDocument, type FormatTemplateOptions, type RenderedChart, shownHooks } from "@landscaper/helm";
import type { ParsedFlags } from "../../flags/parse-flags.ts";

export interface OutputDir {
  readonly folder: string;
  /** The release's. */
  readonly name: string;
  readonly parsed: ParsedFlags;
  readonly write: (text: string) => void;
}

/** What of a rendered chart is shown. */
export function formatOptions(parsed: ParsedFlags): FormatTemplateOptions {
  return {
    includesCrds: parsed.isSet("include-crds"),
    leavesOutHooks: parsed.isSet("no-hooks"),
    skipsTests: parsed.isSet("skip-tests"),
    showOnly: parsed.list("show-only"),
  };
}

/** Writes each document to the file that is named as its template, and tells of each as Helm does. */
export function writeOutputDir(rendered: RenderedChart, { folder, name, parsed, write }: OutputDir): void {
  const target = parsed.isSet("release-name") ? join(folder, name) : folder;
  const options = formatOptions(parsed);
  const started = new Set<string>();
  const writeDocument = (path: string, content: string): void => {
    const file = join(target, path);
    createFolder(dirname(file));
    const text = formatDocument(path, content);
    if (started.has(path)) appendFileSync(file, text);
    else writeFileSync(file, text);
    started.add(path);
    write(`wrote ${file}\n`);
  };
  if (options.includesCrds === true) {
    for (const { filename, data } of rendered.crds) writeDocument(filename, decodeUtf8(data));
  }
  for (const { path, content } of rendered.manifests) writeDocument(path, content);
  // Hooks go behind what a file has, whoever wrote it.
  for (const { path, manifest } of shownHooks(rendered.hooks, options)) {
    if (existsSync(join(target, path))) started.add(path);
    writeDocument(path, manifest);
  }
  write("\n");
}
