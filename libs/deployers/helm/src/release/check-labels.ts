import { systemLabels } from "@landscaper/helm-release";
import { configError } from "@landscaper/manifest-deployer-lib";

const namePart = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const prefixPart = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const maxPrefixLength = 253;

/** Returns the labels of a release. Throws LandscaperError for those that Helm or the API server refuses; the message has no values. */
export function checkLabels(
  labels: Readonly<Record<string, string>> = {},
  where: string,
): Readonly<Record<string, string>> {
  for (const [key, value] of Object.entries(labels)) {
    if (systemLabels.includes(key)) {
      throw configError(
        `${where}: expected no label of Helm (${systemLabels.join(", ")}), found ${key}`,
        "choose another name: Helm sets these labels on each record of a release",
      );
    }
    if (!isLabelKey(key)) {
      throw configError(
        `${where}: expected names of labels, each at most 63 letters, digits, "-", "_" and ".", with a domain and "/" in front if needed, found ${JSON.stringify(key.slice(0, 80))}`,
      );
    }
    if (value !== "" && !namePart.test(value)) {
      throw configError(
        `${where}.${key}: expected at most 63 letters, digits, "-", "_" and ".", beginning and ending with a letter or digit, found another text`,
      );
    }
  }
  return labels;
}

function isLabelKey(key: string): boolean {
  const [first = "", second, ...more] = key.split("/");
  if (more.length > 0) return false;
  if (second === undefined) return namePart.test(first);
  return first.length <= maxPrefixLength && prefixPart.test(first) && namePart.test(second);
}
