import { Ajv, type ErrorObject } from 'ajv';
import Type, { type Static, type TObject, type TProperties } from 'typebox';
import type { Answer, SandboxContext } from '../context.ts';
import { findMeant, isPaid } from '../payments.ts';
import type { Payment } from '../records.ts';
import { Refusal } from '../wire.ts';

export interface Operation {
  method: 'get' | 'post';
  path: string;
  /** Undefined when an input may pass, else the sentence that names the field at fault. */
  check(input: unknown): string | undefined;
  handle(context: SandboxContext, input: never): Answer;
}

/** `fields` describes the body of a POST and the query of a GET. */
export function operation<Fields extends TProperties>(
  method: 'get' | 'post',
  path: string,
  fields: Fields,
  handle: (context: SandboxContext, input: Static<TObject<Fields>>) => Answer,
): Operation {
  const validate = ajv.compile(Type.Object(fields, { additionalProperties: false }));
  const check = (input: unknown) => (validate(input) ? undefined : explain(validate.errors![0]!));
  return { method, path, check, handle };
}

/** What happens to one payment: `SV-<n>` means its newest paid attempt, else its newest. */
export function paymentOperation<Fields extends TProperties>(
  path: string,
  fields: Fields,
  handle: (
    context: SandboxContext,
    payment: Payment,
    input: Static<TObject<Fields & { reference: typeof reference }>>,
  ) => Answer,
): Operation {
  return operation('post', path, { ...fields, reference }, (context, input) => {
    const { reference: wanted } = input as { reference: string };
    const payments = findMeant(context.store, wanted);
    const payment = payments.find(isPaid) ?? payments[0];
    if (!payment) return refuse(404, `no payment of reference ${wanted}`);
    return handle(context, payment, input as never);
  });
}

const ajv = new Ajv({ allowUnionTypes: true, formats: { instant: isInstant } });

function explain({ instancePath, keyword, params, message }: ErrorObject): string {
  const path = instancePath.slice(1).replaceAll('/', '.');
  const field = path || 'body';
  const inside = path && `${path}.`;
  if (keyword === 'required') return `${inside}${params.missingProperty} is required`;
  if (keyword === 'additionalProperties')
    return `${inside}${params.additionalProperty} is not a field here`;
  if (keyword === 'format') return `${field} must be an ISO time like 2026-03-02T09:00:00Z`;
  if (keyword === 'enum') return `${field} must be one of ${params.allowedValues.join(', ')}`;
  return `${field} ${message}`;
}

function isInstant(text: string): boolean {
  const pattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;
  return pattern.test(text) && !Number.isNaN(Date.parse(text));
}

// The fields that several operations share.
export const reference = Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000]*$' });
export const providerNames = ['paystack', 'flutterwave', 'monnify'] as const;
export const slots = ['provider_a', 'provider_b', 'provider_c'] as const;
export const provider = Type.Enum([...providerNames, ...slots]);
export const account = Type.Optional(kobo(1));
export const channel = Type.Optional(
  Type.Enum(['card', 'bank_transfer', 'ussd', 'qr', 'mobile_money', 'other']),
);
export const settlementStatus = Type.Optional(Type.Enum(['landed', 'pending', 'failed']));
export const time = Type.Optional(Type.String({ format: 'instant' }));
export const flag = Type.Optional(Type.Boolean());

export function kobo(minimum: number) {
  return Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER });
}

/** Fields of a document in the spelling of the control side. */
export function snakeCase<T extends object>(document: T, ...names: (keyof T & string)[]): object {
  const spelled = (name: string) =>
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(names.map((name) => [spelled(name), document[name]]));
}

export const ok = (body: unknown): Answer => ({ status: 200, body });

export function refuse(status: number, error: string): never {
  throw new Refusal({ status, body: { error } });
}
