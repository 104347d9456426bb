import Type from 'typebox';
import type { Payer } from '../../domain/payments/payment-link/open-charge.ts';
import { normalisePhone } from '../../domain/shared/phone.ts';
import { type Fields, Problem } from '../../domain/shared/problems.ts';
import { query, text } from '../http/schema.ts';
import { checkerOf } from '../http/validation.ts';

export type FormValues = { email: string; name: string; phone: string };

/** What is wrong with each field, as a sentence for payers. */
export type FormErrors = Partial<Record<keyof FormValues, string>>;

export const emptyForm: FormValues = { email: '', name: '', phone: '' };

/** A field sent twice counts once, the first; unknown fields are ignored. */
export function readForm(body: unknown): FormValues {
  const form = new URLSearchParams(typeof body === 'string' ? body : '');
  const fieldOf = (name: string) => (form.get(name) ?? '').trim();
  return { email: fieldOf('email'), name: fieldOf('name'), phone: fieldOf('phone') };
}

const check = checkerOf(
  query({
    email: text(254, { format: 'email' }),
    name: Type.Optional(text(100)),
    phone: Type.Optional(text(40, { format: 'phone' })),
  }),
);

export function payerOf(values: FormValues): { payer: Payer } | { errors: FormErrors } {
  const { email, name, phone } = values;
  try {
    check({ email, ...(name && { name }), ...(phone && { phone }) });
    return { payer: { email, name: name || null, phone: phone ? normalisePhone(phone) : null } };
  } catch (error) {
    if (error instanceof Problem && error.fields)
      return { errors: sentencesOf(error.fields, email) };
    throw error;
  }
}

function sentencesOf(fields: Fields, email: string): FormErrors {
  const sentences: Required<FormErrors> = {
    email:
      email === ''
        ? 'Enter your e-mail address.'
        : 'Enter an e-mail address like name@example.com.',
    name: 'Enter a name of at most 100 characters, or leave it empty.',
    phone: 'Enter a phone number like 0803 123 4567, or leave it empty.',
  };
  return Object.fromEntries(Object.entries(sentences).filter(([name]) => name in fields));
}
