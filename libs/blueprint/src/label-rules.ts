const maxLength = 63;
const labelValue = /^([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?)?$/;
const labelName = /^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/;
const dnsSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** What is wrong with a Kubernetes label value, or undefined. */
export function labelValueProblem(value: string): string | undefined {
  if (value.length > maxLength) return `must have at most ${maxLength} characters`;
  if (labelValue.test(value)) return undefined;
  return "must have only letters, digits, -, _ and ., with a letter or digit at both ends";
}

/** What is wrong with a Kubernetes label key, or undefined. */
export function labelKeyProblem(key: string): string | undefined {
  const slash = key.indexOf("/");
  const name = key.slice(slash + 1);
  if (slash >= 0 && (slash > 253 || !dnsSubdomain.test(key.slice(0, slash))))
    return "must have a DNS name before the /";
  if (name.length > maxLength) return `must have at most ${maxLength} characters in its name`;
  if (labelName.test(name)) return undefined;
  return "must have only letters, digits, -, _ and . in its name, with a letter or digit at both ends";
}

/** What is wrong with a text that becomes a part of the name of an object and the value of a label, or undefined. */
export function objectNameProblem(value: string): string | undefined {
  if (value.length > maxLength) return `must have at most ${maxLength} characters`;
  if (dnsSubdomain.test(value)) return undefined;
  return "must have only lower case letters, digits, - and ., with a letter or digit at both ends";
}

/** Returns the nearest text without an `objectNameProblem`, or undefined if the text has no letters and digits. */
export function nearestObjectName(value: string): string | undefined {
  const parts = value
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, "-")
    .split(".")
    .map((part) => part.replaceAll(/^-+|-+$/g, ""))
    .filter((part) => part !== "");
  const name = parts
    .join(".")
    .slice(0, maxLength)
    .replace(/[-.]+$/, "");
  return name === "" ? undefined : name;
}
