import type { JsonSchema } from '../http/route.ts';
import { isTelling } from './words.ts';

/** 26 characters as an identifier has them. */
const ID_TAIL = '01k2v8n0d4e7g9h3j5m6p8q1rs';

const byFormat: Record<string, string> = {
  'date-time': '2026-01-31T09:30:00.000Z',
  date: '2026-01-31',
  email: 'ada@example.com',
  phone: '+2348031234567',
  'web-address': 'https://shop.example/webhooks',
};

/**
 * An example that the schema accepts: its own `examples` first, else made up. Of a request's `owner`, fields that may be left out are
 * shown only where they tell something; of an answer everything is.
 */
export function exampleOf(
  schema: JsonSchema,
  schemas: Record<string, JsonSchema>,
  owner?: string,
): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if ('default' in schema) return schema.default;
  if (typeof schema.$ref === 'string')
    return exampleOf(schemas[schema.$ref.split('/').at(-1)!]!, schemas);
  if (Array.isArray(schema.anyOf)) return exampleOfUnion(schema.anyOf, schemas);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return exampleOfObject(schema, schemas, owner);
    case 'array':
      return [exampleOf(schema.items as JsonSchema, schemas)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'string':
      return exampleOfText(schema);
    default:
      return null;
  }
}

/** What may be null is. */
function exampleOfUnion(choices: JsonSchema[], schemas: Record<string, JsonSchema>): unknown {
  return choices.some(({ type }) => type === 'null') ? null : exampleOf(choices[0]!, schemas);
}

function exampleOfObject(
  { properties = {}, required = [] }: JsonSchema,
  schemas: Record<string, JsonSchema>,
  owner?: string,
): object {
  const fields = Object.entries(properties as Record<string, JsonSchema>);
  const needed = required as readonly string[];
  const isShown = (name: string) =>
    owner === undefined || needed.length === 0 || needed.includes(name) || isTelling(owner, name);
  const shown = fields.filter(([name]) => isShown(name));
  return Object.fromEntries(
    shown.map(([name, schema]) => [name, exampleOf(schema, schemas, owner && `${owner}.${name}`)]),
  );
}

function exampleOfText({ pattern, format }: JsonSchema): string {
  const prefix = /^\^([a-z]+)_\[/.exec(String(pattern))?.[1];
  if (prefix) return `${prefix}_${ID_TAIL}`;
  return byFormat[String(format)] ?? 'text';
}
