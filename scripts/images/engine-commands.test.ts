import { describe, expect, it } from "@jest/globals";
import { buildahBuild, buildahSave, dockerBuild } from "./engine-commands.ts";

const build = {
  dockerfile: "services/mock-deployer/Dockerfile",
  context: ".",
  tag: "landscaper/mock-deployer:1.2.3",
  epoch: 1_700_000_000,
  buildArgs: { BUILDER: "builder", BASE: "base" },
  labels: { "org.opencontainers.image.version": "1.2.3" },
};
const shared =
  "--file=services/mock-deployer/Dockerfile --tag=landscaper/mock-deployer:1.2.3 --build-arg=BUILDER=builder " +
  "--build-arg=BASE=base --label=org.opencontainers.image.version=1.2.3 .";
const own = "buildah --root /cache/root --runroot /cache/run --storage-driver vfs";

describe("buildah", () => {
  it("builds in a network namespace without interfaces, with the time of the commit in every file", () => {
    expect(buildahBuild({ storage: "/cache", isolated: true }, build).join(" ")).toBe(
      `unshare --net -- ${own} bud --isolation=chroot --pull-never --timestamp=1700000000 ${shared}`,
    );
  });

  it("builds on the machine's network where the system gives no namespace", () => {
    const line = buildahBuild({ storage: "/cache", isolated: false }, { ...build, architecture: "arm64" });
    expect(line.join(" ")).toBe(
      `${own} bud --isolation=chroot --pull-never --timestamp=1700000000 --arch=arm64 ${shared}`,
    );
  });

  it("writes an archive in which the image has its version as its tag", () => {
    const line = buildahSave({ storage: "/cache", isolated: false }, build.tag, {
      file: "/out/a.tar",
      reference: "1.2.3",
    });
    expect(line.join(" ")).toBe(`${own} push --quiet landscaper/mock-deployer:1.2.3 oci-archive:/out/a.tar:1.2.3`);
  });
});

describe("docker", () => {
  it("builds without a network", () => {
    expect(dockerBuild(build).join(" ")).toBe(`docker build --network=none ${shared}`);
  });
});
