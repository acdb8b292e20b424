import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { digestOf, mediaTypes, readBounded, type Manifest } from "@landscaper/oci";
import type { Input } from "@landscaper/ocm";
import { streamOf } from "../archive/stream-of.ts";
import { readParts } from "../transfer/artifact-parts.ts";
import { withPackedArtifact } from "../transfer/artifact-source.ts";
import type { ArtifactStore } from "../repository/artifact-store.ts";
import { newFolder, unusedTools } from "../../test/index.ts";
import { imageOf, writeLayout } from "../../test/oci-layout.ts";
import { composeIndex } from "./index-manifest.ts";
import type { InputTools } from "./input-tools.ts";
import { openInput } from "./open-input.ts";

const { signal } = new AbortController();
const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const amd64 = { layer: "for amd64", architecture: "amd64" };
const arm64 = { layer: "for arm64", architecture: "arm64" };

interface Opened {
  readonly mediaType: string;
  readonly referenceName: string | undefined;
  readonly digest: string | undefined;
  readonly bytes: Buffer;
  readonly warnings: readonly string[];
}

async function open(input: Input, tools: Partial<InputTools> = {}): Promise<Opened> {
  const warnings: string[] = [];
  const content = await openInput(input, {
    tools: { ...unusedTools, ...tools },
    folder,
    component: { name: "example.com/app", version: "1.0.0+x" },
    element: "resource",
    where: "input",
    warn: (message) => warnings.push(message),
    signal,
  });
  try {
    const bytes = Buffer.from(await readBounded(content.stream, { limit: 1e6, place: "" }));
    return {
      mediaType: content.mediaType,
      referenceName: content.artifact?.referenceName,
      digest: content.artifact?.digest,
      bytes,
      warnings,
    };
  } finally {
    await content.close?.();
  }
}

/** Manifests and blobs of a packed artifact: whether all of it is there. */
async function unpack({ bytes }: Opened): Promise<{ readonly main: Manifest; readonly layers: readonly string[] }> {
  return await withPackedArtifact(streamOf(bytes), "packed", async (main, source) => {
    const { blobs } = await readParts(main, source);
    const layers: string[] = [];
    for (const blob of blobs.filter(({ mediaType }) => mediaType.includes("layer"))) {
      layers.push(Buffer.from(await readBounded(source.stream(blob), { limit: 1e6, place: "" })).toString());
    }
    return { main, layers };
  });
}

const packedManifest = "application/vnd.oci.image.manifest.v1+tar+gzip";
const packedIndex = "application/vnd.oci.image.index.v1+tar+gzip";

describe("an input of type docker", () => {
  it("packs the image of an OCI layout, as a folder or a tar", async () => {
    const [manifest] = writeLayout(join(folder, "My_Web"), [amd64]);
    const opened = await open({ type: "docker", path: "My_Web" });
    expect(opened).toMatchObject({
      mediaType: packedManifest,
      digest: manifest?.digest,
      referenceName: "example.com/app/my-web:1.0.0_x",
      warnings: [],
    });
    expect(await unpack(opened)).toMatchObject({ main: { digest: manifest?.digest }, layers: ["for amd64"] });
    expect(spawnSync("tar", ["-cf", join(folder, "web.tar"), "-C", join(folder, "My_Web"), "."]).status).toBe(0);
    expect(await open({ type: "docker", path: "web.tar", repository: "images/web:2" })).toMatchObject({
      digest: manifest?.digest,
      referenceName: "example.com/app/images/web:2",
    });
  });

  it("finds the file of an image that the caller names", async () => {
    writeLayout(join(folder, "saved"), [amd64]);
    const images = new Map([["example.com/team/web:3.0.0", join(folder, "saved")]]);
    expect(await open({ type: "docker", path: "example.com/team/web:3.0.0" }, { images })).toMatchObject({
      referenceName: "example.com/app/team/web:3.0.0",
    });
  });

  it("selects one of several images by its tag", async () => {
    const names = (tag: string) => ({ "org.opencontainers.image.ref.name": tag });
    const [, second] = writeLayout(join(folder, "many"), [
      { ...amd64, names: names("one") },
      { ...arm64, names: names("two") },
    ]);
    expect(await open({ type: "docker", path: "many:two" })).toMatchObject({
      digest: second?.digest,
      referenceName: "example.com/app/many:two",
    });
    await expect(open({ type: "docker", path: "many" })).rejects.toThrow(
      new Error(`input: path: ${folder}/many: expected one image, found 2; name one of them with PATH:TAG: one, two`),
    );
  });

  it("says what to give instead of an image of a Docker daemon", async () => {
    await expect(open({ type: "docker", path: "web:1.0.0" })).rejects.toThrow(
      new Error(
        'input: path: expected an OCI layout, as a folder or a tar; "web:1.0.0" is neither. No Docker daemon is asked: write the image into a file ' +
          "(docker save -o image.tar NAME), and give it as --image NAME=image.tar, or its path in the constructor",
      ),
    );
    mkdirSync(join(folder, "empty"));
    await expect(open({ type: "docker", path: "empty" })).rejects.toThrow(
      `input: path: ${folder}/empty: expected an OCI layout with index.json.`,
    );
  });

  it("refuses a damaged layout", async () => {
    const [manifest] = writeLayout(join(folder, "damaged"), [amd64]);
    writeFileSync(join(folder, "damaged/blobs", (manifest?.digest ?? "").replace(":", "/")), "{}");
    await expect(open({ type: "docker", path: "damaged" })).rejects.toThrow(/digest mismatch/);
  });
});

describe("an input of type dockermulti", () => {
  it("packs the images of several layouts with an index that names their platforms", async () => {
    const manifests = [amd64, arm64].map((image) => writeLayout(join(folder, image.architecture), [image])[0]);
    const opened = await open({ type: "dockermulti", variants: ["amd64", "arm64"], repository: "web" });
    expect(opened).toMatchObject({ mediaType: packedIndex, referenceName: "example.com/app/web:1.0.0_x" });
    const { main, layers } = await unpack(opened);
    expect(layers).toEqual(["for amd64", "for arm64"]);
    expect(JSON.parse(Buffer.from(main.bytes).toString())).toEqual({
      schemaVersion: 2,
      mediaType: mediaTypes.ociIndex,
      manifests: [amd64, arm64].map(({ architecture }, at) => ({
        mediaType: mediaTypes.ociManifest,
        digest: manifests[at]?.digest,
        size: manifests[at]?.size,
        platform: { os: "linux", architecture },
      })),
    });
    await expect(open({ type: "dockermulti", variants: ["amd64", "none"] })).rejects.toThrow(/^input: variants\[1\]: /);
  });
});

describe("an input of type ociArtifact", () => {
  const images = [amd64, arm64].map((image) => ({ image, ...imageOf(image) }));
  const index = composeIndex(
    images.map(({ image: { architecture }, manifest }) => ({ ...manifest, platform: { os: "linux", architecture } })),
  );
  const manifests = new Map([index, ...images.map(({ manifest }) => manifest)].map((one) => [one.digest, one]));
  manifests.set("1.0", index).set("single", images[0]?.manifest ?? index);
  const blobs = new Map(images.flatMap((one) => one.blobs).map((blob) => [digestOf(blob), blob]));
  const store: ArtifactStore = {
    text: "registry",
    findManifest: async (_, version) => Promise.resolve(manifests.get(version)),
    streamBlob: (_, { digest }) => streamOf(blobs.get(digest) ?? Buffer.of()),
    listTags: async () => Promise.resolve([]),
  };
  const tools = { openRegistry: () => store };

  it("packs an image with its blobs, or an index with all of its images", async () => {
    const opened = await open({ type: "ociArtifact", path: "registry.example/team/web:1.0" }, tools);
    expect(opened).toMatchObject({
      mediaType: packedIndex,
      digest: index.digest,
      referenceName: "example.com/app/resource:1.0",
    });
    expect((await unpack(opened)).layers).toEqual(["for amd64", "for arm64"]);
  });

  it("packs only the platforms that it names", async () => {
    const input = { type: "ociArtifact", path: "registry.example/web:1.0", platforms: ["linux/arm64"] } as const;
    const opened = await open({ ...input, platforms: [...input.platforms] }, tools);
    expect(opened.digest).not.toBe(index.digest);
    expect(await unpack(opened)).toMatchObject({ main: { digest: opened.digest }, layers: ["for arm64"] });
    const single = await open({ ...input, path: "registry.example/web:single", platforms: ["linux/arm64"] }, tools);
    expect(single.warnings).toEqual(["input: platforms: has no effect: registry.example/web:single is a single image"]);
  });

  it("refuses an artifact that could not be read again", async () => {
    const part = { mediaType: "application/vnd.oci.image.layer.v1.tar", digest: digestOf(Buffer.from("x")) };
    const layers = [{ ...part, size: 2 ** 31 }];
    const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, config: layers[0], layers }));
    manifests.set("large", { ...index, mediaType: mediaTypes.ociManifest, bytes });
    await expect(open({ type: "ociArtifact", path: "registry.example/web:large" }, tools)).rejects.toThrow(
      new Error(
        "input: the artifact has 2147483648 bytes, and its largest blob 2147483648: expected at most 8589934592 and 1073741824. " +
          "Use an access of type ociArtifact, which leaves it in its registry",
      ),
    );
  });

  it("fails for a missing artifact", async () => {
    await expect(open({ type: "ociArtifact", path: "registry.example/web:2.0" }, tools)).rejects.toThrow(
      new Error(
        "input: path: the registry has no artifact registry.example/web:2.0. Correct path, or push the artifact.",
      ),
    );
  });
});

describe("an input of type spiff", () => {
  it("is evaluated with the settings and its own values, and its libraries as stubs", async () => {
    writeFileSync(join(folder, "template.yaml"), "a: 1\n");
    writeFileSync(join(folder, "stub.yaml"), "b: 2\n");
    const asked: unknown[] = [];
    const evaluateSpiff: InputTools["evaluateSpiff"] = (request) => {
      asked.push(request);
      return "result: 1\n";
    };
    const input = { type: "spiff", path: "template.yaml", libraries: ["stub.yaml"], values: { x: 1 } } as const;
    const opened = await open(
      { ...input, libraries: [...input.libraries], mediaType: "text/yaml" },
      { evaluateSpiff, settings: { name: "web" } },
    );
    expect(opened).toMatchObject({ mediaType: "text/yaml", bytes: Buffer.from("result: 1\n") });
    expect(asked).toEqual([
      {
        template: { name: "template.yaml", text: "a: 1\n" },
        stubs: [{ name: "stub.yaml", text: "b: 2\n" }],
        bindings: { values: { name: "web" }, inputvalues: { x: 1 } },
      },
    ]);
    writeFileSync(join(folder, "latin.yaml"), Buffer.from("a: caf\u00e9\n", "latin1"));
    await expect(open({ type: "spiff", path: "latin.yaml" })).rejects.toThrow(
      new Error(
        `input: path: expected text in UTF-8, found other bytes in ${folder}/latin.yaml. Save the file as UTF-8.`,
      ),
    );
    await expect(open({ type: "spiff", path: "gone.yaml" })).rejects.toThrow(
      new Error(
        `input: path: expected a file, found nothing at ${folder}/gone.yaml. Correct the path; it is relative to the constructor file.`,
      ),
    );
  });
});

const ring: unknown[] = [];
ring.push(ring);

describe("an input of type helm with helmRepository", () => {
  const archive = Buffer.from("packed chart");
  const chart = { name: "web", version: "1.0.0", metadata: { name: "web" }, archive };
  const fetched: unknown[] = [];
  const tools: Partial<InputTools> = {
    readChartArchive: async (bytes) => Promise.resolve({ ...chart, archive: bytes }),
    fetchChart: async (asked) => {
      fetched.push(asked);
      return Promise.resolve({ archive, digest: digestOf(archive), origin: "", version: "1.0.0" });
    },
    fetchUrl: async ({ url }) => {
      fetched.push(url);
      return Promise.resolve({ mediaType: undefined, stream: streamOf(archive) });
    },
  };

  it.each<[Omit<Extract<Input, { type: "helm" }>, "type">, unknown]>([
    [
      { helmRepository: "https://charts.example", path: "web", version: "1.0.0", caCert: "PEM" },
      {
        repository: "https://charts.example",
        chart: "web",
        version: "1.0.0",
        ca: "PEM",
        fields: { url: "helmRepository", name: "path", version: "version", ca: "caCert" },
      },
    ],
    [
      { helmRepository: "oci://registry.example/charts/web:1.0.0" },
      {
        repository: "oci://registry.example/charts",
        chart: "web",
        version: "1.0.0",
        ca: undefined,
        fields: expect.anything(),
      },
    ],
    [{ helmRepository: "https://charts.example/web-1.0.0.tgz" }, "https://charts.example/web-1.0.0.tgz"],
  ])("fetches the chart of %j", async (input, want) => {
    fetched.length = 0;
    const opened = await open({ type: "helm", ...input }, tools);
    expect(opened).toMatchObject({ mediaType: packedManifest, referenceName: "example.com/app/web:1.0.0" });
    expect(fetched).toEqual([want]);
  });

  it.each<[Omit<Extract<Input, { type: "helm" }>, "type">, string]>([
    [
      { helmRepository: "https://charts.example", path: "web" },
      "input: version: expected the version of the chart in the repository",
    ],
    [
      { helmRepository: "oci://registry.example/web" },
      "input: helmRepository: without path, expected the URL of a packed chart, or oci://HOST/REPOSITORY/CHART:VERSION",
    ],
    [
      { helmRepository: "https://charts.example", path: "web", caCert: "x", caCertFile: "y" },
      "input: expected caCert or caCertFile, found both",
    ],
    [
      { helmRepository: "https://charts.example", path: "web", caCertFile: "gone.pem" },
      `input: caCertFile: cannot read ${folder}/gone.pem (ENOENT). Correct the path; it is relative to the constructor file.`,
    ],
    [
      { helmRepository: "https://charts.example/web.tgz", caCert: "x" },
      "input: caCert: expected path and version with it",
    ],
  ])("refuses %j", async (input, message) => {
    await expect(open({ type: "helm", ...input }, tools)).rejects.toThrow(new Error(message));
  });
});

describe("an input of type utf8", () => {
  const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const tooDeep = "lists and maps are nested more than 1000 levels deep. Nest fewer levels, or use text.";
  const infinite = "expected JSON data, found NaN or an infinite number. Put it in quotes.";
  it.each<[string, Omit<Extract<Input, { type: "utf8" }>, "type">, string]>([
    ["JSON in 20,000 levels", { json: nested(20_000) }, `json: ${tooDeep}`],
    ["a list that contains itself", { formattedJson: ring }, `formattedJson: ${tooDeep}`],
    ["a number that is not finite", { json: Number.NaN }, `json: ${infinite}`],
    [
      "YAML with a number that is not finite",
      { yaml: "a: .inf" },
      "yaml: expected a value, or YAML or JSON as text, found other text: line 1: json: unsupported value: +Inf",
    ],
    ["invalid JSON", { json: "{" }, "json: expected a value, or JSON as text, found other text"],
    [
      "invalid YAML",
      { yaml: "a: 1\nb: [" },
      "yaml: expected a value, or YAML or JSON as text, found other text: line 3: did not find expected node content",
    ],
  ])("refuses %s", async (...[, input, message]) => {
    await expect(open({ type: "utf8", ...input })).rejects.toThrow(new Error(`input: ${message}`));
  });
});

it("an input of type ociArtifact names the field of a reference that is invalid", async () => {
  await expect(open({ type: "ociArtifact", path: "example.com/A" })).rejects.toThrow(
    /^input: path: reference "example.com\/A": expected a repository/,
  );
});

it("an input of type helm reads at most 1 MiB of caCertFile", async () => {
  const input = { type: "helm", helmRepository: "https://charts.example", path: "web", version: "1.0.0" } as const;
  await expect(open({ ...input, caCertFile: "/dev/zero" })).rejects.toThrow(
    new Error("input: caCertFile: /dev/zero: more than the allowed 1048576 bytes"),
  );
});

it("an input of type wget has the media type of the input, of the answer, or of the URL", async () => {
  const fetchUrl =
    (mediaType: string | undefined): InputTools["fetchUrl"] =>
    async () =>
      Promise.resolve({ mediaType, stream: streamOf(Buffer.from("content")) });
  const input = { type: "wget", url: "https://example.com/file.json" } as const;
  expect(await open(input, { fetchUrl: fetchUrl(undefined) })).toMatchObject({ mediaType: "application/json" });
  expect(await open(input, { fetchUrl: fetchUrl("text/plain") })).toMatchObject({ mediaType: "text/plain" });
  const given = await open({ ...input, mediaType: "a/b" }, { fetchUrl: fetchUrl("text/plain") });
  expect(given).toMatchObject({ mediaType: "a/b", bytes: Buffer.from("content") });
});
