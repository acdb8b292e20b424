import { LandscaperError } from "@landscaper/api";
import { BudgetError } from "@landscaper/budget";
import {
  define,
  defineVariadic,
  fromPlain,
  FunctionError,
  isSlice,
  toPlain,
  withType,
  type FunctionMap,
  type Value,
  shallow,
} from "@landscaper/golang";
import { builtinNames, sprigFunctions, TemplateSet } from "@landscaper/gotemplate";
import { fromYaml, toYaml, YamlError } from "@landscaper/goyaml";
import { fileInfo } from "./file-info.ts";
import { landscaperFunctions, type LandscaperFunctionName } from "./landscaper-functions.ts";
import { environmentOf, type TemplateEnvironment } from "./template-environment.ts";

const sharedNames = Object.keys(landscaperFunctions(undefined, undefined));

/** What a character of YAML counts in steps of the budget. */
const stepsPerCharacter = 2;

/** Those functions of GoTemplate executions that need nothing but their arguments: sprig, toYaml and fromYaml. */
export const pureTemplateFunctions: FunctionMap = {
  ...sprigFunctions,
  toYaml: define(["any"], ([value], context) => {
    const text = withoutNewline(toYaml(value));
    context.spend(text.length * stepsPerCharacter);
    return text;
  }),
  fromYaml: define(["string"], ([text], context) => {
    context.spend(text.length * stepsPerCharacter);
    return readYaml(text);
  }),
};

/** Functions of GoTemplate executions: sprig without access to the host, and Landscaper's own (core.md §3.7). */
export const goTemplateFunctions: FunctionMap = {
  ...pureTemplateFunctions,
  include: shallow(
    define(["string", "any"], ([path, data], context) => {
      const environment = environmentOf(context);
      const set = includedTemplate(path, environment);
      return countInclude(path, environment, () => context.executeIn(set, path, data));
    }),
  ),
  readFile: define(["string"], ([path], context) => guard(() => environmentOf(context).files.readFile(path))),
  readDir: define(["string"], ([path], context) =>
    guard(() => environmentOf(context).files.readDir(path).map(fileInfo)),
  ),
  // As built by landscaperFunctions, whose type names all of them.
  ...Object.fromEntries((sharedNames as LandscaperFunctionName[]).map((name) => [name, sharedFunction(name)])),
};

export const goTemplateFunctionNames: readonly string[] = [...Object.keys(goTemplateFunctions), ...builtinNames];

function withoutNewline(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

function readYaml(text: string): Value {
  try {
    return fromPlain(fromYaml(text));
  } catch (error) {
    // Go's words quote the text, which may come from imports, also without quotation marks.
    if (error instanceof YamlError) throw new FunctionError(`yaml: line ${error.line ?? 1}: ${error.problem}`);
    throw error;
  }
}

/** Parses an included file; it sees the same functions and has its own definitions. */
function includedTemplate(path: string, { files, cache }: TemplateEnvironment): TemplateSet {
  const text = guard(() => files.readText(path));
  const set = new TemplateSet({
    functions: goTemplateFunctions,
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

function sharedFunction(name: LandscaperFunctionName): FunctionMap[string] {
  return defineVariadic([], "any", (_, args, context) => {
    const { functions } = environmentOf(context);
    const result = fromPlain(guard(() => functions[name](...args.map(toPlain))));
    // Go's function gives an array, and templates can see that by its type.
    return name === "parseOCIRef" && isSlice(result)
      ? withType(result, { name: "[2]string", element: "string", isArray: true })
      : result;
  });
}
