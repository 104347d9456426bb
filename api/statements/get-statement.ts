import { type Statement, statementOf } from '../../domain/settlements/statement/statement.ts';
import { invalid } from '../../domain/shared/problems.ts';
import { sha256Of } from '../../domain/shared/sha256.ts';
import { route } from '../http/route.ts';
import { csvOf } from './csv.ts';
import { statement, statementQuery } from './schemas.ts';

export const getStatement = route({
  method: 'get',
  path: '/statements/:month',
  operationId: 'getStatement',
  summary: 'Read the statement of a month',
  credential: 'read',
  query: statementQuery,
  answers: { 200: statement },
  async handle({ context, caller, params, query }) {
    const reader = await caller();
    const wanted = {
      ...{ month: monthIn(params), provider: query.provider ?? null },
      now: context.clock(),
    };
    const drawnUp = await context.read((db) => statementOf(db, reader, wanted));
    return { status: 200, body: withSha256(drawnUp) };
  },
});

export type SignedStatement = ReturnType<typeof withSha256>;

/** Of its CSV file. */
export function withSha256(drawnUp: Statement) {
  return { ...drawnUp, sha256: sha256Of(csvOf(drawnUp)) };
}

function monthIn({ month = '' }: Record<string, string>): string {
  if (!isMonth(month)) throw invalid({ month: 'must be a month like 2026-11' });
  return month;
}

export const isMonth = (text: string) => /^[1-9]\d{3}-(0[1-9]|1[0-2])$/.test(text);
