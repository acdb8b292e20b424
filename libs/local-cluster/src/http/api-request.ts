import { canonicalIntegers, limitToInt64, parseInt64Json } from "@landscaper/json";
import { parse as parseYaml } from "yaml";
import { decodeProtobuf } from "../builtin-types/decode-protobuf.ts";
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
  readonly userAgent: string | undefined;
  /** Without parameters, lower case; "" when absent. */
  readonly contentType: string;
  readonly body: Buffer;
}

/** Parses the body as the content type says. Throws 400 or 415; an empty body is undefined when that is allowed. */
export function parseBody(request: ApiRequest, expected: string, allowEmpty = false): unknown {
  const { body, contentType } = request;
  if (body.length === 0 && allowEmpty) return undefined;
  return parseOr(parserFor(contentType), body, expected);
}

function parserFor(contentType: string): (body: Buffer) => unknown {
  switch (contentType) {
    case "application/vnd.kubernetes.protobuf":
      return decodeProtobuf;
    case "application/yaml":
      return (body) => {
        const value: unknown = parseYaml(body.toString(), { intAsBigInt: true, logLevel: "error" });
        return limitToInt64(canonicalIntegers(value));
      };
    default:
      if (contentType === "" || contentType === "application/json" || contentType.endsWith("+json")) {
        return (body) => parseInt64Json(body.toString());
      }
      throw new StatusError({
        code: 415,
        reason: "UnsupportedMediaType",
        message:
          "the body of the request was in an unknown format - accepted media types include: application/json, " +
          "application/yaml, application/vnd.kubernetes.protobuf",
        details: {},
      });
  }
}

function parseOr(parse: (body: Buffer) => unknown, body: Buffer, expected: string): unknown {
  try {
    return parse(body);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof StatusError) throw error;
    const cause = body.length === 0 ? "unexpected end of JSON input (<empty>)" : error.message;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${expected}): couldn't get version/kind; json parse error: ${cause}`,
    );
  }
}
