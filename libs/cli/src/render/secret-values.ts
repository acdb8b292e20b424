import type { Secret, Target } from "@landscaper/api";
import type { ImportedValues, ParameterValue } from "@landscaper/blueprint";
import { fromYaml } from "@landscaper/goyaml";

/** What a Secret holds, as text and as the value that it is imported as: of both, any part may turn up in a rendering. */
export function secretValues({ data = {} }: Secret): readonly unknown[] {
  return Object.values(data).flatMap((base64) => {
    const text = Buffer.from(base64, "base64").toString("utf8");
    return [text, parse(text)];
  });
}

/** Fields that hold credentials, in configs of Targets and in the kubeconfigs in them. */
const credentialKey = /token|secret|passw|private|credential|key|client-certificate-data/i;

/**
 * The credentials in the configs of imported Targets. What else stands there, such as addresses and names, is no secret: masking it
 * would make a rendering unreadable.
 */
export function targetSecrets(given: ImportedValues): readonly unknown[] {
  return Object.values(given)
    .flatMap(targetsOf)
    .flatMap(({ spec }) => credentialsIn(spec.config));
}

function targetsOf(value: ParameterValue): readonly Target[] {
  switch (value.type) {
    case "data":
      return [];
    case "target":
      return [value.target];
    case "targetList":
    case "targetMap":
      return Object.values(value.targets);
  }
}

function credentialsIn(value: unknown): readonly unknown[] {
  if (typeof value === "string") return value.includes("\n") ? credentialsIn(parse(value)) : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    credentialKey.test(key) && (typeof member !== "object" || member === null) ? [member] : credentialsIn(member),
  );
}

/** The content of a text, such as a kubeconfig; nothing when it is no YAML. */
function parse(text: string): unknown {
  try {
    const value = fromYaml(text);
    return typeof value === "string" ? undefined : value;
  } catch {
    return undefined;
  }
}
