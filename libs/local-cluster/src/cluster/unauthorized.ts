import { StatusError } from "../status/status-error.ts";

/** The answer to a request without or with a wrong token. */
export function unauthorized(): StatusError {
  return new StatusError({ code: 401, reason: "Unauthorized", message: "Unauthorized" });
}
