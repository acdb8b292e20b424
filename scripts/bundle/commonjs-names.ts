/** First lines of an output file. They define three names that dependencies in CommonJS use and ES modules lack. */
export const commonjsNames = `const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);
const { filename: __filename, dirname: __dirname } = import.meta;`;

/** Empties the first lines of an output file that does not use the names, because Node needs a tenth of a millisecond to define them. Keeps the number of lines. */
export function dropUnusedNames(text: string): string {
  if (!text.startsWith(commonjsNames)) return text;
  const code = text.slice(commonjsNames.length);
  return /\b(?:require|__filename|__dirname)\b/.test(code) ? text : commonjsNames.replace(/.+/g, "") + code;
}
