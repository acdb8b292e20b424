import { YamlError } from "@landscaper/goyaml";

/** Where a mistake of a chart or of its values is. */
export interface ChartErrorPlace {
  /** The chart's name or full path. */
  readonly chart?: string | undefined;
  /** The file: its path from the chart that is loaded, or, after loading, from that of `chart`. */
  readonly file?: string | undefined;
  /** From 1, of the file or of the document that a template made; default: that of the cause. */
  readonly line?: number | undefined;
  /** From 1. */
  readonly column?: number | undefined;
  readonly cause?: unknown;
}

/** A mistake in a chart or in the values for it; `message` has Helm's words wherever Helm has some. */
export class ChartError extends Error {
  override readonly name = "ChartError";
  readonly chart: string | undefined;
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(message: string, { chart, file, line, column, cause }: ChartErrorPlace = {}) {
    super(message, cause === undefined ? {} : { cause });
    const known = cause instanceof ChartError || cause instanceof YamlError ? cause : undefined;
    this.chart = chart;
    this.file = file;
    this.line = line ?? known?.line;
    this.column = column ?? known?.column;
  }
}
