// What every Dockerfile of the repository keeps to: docs/guide/images.md promises it.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { findImages } from "./image-list.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const images = findImages(root);

/** The instructions of a Dockerfile, each on one line. */
const instructionsOf = (text: string): string[] =>
  text
    .replaceAll("\\\n", "")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));

describe.each(images)("the Dockerfile of $name", ({ name, dockerfile }) => {
  const text = read(dockerfile);
  const instructions = instructionsOf(text);

  it("asks for no other syntax, and for nothing newer than docker 20.10 and buildah 1.28", () => {
    expect(text).not.toMatch(/^#\s*(?:syntax|check|escape)\s*=/im);
    expect(
      instructions.filter((line) => /<<|--mount|--link|--chmod|--parents|--exclude|--network|--platform/.test(line)),
    ).toEqual([]);
  });

  it("begins with images that are handed to it, and pulls nothing", () => {
    expect(instructions.filter((line) => line.startsWith("FROM"))).toEqual([
      "FROM ${BUILDER} AS build",
      "FROM ${BASE}",
    ]);
    expect(instructions.filter((line) => /^(?:ADD|COPY --from=(?!build )|.*https?:)/.test(line))).toEqual([]);
  });

  it("runs Node alone, since neither image has a shell", () => {
    const runs = instructions.filter((line) => line.startsWith("RUN"));
    expect(runs.length).toBeGreaterThan(0);
    expect(runs.filter((line) => !line.startsWith('RUN ["node", '))).toEqual([]);
  });

  it("takes its packages from the context, and builds its own program", () => {
    expect(text).toContain('"install", "--offline", "--frozen-lockfile", "--prod", "--ignore-scripts"');
    expect(text).toContain(`RUN ["node", "scripts/build.ts", "${name}", "--outdir=/app", "--no-source-maps"]\n`);
  });

  it("runs it as the user 65532 on the Node of the image, with a heap that fits into its container", () => {
    expect(instructions).toContain("USER 65532:65532");
    const entrypoint = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(text)?.[1] ?? "[]") as readonly string[];
    expect(entrypoint[0]).toBe("node");
    expect(entrypoint).toContain("--max-old-space-size-percentage=50");
    expect(entrypoint).toContain(`/app/${name}.mjs`);
  });
});

describe("the flags of Node", () => {
  const flagsOf = (name: string): string => {
    const dockerfile = images.find((image) => image.name === name)?.dockerfile ?? "";
    return (
      /^ENTRYPOINT \["node", (.*?), "--max-old-space-size-percentage/m
        .exec(read(dockerfile))?.[1]
        ?.replaceAll(/[",]/g, "") ?? ""
    );
  };

  it.each([
    ["core", "landscaper-core"],
    ["manifest deployer", "manifest-deployer"],
    ["helm deployer", "helm-deployer"],
    ["mock deployer", "mock-deployer"],
    ["container deployer", "container-deployer"],
    ["agent", "landscaper-agent"],
  ])("of the %s are those of its image in the operators' guide", (service, name) => {
    expect(read("docs/guide/operations.md")).toContain(`| ${service} | \`${flagsOf(name)}\` |`);
  });
});

it("sends to a build only what it needs", () => {
  const patterns = read(".dockerignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  expect(patterns[0]).toBe("*");
  const sent = patterns.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
  const there = sent.filter((path) => path.startsWith(".cache/") || globSync(path, { cwd: root }).length > 0);
  expect(there).toEqual(sent);
  expect(patterns).toContain("**/node_modules");
});
