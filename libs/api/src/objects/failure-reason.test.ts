import { expect, it } from "@jest/globals";
import { failureReason } from "./failure-reason.ts";

it.each([
  ["ImportsSatisfied", "x", "ImportMissing"],
  ["ImportNotSatisfied", "x", "ImportMissing"],
  ["JobIDFinished", 'Execution is failed: deploy item "a": x', "DeployItemFailed"],
  ["JobIDFinished", 'subinstallation "s": Execution is failed: deploy item "a": x', "DeployItemFailed"],
  ["InstallationNotDeleted", 'Execution could not be deleted: deploy item "a": x', "DeployItemFailed"],
  ["JobIDFinished", 'subinstallation "s": import "a" is missing', "SubObjectFailed"],
  ["DeployItemsFailed", 'deploy item "a": x', "DeployItemFailed"],
  ["RenderImportExecutions", "x", "RenderImportExecutionsFailed"],
  ["TemplatingFailed", "x", "TemplatingFailed"],
  ["a.b c", "x", "ABC"],
  ["", "x", "Failed"],
])("shows the reason %j of %j as %s", (reason, message, shown) => {
  expect(failureReason({ reason, message })).toBe(shown);
});
