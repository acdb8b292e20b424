import { parse as parseYaml } from "yaml";
import type { User } from "../auth/user.ts";
import { StatusError, badRequest } from "../status/status-error.ts";
import type { RequestInfo } from "./request-info.ts";

/** A request after authentication, with its body read. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  readonly user: User;
  readonly accept: string | undefined;
  /** Without parameters, lower case; "" when absent. */
  readonly contentType: string;
  readonly body: string;
}

/** Parses the body as the content type says. Throws 400 or 415; an empty body is undefined when that is allowed. */
export function parseBody(request: ApiRequest, expected: string, allowEmpty = false): unknown {
  const { body, contentType } = request;
  if (body === "" && allowEmpty) return undefined;
  if (contentType === "application/yaml" || contentType === "application/apply-patch+yaml") {
    return parseOr(() => parseYaml(body) as unknown, request, expected);
  }
  if (contentType !== "" && contentType !== "application/json" && !contentType.endsWith("+json")) {
    throw new StatusError({
      code: 415,
      reason: "UnsupportedMediaType",
      message:
        "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml",
      details: {},
    });
  }
  return parseOr(() => JSON.parse(body) as unknown, request, expected);
}

function parseOr(parse: () => unknown, request: ApiRequest, expected: string): unknown {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const cause = request.body === "" ? "unexpected end of JSON input (<empty>)" : error.message;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${expected}): couldn't get version/kind; json parse error: ${cause}`,
    );
  }
}
