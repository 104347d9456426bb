import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import type { Mode } from '../../domain/shared/reader.ts';
import { type Slot, slots } from '../../domain/shared/slot.ts';

export type JsonSchema = Record<string, unknown>;

export const plain = (schema: TSchema): JsonSchema => ({ ...schema });

/** A schema without its description: parameters and headers are described beside their schema. */
export function bare(schema: TSchema): JsonSchema {
  const { description: _, ...rest } = plain(schema);
  return rest;
}

export type Doc = { description?: string; examples?: readonly unknown[] };

/** Bounded, and of characters that the database takes. */
export const text = (maxLength: number, doc: Doc & { format?: string } = {}) =>
  Type.String({ minLength: 1, maxLength, format: 'text', ...doc });

export const string = (description: string, doc: Doc = {}) => Type.String({ description, ...doc });

const ID_FORM = '[0-7][0-9a-hjkmnp-tv-z]{25}';
/** 26 characters as an identifier has them. */
export const ID_EXAMPLE = '01k2v8n0d4e7g9h3j5m6p8q1rs';

export const id = (
  prefix: string,
  description = 'Identifier: a prefix that names the kind, and 26 characters.',
) =>
  Type.String({
    description,
    pattern: `^${prefix}_${ID_FORM}$`,
    examples: [`${prefix}_${ID_EXAMPLE}`],
  });

export const reference = (description = 'Service reference, `SV-<number>`.') =>
  Type.String({ description, pattern: '^SV-[1-9][0-9]*$', examples: ['SV-100001'] });

/** A filter: only what belongs to one charge. */
export const ofCharge = (description: string) =>
  Type.Optional(text(100, { format: 'service-reference', description, examples: ['SV-100001'] }));

/** Integer kobo, which outgrow 32 bits at ₦21,474,836.47. */
export const signedKobo = (description: string, example: number) =>
  Type.Integer({ description, format: 'int64', examples: [example] });

export const kobo = (
  description: string,
  example: number,
  limits: { minimum: number; maximum?: number } = { minimum: 0 },
) => Type.Integer({ description, format: 'int64', ...limits, examples: [example] });

export const count = (description: string, example = 0) =>
  Type.Integer({ description, minimum: 0, examples: [example] });

/** ISO 8601 in UTC. */
export const time = (description: string) =>
  Type.String({ description, format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] });

export const day = (description: string, example = '2026-01-31') =>
  Type.String({ description, format: 'date', examples: [example] });

/** `title` names the enumeration in the API document. */
export const choice = <const Word extends string>(
  title: string,
  words: readonly Word[],
  doc: Doc = {},
) => Type.Unsafe<Word>({ title, type: 'string', enum: words, ...doc });

export const kind = <const Name extends string>(name: Name) =>
  Type.Literal(name, { description: 'The kind of object.' });

export const mode = (description = '`live` or `test`: the mode of the credential that made it.') =>
  choice<Mode>('Mode', ['live', 'test'], { description, examples: ['test'] });

/** A filter that may be repeated: any of these words. */
export const anyOf = <Word extends string>(
  description: string,
  word: ReturnType<typeof choice<Word>>,
) =>
  Type.Optional(
    Type.Array(word, {
      description,
      minItems: 1,
      maxItems: (plain(word).enum as readonly Word[]).length,
      uniqueItems: true,
    }),
  );

export const currency = () => string('ISO 4217 code.', { examples: ['NGN'] });

export const provider = (description = 'The connected payment provider, by its slot.') =>
  choice<Slot>('Provider', slots, { description, examples: ['provider_a'] });

/**
 * Pairs with values of this schema. Generators read `additionalProperties` alone, and make a value
 * of any type of it; of several types they make one that takes texts only.
 */
export const anyKeys = (value: JsonSchema) => ({
  additionalProperties: true,
  patternProperties: { '^': value },
});

/** A schema with a name of its own stays one, so null stands beside it. */
export function nullable<T extends TSchema>(schema: T, doc: Doc = {}) {
  const { description, examples, ...rest } = plain(schema);
  const words = {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
  };
  const either =
    rest.title === undefined
      ? { ...rest, type: [rest.type, 'null'] }
      : { anyOf: ['enum' in rest ? rest : schema, { type: 'null' }] };
  return Type.Unsafe<Static<T> | null>({ ...words, ...either, ...doc });
}

export const nullInExample = <T extends TSchema>(schema: T) =>
  nullable(schema, { examples: [null] });

/** Any other field is refused. */
export const query = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

/** `title`: its name in the API document. */
export const body = <Fields extends TProperties>(title: string, fields: Fields, doc: Doc = {}) =>
  Type.Object(fields, { title, additionalProperties: false, ...doc });

/** Later versions may add fields. */
export const object = <Fields extends TProperties>(
  title: string,
  description: string,
  fields: Fields,
) => Type.Object(fields, { title, description, additionalProperties: true });

/** Its kind and identifier come first, its mode last. */
export const resource = <const Kind extends string, Fields extends TProperties>(
  { title, object: name, prefix }: { title: string; object: Kind; prefix: string },
  description: string,
  fields: Fields,
) => object(title, description, { object: kind(name), id: id(prefix), ...fields, mode: mode() });

export const listOf = <Item extends TSchema>(title: string, item: Item, description: string) =>
  object(title, description, {
    data: Type.Array(item, { description: 'The objects of this page.' }),
    next_cursor: Type.Optional(
      Type.String({ description: 'Leads to the next page; absent at the end of the list.' }),
    ),
    tenant_id: tenantId(),
  });

export const tenantId = () => id('ten', 'The merchant’s business.');
