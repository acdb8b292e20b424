import { describe, expect, it } from "@jest/globals";
import { createMetrics } from "@landscaper/controller-runtime";
import { createTestLogger } from "@landscaper/testkit";
import { reportSharedNamespace, type HubNamespaces } from "./shared-namespace.ts";

async function report(namespaces: Pick<HubNamespaces, "namespace" | "management">) {
  const log = createTestLogger();
  const notes: Record<string, string | undefined> = {};
  const metrics = await createMetrics();
  const reportNote = (name: string, note: string | undefined): void => void (notes[name] = note);
  reportSharedNamespace({ log, reportNote }, { define: metrics.define, ...namespaces });
  const { text } = await metrics.render();
  const gauge = /^landscaper_core_in_deployer_namespace (\d)$/m.exec(text)?.[1];
  return { lines: log.lines, notes, gauge };
}

describe("a core in the namespace of deployer management", () => {
  it("warns in its log, on /readyz?verbose and in a metric, with the place in the guide", async () => {
    const { lines, notes, gauge } = await report({ namespace: "ls-system", management: "ls-system" });
    expect(lines).toEqual([
      expect.objectContaining({
        level: "warn",
        msg: 'the core runs in the namespace of deployer management, where agents of Environments read Secrets: move the core with "landscaper hub move"',
        namespace: "ls-system",
        guide: "docs/guide/install.md#two-namespaces",
      }),
    ]);
    expect(notes).toEqual({
      namespace:
        'the core runs in the namespace of deployer management, where agents of Environments read Secrets (ls-system): move the core with "landscaper hub move" (docs/guide/install.md#two-namespaces)',
    });
    expect(gauge).toBe("1");
  });
});

describe("a core", () => {
  it.each([
    ["in another namespace", { namespace: "landscaper-system", management: "ls-system" }],
    ["that manages no deployers in its cluster", { namespace: "ls-system", management: undefined }],
    ["without a namespace", { namespace: undefined, management: undefined }],
  ])("%s reports 0 and nothing else", async (_, namespaces) => {
    expect(await report(namespaces)).toEqual({ lines: [], notes: {}, gauge: "0" });
  });
});
