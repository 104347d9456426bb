import { type ProblemCode, statusOf } from '../../domain/shared/problems.ts';
import type { AnyRoute, JsonSchema } from '../http/route.ts';
import { referTo } from './components.ts';
import { refusalHeaders } from './headers.ts';
import type { Answer, Operation } from './types.ts';

/** What each error code means to whoever gets it. */
export const meanings: Record<ProblemCode, string> = {
  validation_failed:
    'The body, the query or a header does not fit; `fields` names each one that does not.',
  unauthorized: 'The credential is missing, wrong, revoked, expired, or of another environment.',
  forbidden: 'The credential is good, but may not do this.',
  https_required: 'Plain http is taken on localhost, *.localhost and 127.0.0.1 only.',
  not_found:
    "There is no such object. Often a live reference is read with a test key, or the reverse; another tenant's objects are not found either.",
  method_not_allowed: 'The address exists, but not with this method. `Allow` lists those it has.',
  idempotency_conflict: 'The Idempotency-Key was used before, with a different body.',
  invalid_state: 'The object is not in a state in which this can be done.',
  payload_too_large: 'The body is larger than 100 kB.',
  unsupported_media_type: 'The body is not sent as JSON in UTF-8.',
  no_provider:
    "No payment provider is connected in the credential's mode, or not the one asked for.",
  rate_limited: 'Too many requests. `Retry-After` says in how many seconds to try again.',
  server_error: 'Something failed on our side. Repeat the request with the same Idempotency-Key.',
  unavailable:
    'The service cannot reach its database, or the provider it had to ask. Try again after `Retry-After` seconds.',
};

/** Codes with the status they are answered with. JSON that cannot be read is the one refusal with a status of its own. */
type Refusal = readonly [status: number, code: ProblemCode];
const unreadable: Refusal = [400, 'validation_failed'];

/** Every refusal this endpoint may answer with: what follows from its description, and what it adds. */
function refusalsOf({ method, credential, path, idempotent, refusals = [] }: AnyRoute): Refusal[] {
  // One that takes no fields reads what it is sent all the same.
  const readsBody = method !== 'get';
  const codes: ProblemCode[] = [
    ...([
      'unauthorized',
      'https_required',
      'validation_failed',
      'rate_limited',
      'server_error',
      'unavailable',
    ] as const),
    ...(credential === 'none' ? [] : (['forbidden'] as const)),
    ...(path.includes(':') ? (['not_found'] as const) : []),
    ...(readsBody ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(idempotent ? (['idempotency_conflict'] as const) : []),
    ...refusals,
  ];
  const all = [...new Set(codes)].map((code): Refusal => [statusOf[code], code]);
  return readsBody ? [unreadable, ...all] : all;
}

/** Answers of the document for everything an endpoint may refuse with, by status. */
export function refusalAnswers(route: AnyRoute): Operation['responses'] {
  const byStatus = Map.groupBy(refusalsOf(route), ([status]) => status);
  const answers = [...byStatus].map(([status, refusals]) => [
    status,
    referOrState(
      status,
      refusals.map(([, code]) => code),
    ),
  ]);
  return Object.fromEntries(answers);
}

/** Refusals that are the same everywhere stand once, among the components. */
const shared: Record<string, { status: number; codes: ProblemCode[] }> = {
  UnreadableBody: { status: 400, codes: ['validation_failed'] },
  Unauthorized: { status: 401, codes: ['unauthorized'] },
  Forbidden: { status: 403, codes: ['https_required', 'forbidden'] },
  NotFound: { status: 404, codes: ['not_found'] },
  MethodNotAllowed: { status: 405, codes: ['method_not_allowed'] },
  IdempotencyConflict: { status: 409, codes: ['idempotency_conflict'] },
  PayloadTooLarge: { status: 413, codes: ['payload_too_large'] },
  UnsupportedMediaType: { status: 415, codes: ['unsupported_media_type'] },
  ValidationFailed: { status: 422, codes: ['validation_failed'] },
  RateLimited: { status: 429, codes: ['rate_limited'] },
  ServerError: { status: 500, codes: ['server_error'] },
  Unavailable: { status: 503, codes: ['unavailable'] },
};

export function sharedAnswers(): Record<string, Answer> {
  return Object.fromEntries(
    Object.entries(shared).map(([name, { status, codes }]) => [name, answerOf(status, codes)]),
  );
}

function referOrState(status: number, codes: ProblemCode[]) {
  const name = Object.keys(shared).find(
    (key) => shared[key]!.status === status && shared[key]!.codes.join() === codes.join(),
  );
  return name ? referTo('responses', name) : answerOf(status, codes);
}

function answerOf(status: number, codes: ProblemCode[]): Answer {
  const description = codes.map((code) =>
    status === 400
      ? '`validation_failed`: the body is not readable JSON.'
      : `\`${code}\`: ${meanings[code]}`,
  );
  const narrowed = {
    type: 'object',
    properties: { error: { type: 'object', properties: { code: { enum: codes } } } },
  };
  const schema: JsonSchema = { allOf: [referTo('schemas', 'Error'), narrowed] };
  return {
    description: description.join(' '),
    headers: refusalHeaders(status),
    content: { 'application/json': { schema } },
  };
}

/** The body of every refusal. */
export const errorSchema: JsonSchema = {
  title: 'Error',
  description: 'What every refusal looks like.',
  type: 'object',
  additionalProperties: false,
  required: ['error'],
  properties: {
    error: {
      description: 'What went wrong.',
      type: 'object',
      additionalProperties: false,
      required: ['code', 'message'],
      properties: {
        code: { enum: Object.keys(statusOf), description: 'What a program decides by.' },
        message: {
          type: 'string',
          minLength: 1,
          description: 'What a person should read, in plain language.',
        },
        fields: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description:
            'Name of each field that does not fit (nested names dotted, headers under their own name) and what is wrong with it.',
        },
      },
      if: { type: 'object', properties: { code: { const: 'validation_failed' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { type: 'object', required: ['fields'], properties: { fields: true } },
    },
  },
};
