import type { OpenApiDocument } from '../openapi/types.ts';
import { nodePackage } from './node-package.ts';
import { moduleOf, packageFiles, version } from './package-files.ts';

/** The files of the MCP server: those of the folder `mcp`, and the Node client of the document. */
export function mcpPackage(document: OpenApiDocument, publicUrl: string): Record<string, string> {
  const client = Object.entries(nodePackage(document, publicUrl));
  const bundled = client.map(([path, text]) => [
    `node_modules/payment-collection-client/${path}`,
    text,
  ]);
  return {
    ...packageFiles('mcp', publicUrl),
    'deployment.js': moduleOf({ version, choices: choicesIn(document) }),
    ...Object.fromEntries(bundled),
  };
}

function choicesIn({ components }: OpenApiDocument) {
  const named = Object.entries(components.schemas).map(([name, schema]) => [name, schema.enum]);
  return Object.fromEntries(named.filter(([, values]) => values));
}
