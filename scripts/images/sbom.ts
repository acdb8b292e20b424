import type { BundledPackage } from "../bundle/bundled-packages.ts";
import type { BasePackage } from "./base-contents.ts";

export interface SbomOptions {
  readonly image: string;
  readonly version: string;
  readonly architecture: string;
  /** Seconds since 1970. */
  readonly epoch: number;
  /** Packages of the npm registry with code in the bundle. */
  readonly bundled: readonly BundledPackage[];
  readonly base: readonly BasePackage[];
}

interface Component {
  readonly type: "library" | "application" | "container";
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly purl?: string;
  readonly licenses?: readonly unknown[];
}

/** An identifier of SPDX, or an expression of several. */
const licensesOf = (license: string | undefined): Pick<Component, "licenses"> =>
  license === undefined
    ? {}
    : { licenses: [/^[A-Za-z0-9.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }] };

/** "@fastify/error" -> "%40fastify/error", as package URLs have it. */
const npmPurl = ({ name, version }: BundledPackage): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** The software bill of materials (SBOM) of an image: CycloneDX 1.5 in JSON (https://cyclonedx.org/docs/1.5/json/). The same for the same image. */
export function createSbom(options: SbomOptions): unknown {
  const { image, version, architecture, epoch, bundled, base } = options;
  const components: Component[] = [
    ...base.map(({ name, version, purl, license }) => ({
      type: name === "node" ? ("application" as const) : ("library" as const),
      "bom-ref": purl,
      name,
      version,
      purl,
      ...licensesOf(license),
    })),
    ...bundled.map((pkg) => {
      const purl = npmPurl(pkg);
      return {
        type: "library" as const,
        "bom-ref": purl,
        name: pkg.name,
        version: pkg.version,
        purl,
        ...licensesOf(pkg.license),
      };
    }),
  ];
  const subject: Component = {
    type: "container",
    "bom-ref": `${image}@${version}`,
    name: image,
    version,
    ...licensesOf("Apache-2.0"),
  };
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString(),
      component: subject,
      properties: [{ name: "architecture", value: architecture }],
    },
    components,
    dependencies: [{ ref: subject["bom-ref"], dependsOn: components.map((each) => each["bom-ref"]) }],
  };
}
