import { Ajv, type ErrorObject, type SchemaObject } from 'ajv';
import type { Answer, SandboxContext } from '../context.ts';

/**
 * One endpoint of the control side. `fields` describes the body of a POST and the query of a GET.
 */
export interface ControlRoute {
  method: 'get' | 'post';
  path: string;
  fields: Record<string, SchemaObject>;
  required?: string[];
  handle(context: SandboxContext, input: never): Promise<Answer>;
}

const ajv = new Ajv({ allowUnionTypes: true, formats: { instant: isInstant } });

/**
 * Builds the check of a route's input: undefined when it may pass, else the sentence that names the
 * field at fault.
 */
export function inputCheck(route: ControlRoute): (input: unknown) => string | undefined {
  const schema = {
    type: 'object',
    properties: route.fields,
    required: route.required ?? [],
    additionalProperties: false,
  };
  const validate = ajv.compile(schema);
  return (input) => (validate(input) ? undefined : explain(validate.errors![0]!));
}

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
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  );
}

// The fields that several routes share.
export const referenceField = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\u0000]*$',
};
export const providerNames = ['paystack', 'flutterwave', 'monnify'];
export const providerField = { enum: [...providerNames, 'provider_a', 'provider_b', 'provider_c'] };
export const koboField = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
export const accountField = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
export const channelField = {
  enum: ['card', 'bank_transfer', 'ussd', 'qr', 'mobile_money', 'other'],
};
export const statusField = { enum: ['landed', 'pending', 'failed'] };
export const timeField = { type: 'string', format: 'instant' };
export const rateField = { type: 'number', minimum: 0, maximum: 1 };

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

export function refuse(status: number, error: string): Answer {
  return { status, body: { error } };
}
