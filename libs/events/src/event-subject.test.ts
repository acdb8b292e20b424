import { describe, expect, it } from "@jest/globals";
import { eventFilter, eventSubject } from "./event-subject.ts";

const base = { kind: "Installation", namespace: "team-a", name: "web", uid: "u", phase: "Succeeded" };

describe("eventSubject", () => {
  it.each([
    ["names kind, namespace, name and phase", base, "landscaper.installation.team-a.web.Succeeded"],
    ["keeps a dotted name in one token", { ...base, name: "a.b.c" }, "landscaper.installation.team-a.a_b_c.Succeeded"],
    ["marks an empty namespace", { ...base, namespace: "" }, "landscaper.installation._.web.Succeeded"],
    ["marks an empty phase", { ...base, phase: "" }, "landscaper.installation.team-a.web._"],
    ["lets no wildcard through", { ...base, name: "a*>" }, "landscaper.installation.team-a.a__.Succeeded"],
    [
      "lets no space or line end through",
      { ...base, name: "a b\r\nPUB x" },
      "landscaper.installation.team-a.a_b__PUB_x.Succeeded",
    ],
    ["writes the kind in lower case", { ...base, kind: "DeployItem" }, "landscaper.deployitem.team-a.web.Succeeded"],
  ])("%s", (_name, data, want) => {
    expect(eventSubject(data)).toBe(want);
  });

  it("keeps names apart that differ in a dot", () => {
    expect(eventSubject({ ...base, name: "a.b" })).not.toBe(eventSubject({ ...base, name: "a-b" }));
  });
});

describe("eventFilter", () => {
  it.each([
    ["selects everything", {}, "landscaper.*.*.*.*"],
    ["selects a namespace", { namespace: "team-a" }, "landscaper.*.team-a.*.*"],
    ["selects a kind", { kinds: ["DeployItem"] }, "landscaper.deployitem.*.*.*"],
    ["has all kinds if several are selected", { kinds: ["DeployItem", "Execution"] }, "landscaper.*.*.*.*"],
    ["lets no wildcard through", { namespace: ">" }, "landscaper.*._.*.*"],
  ])("%s", (_name, selection, want) => {
    expect(eventFilter(selection)).toBe(want);
  });
});
