import { existsSync } from "node:fs";
import { join } from "node:path";
import { maxInstallationNameLength } from "@landscaper/api";
import { parseComponentLocation, type ComponentLocation } from "@landscaper/components";
import { flagOption, listOption, textOption, type CommandInput } from "../command.ts";
import { isFile, isFolder } from "../component/open-component.ts";
import { parseTimeout } from "../parse-timeout.ts";
import { InvocationError } from "../usage-error.ts";

/** What is installed: a component version, an archive of one component, or the folder of a blueprint. */
export type InstallPlace =
  | { readonly kind: "component"; readonly location: ComponentLocation }
  | { readonly kind: "archive"; readonly path: string }
  | { readonly kind: "folder"; readonly path: string };

/** NAME=VALUE of the command line. */
export interface NamedWord {
  readonly name: string;
  readonly value: string;
}

/** The command line of `landscaper install`. */
export interface InstallRequest {
  readonly place: InstallPlace;
  readonly name: string | undefined;
  readonly blueprint: string | undefined;
  readonly imports: readonly NamedWord[];
  readonly targets: readonly NamedWord[];
  /** Of the blueprint; the value is the name of the object, "" for the default one. */
  readonly exports: readonly NamedWord[];
  /** A Context that is used as it is. */
  readonly context: string | undefined;
  readonly repositoryContext: string | undefined;
  readonly push: string | undefined;
  readonly isDryRun: boolean;
  readonly timeoutMs: number | undefined;
}

/** Throws InvocationError. */
export function parseInstallRequest(input: CommandInput): InstallRequest {
  const place = parsePlace(input.argument ?? "");
  const push = textOption(input, "push");
  const name = textOption(input, "name");
  const timeout = textOption(input, "timeout");
  if (name !== undefined) checkName(name);
  checkPush(push, place);
  if (place.kind === "folder") refuseForFolders(input);
  return {
    place,
    name,
    blueprint: textOption(input, "blueprint"),
    imports: distinct(
      "--import",
      listOption(input, "import").map((word) => parseWord(word, "--import: expected NAME=VALUE")),
    ),
    targets: listOption(input, "target").map((word) => parseWord(word, "--target: expected NAME=KUBECONFIG")),
    exports: distinct("--export", listOption(input, "export").map(parseExport)),
    context: textOption(input, "context"),
    repositoryContext: textOption(input, "repositoryContext"),
    push,
    isDryRun: flagOption(input, "dryRun"),
    timeoutMs: timeout === undefined ? undefined : parseTimeout(timeout),
  };
}

function parsePlace(text: string): InstallPlace {
  if (text.replace(/^[a-z]+:\/\//, "").includes("//")) {
    return { kind: "component", location: parseComponentLocation(text) };
  }
  if (!isFile(text)) {
    throw new InvocationError(`expected REPOSITORY//COMPONENT[:VERSION], or a folder or archive, found "${text}"`);
  }
  return { kind: existsSync(join(text, "blueprint.yaml")) ? "folder" : "archive", path: text };
}

function checkPush(push: string | undefined, place: InstallPlace): void {
  if (push === undefined) return;
  if (isFolder(push)) throw new InvocationError(`--push: expected a registry with a path, found "${push}"`);
  if (place.kind === "component" && !isFile(place.location.repository)) {
    throw new InvocationError("--push: expected a component of an archive: this one lies in a registry already");
  }
}

/** Names that say something about components only. */
function refuseForFolders(input: CommandInput): void {
  const options = [
    ["push", "--push"],
    ["blueprint", "--blueprint"],
    ["repositoryContext", "--repository-context"],
  ] as const;
  for (const [option, flag] of options) {
    if (textOption(input, option) === undefined) continue;
    throw new InvocationError(
      `${flag}: expected a component, found the folder of a blueprint; "landscaper component create" makes a component of it`,
    );
  }
}

function parseWord(word: string, expected: string): NamedWord {
  const at = word.indexOf("=");
  // The value may be secret.
  if (at <= 0) throw new InvocationError(`${expected}, found ${at < 0 ? "no equals sign" : "no name"}`);
  return { name: word.slice(0, at), value: word.slice(at + 1) };
}

function parseExport(word: string): NamedWord {
  return word.includes("=") ? parseWord(word, "--export: expected NAME[=OBJECT]") : { name: word, value: "" };
}

function distinct(flag: string, words: readonly NamedWord[]): readonly NamedWord[] {
  const names = new Set<string>();
  for (const { name } of words) {
    if (names.has(name)) throw new InvocationError(`${flag}: expected "${name}" once`);
    names.add(name);
  }
  return words;
}

/** Returns a name that an Installation may have: a DNS label. Throws InvocationError for other names. */
export function checkName(name: string): string {
  const isName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name) && name.length <= maxInstallationNameLength;
  if (isName) return name;
  throw new InvocationError(
    `--name: expected at most ${maxInstallationNameLength} lower-case letters, digits and "-" that begin and end with a letter or digit, found "${name}"`,
  );
}
