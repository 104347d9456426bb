import type { JsonSchema } from './route.ts';

/** A text a caller sends: bounded, and made of characters the database takes. */
export const text = (maxLength: number, format = 'text'): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength,
  format,
});

/** One of our identifiers, by its prefix. */
export const id = (prefix: string): JsonSchema => ({
  type: 'string',
  pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
});

/** Integer kobo. */
export const kobo: JsonSchema = { type: 'integer', minimum: 0 };

/** ISO 8601 in UTC. */
export const time: JsonSchema = { type: 'string', format: 'date-time' };

export const string: JsonSchema = { type: 'string' };
export const mode: JsonSchema = { enum: ['live', 'test'] };
export const reference: JsonSchema = { type: 'string', pattern: '^SV-[1-9][0-9]*$' };

export const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

/** What a request may hold: nothing but these fields, of which the first are required. */
export function input(
  required: readonly string[],
  properties: Record<string, JsonSchema>,
): JsonSchema {
  return { type: 'object', additionalProperties: false, required, properties };
}

/** An object of an answer, named in the API reference by its title. Every field is always present, but for the optional ones. */
export function object(
  title: string,
  properties: Record<string, JsonSchema>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { title, type: 'object', additionalProperties: false, required, properties };
}

/** A page of a list. `next_cursor` is absent at the end. */
export function listOf(item: JsonSchema): JsonSchema {
  const properties = {
    data: { type: 'array', items: item },
    next_cursor: string,
    tenant_id: id('ten'),
  };
  return object(`${item.title}List`, properties, ['next_cursor']);
}
