import type { JsonSchema } from '../http/schema.ts';

/** An exported declaration of a schema in the document's components. */
export function declarationOf(name: string, schema: JsonSchema): string {
  const doc = docOf(schema.description, '');
  return schema.properties && !isNullable(schema)
    ? `${doc}export interface ${name} ${typeOf(schema)}\n`
    : `${doc}export type ${name} = ${typeOf(schema)};\n`;
}

/** The TypeScript type of what a schema of the document describes. */
export function typeOf(schema: JsonSchema, indent = ''): string {
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1)!;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (choices) return union(choices.map((choice) => typeOf(choice, indent)));
  if (Array.isArray(schema.type))
    return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)));
  switch (schema.type) {
    case 'object':
      return schema.properties ? fieldsOf(schema, indent) : recordOf(schema, indent);
    case 'array': {
      const item = typeOf(schema.items as JsonSchema, indent);
      return item.includes('|') ? `(${item})[]` : `${item}[]`;
    }
    case 'integer':
      return 'number';
    default:
      return String(schema.type ?? 'unknown');
  }
}

/** A JSDoc comment, with its line break. */
export function docOf(text: unknown, indent: string): string {
  return text ? `${indent}/** ${String(text).replaceAll('*/', '*\\/')} */\n` : '';
}

function fieldsOf({ properties, required = [] }: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => {
    const mark = (required as readonly string[]).includes(name) ? '' : '?';
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    return `${docOf(schema.description, inner)}${inner}${key}${mark}: ${typeOf(schema, inner)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

function recordOf({ patternProperties, additionalProperties }: JsonSchema, indent: string): string {
  const values = (patternProperties as JsonSchema | undefined)?.['^'] ?? additionalProperties;
  const type = typeof values === 'object' ? typeOf(values as JsonSchema, indent) : 'unknown';
  return `Record<string, ${type}>`;
}

function isNullable({ type }: JsonSchema): boolean {
  return Array.isArray(type);
}

const union = (types: readonly string[]) => [...new Set(types)].join(' | ');
