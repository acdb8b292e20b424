import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { describeDebianPackage, namesOf } from "./debian-packages.ts";
import { findImages, selectImages } from "./image-list.ts";
import { parseLibraries } from "./machine-base.ts";
import { epochOf, publicUrlOf } from "./source-state.ts";

describe("parseLibraries", () => {
  it("finds the libraries of Node and their loader, but not what the kernel provides", () => {
    const text = [
      "\tlinux-vdso.so.1 (0x00007f7ab0ef3000)",
      "\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f7ab0b20000)",
      "\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f7ab093e000)",
      "\t/lib64/ld-linux-x86-64.so.2 (0x00007f7ab0ef5000)",
      "",
    ].join("\n");
    expect(parseLibraries(text)).toEqual([
      "/lib/x86_64-linux-gnu/libc.so.6",
      "/lib/x86_64-linux-gnu/libm.so.6",
      "/lib64/ld-linux-x86-64.so.2",
    ]);
  });

  it("refuses a Node whose libraries are not all there", () => {
    expect(() => parseLibraries("\tlibatomic.so.1 => not found")).toThrow(
      new Error("a shared library of Node is missing: libatomic.so.1 => not found"),
    );
  });
});

describe("packages of Debian", () => {
  it("are described by a package URL", () => {
    expect(describeDebianPackage({ name: "libstdc++6", version: "12.2.0-14+deb12u1", architecture: "amd64" })).toEqual({
      name: "libstdc++6",
      version: "12.2.0-14+deb12u1",
      purl: "pkg:deb/debian/libstdc%2B%2B6@12.2.0-14%2Bdeb12u1?arch=amd64",
    });
  });

  it.each([
    ["/usr/lib/libc.so.6", ["/usr/lib/libc.so.6", "/lib/libc.so.6"]],
    ["/lib/libc.so.6", ["/lib/libc.so.6", "/usr/lib/libc.so.6"]],
  ])("are asked for by both names of %s", (file, names) => {
    expect(namesOf(file)).toEqual(names);
  });
});

describe("findImages", () => {
  const root = mkdtempSync(join(tmpdir(), "landscaper-images-"));
  afterAll(() => rmSync(root, { recursive: true }));

  it("finds services, what they start in pods, and the command", () => {
    const files = [
      "libs/cli/Dockerfile",
      "libs/other/Dockerfile",
      "services/a/Dockerfile",
      "services/a/init.Dockerfile",
    ];
    for (const file of files) {
      mkdirSync(join(root, dirname(file)), { recursive: true });
      writeFileSync(join(root, file), "");
    }
    expect(findImages(root)).toEqual([
      { name: "landscaper", dockerfile: "libs/cli/Dockerfile", main: "libs/cli/src/main.ts" },
      { name: "a", dockerfile: "services/a/Dockerfile", main: "services/a/src/main.ts" },
      { name: "a-init", dockerfile: "services/a/init.Dockerfile", main: "services/a/src/init.ts" },
    ]);
  });
});

describe("selectImages", () => {
  const images = ["helm-deployer", "landscaper"].map((name) => ({
    name,
    dockerfile: `${name}/Dockerfile`,
    main: `${name}/src/main.ts`,
  }));

  it("takes all when none is named", () => {
    expect(selectImages(images, [])).toEqual(images);
    expect(selectImages(images, ["landscaper"])).toEqual([images[1]]);
  });

  it("refuses a name without an image", () => {
    expect(() => selectImages(images, ["helm"])).toThrow(
      new Error("there is no image helm; there are: helm-deployer, landscaper"),
    );
  });
});

describe("the state of the sources", () => {
  it.each([
    ["https://git.example.com/team/landscaper.git", "https://git.example.com/team/landscaper"],
    ["https://user:secret@git.example.com/team/landscaper", "https://git.example.com/team/landscaper"],
    ["git@git.example.com:team/landscaper.git", undefined],
    ["/home/me/landscaper", undefined],
    ["", undefined],
  ])("has the URL of the remote %j where others can open it, without credentials", (remote, url) => {
    expect(publicUrlOf(remote)).toBe(url);
  });

  it.each([
    ["1700000000", "5", 1_700_000_000],
    [undefined, "5", 5],
    [undefined, "", 0],
  ])("has the time of SOURCE_DATE_EPOCH %j, else that of the commit %j", (variable, commit, epoch) => {
    expect(epochOf(variable, commit)).toBe(epoch);
  });

  it("refuses a SOURCE_DATE_EPOCH that is no time", () => {
    expect(() => epochOf("yesterday", "5")).toThrow(
      new Error("SOURCE_DATE_EPOCH: expected seconds since 1970, found yesterday"),
    );
  });
});
