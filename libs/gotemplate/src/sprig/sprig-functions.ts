import type { FunctionMap } from "@landscaper/golang";
import { cryptoFunctions } from "./crypto.ts";
import { dateFunctions } from "./dates.ts";
import { defaultFunctions } from "./defaults.ts";
import { dictFunctions } from "./dicts.ts";
import { encodingFunctions } from "./encoding.ts";
import { listFunctions } from "./lists.ts";
import { numberFunctions } from "./numbers.ts";
import { pathFunctions } from "./paths.ts";
import { randomFunctions } from "./random.ts";
import { regexSprigFunctions } from "./regex.ts";
import { semverFunctions } from "./semver.ts";
import { stringFunctions } from "./strings.ts";
import { urlFunctions } from "./urls.ts";
import { wordFunctions } from "./words.ts";

/**
 * The functions of sprig v3 that touch nothing outside: no env, expandenv and getHostByName. Time and random bytes come
 * from the execution (ExecuteOptions.now and .random).
 */
export const sprigFunctions: FunctionMap = {
  ...cryptoFunctions,
  ...dateFunctions,
  ...defaultFunctions,
  ...dictFunctions,
  ...encodingFunctions,
  ...listFunctions,
  ...numberFunctions,
  ...pathFunctions,
  ...randomFunctions,
  ...regexSprigFunctions,
  ...semverFunctions,
  ...stringFunctions,
  ...urlFunctions,
  ...wordFunctions,
};
