export { parseJson } from "./parse-json.ts";
