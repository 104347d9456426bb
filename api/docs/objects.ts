import type { JsonSchema } from '../http/schema.ts';
import type { OpenApiDocument } from '../openapi/types.ts';
import { type FieldRow, rowsOf, titleIn } from './fields.ts';

export type ObjectTable = { title: string; description: string; fields: FieldRow[] };

/** The titled objects of these schemas, each once, without pages of lists and errors. */
export function objectsOf(
  { components }: OpenApiDocument,
  schemas: readonly JsonSchema[],
): ObjectTable[] {
  const titles = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const title = titleIn(value as JsonSchema);
    if (title === undefined) {
      for (const inner of Object.values(value)) visit(inner);
    } else if (!titles.has(title)) {
      titles.add(title);
      visit(components.schemas[title]);
    }
  };
  for (const schema of schemas) visit(schema);
  return [...titles].filter(isExplainedHere).map((title) => {
    const schema = components.schemas[title]!;
    return { title, description: String(schema.description ?? ''), fields: rowsOf(schema) };
  });
}

function isExplainedHere(title: string): boolean {
  return title !== 'Error' && !title.endsWith('List');
}
