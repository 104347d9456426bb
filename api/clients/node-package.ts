import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenApiDocument } from '../openapi/types.ts';
import { describeOperations } from './operations.ts';
import { declarationOf } from './typescript.ts';

const folder = fileURLToPath(new URL('./node', import.meta.url));
const license = readFileSync(new URL('../../LICENSE', import.meta.url), 'utf8');
const service = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(service) as { version: string };

/** The files of the Node client: those of the folder `node`, and those made of the document. */
export function nodePackage(document: OpenApiDocument, publicUrl: string): Record<string, string> {
  const operations = describeOperations(document);
  return {
    ...filesOf(folder, publicUrl),
    LICENSE: license,
    'api.d.ts': typesOf(document, operations),
    'deployment.js': deploymentOf(publicUrl, operations),
  };
}

function filesOf(root: string, publicUrl: string): Record<string, string> {
  const found = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  const textAt = (path: string) =>
    readFileSync(path, 'utf8')
      .replaceAll('{PUBLIC_URL}', publicUrl)
      .replaceAll('{VERSION}', version);
  return Object.fromEntries(paths.map((path) => [relative(root, path), textAt(path)]));
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
  const constants = {
    version,
    baseUrl: `${publicUrl}/v1`,
    operations: Object.fromEntries(resources),
  };
  return Object.entries(constants)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value, null, 2)};\n`)
    .join('');
}
