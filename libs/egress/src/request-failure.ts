import { identifyError, LandscaperError } from "@landscaper/api";
import { describeConnectFailure, type ConnectFields } from "./connect-failure.ts";
import { isRefusedByProxy } from "./proxy-failure.ts";
import { describeTlsFailure, type TlsFields } from "./tls-failure.ts";

export interface RequestFields {
  readonly connect: ConnectFields;
  /** Undefined: the connection was open, so TLS cannot be the cause. */
  readonly tls: TlsFields | undefined;
}

/** Errors in a chain of causes; further ones are ignored. */
const maxDepth = 5;

/**
 * Explains why a request got no complete answer: cause and remedy. Messages of Landscaper and answers of a proxy are returned unchanged. Messages of Node.js,
 * OpenSSL, undici and other libraries are never returned: of an unknown error, only the code or the type.
 */
export function describeRequestFailure(error: unknown, fields: RequestFields): string {
  const errors = listErrors(error);
  for (const each of errors) {
    if (each instanceof LandscaperError) return each.message;
    if (each instanceof Error && isRefusedByProxy(each.message)) return each.message;
    const { tls, connect } = fields;
    const explanation = (tls && describeTlsFailure(each, tls)) ?? describeConnectFailure(each, connect);
    if (explanation !== undefined) return explanation;
  }
  const { peer } = fields.connect;
  return `the request failed for an unexpected reason (${identify(errors)}); check the ${peer} and the network, and report the problem if it remains`;
}

/** Returns the error and its causes, outermost first. Of several attempts to connect, follows the first. */
function listErrors(error: unknown): readonly unknown[] {
  const found: unknown[] = [];
  let next = error;
  while (next !== undefined && next !== null && found.length < maxDepth) {
    found.push(next);
    const { errors, cause } = next as { readonly errors?: unknown; readonly cause?: unknown };
    next = Array.isArray(errors) && errors.length > 0 ? errors[0] : cause;
  }
  return found;
}

/** Returns the code or type of the outermost error that has one. */
function identify(errors: readonly unknown[]): string {
  return errors.map(identifyError).find((name) => name !== "Error") ?? "Error";
}
