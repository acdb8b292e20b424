const items = 2600;

/**
 * JSON of a custom resource of about 1 MB. `every`: each such item has a large integer; 0: none has, Infinity: only the
 * last one.
 */
export function makeManifest(every: number): string {
  const list = Array.from({ length: items }, (_, index) => ({
    name: `listener-${index}`,
    protocol: index % 2 === 0 ? "TCP" : "HTTP",
    port: 1024 + index,
    weight: index / 8,
    enabled: index % 3 === 0,
    hosts: [`host-${index}.example.test`, `other-${index}.example.test`],
    labels: { "app.kubernetes.io/name": `service-${index}`, "app.kubernetes.io/part-of": "bench" },
    description: "Forwards requests to the service of the same name. ".repeat(2),
    limits: { requests: 100_000 + index, timeoutSeconds: 30, retention: hasLarge(index, every) ? maxInt64 : -1 },
  }));
  return JSON.stringify({
    apiVersion: "bench.example.test/v1",
    kind: "Gateway",
    metadata: { name: "gateway", namespace: "default", uid: "5f2b1d1e-7a1b-4b59-9c8e-0f3d2a6b7c8d" },
    spec: { listeners: list },
  });
}

const maxInt64 = 2n ** 63n - 1n;

function hasLarge(index: number, every: number): boolean {
  if (every === 0) return false;
  return Number.isFinite(every) ? index % every === 0 : index === items - 1;
}
