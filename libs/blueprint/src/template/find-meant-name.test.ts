import { expect, it } from "@jest/globals";
import { findMeantName } from "./find-meant-name.ts";

const bindings = { imports: { cluster: { metadata: {} }, "a-b": 1 }, values: { deployitems: { item: {} } } };
const functions = ["lower", "upper"];

it.each([
  [
    'executing "d" at <.imports.clusters.metadata.name>: nil pointer evaluating interface {}.metadata',
    'imports has no key "clusters": did you mean "cluster"?',
  ],
  [
    "at <.values.deployitems.itm.address>: nil pointer evaluating interface {}.address",
    'values.deployitems has no key "itm": did you mean "item"?',
  ],
  [
    "at <.imprts.cluster>: nil pointer evaluating x",
    'the template\'s input has no key "imprts": did you mean "imports"?',
  ],
  ['at <.imports.clustr>: map has no entry for key "clustr"', 'imports has no key "clustr": did you mean "cluster"?'],
  ["at <.imports.other.name>: nil pointer evaluating x", 'imports has no key "other"'],
  ["(( imports.clustr.x ))\t*'imports.clustr' not found", 'imports has no key "clustr": did you mean "cluster"?'],
  ["'imports.a-c' not found", 'imports has no key "a-c": did you mean "a-b"?'],
  ['template: d:2: function "lowerr" not defined', 'function "lowerr": did you mean "lower"?'],
  ["(( lenght(a) ))\tin a\t()\t*unknown function 'lenght'", 'function "lenght": did you mean "length"?'],
  ['template: d:2: function "fetch" not defined', undefined],
  ["at <.imports.cluster.metadata.name>: wrong type", undefined],
  ["at <.imports.a-b.c>: nil pointer evaluating x", undefined],
  ["'imports.other' not found", undefined],
  ["'nothing' not found", undefined],
  ["another message", undefined],
])("explains %j", (message, explanation) => {
  expect(findMeantName(message, { bindings, functions })).toBe(explanation);
});
