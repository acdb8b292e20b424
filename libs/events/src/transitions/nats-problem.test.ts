import { describe, expect, it } from "@jest/globals";
import { silentServer, toNatsProblem } from "./nats-problem.ts";

const place = { addresses: ["nats.example:4222"], stream: "LANDSCAPER", step: "cannot connect" };

/** As Node.js reports it; the client library hands it on, or wraps it. */
function nodeError(fields: { readonly code: string; readonly syscall?: string }, message = "m"): Error {
  return Object.assign(new Error(message), fields);
}

describe("a connection that fails", () => {
  it.each<readonly [title: string, error: Error, want: string]>([
    [
      "because of an unknown authority",
      nodeError({ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }),
      "certificate-refused NATS (nats.example:4222): cannot connect: the server certificate is not signed by a trusted authority; set NODE_EXTRA_CA_CERTS of the process to a file with the authority.",
    ],
    [
      "because of another name in the certificate",
      new Error("wrapped", { cause: nodeError({ code: "ERR_TLS_CERT_ALTNAME_INVALID" }) }),
      "certificate-refused NATS (nats.example:4222): cannot connect: the server certificate is not valid for the name nats.example:4222; correct the host in NATS_URL, and write tls:// if it is an IP address.",
    ],
    [
      "because of a host without an address",
      nodeError({ code: "ENOTFOUND", syscall: "getaddrinfo" }, "getaddrinfo ENOTFOUND nats.example"),
      "unreachable NATS (nats.example:4222) cannot be reached: the host nats.example:4222 does not exist in DNS; correct NATS_URL.",
    ],
    [
      "because of a server that does not answer",
      silentServer(place.addresses, 5_000),
      "unreachable NATS (nats.example:4222) cannot be reached: no answer within 5 s. Check that NATS_URL names a NATS server, and that it is not overloaded.",
    ],
  ])("%s has a message with the remedy", (...[, error, want]) => {
    const { state, message } = toNatsProblem(error, place);
    expect(`${state} ${message}`).toBe(want);
  });
});

it.each([
  [undefined, "docs/guide/install.md#events-on-nats"],
  ["docs/guide/cli.md#events-transitions-on-nats", "docs/guide/cli.md#events-transitions-on-nats"],
])("a missing permission is named with the list of permissions (%s)", (permissions, page) => {
  const error = Object.assign(new Error("Permissions Violation"), { name: "PermissionViolationError" });
  expect(toNatsProblem(error, { ...place, permissions }).message).toBe(
    `NATS (nats.example:4222): cannot connect: Permissions Violation. Grant the account the permissions of ${page}.`,
  );
});
