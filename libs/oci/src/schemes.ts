import { LandscaperError } from "@landscaper/api";
import type { Credential } from "./credentials/credential.ts";
import { dockerHub, type RepositoryReference } from "./reference.ts";
import { discard, type Transport } from "./transport.ts";

export interface Schemes {
  /** `https://host:port` of the registry, or `http://` where that was said or is allowed and needed. */
  originOf(reference: RepositoryReference, access: SchemeAccess): Promise<string>;
}

interface SchemeAccess {
  readonly credential: Credential | undefined;
  readonly signal: AbortSignal;
}

/** The host that answers for Docker Hub. */
const dockerHubServer = "registry-1.docker.io";

/** Host and port of the server that answers for a registry, as URLs have them: without port 443. */
export function serverOf(host: string): string {
  return host === dockerHub ? dockerHubServer : host.toLowerCase().replace(/:443$/, "");
}

/** Where plain http is allowed, a host is asked once which of both it speaks; https comes first. */
export function createSchemes(transport: Transport, allowPlainHttp: boolean): Schemes {
  const found = new Map<string, "http" | "https">();

  async function answers(url: URL, { credential, signal }: SchemeAccess): Promise<boolean> {
    try {
      const ca = credential?.certificateAuthority;
      await discard(await transport.send({ method: "GET", url, ca, signal, repeat: false }));
      return true;
    } catch (error) {
      signal.throwIfAborted();
      // It does speak https. What it is worth is told by the request itself; in plain text nobody could know at all.
      if (isOfCertificate(error)) return true;
      if (error instanceof LandscaperError) return false;
      throw error;
    }
  }

  async function probe(host: string, access: SchemeAccess): Promise<"http" | "https"> {
    const known = found.get(host);
    if (known !== undefined) return known;
    for (const scheme of ["https", "http"] as const) {
      if (!(await answers(new URL(`${scheme}://${host}/v2/`), access))) continue;
      found.set(host, scheme);
      return scheme;
    }
    // Nobody is there: the request itself will say so.
    return "https";
  }

  return {
    async originOf({ host, scheme }, access) {
      const server = host === dockerHub ? dockerHubServer : host;
      if (scheme !== undefined) return `${scheme}://${server}`;
      return `${allowPlainHttp ? await probe(server, access) : "https"}://${server}`;
    },
  };
}

/** Node's codes for certificates that are not trusted, not for this host, or not valid now. */
const certificateCode = /CERT|SIGNATURE|HOSTNAME|INVALID_(?:CA|PURPOSE)|PATH_LENGTH/;

function isOfCertificate(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const code: unknown = Reflect.get(error, "code");
  return (typeof code === "string" && certificateCode.test(code)) || isOfCertificate(Reflect.get(error, "cause"));
}
