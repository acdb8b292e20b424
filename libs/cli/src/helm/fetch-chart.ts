import { readFileSync } from "node:fs";
import { LandscaperError, type ChartSource } from "@landscaper/api";
import { createChartFetcher, type FetchContext, type FetchedChart } from "@landscaper/chart-source";
import { parseReference, type CredentialEntry, type ImageReference } from "@landscaper/oci";
import type { CommandContext } from "../command.ts";
import type { ParsedFlags } from "../flags/parse-flags.ts";
import { InvocationError } from "../usage-error.ts";
import { version as ownVersion } from "../version.ts";
import { HelmFailure } from "./helm-failure.ts";
import { readRegistryLogins } from "./registry-logins.ts";

/** What a chart that is not on disk was asked for. */
interface RemoteChart {
  readonly source: ChartSource;
  /** The registry that it is in. */
  readonly registry?: ImageReference | undefined;
  /** In Helm's words: what to say when there is no such chart or version. */
  readonly missing: string;
}

/** Flags that change how Helm fetches, and that we do not follow: better no chart than another one. */
const refused = {
  "cert-file": "client certificates are not sent; fetch the chart first",
  "key-file": "client certificates are not sent; fetch the chart first",
  "pass-credentials": "credentials go to no other host; fetch the chart first",
} as const;

/** Whether a reference that is no file names a chart elsewhere. */
export function isRemoteChart(reference: string, parsed: ParsedFlags): boolean {
  return /^(?:oci|https?):\/\//.test(reference) || (parsed.text("repo") ?? "") !== "";
}

/**
 * A chart of an OCI registry, of a repository (`--repo`), or of a URL, as a packed file. Tells what was pulled as Helm does. Throws
 * HelmFailure in its words, InvocationError for flags that cannot be followed, and LandscaperError.
 */
export async function fetchChart(reference: string, parsed: ParsedFlags, context: CommandContext): Promise<Uint8Array> {
  for (const [flag, advice] of Object.entries(refused)) {
    if (parsed.isSet(flag) || (parsed.text(flag) ?? "") !== "") throw new InvocationError(`--${flag}: ${advice}`);
  }
  const remote = describeRemote(reference.trim(), parsed);
  const host = remote.registry?.host ?? "";
  const fetcher = createChartFetcher({
    userAgent: `landscaper/${ownVersion}`,
    // The user's own machine and credentials: as Helm does.
    tokenRealms: "any",
    ca: authorityOf(parsed),
    insecureSkipVerify: parsed.isSet("insecure-skip-tls-verify"),
    allowPlainHttp: /^(?:localhost|127\.|\[::1\])/.test(host),
  });
  try {
    const fetched = await fetcher.fetch(remote.source, {
      registries: remote.registry === undefined ? [] : registryLogins(host, parsed, context),
      repositories: repositoryLogin(remote.source, parsed),
      signal: context.signal,
    });
    tellPulled(fetched, context);
    return fetched.archive;
  } catch (error) {
    const isMissing = error instanceof LandscaperError && error.reason === "ChartNotFound";
    throw isMissing ? new HelmFailure(remote.missing, { cause: error }) : error;
  } finally {
    await fetcher.close();
  }
}

function describeRemote(reference: string, parsed: ParsedFlags): RemoteChart {
  const repo = parsed.text("repo") ?? "";
  const given = (parsed.text("version") ?? "").trim();
  const version = given === "" ? (parsed.isSet("devel") ? ">0.0.0-0" : "*") : given;
  if (reference.startsWith("oci://")) return describeOci(reference, { given, version, parsed });
  if (repo === "")
    return { source: { archive: { remote: { url: reference } } }, missing: `failed to fetch ${reference}` };
  const wanted = given === "" ? "" : ` version "${given}"`;
  return {
    source: { helmChartRepo: { helmChartRepoUrl: repo, helmChartName: reference, helmChartVersion: version } },
    missing: `chart "${reference}"${wanted} not found in ${repo} repository`,
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

function authorityOf(parsed: ParsedFlags): string | undefined {
  const file = parsed.text("ca-file") ?? "";
  if (file === "") return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new InvocationError(`--ca-file: ${file} cannot be read`, { cause: error });
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
function repositoryLogin(source: ChartSource, parsed: ParsedFlags): FetchContext["repositories"] {
  const username = parsed.text("username") ?? "";
  const url = URL.parse(source.helmChartRepo?.helmChartRepoUrl ?? "");
  if (url === null || username === "") return [];
  const pair = Buffer.from(`${username}:${parsed.text("password") ?? ""}`).toString("base64");
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
