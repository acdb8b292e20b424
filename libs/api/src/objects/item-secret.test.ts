import { describe, expect, it } from "@jest/globals";
import type { DeployItem } from "../kinds/deploy-item.ts";
import { annotations } from "./annotations.ts";
import type { Secret } from "./foreign-kinds.ts";
import { judgeItemSecret } from "./item-secret.ts";

const mark = (environment?: string) => (environment === undefined ? {} : { [annotations.environments]: environment });

function item(environment?: string): DeployItem {
  const metadata = { namespace: "n", name: "item", uid: "u", annotations: mark(environment) };
  return { apiVersion: "landscaper.gardener.cloud/v1alpha1", kind: "DeployItem", metadata, spec: { type: "t" } };
}

function secret(environment: string | undefined, ownerUids: readonly string[], name = "item-export"): Secret {
  const owners = ownerUids.map((uid) => ({ apiVersion: "x/v1", kind: "DeployItem", name: "item", uid }));
  const metadata = { namespace: "n", name, annotations: mark(environment), ownerReferences: owners };
  return { apiVersion: "v1", kind: "Secret", metadata };
}

describe("judgeItemSecret", () => {
  it.each([
    ["has the item's uid as owner, both without a mark", item(), secret(undefined, ["u"]), "own"],
    ["has the item's uid as owner, both with one mark", item("a"), secret("a", ["u"]), "own"],
    ["has the item's uid as owner and another name", item("a"), secret("a", ["u"], "of-another-deployer"), "own"],
    ["has the mark of another Environment", item("a"), secret("b", ["u"]), "otherMark"],
    ["has the mark of one of the item's Environments only", item("a,b"), secret("b", ["u"]), "otherMark"],
    ["has no mark, but the item has one", item("a"), secret(undefined, ["u"]), "otherMark"],
    ["has a mark, but the item has none", item(), secret("a", ["u"]), "otherMark"],
    ["has another owner and the right mark", item("a"), secret("a", ["v"]), "foreign"],
    ["has another owner and the name of the exports", item(), secret(undefined, ["v"]), "foreign"],
    ["has no owner, no mark, and the name of the exports", item("a"), secret(undefined, []), "own"],
    ["has no owner and a mark", item("a"), secret("a", []), "foreign"],
    ["has no owner and another name", item(), secret(undefined, [], "credentials"), "foreign"],
  ])("a Secret that %s", (...[, of, judged, want]) => {
    expect(judgeItemSecret(judged, of)).toBe(want);
  });
});
