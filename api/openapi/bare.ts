import type { TSchema } from 'typebox';
import { type JsonSchema, plain } from '../http/schema.ts';

/** A schema without its description: parameters and headers are described beside their schema. */
export function bare(schema: TSchema): JsonSchema {
  const { description: _, ...rest } = plain(schema);
  return rest;
}
