/** A test that runs the commands of a page. It reads them by `readGuideExamples(PAGE)`, or by `readExamples` if they have outputs. */
export interface PageSuite {
  readonly file: string;
  /** Path from the root. */
  readonly page: string;
  readonly kinds: readonly string[];
  /** String literals of its code. They include the headings whose blocks it runs. */
  readonly texts: readonly string[];
}

/** Paths of `readGuideExamples` are relative to this folder. */
const guideFolder = ["docs", "guide"];

/** Finds the pages from which the code of a test reads commands. Pure. */
export function findPageSuites(file: string, code: string): readonly PageSuite[] {
  const texts = [...code.matchAll(/"([^"\n]*)"/g)].map(([, text = ""]) => text);
  const blocks = /\.(?:blocks|commands)\b/.test(code)
    ? [...code.matchAll(/\breadGuideExamples\("([^"]+)"\)/g)].map(([, path = ""]) => resolvePage(path))
    : [];
  const outputs = /\breadExamples\(/.test(code)
    ? [...code.matchAll(/"(?:\.\.\/)*(docs\/[^"]+\.md)"/g)].map(([, path = ""]) => path)
    : [];
  return [
    ...blocks.map((page) => ({ file, page, kinds: ["shell"], texts })),
    ...outputs.map((page) => ({ file, page, kinds: ["console"], texts })),
  ];
}

function resolvePage(path: string): string {
  const parts = [...guideFolder];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}
