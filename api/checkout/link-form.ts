import Type from 'typebox';
import type { Payer } from '../../domain/payments/payment-link/collect.ts';
import { type Fields, Problem } from '../../domain/shared/problems.ts';
import { query, text } from '../http/schema.ts';
import { checkerOf } from '../http/validation.ts';

/** What a payer typed, as it is shown again when something of it will not do. */
export interface Typed {
  email: string;
  name: string;
}

/** What is wrong with each field, in a payer's words. */
export type FormErrors = Partial<Record<keyof Typed, string>>;

export const nothingTyped: Typed = { email: '', name: '' };

/** Reads a form's body; of a field sent twice the first counts, and fields that are none of ours are nobody's. */
export function readTyped(body: unknown): Typed {
  const form = new URLSearchParams(typeof body === 'string' ? body : '');
  const fieldOf = (name: string) => (form.get(name) ?? '').trim();
  return { email: fieldOf('email'), name: fieldOf('name') };
}

const check = checkerOf(
  query({ email: text(254, { format: 'email' }), name: Type.Optional(text(100)) }),
);

/** The payer a form names, held to the formats of the API, or what is wrong with it. */
export function payerOf({ email, name }: Typed): { payer: Payer } | { errors: FormErrors } {
  try {
    check({ email, ...(name === '' ? {} : { name }) });
    return { payer: { email, name: name || null } };
  } catch (error) {
    if (error instanceof Problem && error.fields) return { errors: inWords(error.fields, email) };
    throw error;
  }
}

function inWords(fields: Fields, email: string): FormErrors {
  const wrongEmail =
    email === '' ? 'Enter your e-mail address.' : 'Enter an e-mail address like name@example.com.';
  return {
    ...('email' in fields && { email: wrongEmail }),
    ...('name' in fields && { name: 'Enter a name of at most 100 characters, or leave it empty.' }),
  };
}
