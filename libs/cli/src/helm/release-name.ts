import { parseTemplate, sprigFunctions } from "@landscaper/gotemplate";
import { quote } from "@landscaper/golang";
import type { ParsedFlags } from "../flags/parse-flags.ts";
import { HelmFailure } from "./helm-failure.ts";

const namePattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const maxLength = 53;

export interface NameAndChart {
  readonly name: string;
  readonly chart: string;
}

/** What the operands of `helm template` name. Throws HelmFailure in Helm's words. */
export function nameAndChart(parsed: ParsedFlags): NameAndChart {
  const [first, second, ...more] = parsed.operands;
  if (first === undefined) {
    throw new HelmFailure(
      '"helm template" requires at least 1 argument\n\nUsage:  helm template [NAME] [CHART] [flags]',
    );
  }
  if (more.length > 0) {
    throw new HelmFailure(`expected at most two arguments, unexpected arguments: ${more.join(", ")}`);
  }
  const template = parsed.text("name-template") ?? "";
  if (second === undefined) return { name: template === "" ? "release-name" : renderName(template), chart: first };
  for (const [flag, isGiven] of [
    ["generate-name", parsed.isSet("generate-name")],
    ["name-template", template !== ""],
  ] as const) {
    if (isGiven) throw new HelmFailure(`cannot set --${flag} and also specify a name`);
  }
  return { name: first, chart: second };
}

function renderName(text: string): string {
  return parseTemplate({ name: "name-template", text, functions: sprigFunctions }).execute(undefined);
}

/** Returns what is wrong with the name of a release, in Helm's words; undefined for a valid name. */
export function releaseNameProblem(name: string): string | undefined {
  if (name === "") return 'release name "": no name provided';
  if (namePattern.test(name) && name.length <= maxLength) return undefined;
  const rule = `must match regex ${namePattern.source} and the length must not be longer than ${maxLength}`;
  return `release name ${quote(name)}: invalid release name, ${rule}`;
}
