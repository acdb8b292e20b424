import { toPlain } from "../output/to-plain.ts";
import { fromPlain } from "../value/from-plain.ts";
import { failLocally } from "../evaluate/failure.ts";
import { archiveFunctions } from "./archive.ts";
import { certificateFunctions } from "./crypto/certificate-functions.ts";
import { encodingFunctions } from "./encoding-functions.ts";
import { fileFunctions } from "./file-functions.ts";
import type { FunctionTable, SpiffFunction } from "./function-table.ts";
import { hostFunctions } from "./host-functions.ts";
import { ipFunctions } from "./addresses/ip-functions.ts";
import { keyFunctions } from "./crypto/key-functions.ts";
import { listFunctions } from "./list-functions.ts";
import { mapFunctions } from "./map-functions.ts";
import { numberFunctions } from "./number-functions.ts";
import { patternFunctions } from "./text/pattern-functions.ts";
import { passwordFunctions } from "./crypto/password-functions.ts";
import { rand } from "./rand.ts";
import { semverFunctions } from "./semver-functions.ts";
import { textFunctions } from "./text/text-functions.ts";
import { typeFunctions } from "./type-functions.ts";
import { validationFunctions } from "./validation/validate.ts";

/** A function on plain data. What it throws becomes an error of the expression: its message must name no secrets. */
export type PlainFunction = (...args: readonly unknown[]) => unknown;

/** The functions of the language and those of the caller. */
export function createFunctions(own: Readonly<Record<string, PlainFunction>>): FunctionTable {
  if (Object.keys(own).length === 0) return builtins;
  return new Map([...builtins, ...Object.entries(own).map(([name, call]) => [name, adapt(call)] as const)]);
}

const builtins: FunctionTable = new Map<string, SpiffFunction>([
  ...textFunctions,
  ...listFunctions,
  ...mapFunctions,
  ...typeFunctions,
  ...encodingFunctions,
  ...numberFunctions,
  ...fileFunctions,
  ...ipFunctions,
  ...semverFunctions,
  ...patternFunctions,
  ...archiveFunctions,
  ...validationFunctions,
  ...hostFunctions,
  ...passwordFunctions,
  ...keyFunctions,
  ...certificateFunctions,
  ["rand", rand],
]);

function adapt(call: PlainFunction): SpiffFunction {
  return (args) => {
    try {
      return fromPlain(call(...args.map(toPlain)), "integers");
    } catch (error) {
      return failLocally(error instanceof Error ? error.message : String(error));
    }
  };
}
