import { isDeepStrictEqual } from 'node:util';
import { formats } from '../http/formats.ts';
import type { JsonSchema } from '../http/schema.ts';

/** Titled schemas move to `components`. Throws when two different ones have one title. */
export function documented(schema: object, components: Record<string, JsonSchema>): JsonSchema {
  const { title, ...rest } = schema as JsonSchema;
  if (typeof title !== 'string') return withPattern(inside(rest, components));
  const { own, beside } = Array.isArray(rest.enum) ? wordsBeside(rest) : { own: rest, beside: {} };
  const component = { title, ...inside(own, components) };
  if (title in components && !isDeepStrictEqual(components[title], component))
    throw new Error(`Two different schemas are titled ${title}.`);
  components[title] = component;
  return { ...beside, ...referTo('schemas', title) };
}

export function referTo(kind: string, name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The description stands beside each reference. */
function wordsBeside({ description, examples, ...own }: JsonSchema) {
  const beside = {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
  };
  return { own, beside };
}

function inside(schema: JsonSchema, components: Record<string, JsonSchema>): JsonSchema {
  const { alternatives, ...own } = schema;
  if (Array.isArray(alternatives)) {
    const { description } = own;
    return { description, oneOf: alternatives.map((one) => documented(one, components)) };
  }
  if (own.discriminator) return unionOf(own, components);
  const shown = Object.entries(own).map(([keyword, value]) => {
    if (keyword === 'properties') {
      const fields = fieldsOf(value as Fields, components);
      return [
        keyword,
        own.additionalProperties === true ? withoutNullablePatterns(fields) : fields,
      ];
    }
    return [keyword, dataKeywords.has(keyword) ? value : inner(value, components)];
  });
  return Object.fromEntries(shown);
}

/** Of answers: Go's validator refuses every text that has a pattern and may be null. */
function withoutNullablePatterns(fields: Fields): Fields {
  const shown = Object.entries(fields).map(([name, { pattern, ...field }]) => {
    const hasPattern = pattern !== undefined && !Array.isArray(field.type);
    return [name, hasPattern ? { ...field, pattern } : field];
  });
  return Object.fromEntries(shown);
}

/** Keywords that hold values, not schemas. */
const dataKeywords = new Set(['examples', 'default', 'const', 'enum', 'required']);

/** Anything but schemas stays as it is. */
function inner(value: unknown, components: Record<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((item) => inner(item, components));
  return isSchema(value) ? documented(value, components) : value;
}

/** Generators need to know which value names which schema. */
function unionOf(schema: JsonSchema, components: Record<string, JsonSchema>): JsonSchema {
  const members = schema.oneOf as JsonSchema[];
  const { propertyName } = schema.discriminator as { propertyName: string };
  const refs = members.map((member) => documented(member, components));
  const mapping = members.map((member, index) => [
    ((member.properties as Fields)[propertyName] as JsonSchema).const,
    refs[index]!.$ref,
  ]);
  return {
    ...schema,
    oneOf: refs,
    discriminator: { propertyName, mapping: Object.fromEntries(mapping) },
  };
}

type Fields = Record<string, JsonSchema>;

function fieldsOf(fields: Fields, components: Record<string, JsonSchema>): Fields {
  const shown = Object.entries(fields).map(([name, schema]) => {
    const { description } = schema;
    const words = description === undefined ? {} : { description };
    return [name, { ...words, ...documented(schema, components) }];
  });
  return Object.fromEntries(shown);
}

/** A date is one by its format: PHP makes an object of it, which it cannot match with a pattern. */
function withPattern(schema: JsonSchema): JsonSchema {
  const pattern = schema.format === 'date' ? undefined : formats[String(schema.format)]?.pattern;
  return pattern === undefined || schema.pattern !== undefined ? schema : { ...schema, pattern };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}
