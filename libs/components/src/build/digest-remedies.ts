import { LandscaperError } from "@landscaper/api";
import { isWithoutTls } from "@landscaper/egress";
import { placedError } from "../component-error.ts";

/** Failures that say nothing about the content: the component can be created without its digest. */
const unreadable: ReadonlySet<string> = new Set([
  "RegistryUnauthorized",
  "RegistryForbidden",
  "RegistryUnavailable",
  "RegistryUnreachable",
]);

/** Runs `work`, which reads content for its digest. Adds the place and the remedies to its errors. `reference` is the name of the content in the access. */
export async function withDigestRemedies<T>(reference: string, where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const remedies = remediesOf(error, reference);
    throw placedError(error, where, remedies === undefined ? {} : { hint: remedies });
  }
}

function remediesOf(error: unknown, reference: string): string | undefined {
  if (!(error instanceof LandscaperError) || !unreadable.has(error.reason)) return undefined;
  const skip = "To create the component without this digest, use --skip-external-digests.";
  if (reference.includes("://") || !isWithoutTls(error.cause)) return skip;
  return `If the registry has no TLS, write http://${reference}. ${skip}`;
}
