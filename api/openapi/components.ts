import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../http/route.ts';
import { wordsFor } from './words.ts';

/**
 * A schema as the document holds it: every constraint as it validates, each field with its words, and objects with a title moved to
 * `components` and referred to. Throws when two different objects have one title.
 */
export function place(
  schema: JsonSchema,
  owner: string,
  components: Record<string, JsonSchema>,
): JsonSchema {
  const { title } = schema;
  if (typeof title !== 'string') return placeInside(schema, owner, components);
  const placed = placeInside(schema, title, components);
  if (title in components && !isDeepStrictEqual(components[title], placed))
    throw new Error(`Two different objects are titled ${title}.`);
  components[title] = placed;
  return referTo('schemas', title);
}

/** A reference to a component. */
export function referTo(kind: string, name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const single = [
  'items',
  'additionalProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contains',
];
const listed = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const named = ['properties', 'patternProperties', 'dependentSchemas'];

function placeInside(
  schema: JsonSchema,
  owner: string,
  components: Record<string, JsonSchema>,
): JsonSchema {
  const inner = (value: unknown): unknown =>
    isSchema(value) ? place(value, owner, components) : value;
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (single.includes(keyword)) return [keyword, inner(value)];
    if (listed.includes(keyword)) return [keyword, (value as unknown[]).map(inner)];
    if (named.includes(keyword))
      return [keyword, placeFields(value as Record<string, JsonSchema>, owner, components)];
    return [keyword, value];
  });
  return Object.fromEntries(entries);
}

function placeFields(
  fields: Record<string, JsonSchema>,
  owner: string,
  components: Record<string, JsonSchema>,
): Record<string, JsonSchema> {
  const placed = Object.entries(fields).map(([name, schema]) => {
    const { examples, ...words } = wordsFor(owner, name);
    return [
      name,
      {
        ...words,
        ...(examples && !('const' in schema) ? { examples } : {}),
        ...place(schema, `${owner}.${name}`, components),
      },
    ];
  });
  return Object.fromEntries(placed);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
