import { expect, it } from "@jest/globals";
import { perturbAt } from "@landscaper/api";
import { secretKeys } from "./secret-keys.ts";

const value = {
  login: { hunterKey: "hunter2", list: [{ innerKey: 1 }], none: null },
  plain: { word: "x" },
  mixed: { password: "y", color: "orange" },
  cluster: { spec: { config: { kubeconfig: "z" } } },
};

it.each<readonly [string, readonly string[], readonly string[]]>([
  ["nothing is secret", [], []],
  ["a map is secret", ["/login"], ["innerKey", "hunterKey", "list", "none"]],
  ["one value of a map is secret", ["/mixed/password"], []],
  ["the access data of a Target are secret", ["/cluster/spec/config"], []],
  ["everything is secret", [""], ["innerKey", "hunterKey", "list", "none", "word", "password", "color", "cluster"]],
])("if %s", (...[_title, paths, keys]) => {
  const shadow = perturbAt(value, paths);
  const names = new Set(["login", "plain", "mixed"]);
  expect(secretKeys({ value, shadow }, (key) => names.has(key))).toEqual(keys);
});

it("treats everything as secret if the secret paths are unknown", () => {
  expect(secretKeys({ value: { a: { b: 1 } }, shadow: undefined }, () => false)).toEqual(["b", "a"]);
});
