/** A test that runs commands of a page as they are there: it reads them by `readGuideExamples(PAGE)`, or `readExamples` for those with outputs. */
export interface PageSuite {
  readonly file: string;
  /** Path from the root. */
  readonly page: string;
  readonly kinds: readonly string[];
  /** Texts in its code; the headings whose blocks it runs are among them. */
  readonly texts: readonly string[];
}

/** `readGuideExamples` takes paths from here. */
const guideFolder = ["docs", "guide"];

/** The pages that the code of a test reads commands from. Pure. */
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
