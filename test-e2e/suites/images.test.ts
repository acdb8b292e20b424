// What the images of services and command are: what is in them, who runs in them, and how they start and end. See docs/guide/images.md.
import { globSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type KubeObject, productVersion, resources } from "@landscaper/api";
import { createCertificateAuthority } from "@landscaper/local-cluster";
import { createNamespace, describeUnless } from "@landscaper/testkit";
import { type BuiltImage, buildImages } from "../../scripts/images/build-images.ts";
import { machineArchitecture } from "../../scripts/images/machine-architecture.ts";
import { buildahBuild } from "../../scripts/images/engine-commands.ts";
import { findImages } from "../../scripts/images/image-list.ts";
import { unpackArchive } from "../../scripts/images/oci-archive.ts";
import { runCommand } from "../../scripts/run-command.ts";
import { containerAbsence, type EndedContainer, runContainer, type StartOptions } from "../images/container.ts";
import { startImageService } from "../images/image-service.ts";
import { dataParameter, goTemplate, inlineInstallation } from "../src/installations/inline-installation.ts";
import { imageStorage, provideImages } from "../images/provided-images.ts";
import { testState } from "../images/test-state.ts";
import { serviceNames } from "../src/services/service-process.ts";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";

const root = join(import.meta.dirname, "../..");
const cache = join(root, ".cache/images");
const buildMs = 900_000;
const names = findImages(root).map(({ name }) => name);

/** Paths below `folder`, beginning with "/", of everything in it. */
const pathsIn = (folder: string): string[] =>
  globSync("**", { cwd: folder })
    .map((path) => `/${path}`)
    .toSorted();

/** A blueprint whose export is rendered. */
const renderedGreeting = {
  exports: [dataParameter("text", { type: "string" })],
  exportExecutions: goTemplate('exports: { text: {{ printf "hello %s" "you" }} }\n'),
};

interface Sbom {
  readonly components: readonly { readonly name: string; readonly version: string; readonly purl: string }[];
}

describeUnless(containerAbsence(), describe)("images", () => {
  let folder: string;
  let cluster: TestCluster;
  let built: readonly BuiltImage[];

  const build = (images: readonly string[], storage: string, outdir: string): BuiltImage[] =>
    buildImages({
      root,
      cache,
      storage,
      outdir,
      images: findImages(root).filter(({ name }) => images.includes(name)),
      architecture: machineArchitecture,
      version: productVersion,
      state: testState,
      announce: () => undefined,
    });
  const imageOf = (name: string): BuiltImage => {
    const found = built.find((image) => image.name === name);
    if (found === undefined) throw new Error(`there is no image ${name}`);
    return found;
  };
  const rootfsOf = (name: string): string => join(folder, "rootfs", name);

  const run = async (
    name: string,
    args: readonly string[],
    more: Partial<StartOptions> = {},
  ): Promise<EndedContainer> =>
    runContainer({
      image: imageOf(name).config.config,
      rootfs: rootfsOf(name),
      folder: mkdtempSync(join(folder, "run-")),
      args,
      ...more,
    });

  /** What Node says, with the flags of the image and these arguments in place of the image's program. */
  async function askNode(name: string, args: readonly string[], more: Partial<StartOptions> = {}): Promise<string> {
    const { config } = imageOf(name).config;
    const entrypoint = config.Entrypoint ?? [];
    const flags = entrypoint.slice(
      0,
      entrypoint.findIndex((word) => word.endsWith(".mjs")),
    );
    const { log } = await run(name, args, { image: { ...config, Entrypoint: flags }, ...more });
    return log.trim();
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "landscaper-images-"));
    built = provideImages().images;
    for (const image of built) {
      mkdirSync(rootfsOf(image.name), { recursive: true });
      unpackArchive(image, rootfsOf(image.name));
    }
    cluster = await startTestCluster("embedded");
  }, buildMs);
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("has one of every service, of the programs that the container deployer starts, and of the command", () => {
    const programs = ["container-deployer-init", "container-deployer-wait"];
    expect(names.toSorted()).toEqual([...serviceNames, ...programs, "landscaper-agent", "landscaper"].toSorted());
  });

  describe.each(names)("of %s", (name) => {
    it("has no program but Node: no shell, no package manager", () => {
      const programs = pathsIn(rootfsOf(name)).filter((path) => {
        const found = lstatSync(join(rootfsOf(name), path));
        return found.isFile() && (found.mode & 0o111) !== 0;
      });
      expect(programs.map((path) => path.replace(/\/ld-linux[^/]*$/, "/ld-linux"))).toEqual([
        expect.stringMatching(/^\/lib(64)?\/ld-linux$/),
        "/usr/local/bin/node",
      ]);
    });

    it("has no file that its user could write or that raises rights, and none of another user", () => {
      const files = pathsIn(rootfsOf(name)).filter((path) => path !== "/tmp" && path !== "/.");
      const wrong = files.filter((path) => {
        const found = lstatSync(join(rootfsOf(name), path));
        return found.uid !== 0 || found.gid !== 0 || (!found.isSymbolicLink() && (found.mode & 0o6022) !== 0);
      });
      expect(wrong).toEqual([]);
      expect(lstatSync(join(rootfsOf(name), "tmp")).mode & 0o7777).toBe(0o1777);
    });

    it("says what it is in its labels", () => {
      const { config, created } = imageOf(name).config;
      const { "org.opencontainers.image.description": description, ...labels } = config.Labels ?? {};
      expect(description).toMatch(/landscaper/i);
      expect(labels).toEqual({
        "io.buildah.version": expect.any(String),
        "org.opencontainers.image.title": name,
        "org.opencontainers.image.version": productVersion,
        "org.opencontainers.image.revision": "0123456789abcdef",
        "org.opencontainers.image.source": "https://git.example.com/landscaper",
        "org.opencontainers.image.licenses": "Apache-2.0",
        "org.opencontainers.image.created": "2023-11-14T22:13:20.000Z",
      });
      expect(created).toBe("2023-11-14T22:13:20Z");
    });

    it("has a software bill of materials (SBOM) that names the packages in its bundle, and Node", async () => {
      // esbuild begins the code of each file with its path.
      const inBundle = new Set<string>();
      for (const file of globSync("app/bundles/**/*.mjs", { cwd: rootfsOf(name) })) {
        const text = readFileSync(join(rootfsOf(name), file), "utf8");
        for (const [, dir = "", inner = ""] of text.matchAll(
          /^\s*\/\/ (?:[a-z-]+:\S*\/)?node_modules\/\.pnpm\/([^/\n]+)\/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm,
        )) {
          const version = /^@?[^@]+@([^_(]+)/.exec(dir)?.[1] ?? "";
          inBundle.add(`${inner}@${version}`);
        }
      }
      const { components } = JSON.parse(readFileSync(imageOf(name).sbom, "utf8")) as Sbom;
      const listed = components.filter(({ purl }) => purl.startsWith("pkg:npm/"));
      expect(inBundle.size).toBeGreaterThan(10);
      expect(listed.map((each) => `${each.name}@${each.version}`).toSorted()).toEqual([...inBundle].toSorted());
      const node = components.find((each) => each.name === "node");
      expect(await askNode(name, ["--version"])).toBe(`v${node?.version}`);
    });

    it("gives Node half of the container's memory as its heap", async () => {
      // 256 MiB is where Node's own minimum is all of it.
      const limit = await askNode(name, ["-p", "v8.getHeapStatistics().heap_size_limit / 1024 / 1024"], {
        memoryMiB: 256,
      });
      expect(Number(limit)).toBeGreaterThanOrEqual(128);
      expect(Number(limit)).toBeLessThanOrEqual(180);
    });
  });

  describe.each(serviceNames)("a container of %s", (name) => {
    it.each([
      ["with a volume at /tmp", true],
      ["without one", false],
    ])(
      "starts on a read-only root without capabilities %s, is ready, and ends when it is told to",
      async (_title, hasTmp) => {
        const service = await startImageService({
          name,
          image: imageOf(name).config.config,
          rootfs: rootfsOf(name),
          folder: mkdtempSync(join(folder, "run-")),
          kubeconfig: cluster.kubeconfig,
          namespace: "default",
          memoryMiB: 512,
          hasTmp,
        });
        try {
          await service.untilReady();
          expect(await service.probe("/healthz")).toBe(200);
          expect(await service.metrics()).toContain("process_cpu_seconds_total");
          const status = readFileSync(`/proc/${service.pid}/status`, "utf8");
          expect(status).toMatch(/^Uid:\t65532\t65532\t65532\t65532$/m);
          expect(status).toMatch(/^Gid:\t65532\t65532\t65532\t65532$/m);
          for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]) {
            expect(status).toMatch(new RegExp(`^${set}:\\t0{16}$`, "m"));
          }
          expect(status).toMatch(/^NoNewPrivs:\t1$/m);
          const began = performance.now();
          service.signal("SIGTERM");
          expect(await service.child.whenEnded).toBe("exit code 0");
          // A kubelet kills after 30 s.
          expect(performance.now() - began).toBeLessThan(30_000);
        } finally {
          await service.remove();
        }
      },
    );
  });

  it("of the core renders in threads, which find all that they need in the image", async () => {
    const service = await startImageService({
      name: "landscaper-core",
      image: imageOf("landscaper-core").config.config,
      rootfs: rootfsOf("landscaper-core"),
      folder: mkdtempSync(join(folder, "run-")),
      kubeconfig: cluster.kubeconfig,
      namespace: "default",
      memoryMiB: 1024,
      hasTmp: false,
    });
    try {
      const greeting = {
        name: "greeting",
        blueprint: renderedGreeting,
        exports: { data: [{ name: "text", dataRef: "text" }] },
      };
      const namespace = await createNamespace(cluster.client, "images", { timeoutMs: 60_000 });
      await namespace.create<KubeObject>(resources.installation, inlineInstallation(greeting));
      await namespace.untilPhase("greeting", "Succeeded");
      expect((await namespace.get(resources.dataObject, "text")).data).toBe("hello you");
    } finally {
      await service.remove();
    }
  });

  it("of the command answers without any cluster", async () => {
    expect(await run("landscaper", ["--version"], { hasTmp: false })).toEqual({
      ended: "exit code 0",
      log: `landscaper ${productVersion}\n`,
    });
  });

  it("trusts the authorities of a file that is mounted over the system's", async () => {
    const authority = createCertificateAuthority("an operator's own", Date.now);
    const server = createServer(
      authority.issue({ commonName: "registry", hosts: ["127.0.0.1"] }),
      (_request, response) => {
        response.end("welcome");
      },
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const ask = `fetch("https://127.0.0.1:${port}").then((r) => r.text(), (e) => e.cause.code).then((t) => console.log(t))`;
      expect(await askNode("landscaper-core", ["-e", ask])).toBe("UNABLE_TO_VERIFY_LEAF_SIGNATURE");
      const file = join(folder, "authorities.crt");
      writeFileSync(file, authority.cert);
      const mounts = [{ from: file, to: "/etc/ssl/certs/ca-certificates.crt" }];
      expect(await askNode("landscaper-core", ["-e", ask], { mounts })).toBe("welcome");
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it("is built without a network: a build reaches not even its own machine", async () => {
    const server = createTcpServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const context = join(folder, "networkless");
      mkdirSync(context);
      const ask = `const s = net.connect(${port}, "127.0.0.1", () => { console.log("REACHED"); s.destroy(); }); s.on("error", (e) => console.log("REFUSED " + e.code));`;
      writeFileSync(
        join(context, "Dockerfile"),
        `FROM landscaper/node:${machineArchitecture}\nRUN ["node", "-e", ${JSON.stringify(ask)}]\n`,
      );
      const options = { storage: imageStorage, isolated: true };
      const line = buildahBuild(options, {
        dockerfile: join(context, "Dockerfile"),
        context,
        tag: "networkless",
        epoch: 0,
        buildArgs: {},
        labels: {},
      });
      expect(runCommand(line)).toContain("REFUSED ENETUNREACH");
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it(
    "has the same layers when it is built again, elsewhere",
    () => {
      const [again] = build(["mock-deployer"], join(folder, "other-storage"), join(folder, "other-out"));
      expect(again?.layers).toEqual(imageOf("mock-deployer").layers);
      expect(again?.config).toEqual(imageOf("mock-deployer").config);
      expect(readFileSync(again?.sbom ?? "")).toEqual(readFileSync(imageOf("mock-deployer").sbom));
    },
    buildMs,
  );
});
