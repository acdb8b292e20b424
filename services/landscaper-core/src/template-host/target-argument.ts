import { apiVersion, LandscaperError, type Target } from "@landscaper/api";

/** A template has given something else where a function wants a Target. */
export function argumentError(functionName: string, problem: string): LandscaperError {
  return new LandscaperError({
    message: `template function ${functionName}: ${problem}`,
    reason: "TemplatingFailed",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The Target that a template gives a function, such as `.imports.cluster`. It belongs to the namespace of the Installation, whatever it
 * says: nobody reaches the Secrets of another namespace. Throws LandscaperError.
 */
export function readTargetArgument(functionName: string, value: unknown, namespace: string): Target {
  const { metadata, spec } = isMap(value) ? value : {};
  const { type, config, secretRef } = isMap(spec) ? spec : {};
  if (typeof type !== "string") throw argumentError(functionName, "expected a Target as last argument, found none");
  const { name } = isMap(metadata) ? metadata : {};
  return {
    apiVersion,
    kind: "Target",
    metadata: { name: typeof name === "string" ? name : "(unnamed)", namespace },
    spec: {
      type,
      ...(config === undefined || config === null ? {} : { config }),
      ...(isMap(secretRef) ? { secretRef: readSecretRef(functionName, secretRef) } : {}),
    },
  };
}

function readSecretRef(functionName: string, { name, key }: Readonly<Record<string, unknown>>) {
  if (typeof name !== "string" || (key !== undefined && typeof key !== "string")) {
    throw argumentError(functionName, "spec.secretRef of the Target: expected a name and a key");
  }
  return { name, ...(key === undefined ? {} : { key }) };
}
