import { describe, expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import { parseReference } from "./object-reference.ts";
import { InvocationError } from "./usage-error.ts";

describe("parseReference", () => {
  it.each([
    ["app", "Installation", "app"],
    ["inst/app", "Installation", "app"],
    ["Installation/app", "Installation", "app"],
    ["installations/app", "Installation", "app"],
    ["installation.landscaper.gardener.cloud/app", "Installation", "app"],
    ["exec/app", "Execution", "app"],
    ["executions/app", "Execution", "app"],
    ["di/app-x", "DeployItem", "app-x"],
    ["deployitem/app-x", "DeployItem", "app-x"],
  ])("reads %s", (text, kind, name) => expect(parseReference(text)).toEqual({ kind, name }));

  it.each([
    [resources.installation.plural, "Installation"],
    [resources.execution.plural, "Execution"],
    [resources.deployItem.plural, "DeployItem"],
  ])("reads the resource name %s", (plural, kind) => expect(parseReference(`${plural}/app`).kind).toEqual(kind));

  it.each([
    ["pod/app", 'expected inst/NAME, exec/NAME or di/NAME, found the kind "pod"'],
    ["inst/", 'expected KIND/NAME, found "inst/"'],
    ["inst/a/b", 'expected KIND/NAME, found "inst/a/b"'],
    ["", 'expected KIND/NAME, found ""'],
  ])("refuses %j", (text, message) => expect(() => parseReference(text)).toThrow(new InvocationError(message)));
});
