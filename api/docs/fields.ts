import { ruleOf } from '../http/formats.ts';
import type { JsonSchema } from '../http/schema.ts';

export interface FieldRow {
  /** Dotted, for a field of a field. */
  name: string;
  required: boolean;
  type: string;
  /** Has a table of its own. */
  object?: string;
  /** What values may be, e.g. `1 to 100 characters`. */
  limits: string[];
  description: string;
}

/** Fields of an object without a title follow the field they are in. */
export function rowsOf({ properties = {}, required = [] }: JsonSchema, prefix = ''): FieldRow[] {
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, schema]) => {
    const row = rowOf(`${prefix}${name}`, schema, (required as readonly string[]).includes(name));
    return [row, ...(schema.properties ? rowsOf(schema, `${prefix}${name}.`) : [])];
  });
}

export function rowOf(name: string, schema: JsonSchema, required: boolean): FieldRow {
  const object = objectIn(schema);
  const description = String(schema.description ?? '');
  return {
    name,
    required,
    type: typeOf(schema),
    ...(object ? { object } : {}),
    limits: limitsOf(schema),
    description,
  };
}

export function titleIn({ $ref }: JsonSchema): string | undefined {
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
}

function objectIn(schema: JsonSchema): string | undefined {
  const inner = [
    schema,
    ...choicesOf(schema),
    ...(schema.items ? [schema.items as JsonSchema] : []),
  ];
  return inner.map(titleIn).find(Boolean);
}

function choicesOf({ anyOf }: JsonSchema): JsonSchema[] {
  return Array.isArray(anyOf) ? anyOf : [];
}

function typeOf(schema: JsonSchema): string {
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.map(typeOf).join(' or ');
  const { type, items, enum: values, format } = schema;
  if (schema.$ref) return titleIn(schema)!;
  if (type === 'array') return `list of ${typeOf(items as JsonSchema)}`;
  if (Array.isArray(type))
    return type
      .map((name) => (name === 'array' ? typeOf({ ...schema, type: name }) : name))
      .join(' or ');
  if (type === undefined) return Array.isArray(values) || 'const' in schema ? 'string' : 'anything';
  return format === 'date-time' ? 'time' : String(type);
}

function limitsOf(schema: JsonSchema): string[] {
  const {
    minimum,
    maximum,
    minLength,
    maxLength,
    minItems,
    maxItems,
    maxProperties,
    enum: values,
    format,
    pattern,
  } = schema;
  const own = [
    ...(Array.isArray(values) ? [values.map((value) => `\`${value}\``).join(' | ')] : []),
    ...('const' in schema ? [`\`${schema.const}\``] : []),
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, 'characters'),
    ...range(minItems, maxItems, 'entries'),
    ...range(undefined, maxProperties, 'entries'),
    ...formatWords(format),
    ...(format === undefined ? patternWords(pattern) : []),
    ...('default' in schema ? [`default ${schema.default}`] : []),
  ];
  const inner = [...choicesOf(schema), ...(schema.items ? [schema.items as JsonSchema] : [])];
  return [...own, ...inner.flatMap((choice) => (choice.$ref ? [] : limitsOf(choice)))];
}

function range(least: unknown, most: unknown, of: string): string[] {
  const shown = (value: unknown) => Number(value).toLocaleString('en');
  const unit = of && ` ${of}`;
  if (least === undefined) return most === undefined ? [] : [`at most ${shown(most)}${unit}`];
  if (most !== undefined) return [`${shown(least)} to ${shown(most)}${unit}`];
  return least === 0 ? [] : [`at least ${shown(least)}${unit}`];
}

/** Every text a caller sends is well-formed Unicode without NUL: the table does not repeat it. */
function formatWords(format: unknown): string[] {
  if (format === 'date-time') return ['ISO 8601, UTC'];
  const rule = format === 'text' ? undefined : ruleOf(String(format));
  return rule === undefined ? [] : [rule.replace(/^must be /, '')];
}

function patternWords(pattern: unknown): string[] {
  const prefix = /^\^([a-z]+_)\[/.exec(String(pattern))?.[1];
  if (prefix) return [`\`${prefix}…\``];
  return pattern === undefined ? [] : [knownPatterns[String(pattern)] ?? `matches \`${pattern}\``];
}

const knownPatterns: Record<string, string> = {
  '^[ -~]+$': 'printable ASCII',
  '^SV-[1-9][0-9]*$': '`SV-<number>`',
};
