import { fileRecording } from "../file-recording.ts";

interface ProxyCase {
  readonly environment: Readonly<Record<string, string>>;
  readonly url: string;
}

/** The package behind Go's http.ProxyFromEnvironment, which Kubernetes' clients use. */
export const proxyRecording = fileRecording<ProxyCase>({
  name: "egress",
  folder: "libs/egress/src/testdata",
  pattern: "environment-proxies.json",
  engine: "proxy",
  questionOf: ({ environment, url }) => ({ environment, url }),
  nameOf: ({ environment, url }) => `${url} ${JSON.stringify(environment)}`,
});
