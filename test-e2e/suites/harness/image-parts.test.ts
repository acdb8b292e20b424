import { describe, expect, it } from "@jest/globals";
import { listImageMisses } from "../../bench/images/images.ts";
import { formatImages } from "../../bench/images/format-images.ts";
import { containerSpec } from "../../images/container-spec.ts";
import { nodeFlagsIn, nodeFlagsOf } from "../../src/services/image-flags.ts";
import { serviceNames } from "../../src/services/service-process.ts";

describe("the flags of Node of an image", () => {
  it("stand between Node and its program", () => {
    expect(nodeFlagsIn('FROM a\nENTRYPOINT ["node", "--one", "--two=2", "/app/a.mjs", "--port=1"]\n')).toEqual([
      "--one",
      "--two=2",
    ]);
  });

  it.each(["FROM a\n", 'ENTRYPOINT ["sh", "/app/a.mjs"]', 'ENTRYPOINT ["node", "--version"]'])(
    "are not found in %j, which starts no program with Node",
    (dockerfile) => {
      expect(() => nodeFlagsIn(dockerfile)).toThrow(/^entry point of the image: expected \["node", FLAGS/);
    },
  );

  it.each(serviceNames)("limit the heap of %s", (name) => {
    expect(nodeFlagsOf(name)).toContain("--max-old-space-size-percentage=50");
  });
});

describe("a container", () => {
  const options = { rootfs: "/rootfs", args: ["--flag"], cgroup: "/name" };

  it("runs the entry point as the image's user, without rights", () => {
    const image = { User: "65532:65532", Entrypoint: ["node", "/app/a.mjs"], Env: ["A=1"] };
    expect(containerSpec({ ...options, image, env: { B: "2" }, memoryMiB: 64 })).toMatchObject({
      root: { path: "/rootfs", readonly: true },
      process: {
        user: { uid: 65_532, gid: 65_532 },
        args: ["node", "/app/a.mjs", "--flag"],
        env: ["A=1", "B=2"],
        cwd: "/",
        capabilities: { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] },
        noNewPrivileges: true,
      },
      linux: { cgroupsPath: "/name", resources: { memory: { limit: 64 * 1024 * 1024 } } },
    });
  });

  it("is not started for a user that is a name, of whom nobody knows whether it is root", () => {
    expect(() => containerSpec({ ...options, image: { User: "node" } })).toThrow(
      new Error("user of the image: expected UID:GID, found node"),
    );
  });
});

describe("the budgets of images", () => {
  it("are missed by a figure that is larger, and by one that was not measured", () => {
    const images = [
      { name: "landscaper", compressedMiB: 60.1 },
      { name: "helm-deployer", compressedMiB: 60, firstReconcileSeconds: 2.51, idleMiB: 139.9 },
      { name: "landscaper-core", compressedMiB: 50, firstReconcileSeconds: 2.5, idleMiB: 141 },
      { name: "mock-deployer", compressedMiB: 50, firstReconcileSeconds: 1, idleMiB: Number.NaN },
    ];
    const misses = listImageMisses(images);
    expect(misses).toEqual([
      "compressed MiB of landscaper: 60.10, the budget is 60",
      "seconds to the first reconcile of helm-deployer: 2.51, the budget is 2.5",
      "MiB of landscaper-core without work: 141.00, the budget is 140",
      "MiB of mock-deployer without work: NaN, the budget is 110",
    ]);
    expect(formatImages({ images, misses }).split("\n").slice(-4)).toEqual(misses.map((miss) => `missed: ${miss}`));
  });
});
