import { formats } from '../../../api/http/formats.ts';
import type { JsonSchema } from '../../../api/http/schema.ts';
import { openApi } from '../../support/openapi.ts';

const { schemas } = openApi.components;

/**
 * A schema for comparison: components in place of references to them, without what only the
 * document says (texts, names, patterns of formats) and without what only Ajv reads (that an object
 * takes no other fields).
 */
export function comparable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(comparable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, alternatives, ...own } = schema as JsonSchema;
  if (alternatives) return { oneOf: comparable(alternatives) };
  const whole = { ...schemas[String($ref).split('/').at(-1)!], ...own };
  const { description, examples, title, pattern, discriminator, properties, ...more } = whole;
  const { 'x-enum-varnames': _, additionalProperties, ...rest } = more;
  const kept = {
    ...rest,
    ...(additionalProperties ? { additionalProperties } : {}),
    ...(pattern && !formats[String(rest.format)] ? { pattern } : {}),
    ...(properties ? { properties: comparableFields(properties as Record<string, unknown>) } : {}),
  };
  return Object.fromEntries(
    Object.entries(kept).map(([name, value]) => [
      name,
      name === 'properties' ? value : comparable(value),
    ]),
  );
}

export function comparableFields(fields: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, comparable(field)]),
  );
}
