import { expect } from 'chai';
import { NIL_TENANT_ID } from '../../domain/shared/ids.ts';
import type { Answer } from './api.ts';
import { type WithDatabase, writingNothing } from './row-counts.ts';

/** Expects the headers of every answer below /v1; `tenantId` null: no known credential. */
export function expectContractHeaders(
  { headers }: Pick<Answer, 'headers'>,
  tenantId: string | null,
): void {
  expect(headers.get('request-id'), 'Request-Id').to.match(/^req_[0-7][0-9a-z]{25}$/);
  expect(headers.get('x-service-tenant'), 'X-Service-Tenant').to.equal(tenantId ?? NIL_TENANT_ID);
  expect(headers.get('x-content-type-options'), 'X-Content-Type-Options').to.equal('nosniff');
  expect(headers.get('content-type'), 'Content-Type').to.equal('application/json; charset=utf-8');
  expect(headers.get('cache-control'), 'Cache-Control').to.equal('no-store');
  expect(headers.get('x-powered-by'), 'X-Powered-By').to.equal(null);
  if (tenantId === null) return;
  for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'])
    expect(headers.get(name), name).to.match(/^\d+$/);
}

/**
 * An error as the contract has it: its status, a code, a sentence for people, `fields` where fields
 * are named, and nothing of our insides.
 */
export function expectError(
  answer: Answer,
  status: number,
  code: string,
  fields?: readonly string[],
): void {
  expect(
    { status: answer.status, code: answer.json?.error?.code },
    answer.text.slice(0, 300),
  ).to.deep.equal({ status, code });
  expect(Object.keys(answer.json)).to.deep.equal(['error']);
  const { message, fields: named, ...rest } = answer.json.error;
  expect(rest).to.deep.equal({ code });
  expect(message)
    .to.be.a('string')
    .that.matches(/^\S.*[.)]$/);
  if (fields) expect(Object.keys(named).sort(), 'fields').to.deep.equal([...fields].sort());
  else if (code !== 'validation_failed') expect(named).to.equal(undefined);
  for (const text of Object.values(named ?? {})) expect(text).to.be.a('string').that.matches(/^\S/);
  expect(answer.text).not.to.match(/node_modules|\.ts\b|\bat \S+ \(|select |insert |Error:/);
}

const statuses = {
  unauthorized: 401,
  forbidden: 403,
  https_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_conflict: 409,
  invalid_state: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  no_provider: 422,
  validation_failed: 422,
  rate_limited: 429,
  server_error: 500,
  unavailable: 503,
} as const;

type Code = keyof typeof statuses;

export function expectRefused(answer: Answer, code: Code, fields?: readonly string[]): void {
  expectError(answer, statuses[code], code, fields);
}

export async function expectRefusal(
  stack: WithDatabase,
  send: () => Promise<Answer>,
  code: Code,
  fields?: readonly string[],
): Promise<Answer> {
  const answer = await writingNothing(stack, send);
  expectRefused(answer, code, fields);
  return answer;
}
