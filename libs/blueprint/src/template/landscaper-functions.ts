import {
  FunctionError,
  type FunctionMap,
  type Value,
  define,
  defineVariadic,
  fromPlain,
  toPlain,
} from "@landscaper/golang";
import { LandscaperError } from "@landscaper/api";
import { BudgetError, sprigFunctions, TemplateSet } from "@landscaper/gotemplate";
import { fromYaml, toYaml, YamlError } from "@landscaper/goyaml";
import { hostFunctionNames, type HostFunctionName } from "../template-host.ts";
import { fileInfo } from "./file-info.ts";
import { ociReferenceFunctions } from "./oci-reference.ts";
import { environmentOf, type TemplateEnvironment } from "./template-environment.ts";

/** Functions of GoTemplate executions: sprig without access to the host, and Landscaper's own (core.md §3.7). */
export const landscaperFunctions: FunctionMap = {
  ...sprigFunctions,
  ...ociReferenceFunctions,
  toYaml: define(["any"], ([value]) => withoutNewline(toYaml(value))),
  fromYaml: define(["string"], ([text]) => readYaml(text)),
  include: define(["string", "any"], ([path, data], context) => {
    const environment = environmentOf(context);
    const set = includedTemplate(path, environment);
    return countInclude(path, environment, () => context.executeIn(set, path, data));
  }),
  readFile: define(["string"], ([path], context) => guard(() => environmentOf(context).files.readFile(path))),
  readDir: define(["string"], ([path], context) =>
    guard(() => environmentOf(context).files.readDir(path).map(fileInfo)),
  ),
  ...Object.fromEntries(hostFunctionNames.map((name) => [name, hostFunction(name)])),
};

function withoutNewline(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

function readYaml(text: string): Value {
  try {
    return fromPlain(fromYaml(text));
  } catch (error) {
    if (error instanceof YamlError) throw new FunctionError(error.message);
    throw error;
  }
}

/** Parses an included file; it sees the same functions and has its own definitions. */
function includedTemplate(path: string, { files, cache }: TemplateEnvironment): TemplateSet {
  const text = guard(() => files.readText(path));
  const set = new TemplateSet({
    functions: landscaperFunctions,
    missingKey: "zero",
    ...(cache === undefined ? {} : { cache }),
  });
  set.parse(path, text);
  return set;
}

/** Files may include each other, but not themselves for ever (core.md §3.7). */
const maxNestedIncludes = 100;

function countInclude(path: string, { includes }: TemplateEnvironment, run: () => string): string {
  const count = includes.get(path) ?? 0;
  if (count >= maxNestedIncludes) {
    throw new BudgetError(`${path} is included within itself more than ${maxNestedIncludes} times`);
  }
  includes.set(path, count + 1);
  const result = run();
  includes.set(path, count);
  return result;
}

/** Errors of ours become errors of the function, so that they get the position of the call. */
function guard<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof LandscaperError) throw new FunctionError(error.message, { cause: error });
    throw error;
  }
}

function hostFunction(name: HostFunctionName): FunctionMap[string] {
  return defineVariadic([], "any", (_, args, context) => {
    const fn = environmentOf(context).host?.functions?.[name];
    if (fn === undefined)
      throw new FunctionError("this function needs a component or a cluster, and there is none here");
    return fromPlain(guard(() => fn(...args.map(toPlain))));
  });
}
