import { certificateRecording } from "./gotemplate/certificate-recording.ts";
import { cliRecording } from "./cli/recording.ts";
import { goyamlRecording } from "./goyaml/recording.ts";
import { gotemplateRecording } from "./gotemplate/recording.ts";
import { helmChartRecording } from "./helm/chart-recording.ts";
import { helmRecording } from "./helm/recording.ts";
import { jsonschemaRecording } from "./jsonschema/recording.ts";
import { ocmRecording } from "./ocm/recording.ts";
import { packageRecording } from "./helm/package-recording.ts";
import { proxyRecording } from "./proxy/recording.ts";
import { renderingRecording, renderingRecording4 } from "./helm/rendering-recording.ts";
import { spiffRecording } from "./spiff/recording.ts";
import type { Recording } from "./recording.ts";

/** All recordings of real engines. */
export const recordings: readonly Recording[] = [
  gotemplateRecording,
  certificateRecording,
  goyamlRecording,
  helmRecording,
  renderingRecording,
  renderingRecording4,
  packageRecording,
  helmChartRecording,
  jsonschemaRecording,
  proxyRecording,
  spiffRecording,
  cliRecording,
  ocmRecording,
];
