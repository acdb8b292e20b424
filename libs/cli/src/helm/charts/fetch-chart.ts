import { readFileSync } from "node:fs";
import { LandscaperError, productVersion, type ChartSource } from "@landscaper/api";
import { createChartFetcher, type FetchContext, type FetchedChart } from "@landscaper/chart-source";
import { parseReference, type CredentialEntry, type ImageReference } from "@landscaper/oci";
import type { CommandContext } from "../../command.ts";
import type { ParsedFlags } from "../../flags/parse-flags.ts";
import { startRegistryWait } from "../../registries/registry-wait.ts";
import { trustedTokenRealms } from "../../registries/token-realms.ts";
import { InvocationError } from "../../usage-error.ts";
import { HelmFailure } from "../helm-failure.ts";
import { findNamedRepository, type NamedRepository, readNamedRepositories } from "./named-repositories.ts";
import { readRegistryLogins } from "./registry-logins.ts";

/** What a chart that is not on disk was asked for. */
export interface RemoteChart {
  readonly source: ChartSource;
  /** The registry that it is in. */
  readonly registry?: ImageReference | undefined;
  /** The repository that a name stands for: what it says goes before flags. */
  readonly repository?: NamedRepository | undefined;
  /** In Helm's words: what to say when there is no such chart, or no such version. */
  readonly missing: string;
  readonly missingVersion?: string | undefined;
}

/** Flags that change how Helm fetches, and that we do not follow: better no chart than another one. */
const refused = {
  "cert-file": "client certificates are not sent; fetch the chart first",
  "key-file": "client certificates are not sent; fetch the chart first",
  "pass-credentials": "credentials go to no other host; fetch the chart first",
} as const;

/**
 * A chart of an OCI registry, of a repository (`--repo`, or by the name of `helm repo add`), or of a URL, as a packed file. Tells what was pulled as Helm does. Throws
 * HelmFailure in its words, InvocationError for flags that cannot be followed, and LandscaperError.
 */
export async function fetchChart(reference: string, parsed: ParsedFlags, context: CommandContext): Promise<Uint8Array> {
  for (const [flag, advice] of Object.entries(refused)) {
    if (parsed.isSet(flag) || (parsed.text(flag) ?? "") !== "") throw new InvocationError(`--${flag}: ${advice}`);
  }
  const remote = describeRemote(reference.trim(), parsed, context);
  return (await fetchRemote(remote, parsed, context)).archive;
}

/** Fetches what is described. Throws as fetchChart. */
export async function fetchRemote(
  remote: RemoteChart,
  parsed: ParsedFlags,
  context: CommandContext,
): Promise<FetchedChart> {
  const host = remote.registry?.host ?? "";
  const wait = startRegistryWait(parsed.text("registry-timeout"), context);
  const fetcher = createChartFetcher({
    userAgent: `landscaper/${productVersion}`,
    tokenRealms: trustedTokenRealms(parsed.list("allow-token-realm")),
    ca: authorityOf(parsed, remote.repository),
    insecureSkipVerify: parsed.isSet("insecure-skip-tls-verify") || remote.repository?.skipsTLSVerify === true,
    limit: wait.limit,
    watch: wait.watch,
    totalTimeoutMs: wait.totalTimeoutMs,
    allowPlainHttp: /^(?:localhost|127\.|\[::1\])/.test(host),
  });
  try {
    const fetched = await fetcher.fetch(remote.source, {
      registries: remote.registry === undefined ? [] : registryLogins(host, parsed, context),
      repositories: repositoryLogin(remote, parsed),
      signal: context.signal,
    });
    tellPulled(fetched, context);
    return fetched;
  } catch (error) {
    if (!(error instanceof LandscaperError) || error.reason !== "ChartNotFound") throw error;
    const isVersion = error.message.includes(" has no version ");
    throw new HelmFailure((isVersion ? remote.missingVersion : undefined) ?? remote.missing, { cause: error });
  } finally {
    wait.close();
    await fetcher.close();
  }
}

function describeRemote(reference: string, parsed: ParsedFlags, context: CommandContext): RemoteChart {
  const repo = parsed.text("repo") ?? "";
  const given = (parsed.text("version") ?? "").trim();
  const version = given === "" ? (parsed.isSet("devel") ? ">0.0.0-0" : "*") : given;
  if (reference.startsWith("oci://")) return describeOci(reference, { given, version, parsed });
  if (repo === "" && /^https?:\/\//.test(reference))
    return { source: { archive: { remote: { url: reference } } }, missing: `failed to fetch ${reference}` };
  if (repo === "")
    return describeNamed(reference, { given, version, repositories: readNamedRepositories(parsed, context) });
  const wanted = given === "" ? "" : ` version "${given}"`;
  return {
    source: { helmChartRepo: { helmChartRepoUrl: repo, helmChartName: reference, helmChartVersion: version } },
    missing: `chart "${reference}"${wanted} not found in ${repo} repository`,
  };
}

/** `repository/chart` with a name of `helm repo add`. */
function describeNamed(
  reference: string,
  {
    given,
    version,
    repositories,
  }: { readonly given: string; readonly version: string; readonly repositories: readonly NamedRepository[] },
): RemoteChart {
  const slash = reference.indexOf("/");
  if (slash < 0) {
    throw new HelmFailure(`non-absolute URLs should be in form of repo_name/path_to_chart, got: ${reference}`);
  }
  const repository = findNamedRepository(repositories, reference.slice(0, slash));
  const chart = reference.slice(slash + 1);
  const wanted = given === "" && version !== "*" ? version : given;
  const missing = `chart "${chart}" matching ${wanted} not found in ${repository.name} index. (try 'helm repo update')`;
  return {
    source: {
      helmChartRepo: { helmChartRepoUrl: repository.url, helmChartName: chart, helmChartVersion: version },
    },
    repository,
    missing: `${missing}: no chart name found`,
    missingVersion: `${missing}: no chart version found for ${chart}-${wanted}`,
  };
}

function describeOci(
  reference: string,
  { given, version, parsed }: { readonly given: string; readonly version: string; readonly parsed: ParsedFlags },
): RemoteChart {
  const registry = parseReference(reference);
  const { tag, digest } = registry;
  if (tag !== undefined && given !== "" && given.replaceAll("+", "_") !== tag) {
    throw new HelmFailure(`chart reference and version mismatch: ${given} is not ${tag}`);
  }
  const text = parsed.isSet("plain-http") ? reference.replace(/^oci:/, "http:") : reference;
  const ref = tag === undefined && digest === undefined ? `${text}:${version}` : text;
  const missing = `Could not locate a version matching provided version string ${given}`;
  return { source: { ref }, registry, missing };
}

function authorityOf(parsed: ParsedFlags, repository: NamedRepository | undefined): string | undefined {
  const ofRepository = repository?.caFile ?? "";
  const file = ofRepository === "" ? (parsed.text("ca-file") ?? "") : ofRepository;
  if (file === "") return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const from = ofRepository === "" ? "--ca-file" : `caFile of the repository ${repository?.name ?? ""}`;
    throw new InvocationError(`${from}: ${file} cannot be read`, { cause: error });
  }
}

/** What the flags say goes before any login that is kept. */
function registryLogins(host: string, parsed: ParsedFlags, context: CommandContext): CredentialEntry[] {
  const username = parsed.text("username") ?? "";
  const kept = readRegistryLogins(parsed.text("registry-config"), context);
  if (username === "") return kept;
  const credential = { username, password: parsed.text("password") ?? "" };
  return [
    { host, path: "", credential, from: "--username and --password" },
    ...kept.filter((entry) => entry.host !== host),
  ];
}

/** For the host of the repository only. */
function repositoryLogin({ source, repository }: RemoteChart, parsed: ParsedFlags): FetchContext["repositories"] {
  const hasOwn = repository !== undefined && repository.username !== "" && repository.password !== "";
  const username = hasOwn ? repository.username : (parsed.text("username") ?? "");
  const password = hasOwn ? repository.password : (parsed.text("password") ?? "");
  const url = URL.parse(source.helmChartRepo?.helmChartRepoUrl ?? "");
  if (url === null || username === "") return [];
  const pair = Buffer.from(`${username}:${password}`).toString("base64");
  return [{ url: new URL("/", url), authorization: `Basic ${pair}` }];
}

const underscoreAdvice = `
OCI artifact references (e.g. tags) do not support the plus sign (+). To support
storing semantic versions, Helm adopts the convention of changing plus (+) to
an underscore (_) in chart version tags when pushing to a registry and back to
a plus (+) when pulling from a registry.
`;

function tellPulled({ reference }: FetchedChart, { writeError }: CommandContext): void {
  if (reference === undefined) return;
  const { host, repository, tag, digest = "" } = reference;
  const place = `${host}/${repository}${tag === undefined ? `@${digest}` : `:${tag}`}`;
  writeError(`Pulled: ${place}\nDigest: ${digest}\n`);
  if (place.includes("_")) writeError(`${place} contains an underscore.\n${underscoreAdvice}`);
}
