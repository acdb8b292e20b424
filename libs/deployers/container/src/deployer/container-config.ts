import {
  LandscaperError,
  parseContainerProviderConfiguration,
  quoteText,
  warnOfIgnoredFields,
  type ContainerProviderConfiguration,
  type Warning,
} from "@landscaper/api";
import { parseReference } from "@landscaper/oci";

export type ContainerConfig = ContainerProviderConfiguration;

/** Reads `spec.config` of an item. Throws LandscaperError that names the field. */
export function parseContainerConfig(value: unknown, where: string): ContainerConfig {
  const config = parseContainerProviderConfiguration(value, where);
  if (config.image !== undefined) checkReference(config.image, `${where}: image`);
  checkOneForm(config.blueprint, `${where}: blueprint`);
  checkOneForm(config.componentDescriptor, `${where}: componentDescriptor`);
  if (config.blueprint?.ref !== undefined && config.componentDescriptor === undefined) {
    throw invalid(
      `${where}: blueprint.ref: expected componentDescriptor beside it, which has the resource; found none`,
    );
  }
  return config;
}

function checkReference(image: string, where: string): void {
  // parseReference accepts schemes, a node does not.
  const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(image) ?? [];
  if (scheme !== undefined) {
    throw invalid(
      `${where}: expected an image such as registry.example.org/team/tool:1.0, found a URL; remove ${quoteText(scheme)}`,
    );
  }
  try {
    parseReference(image);
  } catch (error) {
    throw error instanceof LandscaperError ? invalid(`${where}: ${error.message}`) : error;
  }
}

function checkOneForm(value: object | undefined, where: string): void {
  if (value === undefined) return;
  const forms = Object.entries(value).flatMap(([name, form]) => (form === undefined ? [] : [name]));
  if (forms.length === 1) return;
  throw invalid(`${where}: expected exactly one of ref and inline, found ${forms.join(" and ") || "none"}`);
}

/** Fields that nothing reads, and settings without effect. */
export function warnOfContainerConfig(
  where: string,
  config: Readonly<Record<string, unknown>> | undefined,
): readonly Warning[] {
  const ignored = warnOfIgnoredFields(where, parseContainerProviderConfiguration.findIgnored(config));
  const policy = config?.["retryPolicy"];
  const isIdle =
    typeof policy === "object" && policy !== null && "limit" in policy && !Reflect.get(policy, "onPodLoss");
  if (!isIdle) return ignored;
  return [
    ...ignored,
    {
      reason: "WithoutEffect",
      message: `${where}: field "retryPolicy.limit" has no effect without "retryPolicy.onPodLoss"`,
    },
  ];
}

function invalid(message: string): LandscaperError {
  return new LandscaperError({
    message,
    reason: "InvalidInput",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}
