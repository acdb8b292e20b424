// Lets bundles contain schemas that the build has compiled: a service checks its configuration at every start.
import { dirname, join } from "node:path";
import type { Plugin } from "esbuild";
import { compileStandalone, type StandaloneSchema } from "../../libs/api/src/schema/standalone-schema.ts";

const namespace = "compiled-schemas";
const compiler = join(import.meta.dirname, "../../libs/api/src/schema/schema-compiler.ts");

/** Code of a module that has the functions of `schema-compiler.ts`. `compileSchema` compiles only what is not among `compiled`; ajv is loaded only then. */
function moduleCode(compiled: readonly StandaloneSchema[]): string {
  const entries = compiled.map(
    ({ json }, index) => `[${JSON.stringify(json)}, () => require("${namespace}:${index}")]`,
  );
  return `const compiled = new Map([${entries.join(", ")}]);
export function compileSchema(schema) {
  const load = compiled.get(JSON.stringify(schema));
  return load === undefined ? require("./schema-compiler.ts").compileSchema(schema) : load();
}
export function compileAllErrorsSchema(schema) {
  return require("./schema-compiler.ts").compileAllErrorsSchema(schema);
}`;
}

/** Replaces the compiler of schemas by one that knows the code for these. */
export function compiledSchemas(schemas: Parameters<typeof compileStandalone>[0][]): Plugin {
  const compiled = schemas.map(compileStandalone);
  const own = new RegExp(`^${namespace}:`);
  return {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: /\/schema-compiler\.ts$/ }, ({ path, resolveDir, namespace: from }) =>
        from === namespace || join(resolveDir, path) !== compiler ? undefined : { path: "all", namespace },
      );
      build.onLoad({ filter: /^all$/, namespace }, () => ({
        contents: moduleCode(compiled),
        resolveDir: dirname(compiler),
      }));
      build.onResolve({ filter: own }, ({ path }) => ({ path: path.replace(own, ""), namespace }));
      build.onLoad({ filter: /^\d+$/, namespace }, ({ path }) => ({
        contents: compiled[Number(path)]?.code ?? "",
        resolveDir: dirname(compiler),
      }));
    },
  };
}
