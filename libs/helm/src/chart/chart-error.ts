/** Where a mistake of a chart or of its values is. */
export interface ChartErrorPlace {
  /** The chart's name or full path. */
  readonly chart?: string | undefined;
  /** The file within the chart. */
  readonly file?: string | undefined;
  readonly cause?: unknown;
}

/** A mistake in a chart or in the values for it; `message` has Helm's words wherever Helm has some. */
export class ChartError extends Error {
  override readonly name = "ChartError";
  readonly chart: string | undefined;
  readonly file: string | undefined;

  constructor(message: string, { chart, file, cause }: ChartErrorPlace = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.chart = chart;
    this.file = file;
  }
}
