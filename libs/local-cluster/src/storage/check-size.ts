import type { UnstructuredObject } from "@landscaper/api";
import { StatusError } from "../status/status-error.ts";

/** What etcd takes in one request, and what its client sends at most, in bytes. */
const maxRequestBytes = 1.5 * 1024 * 1024;
const maxMessageBytes = 2 * 1024 * 1024;
/** About what a request has beside the object: its key and its guard. */
const requestOverhead = 200;

/**
 * The limits of the real server's store. Custom resources lie there as JSON; built-in kinds take less room than their JSON, but those
 * that can be large have smaller limits of their own. Throws StatusError.
 */
export function checkSize(object: UnstructuredObject): void {
  const size = Buffer.byteLength(JSON.stringify(object), "utf8") + requestOverhead;
  if (size > maxMessageBytes) {
    throw storeError(
      `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${size} vs. ${maxMessageBytes})`,
    );
  }
  if (size > maxRequestBytes) throw storeError("etcdserver: request is too large");
}

function storeError(message: string): StatusError {
  return new StatusError({ code: 500, message });
}
