/** Fields of Chart.yaml under both names: as templates have them, and as Chart.yaml has them. */
export function chartFields(metadata: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(metadata).flatMap(([key, value]) => [
      [key, value],
      [upperFirst(key), value],
    ]),
  );
}

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
