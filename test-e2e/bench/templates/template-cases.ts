import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

export interface TemplateCase {
  readonly name: string;
  readonly text: string;
}

const folder = import.meta.dirname;

/** The templates of the folder, and a large text with few actions. */
export function templateCases(): TemplateCase[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".tpl"));
  const cases = files.map((file) => ({
    name: basename(file, ".tpl"),
    text: readFileSync(join(folder, file), "utf8"),
  }));
  return [...cases, { name: "configuration", text: configurationTemplate() }];
}

/** 40 KiB of plain text with a value now and then, as configuration files in ConfigMaps are. */
function configurationTemplate(): string {
  const sections = Array.from({ length: 120 }, (_, i) => {
    const values =
      i % 6 === 0 ? "host = {{ .global.registry.host }}\n{{- if .debug }}\nlog.level = debug\n{{- end }}\n" : "";
    return [
      `# Section ${i}: settings of the part with this number, described in a comment as long as they usually are.`,
      `[section-${i}]`,
      `listen = 0.0.0.0:${8000 + i}`,
      'log.format = "%t %l %m"',
      `data.path = /var/lib/example/part-${i}/data`,
      `${values}timeouts = { connect = 5s, read = 30s, write = 30s, idle = 120s }`,
      "",
    ].join("\n");
  });
  return sections.join("\n");
}

function service(i: number): Record<string, unknown> {
  const name = `svc-${i % 3 === 0 ? "api" : "worker"}-${i}`;
  return {
    name,
    image: `team-${i % 5}/${name}`,
    ...(i % 2 === 0 ? { registry: "images.example.com:5000" } : {}),
    tag: `v1.${i}.${i % 7}`,
    replicas: (i % 4) + 1,
    production: i % 2 === 0,
    description: `The service number ${i} of the landscape, which the team of the platform runs for all of the others.`,
    labels: {
      app: name,
      tier: i % 2 === 0 ? "backend" : "frontend",
      "app.kubernetes.io/part-of": "landscape",
      team: `t${i % 5}`,
    },
    annotations: {
      "prometheus.io/scrape": "true",
      "prometheus.io/port": String(9000 + i),
      "checksum/config": `${i}`.repeat(20),
    },
    env: [
      { name: "LOG_LEVEL", value: i % 2 === 0 ? "info" : "debug" },
      { name: "ENDPOINT", value: `https://${name}.example.com:8443/v1?x=1&y=2` },
      { name: "WORKERS", value: i },
      { name: "TOKEN", valueFrom: { secretKeyRef: { name: `${name}-token`, key: "token" } } },
    ],
    resources: {
      limits: { cpu: `${i * 10 + 100}m`, memory: `${i * 8 + 64}Mi` },
      requests: { cpu: "50m", memory: "32Mi" },
    },
    ports: [
      { name: "http", number: 8080 + i, protocol: "TCP" },
      { name: "https", number: i % 3 === 0 ? 443 : 8443, protocol: "TCP" },
      ...(i % 4 === 0 ? [{ name: "dns", number: 53, protocol: "UDP" }] : []),
    ],
    probes: { liveness: { path: "/healthz", port: 8080 + i, initialDelaySeconds: 10 } },
    ...(i % 5 === 0
      ? { affinity: { nodeAffinity: { required: [{ key: "zone", operator: "In", values: ["a", "b"] }] } } }
      : {}),
  };
}

/** The values of all templates: thirty services, as many components. */
export function templateData(): Record<string, unknown> {
  const services = Array.from({ length: 30 }, (_, i) => service(i));
  return {
    chart: "landscape",
    release: "rel",
    version: "1.2.3",
    services,
    components: Object.fromEntries(
      services.map((each, i) => [
        each["name"],
        {
          enabled: i % 6 !== 0,
          type: i % 3 === 0 ? "NodePort" : "ClusterIP",
          annotations: each["annotations"],
          ports: each["ports"],
        },
      ]),
    ),
    labels: { b: "2", a: "1", c: "3" },
    numbers: [1, 2.5, -3, 1e21, 1234567, 0.000001, 42],
    global: { registry: { host: "images.example.com", port: 5000 }, cluster: "target", namespace: "landscape" },
  };
}
