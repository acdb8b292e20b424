import type { ImageReference } from "@landscaper/oci";
import type { ArtifactStore, CallOptions } from "../repository/artifact-store.ts";
import type { FetchChart } from "../source/fetch-chart.ts";
import type { PackedChart } from "./chart-artifact.ts";
import type { FetchUrl } from "./fetch-url.ts";

/** A file of a spiff merge. */
export interface SpiffFile {
  readonly name: string;
  readonly text: string;
}

export interface SpiffRequest {
  readonly template: SpiffFile;
  readonly stubs: readonly SpiffFile[];
  readonly bindings: Readonly<Record<string, unknown>>;
}

/** Operations that create input content. */
export interface InputTools {
  /** Reads a chart from a folder or a packed file. Throws an error that says what is wrong with it. */
  readonly readChart: (path: string) => Promise<PackedChart>;
  /** The same of a packed chart. */
  readonly readChartArchive: (archive: Uint8Array) => Promise<PackedChart>;
  readonly fetchChart: FetchChart;
  readonly fetchUrl: FetchUrl;
  /** The registry of a reference. */
  readonly openRegistry: (reference: ImageReference) => ArtifactStore;
  /** Evaluates a template; the result is YAML. Throws an error that names the file. */
  readonly evaluateSpiff: (request: SpiffRequest) => string;
  /** What spiff templates see as `values`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** OCI layouts and archives by the names of images in a Docker daemon. */
  readonly images: ReadonlyMap<string, string>;
}

export interface OpenInputOptions extends CallOptions {
  readonly tools: InputTools;
  /** Paths are relative to it. */
  readonly folder: string;
  readonly component: { readonly name: string; readonly version: string };
  /** Name of the resource or source. */
  readonly element: string;
  /** Begins messages. */
  readonly where: string;
  /** Receives warnings about fields without effect or with an unexpected effect. */
  readonly warn: (message: string) => void;
}

/** Content that is made for a component. */
export interface InputContent {
  readonly mediaType: string;
  readonly stream: AsyncIterable<Uint8Array>;
  /** Of an artifact that is packed with its blobs. */
  readonly artifact?: { readonly digest: string; readonly referenceName: string } | undefined;
  /** Must be called when the content is not needed any more. */
  readonly close?: (() => Promise<void>) | undefined;
}
