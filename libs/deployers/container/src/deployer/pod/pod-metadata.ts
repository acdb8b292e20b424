import { configurationError, type ContainerDeployerConfiguration } from "@landscaper/api";
import { containerLabels } from "../../contract/labels.ts";

const namePattern = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const prefixPattern = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
const maxPrefixLength = 253;
/** Limit of the API server for all names and values together. */
const maxAnnotationBytes = 256 * 1024;

/** The deployer finds the objects of an item by labels with these prefixes. */
const ownPrefixes: ReadonlySet<string> = new Set(Object.values(containerLabels).map((label) => prefixOf(label)));

function prefixOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf("/")));
}

/** Checks `pod.labels` and `pod.annotations` of the configuration, because the API server would refuse every Pod. Throws LandscaperError that names the field. */
export function checkPodMetadata({ labels, annotations }: ContainerDeployerConfiguration["pod"]): void {
  for (const key of Object.keys(labels)) checkKey(key, "pod.labels");
  // Kubernetes accepts capitals in the prefixes of annotations.
  for (const key of Object.keys(annotations)) checkKey(key.toLowerCase(), "pod.annotations");
  const bytes = Object.entries(annotations).reduce((sum, [key, value]) => sum + Buffer.byteLength(key + value), 0);
  if (bytes > maxAnnotationBytes) {
    throw configurationError(`pod.annotations: expected at most ${maxAnnotationBytes} bytes in all, found ${bytes}`);
  }
  for (const [key, value] of Object.entries(labels)) {
    if (value === "" || namePattern.test(value)) continue;
    const expected = "at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends";
    throw configurationError(`pod.labels: ${key}: expected ${expected}, found ${JSON.stringify(value)}`);
  }
}

function checkKey(key: string, where: string): void {
  const prefix = prefixOf(key);
  if (ownPrefixes.has(prefix)) {
    throw configurationError(
      `${where}: ${key}: names that begin with ${prefix}/ are the deployer's own; expected another name`,
    );
  }
  const isPrefixValid = !key.includes("/") || (prefix.length <= maxPrefixLength && prefixPattern.test(prefix));
  if (isPrefixValid && namePattern.test(key.slice(key.lastIndexOf("/") + 1))) return;
  throw configurationError(`${where}: expected a name such as example.com/team, found ${JSON.stringify(key)}`);
}
