import { defineVariadic, define, type FunctionMap } from "../value/define-function.ts";
import { decodeUtf8, encodeUtf8 } from "../value/utf8.ts";

export const defaultFunctions: FunctionMap = {
  b64enc: define(["string"], ([text]) => Buffer.from(encodeUtf8(text)).toString("base64")),
  b64dec: define(["string"], ([text]) => decodeUtf8(Buffer.from(text, "base64"))),
  dict: defineVariadic([], "any", (_, items) => {
    const map = new Map();
    for (let i = 0; i < items.length; i += 2) map.set(String(items[i]), items[i + 1] ?? "");
    return map;
  }),
};
