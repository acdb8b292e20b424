import { parseGoDuration, quote } from "@landscaper/golang";
import type { HelmVersion } from "@landscaper/helm";
import type { OptionDefinition } from "../../command.ts";
import { type FlagDefinition, FlagError, type ParsedFlags, parseFlags } from "../../flags/parse-flags.ts";
import { readCsv } from "../../flags/read-csv.ts";
import { helmFlag, versionOfFlags, versionOfWords } from "../helm-flag.ts";
import { rawFlag } from "../../output/raw-option.ts";
import { registryTimeoutFlag } from "../../registries/registry-wait.ts";
import { PrintedError } from "../../usage-error.ts";
import { structuredLine } from "../words/structured-log.ts";
import { tokenRealmFlag } from "../../registries/token-realms.ts";

/** What a flag of Helm is for us: it counts, it says nothing about output, or it is refused. */
type Treatment = "used" | "accepted" | { readonly refused: string };

export interface HelmFlag extends FlagDefinition {
  readonly treatment: Treatment;
  /** For the help; flags without one are not shown. */
  readonly help?: string;
}

const csv = { kind: "list", check: (value: string) => problemOf(() => readCsv(value)) } as const;
const integer = (value: string): string | undefined =>
  /^[-+]?[0-9]+$/.test(value) ? undefined : `strconv.ParseInt: parsing ${quote(value)}: invalid syntax`;
const float = (value: string): string | undefined =>
  value.trim() === value && value !== "" && !Number.isNaN(Number(value))
    ? undefined
    : `strconv.ParseFloat: parsing ${quote(value)}: invalid syntax`;
const durationProblem = (value: string): string | undefined => {
  const duration = parseGoDuration(value);
  return typeof duration === "string" ? duration : undefined;
};
const waitValues = ["watcher", "hookOnly", "legacy", "true", "false"];
const waitProblem = (value: string): string | undefined =>
  waitValues.includes(value)
    ? undefined
    : `invalid wait input ${quote(value)}. Valid inputs are watcher, hookOnly, and legacy`;
const waitWarning = (value: string): string | undefined => {
  if (value !== "true" && value !== "false") return undefined;
  const replacement = value === "true" ? "watcher" : "hookOnly";
  const text = `--wait=${value} is deprecated (boolean value) and can be replaced with --wait=${replacement}`;
  return structuredLine("WARN", text);
};
const colorModes = ["never", "auto", "always"];
const pairs = (value: string): string | undefined => {
  const bad = value.includes("=") ? undefined : value;
  return bad === undefined ? undefined : `${bad} must be formatted as key=value`;
};

const common: readonly HelmFlag[] = [
  helmFlag,
  { name: "values", letter: "f", ...csv, treatment: "used", help: "<file> values; - is stdin, may be repeated" },
  { name: "set", kind: "list", treatment: "used", help: "<texts> values, e.g. a.b=1,c[0]=x" },
  { name: "set-string", kind: "list", treatment: "used", help: "<texts> values that are texts" },
  { name: "set-json", kind: "list", treatment: "used", help: "<texts> values as JSON" },
  { name: "set-file", kind: "list", treatment: "used", help: "<texts> values from files" },
  { name: "set-literal", kind: "list", treatment: "used", help: "<text> one text as it stands" },
  { name: "namespace", letter: "n", kind: "text", treatment: "used", help: "<name> .Release.Namespace" },
  { name: "name-template", kind: "text", treatment: "used", help: "<template> makes the name of the release" },
  { name: "generate-name", letter: "g", kind: "bool", treatment: "used", help: "no NAME is given" },
  { name: "is-upgrade", kind: "bool", treatment: "used", help: ".Release.IsUpgrade in place of IsInstall" },
  { name: "kube-version", kind: "text", treatment: "used", help: "<version> .Capabilities.KubeVersion" },
  { name: "api-versions", letter: "a", ...csv, treatment: "used", help: "<versions> more .Capabilities.APIVersions" },
  { name: "show-only", letter: "s", kind: "list", treatment: "used", help: "<path> only what is from this template" },
  { name: "include-crds", kind: "bool", treatment: "used", help: "manifests of crds/, too" },
  { name: "no-hooks", kind: "bool", treatment: "used", help: "without hooks" },
  { name: "skip-tests", kind: "bool", treatment: "used", help: "without hooks that are tests" },
  { name: "skip-schema-validation", kind: "bool", treatment: "used", help: "values need not fit values.schema.json" },
  {
    name: "allow-remote-schemas",
    ...csv,
    treatment: "used",
    help: "<hosts> hosts that value schemas are fetched from",
  },
  { name: "output-dir", kind: "text", treatment: "used", help: "<folder> write files in place of printing" },
  { name: "release-name", kind: "bool", treatment: "used", help: "the release's name in paths of --output-dir" },
  { name: "version", kind: "text", treatment: "used", help: "<range> of a chart of a registry or repository" },
  { name: "devel", kind: "bool", treatment: "used", help: "prereleases, too, where no version is given" },
  { name: "repo", kind: "text", treatment: "used", help: "<URL> repository of the chart" },
  { name: "username", kind: "text", treatment: "used", help: "<name> for registry or repository" },
  { name: "password", kind: "text", treatment: "used", help: "<text> for registry or repository" },
  { name: "ca-file", kind: "text", treatment: "used", help: "<file> trusted beside the usual authorities" },
  { name: "insecure-skip-tls-verify", kind: "bool", treatment: "used", help: "take any certificate" },
  { name: "plain-http", kind: "bool", treatment: "used", help: "speak http with the registry" },
  { name: "registry-config", kind: "text", treatment: "used", help: "<file> logins of `helm registry login`" },
  tokenRealmFlag,
  registryTimeoutFlag,
  { name: "repository-config", kind: "text", treatment: "used", help: "<file> repositories of `helm repo add`" },
  { name: "kubeconfig", kind: "text", treatment: "used", help: "<file> of the cluster that --validate asks" },
  { name: "kube-context", kind: "text", treatment: "used", help: "<name> context of the kubeconfig" },
  { name: "debug", kind: "bool", treatment: "used", help: "print what was rendered also when it is no YAML" },
  { name: "skip-crds", kind: "bool", treatment: "accepted" },
  { name: "timeout", kind: "text", check: durationProblem, treatment: "accepted" },
  { name: "labels", letter: "l", kind: "list", check: pairs, treatment: "accepted" },
  { name: "qps", kind: "text", check: float, treatment: "accepted" },
  { name: "burst-limit", kind: "text", check: integer, treatment: "accepted" },
  ...accepted("bool", [
    "create-namespace",
    "disable-openapi-validation",
    "pass-credentials",
    "replace",
    "take-ownership",
    "wait-for-jobs",
    "kube-insecure-skip-tls-verify",
  ]),
  ...accepted("text", [
    "cert-file",
    "description",
    "key-file",
    "keyring",
    "kube-apiserver",
    "kube-as-user",
    "kube-ca-file",
    "kube-tls-server-name",
    "kube-token",
    "repository-cache",
  ]),
  ...accepted("list", ["kube-as-group", "post-renderer-args"]),
  { name: "dependency-update", kind: "bool", treatment: "used", help: "fetch dependencies that are missing" },
  { name: "verify", kind: "bool", treatment: { refused: "signatures of charts are not read; verify the chart first" } },
  { name: "post-renderer", kind: "text", treatment: { refused: "no programs are run; pipe the output into this one" } },
  { name: "enable-dns", kind: "bool", treatment: { refused: "templates reach no network; getHostByName is empty" } },
  { ...rawFlag, treatment: "used", help: rawFlag.description },
  { name: "help", letter: "h", kind: "bool", treatment: "used", help: "display help for command" },
];

const dryRun = {
  name: "dry-run",
  kind: "text",
  treatment: "used",
  help: "<mode> with server, lookup asks the cluster",
} as const;
const validate = {
  name: "validate",
  kind: "bool",
  treatment: "used",
  help: "ask the cluster whether it would take the objects",
} as const;
const bool = { kind: "bool", treatment: "accepted" } as const;
const withoutEffect = "this flag has no effect for 'helm template' and will be removed in Helm 5";

/** Flags by version: the common ones, and those that differ. */
const flagsOf: Readonly<Record<HelmVersion, readonly HelmFlag[]>> = {
  "3": [
    ...common,
    { ...dryRun, implied: "client" },
    validate,
    ...accepted("bool", ["atomic", "force", "hide-notes", "render-subchart-notes", "wait"]),
  ],
  "4": [
    ...common,
    { ...dryRun, implied: "unset" },
    { ...validate, ...deprecated("validate", "use '--dry-run=server' instead") },
    { ...bool, ...deprecated("atomic", "use --rollback-on-failure instead") },
    { ...bool, ...deprecated("force", "use --force-replace instead") },
    { ...bool, ...deprecated("hide-notes", withoutEffect) },
    { ...bool, ...deprecated("render-subchart-notes", withoutEffect) },
    { name: "wait", kind: "text", implied: "watcher", check: waitProblem, warning: waitWarning, treatment: "accepted" },
    ...accepted("bool", ["force-conflicts", "force-replace", "rollback-on-failure", "server-side"]),
    ...accepted("text", ["color", "colour", "content-cache"]),
  ],
};

function deprecated(name: string, remedy: string): { name: string; warning: () => string } {
  return { name, warning: () => `Flag --${name} has been deprecated, ${remedy}\n` };
}

/** Flags that exclude each other in Helm 4. */
const exclusive = ["force-replace", "force-conflicts"] as const;

/** The options as the help shows them. */
export const templateOptions = helpOptions(flagsOf["3"]);

/** Flags of `helm template` that another command has, too. */
export function templateFlags(...names: readonly string[]): HelmFlag[] {
  return flagsOf["3"].filter(({ name }) => names.includes(name));
}

/** Flags as the help of a command shows them. */
export function helpOptions(shown: readonly HelmFlag[]): OptionDefinition[] {
  return shown.flatMap(({ name, letter, help }) => {
    if (help === undefined) return [];
    const [, argument = "", description = ""] = /^(<\w+>)? ?(.*)$/.exec(help) ?? [];
    const syntax = `${letter === undefined ? "" : `-${letter}, `}--${name} ${argument}`.trimEnd();
    return [{ syntax, description }];
  });
}

/** Reads the words behind `helm template`. Throws FlagError in pflag's words. */
export function parseTemplateWords(words: readonly string[]): ParsedFlags {
  const likely = versionOfWords(words);
  const first = parseFlags(words, flagsOf[likely]);
  const version = versionOfFlags(first);
  // "--helm=4" may also be the value of another flag.
  const parsed = version === likely ? first : parseFlags(words, flagsOf[version]);
  checkColor(parsed);
  const given = exclusive.filter((name) => parsed.list(name).length > 0);
  if (given.length < 2) return parsed;
  const group = `if any flags in the group [${exclusive.join(" ")}] are set none of the others can be`;
  throw new FlagError(`${group}; [${given.toSorted().join(" ")}] were all set`);
}

function checkColor(parsed: ParsedFlags): void {
  const color = parsed.text("color") ?? parsed.text("colour") ?? "auto";
  if (colorModes.includes(color)) return;
  const error = `invalid color mode ${quote(color)}: must be one of: ${colorModes.join(", ")}`;
  throw new PrintedError(structuredLine("WARN", "command failed", { error }));
}

/** Why a flag that was given cannot be followed; undefined when all can. */
export function refusalOf(parsed: ParsedFlags): string | undefined {
  for (const { name, kind, treatment } of common) {
    const isGiven = kind === "bool" ? parsed.isSet(name) : parsed.list(name).length > 0;
    if (isGiven && typeof treatment === "object") return `--${name}: ${treatment.refused}`;
  }
  return undefined;
}

function accepted(kind: FlagDefinition["kind"], names: readonly string[]): HelmFlag[] {
  return names.map((name) => ({ name, kind, treatment: "accepted" }));
}

function problemOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}
