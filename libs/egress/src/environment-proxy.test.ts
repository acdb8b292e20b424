// testdata/environment-proxies.json has the choices of golang.org/x/net/http/httpproxy, the package behind Go's http.ProxyFromEnvironment.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { environmentProxy } from "./environment-proxy.ts";

interface RecordedChoice {
  readonly environment: Readonly<Record<string, string>>;
  readonly url: string;
  /** URL of the proxy, or "direct". */
  readonly out: string;
}

const choices = JSON.parse(
  readFileSync(join(import.meta.dirname, "testdata/environment-proxies.json"), "utf8"),
) as RecordedChoice[]; // written by npm run record

/** Go also speaks to SOCKS proxies. */
const isSocks = ({ out }: RecordedChoice): boolean => out.startsWith("socks5");

describe("the proxy that the environment names", () => {
  it.each(
    choices
      .filter((choice) => !isSocks(choice))
      .map(({ environment, url, out }) => [url, JSON.stringify(environment), out] as const),
  )("for %s with %s is the one that Kubernetes' Go clients choose", (url, environment, out) => {
    const chosen = environmentProxy(new URL(url), JSON.parse(environment) as RecordedChoice["environment"]); // text for the title
    // A path has no effect, also in Go.
    expect(chosen?.href ?? "direct").toBe(out === "direct" ? out : new URL("/", out).href);
  });

  it("is none without variables", () => {
    expect(environmentProxy(new URL("https://hub.example"), {})).toBeUndefined();
  });

  it.each([
    "ftp://proxy.example",
    "http://",
    "http://secret proxy",
    "socks5://proxy.example:1080",
    "socks5://",
    "http://me:sec%ret@p",
  ])("is refused for %j, without the value in the message", (value) => {
    const choose = (): unknown => environmentProxy(new URL("https://hub.example"), { HTTPS_PROXY: value });
    expect(choose).toThrow(
      /^environment: HTTPS_PROXY: expected the URL of an HTTP proxy, such as http:\/\/proxy\.example:3128/,
    );
  });

  it("is not judged for what needs no proxy", () => {
    const environment = { HTTPS_PROXY: "ftp://proxy.example", NO_PROXY: "hub.example" };
    expect(environmentProxy(new URL("https://hub.example"), environment)).toBeUndefined();
    expect(environmentProxy(new URL("http://other.example"), environment)).toBeUndefined();
  });
});
