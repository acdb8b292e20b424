import type { FunctionMap } from "../value/define-function.ts";
import { defaultFunctions } from "./defaults.ts";

/** The functions of sprig v3 that touch nothing outside: no env, expandenv and getHostByName. */
export const sprigFunctions: FunctionMap = { ...defaultFunctions };
