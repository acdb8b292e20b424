import { createHash } from "node:crypto";
import { decodeUtf8 } from "@landscaper/golang";
import { type MissingKey, TemplateCache } from "@landscaper/gotemplate";
import { type Chart, type ChartFile, walkCharts } from "../chart/chart.ts";
import { renderedFiles } from "./chart-places.ts";
import { type CompiledTemplates, compileTemplates } from "./compiled-templates.ts";

interface Entry {
  readonly compiled: CompiledTemplates;
  /** Bytes of source. */
  readonly size: number;
}

/**
 * Parsed templates of charts, by the digest of their names and contents: one that is rendered again, with whatever
 * values, is not parsed again. Those not used for longest are dropped when there is too much source in all.
 */
export class CompiledCharts {
  readonly #entries = new Map<string, Entry>();
  readonly #maxBytes: number;
  readonly #texts = new TemplateCache();
  #bytes = 0;

  /** `maxBytes` of template source; default 32 MiB. What is parsed takes about ten times the memory of its source. */
  constructor({ maxBytes = 32 * 1024 * 1024 }: { readonly maxBytes?: number } = {}) {
    this.#maxBytes = maxBytes;
  }

  /** The templates of a chart and its dependencies. Throws TemplateError for those that cannot be parsed. */
  compile(chart: Chart, missingKey: MissingKey = "zero"): CompiledTemplates {
    const files = filesOf(chart);
    const key = `${missingKey}:${digestOf(files)}`;
    const known = this.#entries.get(key);
    if (known !== undefined) {
      // The last one in the map is the one used last.
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known.compiled;
    }
    const compiled = compileFiles(files, missingKey, this.#texts);
    this.#add(key, { compiled, size: files.reduce((size, { data }) => size + data.length, 0) });
    return compiled;
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.size;
    for (const [oldest, { size }] of this.#entries) {
      if (this.#bytes <= this.#maxBytes || oldest === key) break;
      this.#entries.delete(oldest);
      this.#bytes -= size;
    }
  }
}

/** The templates of a chart that is rendered once: their digest, for which crypto has to be loaded, is not needed. */
export function compileChart(chart: Chart, missingKey: MissingKey): CompiledTemplates {
  return compileFiles(filesOf(chart), missingKey, new TemplateCache());
}

/** Texts that `tpl` is given are kept in the cache, too. */
function compileFiles(files: readonly ChartFile[], missingKey: MissingKey, cache: TemplateCache): CompiledTemplates {
  const sources = files.map(({ name, data }) => ({ name, text: decodeUtf8(data) }));
  return compileTemplates(sources, { missingKey, cache });
}

/** All templates with the path of their chart; of two of one name the last one counts, as in Helm. */
function filesOf(root: Chart): ChartFile[] {
  const files = new Map<string, ChartFile>();
  for (const { chart, fullPath } of walkCharts(root)) {
    for (const { name, data } of renderedFiles(chart)) {
      const path = `${fullPath}/${name}`;
      files.set(path, { name: path, data });
    }
  }
  return [...files.values()];
}

const digests = new WeakMap<Uint8Array, string>();

function digestOf(files: readonly ChartFile[]): string {
  const hash = createHash("sha256");
  for (const { name, data } of files) {
    let digest = digests.get(data);
    if (digest === undefined) {
      digest = createHash("sha256").update(data).digest("base64");
      digests.set(data, digest);
    }
    // Names of files have no such byte.
    hash.update(`${name}\0${digest}\0`);
  }
  return hash.digest("base64");
}
