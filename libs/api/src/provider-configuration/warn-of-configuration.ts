import { deployerApiVersion } from "../configuration/deployer-configuration.ts";
import type { Parser } from "../schema/parse.ts";
import { warnOfIgnoredFields, type Warning } from "../warnings/warnings.ts";
import { parseContainerProviderConfiguration } from "./container.ts";
import { parseHelmProviderConfiguration } from "./helm.ts";
import { parseManifestProviderConfiguration, parseManifestProviderConfigurationV1alpha1 } from "./manifest.ts";
import { parseMockProviderConfiguration } from "./mock.ts";

const parsers: ReadonlyMap<unknown, Pick<Parser<unknown>, "findIgnored">> = new Map<unknown, Parser<unknown>>([
  [deployerApiVersion("container"), parseContainerProviderConfiguration],
  [deployerApiVersion("helm"), parseHelmProviderConfiguration],
  [deployerApiVersion("manifest"), parseManifestProviderConfigurationV1alpha1],
  [deployerApiVersion("manifest", "v1alpha2"), parseManifestProviderConfiguration],
  [deployerApiVersion("mock"), parseMockProviderConfiguration],
]);

/** What a provider configuration has that its deployer passes over; of one of another deployer, nothing is known. */
export function warnOfConfiguration(
  where: string,
  config: Readonly<Record<string, unknown>> | undefined,
): readonly Warning[] {
  const parser = parsers.get(config?.["apiVersion"]);
  return parser === undefined ? [] : warnOfIgnoredFields(where, parser.findIgnored(config));
}
