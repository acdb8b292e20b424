import { quote } from "@landscaper/golang";
import { ChartError } from "../chart/chart-error.ts";
import type { HelmDialect } from "../versions/helm-dialect.ts";
import { helm3 } from "../versions/helm3.ts";

const maxComponent = 2n ** 64n - 1n;

/**
 * Reads a version in the form of `--kube-version`: an optional "v" and two or more numbers. The result begins with "v". A suffix is removed,
 * unless the dialect keeps it. Throws ChartError with Helm's words.
 */
export function parseKubeVersion(text: string, { keepsKubeVersionSuffix }: HelmDialect = helm3): string {
  const normal = parseNumbers(text);
  if (!keepsKubeVersionSuffix) return normal;
  return text.startsWith("v") ? text : `v${text}`;
}

/** Returns a version without its suffix. Returns other texts unchanged. */
export function normalKubeVersion(text: string): string {
  try {
    return parseNumbers(text.replace(/^v(?=\s)/, ""));
  } catch (error) {
    if (error instanceof ChartError) return text;
    throw error;
  }
}

function parseNumbers(text: string): string {
  const refuse = (problem: string): never => {
    throw new ChartError(`invalid kube version '${text}': ${problem}`);
  };
  const numbers = /^\s*v?([0-9]+(?:\.[0-9]+)*).*$/.exec(text)?.[1];
  if (numbers === undefined) return refuse(`could not parse ${quote(text)} as version`);
  const components = numbers.split(".");
  if (components.length < 2) return refuse(`illegal version string ${quote(text)}`);
  const parsed = components.map((component, at) => {
    if (at === 0 && component.length > 1 && component.startsWith("0")) {
      return refuse(`illegal zero-prefixed version component ${quote(component)} in ${quote(text)}`);
    }
    const value = BigInt(component);
    if (value <= maxComponent) return value;
    const cause = `strconv.ParseUint: parsing ${quote(component)}: value out of range`;
    return refuse(`illegal non-numeric version component ${quote(component)} in ${quote(text)}: ${cause}`);
  });
  return `v${parsed.join(".")}`;
}
