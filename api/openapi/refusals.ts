import Type from 'typebox';
import { type Fields, type ProblemCode, statusOf } from '../../domain/shared/problems.ts';
import type { Route } from '../http/route.ts';
import { choice, object } from '../http/schema.ts';
import { documented, referTo } from './components.ts';
import { refusalHeaders } from './headers.ts';
import type { Answer, Components, Operation } from './types.ts';

export const meanings: Record<ProblemCode, string> = {
  validation_failed:
    'The body, the query or a header is not valid; `fields` names each wrong field.',
  unauthorized: 'The credential is missing, wrong, revoked, expired, or of another environment.',
  forbidden: 'The credential is valid, but may not do this.',
  https_required: 'Plain http is accepted on localhost, *.localhost and 127.0.0.1 only.',
  not_found:
    'There is no such object. Often a live reference is read with a test key, or the reverse; ' +
    "another tenant's objects are not found either.",
  method_not_allowed: 'The address exists, but not with this method. `Allow` lists those it has.',
  idempotency_conflict:
    'The Idempotency-Key was used before, with a different body, or its answer showed a secret ' +
    'and is not kept any longer.',
  invalid_state: 'The object is not in a state in which this can be done.',
  payload_too_large: 'The body is larger than 100 kB, a picture than 200 kB, or a file than 2 MB.',
  unsupported_media_type: 'The body is not sent as JSON in UTF-8.',
  no_provider:
    "No payment provider is connected in the credential's mode, or not the one asked for.",
  rate_limited: 'Too many requests. `Retry-After` says in how many seconds to try again.',
  server_error: 'Something failed on our side. Repeat the request with the same Idempotency-Key.',
  unavailable:
    'The service cannot reach its database, or the provider it had to ask, or a list needed too ' +
    'long: ask for fewer days or use more filters. Try again after `Retry-After` seconds.',
};

/** JSON that cannot be read has a status of its own. */
type Refusal = readonly [status: number, code: ProblemCode];
const unreadable: Refusal = [400, 'validation_failed'];

/** Refusals that follow from the endpoint's record, and those that the record adds. */
export function refusalsOf({ method, credential, path, idempotent, image, refusals = [] }: Route) {
  // An endpoint without fields reads the body all the same.
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
    ...(readsBody ? (['payload_too_large'] as const) : []),
    ...(readsBody && !image ? (['unsupported_media_type'] as const) : []),
    ...(idempotent ? (['idempotency_conflict'] as const) : []),
    ...refusals,
  ];
  const all = [...new Set(codes)].map((code): Refusal => [statusOf[code], code]);
  return readsBody && !image ? [unreadable, ...all] : all;
}

/** Refusals by status. */
export function refusalAnswers(route: Route): Operation['responses'] {
  const byStatus = Map.groupBy(refusalsOf(route), ([status]) => status);
  const answers = [...byStatus].map(([status, refusals]) => {
    const codes = refusals.map(([, code]) => code);
    const name = sharedName(status, codes);
    return [status, name ? referTo('responses', name) : answerOf(status, codes)];
  });
  return Object.fromEntries(answers);
}

/** Defined once, among the components. */
const shared: Record<string, { status: number; codes: ProblemCode[] }> = {
  UnreadableBody: { status: 400, codes: ['validation_failed'] },
  Unauthorized: { status: 401, codes: ['unauthorized'] },
  HttpsRequired: { status: 403, codes: ['https_required'] },
  Forbidden: { status: 403, codes: ['https_required', 'forbidden'] },
  NotFound: { status: 404, codes: ['not_found'] },
  IdempotencyConflict: { status: 409, codes: ['idempotency_conflict'] },
  InvalidState: { status: 409, codes: ['invalid_state'] },
  Conflict: { status: 409, codes: ['idempotency_conflict', 'invalid_state'] },
  PayloadTooLarge: { status: 413, codes: ['payload_too_large'] },
  UnsupportedMediaType: { status: 415, codes: ['unsupported_media_type'] },
  ValidationFailed: { status: 422, codes: ['validation_failed'] },
  NoProvider: { status: 422, codes: ['validation_failed', 'no_provider'] },
  RateLimited: { status: 429, codes: ['rate_limited'] },
  ServerError: { status: 500, codes: ['server_error'] },
  Unavailable: { status: 503, codes: ['unavailable'] },
};

export function sharedAnswers(): Record<string, Answer> {
  return Object.fromEntries(
    Object.entries(shared).map(([name, { status, codes }]) => [name, answerOf(status, codes)]),
  );
}

function sharedName(status: number, codes: readonly ProblemCode[]): string | undefined {
  return Object.keys(shared).find(
    (name) => shared[name]!.status === status && shared[name]!.codes.join() === codes.join(),
  );
}

function answerOf(status: number, codes: readonly ProblemCode[]): Answer {
  const description = codes.map((code) =>
    status === 400
      ? '`validation_failed`: the body is not readable JSON.'
      : `\`${code}\`: ${meanings[code]}`,
  );
  const example = { error: exampleOf(codes[0]!) };
  return {
    description: description.join(' '),
    headers: refusalHeaders(status),
    content: { 'application/json': { schema: referTo('schemas', 'Error'), example } },
  };
}

function exampleOf(code: ProblemCode) {
  const message = meanings[code].replaceAll('`', '');
  return code === 'validation_failed'
    ? { code, message, fields: { amount_kobo: 'must be at least 100 naira (10000 kobo)' } }
    : { code, message };
}

const problem = object('Problem', 'What went wrong.', {
  code: choice('ErrorCode', Object.keys(statusOf), {
    description: 'The code that programs decide by.',
  }),
  message: Type.String({ description: 'The reason in plain language, for people.', minLength: 1 }),
  fields: Type.Optional(
    Type.Unsafe<Fields>({
      description:
        'The name of each wrong field (nested names dotted, headers under their own name) and ' +
        'what is wrong with it. Present for `validation_failed` only.',
      type: 'object',
      additionalProperties: { type: 'string' },
    }),
  ),
});

export function addErrorSchema(schemas: Components['schemas']): void {
  documented(object('Error', 'The body of every refusal.', { error: problem }), schemas);
}
