import { describe, expect, it } from "@jest/globals";
import { FlagError } from "../../flags/parse-flags.ts";
import { InvocationError } from "../../usage-error.ts";
import { parseDiffWords, readDiffRequest } from "./diff-flags.ts";

const read = (words: string): unknown =>
  readDiffRequest(parseDiffWords(words.split(" ").filter((word) => word !== "")));
const upgrade = { type: "upgrade", release: "shop", chart: "./chart", from: undefined, isLive: false, output: "text" };

describe("helm diff", () => {
  it.each([
    ["shop ./chart", upgrade],
    ["shop ./chart -f values.yaml --set a=1 -o json", { ...upgrade, output: "json" }],
    ["shop ./chart --live", { ...upgrade, isLive: true }],
    ["shop ./chart --revision 3", { ...upgrade, from: 3 }],
    [
      "shop ./chart --version ^1 --devel --repo r --username u --password p --ca-file f --plain-http --registry-config l",
      upgrade,
    ],
    [
      "shop ./chart --insecure-skip-tls-verify --kubeconfig k --kube-context c -i --take-ownership --exit-code",
      upgrade,
    ],
    ["shop 5", { ...upgrade, chart: "5" }],
    ["shop --revision 3", { type: "revisions", release: "shop", from: 3, to: undefined, output: "text" }],
    ["shop --revision 3 5", { type: "revisions", release: "shop", from: 3, to: 5, output: "text" }],
    ["shop --revision=3 ./5", { ...upgrade, chart: "./5", from: 3 }],
  ])("reads %j", (words, request) => {
    expect(read(words)).toEqual(request);
  });

  it.each([
    ["", "expected RELEASE and CHART, or RELEASE with --revision"],
    ["shop", "expected a CHART behind the release, or --revision"],
    ["shop ./chart more", "expected RELEASE and CHART, found also more"],
    ["shop ./chart -o yaml", '-o: expected text or json, found "yaml"'],
    ["shop ./chart --reuse-values --reset-values", "--reuse-values and --reset-values contradict each other"],
    ["shop ./chart --live --revision 3", "--live compares with the cluster, not with a --revision"],
    ["shop --revision 3 --live", "revisions are recorded: they take neither values nor --live"],
    ["shop --revision 3 5 --set a=1", "revisions are recorded: they take neither values nor --live"],
    ["shop --revision 3 5 --set-json a=1", "revisions are recorded: they take neither values nor --live"],
  ])("refuses %j", (words, message) => {
    expect(() => read(words)).toThrow(new InvocationError(message));
  });

  it.each([
    [
      "--revision three",
      'invalid argument "three" for "--revision" flag: expected the number of a revision, found "three"',
    ],
    ["--revision 0", 'invalid argument "0" for "--revision" flag: expected the number of a revision, found "0"'],
    ["--context 3", "unknown flag: --context"],
  ])("refuses the flag %j", (words, message) => {
    expect(() => read(`shop ${words}`)).toThrow(new FlagError(message));
  });
});
