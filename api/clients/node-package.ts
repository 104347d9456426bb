import type { OpenApiDocument } from '../openapi/types.ts';
import { describeOperations } from './operations.ts';
import { moduleOf, packageFiles, version } from './package-files.ts';
import { declarationOf } from './typescript.ts';

/** The files of the Node client: those of the folder `node`, and those made of the document. */
export function nodePackage(document: OpenApiDocument, publicUrl: string): Record<string, string> {
  const operations = describeOperations(document);
  return {
    ...packageFiles('node', publicUrl),
    'api.d.ts': typesOf(document, operations),
    'deployment.js': deploymentOf(publicUrl, operations),
  };
}

type Operations = ReturnType<typeof describeOperations>;

const byResource = (operations: Operations) => [
  ...Map.groupBy(operations, ({ resource }) => resource),
];

function typesOf({ components }: OpenApiDocument, operations: Operations): string {
  const resources = byResource(operations).map(
    ([resource, methods]) =>
      `  ${resource}: {\n${methods.map(({ signature }) => signature).join('')}  };\n`,
  );
  return [
    "import type { IdempotentRequestOptions, List, RequestOptions } from './index.d.ts';\n",
    ...Object.entries(components.schemas).map(([name, schema]) => declarationOf(name, schema)),
    ...operations.map(({ query }) => query).filter(Boolean),
    `export interface Resources {\n${resources.join('')}}\n`,
  ].join('\n');
}

function deploymentOf(publicUrl: string, operations: Operations): string {
  const resources = byResource(operations).map(([resource, methods]) => [
    resource,
    Object.fromEntries(methods.map(({ name, call }) => [name, call])),
  ]);
  return moduleOf({
    version,
    baseUrl: `${publicUrl}/v1`,
    operations: Object.fromEntries(resources),
  });
}
