// Health rules in CEL: those that are shipped, those of the configuration, and checks of items (docs/reference/health-rules.md).
import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { referenceOf } from "../src/items/item-scope.ts";
import { useManifestDeployer } from "../src/items/item-suite.ts";
import { condition, customKind } from "../src/items/readiness-objects.ts";

const kstatus = { readinessChecks: { level: "kstatus" } };
const certManager = { group: "cert-manager.io", kind: "Certificate" };
const issuing = {
  conditions: [condition("Issuing", "True", "DoesNotExist"), condition("Ready", "False", "DoesNotExist")],
};
const issued = { conditions: [condition("Ready", "True", "Ready")], lastFailureTime: null };
const refused = {
  conditions: [
    { ...condition("Issuing", "False", "Failed"), observedGeneration: 1 },
    condition("Ready", "False", "DoesNotExist"),
  ],
  lastFailureTime: "2026-01-01T00:00:00Z",
};

describe.each(clustersUnderTest())("the health of custom resources on %s", (cluster) => {
  describe("by the shipped rules", () => {
    const suite = useManifestDeployer({ cluster });

    it("is awaited, and a failure fails the job", async () => {
      const scope = await suite.open("shipped");
      const { crd, object, type } = customKind(scope, certManager);
      await scope.deploy("kind", [crd]);
      await scope.start("item", [object], { config: kstatus });
      await scope.waitForMessage("item", "is not current by health rule cert-manager-certificate");
      await scope.setStatus(type, "thing", issuing);
      await scope.waitForMessage(
        "item",
        `waiting for readiness of Certificate ${scope.place}/thing: is in progress by health rule cert-manager-certificate: Ready is False (DoesNotExist)`,
      );
      await scope.setStatus(type, "thing", issued);
      expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
      await scope.setStatus(type, "thing", refused);
      await scope.trigger("item");
      expect((await scope.waitForEnd("item")).status?.lastError).toMatchObject({
        reason: "ResourceFailed",
        message: expect.stringContaining(
          "has failed by health rule cert-manager-certificate: Issuing is False (Failed)",
        ),
      });
      await scope.undeploy("item");
      await scope.undeploy("kind");
    });

    it("by a check of the item is awaited at every level", async () => {
      const scope = await suite.open("check");
      const object = scope.configMap("thing", { phase: "down" });
      const checked = (cel: string) => ({
        readinessChecks: { custom: [{ name: "up", resourceSelector: [referenceOf(object)], cel }] },
      });
      await scope.start("item", [object], { config: checked('data.phase == "up"') });
      await scope.waitForMessage(
        "item",
        `waiting for readiness of check up: ConfigMap ${scope.place}/thing: cel is false`,
      );
      await scope.edit("thing", { data: { phase: "up" } });
      expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
      const refusals = [
        ["data.", /readinessChecks\.custom\[0\]\.cel: expected an expression in CEL: /],
        [
          "size(data)",
          /readinessChecks\.custom\[0\]\.cel: expected an expression that is true or false, found one of type int$/,
        ],
      ] as const;
      for (const [cel, message] of refusals) {
        const { status } = await scope.redeploy("item", [object], checked(cel));
        expect(status?.lastError?.message).toMatch(message);
      }
    });

    it("that is too expensive to evaluate fails the job, and the deployer continues", async () => {
      const scope = await suite.open("expensive");
      const keys = Array.from({ length: 2000 }, (_, index) => [`k${index}`, "v"] as const);
      const object = scope.configMap("thing", Object.fromEntries(keys));
      const cel = "data.all(a, data.all(b, data.all(c, a + b + c != '')))";
      const custom = [{ name: "loops", resourceSelector: [referenceOf(object)], cel }];
      const { status } = await scope.deploy("item", [object], { config: { readinessChecks: { custom } } });
      expect(status?.lastError).toMatchObject({
        reason: "HealthCheckTooExpensive",
        message: expect.stringContaining("took more than 1 s of processor time"),
      });
      expect((await scope.deploy("other", [scope.configMap("b")])).status?.phase).toBe("Succeeded");
    });
  });

  describe("by the rules of the configuration", () => {
    const rule = { name: "things", groups: ["*.example.org"], kinds: ["Thing"], match: "has(spec.size)" };
    const suite = useManifestDeployer({
      cluster,
      configs: {
        "manifest-deployer": {
          healthRules: [{ ...rule, failed: 'status.phase == "broken"', current: "status.size == spec.size" }],
        },
      },
    });

    it("replaces the shipped rules", async () => {
      const scope = await suite.open("configured");
      const thing = customKind(scope);
      const certificate = customKind(scope, certManager);
      await scope.deploy("kinds", [thing.crd, certificate.crd]);
      const sized: UnstructuredObject = { ...thing.object, spec: { size: 3 } };
      await scope.start("item", [sized], { config: kstatus });
      await scope.waitForMessage("item", "is not current by health rule things: no such key: size");
      await scope.setStatus(thing.type, "thing", { size: 3 });
      expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
      await scope.setStatus(thing.type, "thing", { phase: "broken" });
      await scope.trigger("item");
      expect((await scope.waitForEnd("item")).status?.lastError?.message).toContain("has failed by health rule things");
      await suite.environment.targetClient.create(certificate.type, certificate.object);
      await scope.setStatus(certificate.type, "thing", issued);
      expect((await scope.deploy("unruled", [certificate.object], { config: kstatus })).status?.phase).toBe(
        "Succeeded",
      );
      for (const name of ["item", "unruled", "kinds"]) await scope.undeploy(name);
    });
  });
});
