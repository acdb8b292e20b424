import { describe, expect, it } from "@jest/globals";
import { replaceImage, replaceImages, type ImageReplacement } from "./replace-images.ts";

const digest = `sha256:${"0".repeat(64)}`;

describe("replaceImage", () => {
  it.each<[string, ImageReplacement, string]>([
    ["nginx", { name: "nginx", newTag: "2" }, "nginx:2"],
    ["nginx:1", { name: "nginx", newTag: "2" }, "nginx:2"],
    ["nginx:1", { name: "nginx", newName: "mirror/nginx" }, "mirror/nginx:1"],
    [`nginx:1@${digest}`, { name: "nginx", newName: "mirror/nginx" }, `mirror/nginx:1@${digest}`],
    [`nginx:1@${digest}`, { name: "nginx", newTag: "2" }, "nginx:2"],
    ["nginx:1", { name: "nginx", digest }, `nginx@${digest}`],
    ["nginx:1", { name: "nginx", newTag: "2", digest }, `nginx:2@${digest}`],
    ["host:5000/nginx", { name: "host:5000/nginx", newTag: "2" }, "host:5000/nginx:2"],
    ["host:5000/nginx:1", { name: "host:5000/nginx", newName: "nginx" }, "nginx:1"],
    ["host/nginx:1", { name: "nginx", newTag: "2" }, "host/nginx:1"],
    ["nginx-other:1", { name: "nginx", newTag: "2" }, "nginx-other:1"],
    ["", { name: "nginx", newTag: "2" }, ""],
  ])("%s by %j is %s", (image, replacement, expected) => {
    expect(replaceImage(image, replacement)).toBe(expected);
  });
});

it("replaceImages finds containers wherever they stand, and nothing else", () => {
  const replacements = [
    { name: "a", newName: "b" },
    { name: "b", newTag: "2" },
  ];
  const podOf = (image: string): object => ({
    initContainers: [{ name: "i", image }],
    containers: [{ name: "c", image }, { name: "none" }],
    volumes: [{ image: { reference: "a:1" } }],
  });
  const objectOf = (image: string): object => ({
    spec: { template: { spec: podOf(image) }, image: "a:1", list: [{ image: "a:1" }], containers: "a:1" },
  });
  expect(replaceImages(objectOf("a:1"), replacements)).toEqual(objectOf("b:2"));
});
