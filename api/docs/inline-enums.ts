import type { JsonSchema } from '../http/schema.ts';
import type { OpenApiDocument } from '../openapi/types.ts';
import { titleIn } from './fields.ts';

/** A table shows an enumeration's words where it is used. */
export function withEnumsInline(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components;
  const inlined = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inlined);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...beside } = value as JsonSchema;
    const { title: _, ...component } = schemas[titleIn({ $ref }) ?? ''] ?? {};
    if (Array.isArray(component.enum)) return { ...component, ...beside };
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inlined(inner)]));
  };
  return inlined(document) as OpenApiDocument;
}
