import { Readable } from 'node:stream';
import type { Response } from 'express';
import { providersBySlot } from '../../../domain/accounts/connection/connections.ts';
import { findBusiness } from '../../../domain/accounts/tenant/business.ts';
import { csvOf } from '../../statements/csv.ts';
import type { SignedStatement } from '../../statements/get-statement.ts';
import { formatsFor, sentence } from '../format.ts';
import type { DashboardRequest } from '../request.ts';
import { printed } from '../statements/pdf.ts';
import { readStatement } from '../statements/read-statement.ts';
import { checkInWords, stateInWords, tablesOf, titleOfMonth } from '../statements/tables.ts';
import { type Export, sendFile } from './csv.ts';

export const statementCsv: Export = {
  path: '/statements.csv',
  permission: 'read',
  async send(request, response) {
    const { statement } = await readStatement(request);
    await send(request, response, statement, 'csv', csvOf(statement));
  },
};

/** With the SHA-256 of the other. */
export const statementPdf: Export = {
  path: '/statements.pdf',
  permission: 'read',
  async send(request, response) {
    const { statement } = await readStatement(request);
    await send(request, response, statement, 'pdf', await print(request, statement));
  },
};

function send(
  request: DashboardRequest,
  response: Response,
  { month, provider }: SignedStatement,
  type: 'csv' | 'pdf',
  file: string | Buffer,
): Promise<void> {
  const name = ['statement', month, ...(provider === null ? [] : [provider])].join('-');
  return sendFile(request, response, { name, type }, Readable.from([file]));
}

async function print({ context, session }: DashboardRequest, statement: SignedStatement) {
  const { name } = await findBusiness(context.db, session.tenantId);
  const providers = await providersBySlot(context.db, session);
  const providerName = (slot: string) => sentence(providers[slot] ?? slot);
  const { time } = formatsFor(statement.time_zone);
  const { provider, mode } = statement;
  return printed({
    title: `Statement · ${titleOfMonth(statement.month)}`,
    business: name,
    facts: [
      ['Business', `${name} (${statement.tenant_id})`],
      ['Providers', provider === null ? 'All' : providerName(provider)],
      ['Money', mode === 'test' ? 'Test mode: no real money' : 'Live'],
      ['From', `${time(statement.from)} in ${statement.time_zone}, up to ${time(statement.to)}`],
      ['State', stateInWords(statement, time)],
      ['Check', checkInWords(statement)],
      ['SHA-256 of the CSV file', statement.sha256],
    ],
    tables: tablesOf(statement, providerName),
  });
}
