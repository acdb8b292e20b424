import {
  FunctionError,
  parseConstraints,
  parseVersion,
  type Version,
  type VersionConstraints,
} from "@landscaper/golang";
import { failLocally, known, quoting, type Message } from "../evaluate/failure.ts";

/** The version in a text, or the problem with it. */
export function readVersion(name: string, text: string): Version | Message {
  try {
    return parseVersion(text);
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    return quoting`${known(name)}: "${text}": ${formerWords(error.message)}`;
  }
}

/** Why a version does not satisfy all constraints; undefined when it does. Fails for a bad constraint, which `place` introduces. */
export function findSemverProblem(
  version: Version,
  constraints: Iterable<string>,
  place: Message,
): Message | undefined {
  let index = 0;
  for (const constraint of constraints) {
    const problems = readConstraints(constraint, index++, place).problemsOf(version);
    if (problems.length > 0) return quoting`[${problems.join(" ")}]`;
  }
  return undefined;
}

/** Prereleases are accepted as before release 3.4 of the library: by comparisons that name one. */
function readConstraints(text: string, index: number, place: Message): VersionConstraints {
  try {
    return parseConstraints(text, "each");
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    return failLocally(
      quoting`${place}: invalid constraint "${text}"[${known(String(index))}]: ${formerWords(error.message)}`,
    );
  }
}

const renamed = new Map([
  ["invalid semantic version", "Invalid Semantic Version"],
  ["version segment starts with 0", "Version segment starts with 0"],
  ["constraint parser error", "constraint Parser Error"],
]);

/** Messages in the words of the library's release that spiff has. */
function formerWords(message: string): string {
  return (
    renamed.get(message) ??
    message.replace(/^error parsing/, "Error parsing").replace(/^(improper constraint: )"(.*)"$/s, "$1$2")
  );
}
