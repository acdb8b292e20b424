import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { startEmbeddedCluster, type EmbeddedCluster } from "../clusters/embedded-cluster.ts";
import type { TestNamespace } from "../clusters/test-namespace.ts";
import { armDeath, deathModesAt, shareOfDeaths, variantsOfRun, type Death } from "./process-death.ts";

let cluster: EmbeddedCluster;
let namespace: TestNamespace;
let victim: Client;
let heir: Client;
beforeAll(async () => {
  cluster = await startEmbeddedCluster();
  victim = cluster.connect("process-1");
  heir = cluster.connect("process-2");
});
afterAll(() => cluster.stop());

let count = 0;
beforeEach(async () => {
  namespace = await cluster.createNamespace(`n-${++count}`);
});

/** What comes of creations of ConfigMaps with these names, by one process, one after the other: "done" or "failed". */
async function create(client: Client, ...names: readonly string[]): Promise<string[]> {
  const results: string[] = [];
  for (const name of names) {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: namespace.name } } as const;
    const created = client.create(kubeResources.configMap, object);
    results.push(
      await created.then(
        () => "done",
        () => "failed",
      ),
    );
  }
  return results;
}

async function stored(): Promise<string[]> {
  const found = await namespace.list(kubeResources.configMap);
  return found.flatMap(({ metadata: { name = "" } }) => (name === "kube-root-ca.crt" ? [] : [name]));
}

describe("armDeath", () => {
  it.each<readonly [Death["mode"], readonly string[]]>([
    ["close", ["a"]],
    ["drop-answer", ["a", "b"]],
  ])("ends a process at its second write, whose mode is %s; another one goes on", async (mode, left) => {
    let deaths = 0;
    const onDeath = (): void => void deaths++;
    const processOf = (userAgent: string): string => userAgent;
    const death = armDeath([cluster.server], { death: { write: 1, mode }, userAgent: "process-", processOf, onDeath });
    expect(await create(victim, "a")).toEqual(["done"]);
    expect(death.hasDied).toBe(false);
    expect(await create(victim, "b", "c")).toEqual(["failed", "failed"]);
    expect([death.hasDied, deaths, await stored()]).toEqual([true, 1, left]);
    expect(await create(heir, "d")).toEqual(["done"]);
    expect(death.writes).toEqual(Array.from({ length: 3 }, () => "create configmaps "));
    death.disarm();
    expect(await create(victim, "e")).toEqual(["done"]);
  });

  it("takes all clients of a process along", async () => {
    const death = armDeath([cluster.server], { death: { write: 0, mode: "close" }, userAgent: "process-" });
    expect([...(await create(victim, "a")), ...(await create(heir, "b"))]).toEqual(["failed", "failed"]);
    expect(await stored()).toEqual([]);
    death.disarm();
  });

  it("lets a process that survives lose one answer only", async () => {
    const options = { death: { write: 0, mode: "drop-answer" }, userAgent: "process-", survives: true } as const;
    const death = armDeath([cluster.server], options);
    expect(await create(victim, "a", "b")).toEqual(["failed", "done"]);
    expect(await stored()).toEqual(["a", "b"]);
    death.disarm();
  });

  it("counts what the caller counts", async () => {
    const options = { death: { write: 0, mode: "close" }, userAgent: "process-", isCounted: () => false } as const;
    const death = armDeath([cluster.server], options);
    expect(await create(victim, "a")).toEqual(["done"]);
    expect([death.hasDied, death.writes]).toEqual([false, []]);
    death.disarm();
  });
});

describe("deathModesAt", () => {
  const modesOf = (env: NodeJS.ProcessEnv, shift = 0) => [0, 1, 2].map((write) => deathModesAt(write, { shift, env }));

  it("alternates from write to write, and from scenario to scenario", () => {
    const even = [["close"], ["drop-answer"], ["close"]];
    expect(modesOf({})).toEqual(even);
    expect(modesOf({}, 1)).toEqual([["drop-answer"], ["close"], ["drop-answer"]]);
  });

  it("has both modes at every write in four runs of npm test, each with every second write", () => {
    expect(modesOf({ E2E_TURN: "8" })).toEqual([["close"], [], ["drop-answer"]]);
    expect(modesOf({ E2E_TURN: "8" }, 1)).toEqual([[], ["drop-answer"], []]);
    const turns = ["8", "9", "10", "11"].map((turn) => modesOf({ E2E_TURN: turn }));
    for (const write of [0, 1, 2]) {
      expect(turns.flatMap((modes) => modes[write] ?? []).toSorted()).toEqual(["close", "drop-answer"]);
    }
  });

  it("has both at every write of a full run", () => {
    expect(modesOf({ E2E_FULL: "1", E2E_TURN: "9" })).toEqual(
      Array.from({ length: 3 }, () => ["close", "drop-answer"]),
    );
  });
});

describe("variantsOfRun", () => {
  const variantsOf = (env: NodeJS.ProcessEnv) => [0, 1].map((shift) => variantsOfRun(["3", "4"], { shift, env }));

  it("has one, which alternates from scenario to scenario", () => {
    expect(variantsOf({})).toEqual([["3"], ["4"]]);
  });

  it("has the same in four runs of npm test, and the other one in the next four", () => {
    const turns = ["8", "11", "12", "15", "16"].map((turn) => variantsOf({ E2E_TURN: turn }));
    const [even, odd] = [
      [["3"], ["4"]],
      [["4"], ["3"]],
    ];
    expect(turns).toEqual([even, even, odd, odd, even]);
  });

  it("has all in a full run", () => {
    const both = ["3", "4"];
    expect(variantsOf({ E2E_FULL: "1", E2E_TURN: "9" })).toEqual([both, both]);
  });
});

describe("shareOfDeaths", () => {
  const shareOf = (env: NodeJS.ProcessEnv) => {
    const { first, step, isKilledAt } = shareOfDeaths({ env });
    return [first, first + step].map((write) => [write, isKilledAt(write, 0), isKilledAt(write, 1)]);
  };

  it.each([
    ["all writes without a turn", {}],
    ["all writes of a full run", { E2E_FULL: "1", E2E_TURN: "9" }],
  ])("has %s, and alternates", (_, env) => {
    expect(shareOf(env)).toEqual([
      [0, true, false],
      [1, false, true],
    ]);
  });

  it("has both modes at every write in four runs of npm test", () => {
    const turns = ["8", "9", "10", "11"].map((turn) => shareOf({ E2E_TURN: turn }));
    expect(turns.map((rows) => rows.map(([write, isKilled]) => [write, isKilled]))).toEqual([
      [
        [0, true],
        [2, false],
      ],
      [
        [1, true],
        [3, false],
      ],
      [
        [0, false],
        [2, true],
      ],
      [
        [1, false],
        [3, true],
      ],
    ]);
  });
});
