import { quote } from "@landscaper/golang";
import { ChartError } from "./chart-error.ts";

/** Bounds for one chart with all its dependencies. */
export interface ChartLimits {
  /** Bytes of one file. Default 5 MiB, as Helm 3. */
  readonly fileBytes?: number;
  /** Bytes of all files, those of unpacked dependencies among them. Default 100 MiB, as Helm has for each archive. */
  readonly chartBytes?: number;
  /** Files, those of unpacked dependencies among them. Default 20,000; Helm has no bound. */
  readonly files?: number;
}

/** Charts in each other; Helm has no bound. */
const maxNesting = 50;

/** What may still be read for a chart. */
export class LoadBudget {
  readonly fileBytes: number;
  readonly chartBytes: number;
  readonly #maxFiles: number;
  #bytesLeft: number;
  #filesLeft: number;

  constructor({ fileBytes = 5 * 1024 * 1024, chartBytes = 100 * 1024 * 1024, files = 20_000 }: ChartLimits = {}) {
    this.fileBytes = fileBytes;
    this.chartBytes = chartBytes;
    this.#maxFiles = files;
    this.#bytesLeft = chartBytes;
    this.#filesLeft = files;
  }

  get bytesLeft(): number {
    return this.#bytesLeft;
  }

  get filesLeft(): number {
    return this.#filesLeft;
  }

  /** Counts a file of an archive. Throws ChartError when it is too much. */
  takeArchived(name: string, bytes: number): void {
    if (bytes > this.#bytesLeft) throw this.tooLarge();
    if (bytes > this.fileBytes) {
      throw new ChartError(
        `decompressed chart file ${quote(name)} is larger than the maximum file size ${this.fileBytes}`,
        {
          file: name,
        },
      );
    }
    this.#bytesLeft -= bytes;
    // Helm takes the last byte for a sign that there are more.
    if (this.#bytesLeft <= 0) throw this.tooLarge();
    this.#takeFile();
  }

  /** Counts a file of a folder. Throws ChartError when it is too much. */
  takeStored(name: string, bytes: number): void {
    if (bytes > this.fileBytes) {
      throw new ChartError(`chart file ${quote(name)} is larger than the maximum file size ${this.fileBytes}`, {
        file: name,
      });
    }
    if (bytes > this.#bytesLeft) throw this.tooLarge();
    this.#bytesLeft -= bytes;
    this.#takeFile();
  }

  tooLarge(): ChartError {
    return new ChartError(`decompressed chart is larger than the maximum file size ${this.chartBytes}`);
  }

  checkNesting(depth: number): void {
    if (depth > maxNesting) throw new ChartError(`charts are nested deeper than ${maxNesting}`);
  }

  #takeFile(): void {
    if (--this.#filesLeft < 0) throw new ChartError(`chart has more than ${this.#maxFiles} files`);
  }
}
