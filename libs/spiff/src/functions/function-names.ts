import { lookFunctions } from "../evaluate/calls/look-functions.ts";
import { createFunctions } from "./create-functions.ts";

/** Names of the functions of the language, for suggestions. */
export const spiffFunctionNames: readonly string[] = [...createFunctions({}).keys(), ...lookFunctions.keys()];
