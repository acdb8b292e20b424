import { quote } from "@landscaper/golang";
import type { OptionDefinition } from "../../command.ts";
import { parseFlags, type ParsedFlags } from "../../flags/parse-flags.ts";
import { InvocationError } from "../../usage-error.ts";
import { helmFlag } from "../helm-flag.ts";
import { helpOptions, type HelmFlag, templateFlags } from "../template/template-flags.ts";

const revisionProblem = (value: string): string | undefined =>
  /^[1-9][0-9]*$/.test(value) ? undefined : `expected the number of a revision, found ${quote(value)}`;

const valueNames = ["values", "set", "set-string", "set-json", "set-file", "set-literal"];

const flags: readonly HelmFlag[] = [
  ...templateFlags(...valueNames, "namespace"),
  {
    ...helmFlag,
    help: "<version> 3 or 4: render as this major version of Helm (default: the version of the newest revision)",
  },
  ...templateFlags(
    "skip-schema-validation",
    "allow-remote-schemas",
    "version",
    "devel",
    "repo",
    "username",
    "password",
    "ca-file",
  ),
  ...templateFlags(
    "insecure-skip-tls-verify",
    "plain-http",
    "registry-config",
    "allow-token-realm",
    "registry-timeout",
    "repository-config",
    "cert-file",
    "key-file",
  ),
  ...templateFlags("pass-credentials", "kubeconfig", "kube-context", "kube-apiserver", "kube-as-user"),
  ...templateFlags("kube-as-group", "kube-ca-file", "kube-tls-server-name", "kube-token"),
  ...templateFlags("kube-insecure-skip-tls-verify", "help"),
  { name: "reuse-values", kind: "bool", treatment: "used", help: "the given values over those of the release" },
  { name: "reset-values", kind: "bool", treatment: "used", help: "the given values only, also when none are given" },
  {
    name: "reset-then-reuse-values",
    kind: "bool",
    treatment: "used",
    help: "the given values over those that the release was given",
  },
  {
    name: "install",
    letter: "i",
    kind: "bool",
    treatment: "used",
    help: "a release that is not there would be installed",
  },
  { name: "take-ownership", kind: "bool", treatment: "used", help: "with --live: take objects of others" },
  {
    name: "revision",
    kind: "text",
    check: revisionProblem,
    treatment: "used",
    help: "<number> compare with this one in place of the one deployed",
  },
  { name: "live", kind: "bool", treatment: "used", help: "compare with the objects of the cluster, by dry runs" },
  { name: "output", letter: "o", kind: "text", treatment: "used", help: "<format> text or json (default: text)" },
  { name: "exit-code", kind: "bool", treatment: "used", help: "exit code 1 when there are differences" },
];

export const diffOptions: readonly OptionDefinition[] = helpOptions(flags);

/** What is compared. */
export type DiffRequest = {
  readonly release: string;
  readonly output: "text" | "json";
} & (
  | {
      readonly type: "upgrade";
      readonly chart: string;
      /** Undefined: what is deployed. */
      readonly from: number | undefined;
      readonly isLive: boolean;
    }
  /** Two revisions that are recorded; without the second the newest. */
  | { readonly type: "revisions"; readonly from: number; readonly to: number | undefined }
);

/** Reads the words behind `helm diff`. Throws FlagError in pflag's words. */
export function parseDiffWords(words: readonly string[]): ParsedFlags {
  return parseFlags(words, flags);
}

/** What the words ask for. Throws InvocationError for what does not go together. */
export function readDiffRequest(parsed: ParsedFlags): DiffRequest {
  const [release, second, ...more] = parsed.operands;
  if (release === undefined) throw new InvocationError("expected RELEASE and CHART, or RELEASE with --revision");
  if (more.length > 0) throw new InvocationError(`expected RELEASE and CHART, found also ${more.join(", ")}`);
  const output = parsed.text("output") ?? "text";
  if (output !== "text" && output !== "json") {
    throw new InvocationError(`-o: expected text or json, found "${output}"`);
  }
  const modes = ["reuse-values", "reset-values", "reset-then-reuse-values"].filter((name) => parsed.isSet(name));
  if (modes.length > 1) throw new InvocationError(`--${modes.join(" and --")} contradict each other`);
  const from = parsed.text("revision");
  const isLive = parsed.isSet("live");
  if (second !== undefined && (from === undefined || !/^[0-9]+$/.test(second))) {
    const revision = from === undefined ? undefined : Number(from);
    if (isLive && revision !== undefined)
      throw new InvocationError("--live compares with the cluster, not with a --revision");
    return { type: "upgrade", release, chart: second, from: revision, isLive, output };
  }
  if (from === undefined) throw new InvocationError("expected a CHART behind the release, or --revision");
  if (isLive || valueNames.some((name) => parsed.list(name).length > 0))
    throw new InvocationError("revisions are recorded: they take neither values nor --live");
  return {
    type: "revisions",
    release,
    from: Number(from),
    to: second === undefined ? undefined : Number(second),
    output,
  };
}
