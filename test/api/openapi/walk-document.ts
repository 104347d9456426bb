import { formats } from '../../../api/http/formats.ts';
import type { JsonSchema } from '../../../api/http/schema.ts';
import type { Method, Operation, Parameter } from '../../../api/openapi/types.ts';
import { openApi, pointerOf } from '../../support/openapi.ts';

export const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method: method as Method,
    operation,
  })),
);
export const parametersOf = ({ parameters }: Operation) =>
  parameters.filter((parameter): parameter is Parameter => !('$ref' in parameter));

export function everySchema(): { pointer: string; schema: JsonSchema }[] {
  const found: { pointer: string; schema: JsonSchema }[] = [];
  const visit = (value: unknown, pointer: string) => {
    if (typeof value !== 'object' || value === null) return;
    const schema = value as JsonSchema;
    if ('type' in schema || 'enum' in schema || 'const' in schema || 'anyOf' in schema)
      found.push({ pointer, schema });
    for (const [name, inner] of Object.entries(schema))
      if (!['examples', 'example', 'enum'].includes(name)) visit(inner, pointer + pointerOf(name));
  };
  const { components, paths, 'x-webhooks': webhooks } = openApi;
  visit({ components: { schemas: components.schemas }, paths, 'x-webhooks': webhooks }, '');
  return found.filter(({ pointer }) => !/\/properties$/.test(pointer));
}

const { schemas } = openApi.components;

/**
 * A schema for comparison: components in place of references to them, without what only the
 * document says (texts, names, patterns of formats) and the patterns it leaves out.
 */
export function comparable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(comparable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, alternatives, ...own } = schema as JsonSchema;
  if (alternatives) return { oneOf: comparable(alternatives) };
  const whole = { ...schemas[String($ref).split('/').at(-1)!], ...own };
  const { description, examples, title, pattern, discriminator, properties, ...more } = whole;
  const isShown = pattern && !formats[String(more.format)] && !Array.isArray(more.type);
  const kept = {
    ...more,
    ...(isShown ? { pattern } : {}),
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
