import { testScenarios } from '../../domain/shared/test-scenarios.ts';
import type { Route } from '../http/route.ts';
import { bare, id } from '../http/schema.ts';
import { referTo } from './components.ts';
import type { Header, Parameter, Reference } from './types.ts';

const count = { type: 'integer', minimum: 0 };
const always = ['Request-Id', 'X-Service-Tenant'];
const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

export const headers: Record<string, Header> = {
  'Request-Id': {
    required: true,
    description: 'Names this request. Quote it when you ask for support.',
    schema: bare(id('req')),
  },
  'X-Service-Tenant': {
    required: true,
    description:
      'The tenant whose data was asked for; `ten_` and 26 zeros when no known credential was sent.',
    schema: bare(id('ten')),
  },
  'Idempotent-Replayed': {
    required: false,
    description: '`true` when this is the first answer again, of an Idempotency-Key used before.',
    schema: { type: 'string', const: 'true' },
  },
  'Retry-After': {
    required: true,
    description: 'Seconds to wait before trying again.',
    schema: count,
  },
  'X-RateLimit-Limit': {
    required: false,
    description: 'Requests this credential may make in a window.',
    schema: count,
  },
  'X-RateLimit-Remaining': {
    required: false,
    description: 'Requests left in this window.',
    schema: count,
  },
  'X-RateLimit-Reset': {
    required: false,
    description: 'Seconds until the window ends.',
    schema: count,
  },
};

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A name of your choice for this creation, 1 to 120 printable ASCII characters. ' +
    'Same key and same body: the first answer again. Same key and another body: 409.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 120,
    pattern: '^[ -~]+$',
    examples: ['8e03978e-40d5-43e8-bc93-6894a57f9324'],
  },
};

export const testScenario: Parameter = {
  name: 'Test-Scenario',
  in: 'header',
  required: false,
  description:
    'What the sandbox’s customer, bank and provider do with this charge, without a browser and ' +
    'within seconds. In test mode, on a connection to the sandbox. `/docs/testing` says what ' +
    'comes of each.',
  schema: { type: 'string', enum: [...testScenarios], examples: ['paid'] },
};

/** Limits are shown to callers with a credential only. */
export function answerHeaders({ credential, idempotent }: Route): Record<string, Reference> {
  return refer([
    ...always,
    ...(credential === 'none' ? [] : limits),
    ...(idempotent ? ['Idempotent-Replayed'] : []),
  ]);
}

export function refusalHeaders(status: number): Record<string, Reference> {
  return refer([
    ...always,
    ...(status === 401 ? [] : limits),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
  ]);
}

function refer(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, referTo('headers', name)]));
}
