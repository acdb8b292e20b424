import { describe, expect, it } from "@jest/globals";
import { describeConnectFailure, type ConnectFields } from "./connect-failure.ts";

const fields: ConnectFields = {
  peer: "server",
  host: "api.example",
  addressField: "clusters[c].cluster.server of the kubeconfig",
};

/** An error as Node.js or undici throws it, with a text that users must not read. */
function failure(code: string): Error {
  return Object.assign(new Error(`getaddrinfo ${code} api.example`), { code });
}

const correct = "correct clusters[c].cluster.server of the kubeconfig";
const noRoute = `there is no route to the host api.example; check the network, or ${correct}`;
const late = `the connection was not opened in time; check that the server runs, and the firewalls, or ${correct}`;
const closed = "the connection was closed before the answer was complete; check that the server runs";
const slow = "the answer did not arrive in time; check the load of the server, and the network";

describe("describeConnectFailure", () => {
  it.each([
    ["ECONNREFUSED", `connection refused; start the server, or ${correct}`],
    ["ENOTFOUND", `the host api.example does not exist in DNS; ${correct}`],
    ["EAI_AGAIN", `DNS does not answer for the host api.example; check the name servers, or ${correct}`],
    ["EHOSTUNREACH", noRoute],
    ["ENETUNREACH", noRoute],
    ["ETIMEDOUT", late],
    ["UND_ERR_CONNECT_TIMEOUT", late],
    ["ECONNRESET", closed],
    ["EPIPE", closed],
    ["UND_ERR_SOCKET", closed],
    ["UND_ERR_HEADERS_TIMEOUT", slow],
    ["UND_ERR_BODY_TIMEOUT", slow],
  ])("explains %s without the text of the runtime", (code, text) => {
    expect(describeConnectFailure(failure(code), fields)).toBe(text);
  });

  it("names the field of the proxy if the proxy was dialled", () => {
    const proxy = { peer: "proxy", host: "proxy.example", addressField: "proxy-url of the kubeconfig" } as const;
    expect(describeConnectFailure(failure("ECONNREFUSED"), proxy)).toBe(
      "connection refused; start the proxy, or correct proxy-url of the kubeconfig",
    );
    expect(describeConnectFailure(failure("UND_ERR_CONNECT_TIMEOUT"), proxy)).toBe(
      "the connection was not opened in time; check the proxy, the server behind it, and the network, or correct proxy-url of the kubeconfig",
    );
  });

  it.each([failure("CERT_HAS_EXPIRED"), failure("toString"), new Error("no code"), undefined])(
    "leaves %p to others",
    (error) => {
      expect(describeConnectFailure(error, fields)).toBeUndefined();
    },
  );

  it("explains an answer that is not HTTP although undici gives no code", () => {
    const error = Object.assign(new Error("Expected HTTP/"), { name: "HTTPParserError" });
    expect(describeConnectFailure(error, fields)).toBe(
      `the server does not answer with HTTP; check the port, or ${correct}`,
    );
  });
});
