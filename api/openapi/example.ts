import type { JsonSchema } from '../http/schema.ts';

/**
 * Accepted by the schema: its own `examples`, else made up. `isRequest`: optional fields appear
 * only where their schema brings an example.
 */
export function exampleOf(
  schema: JsonSchema,
  schemas: Record<string, JsonSchema>,
  { isRequest = false } = {},
): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if ('default' in schema) return schema.default;
  if (typeof schema.$ref === 'string') return exampleOf(referred(schema, schemas), schemas);
  if (Array.isArray(schema.oneOf)) return exampleOf(schema.oneOf[0], schemas);
  if (canBeNull(schema)) return null;
  switch (schema.type) {
    case 'object':
      return exampleOfObject(schema, schemas, isRequest);
    case 'array':
      return [exampleOf(schema.items as JsonSchema, schemas)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'string':
      return 'text';
    default:
      return null;
  }
}

function referred({ $ref }: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  return schemas[String($ref).split('/').at(-1)!]!;
}

function canBeNull({ type, anyOf = [] }: JsonSchema): boolean {
  if (Array.isArray(type)) return type.includes('null');
  return (anyOf as JsonSchema[]).some((choice) => choice.type === 'null');
}

function exampleOfObject(
  { properties = {}, required = [] }: JsonSchema,
  schemas: Record<string, JsonSchema>,
  isRequest: boolean,
): object {
  const needed = required as readonly string[];
  const isShown = ([name, schema]: [string, JsonSchema]) =>
    needed.includes(name) || (isRequest ? 'examples' in schema : name !== 'next_cursor');
  const fields = Object.entries(properties as Record<string, JsonSchema>).filter(isShown);
  return Object.fromEntries(fields.map(([name, schema]) => [name, exampleOf(schema, schemas)]));
}
