import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Logger } from '../../../config/logger.ts';
import {
  openCredentials,
  type StoredConnection,
} from '../../../domain/accounts/connection/connection.ts';
import type { Answer } from '../../support/api.ts';
import { rawRequest } from '../../support/raw-http.ts';
import type { Stack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

type Body = string | Buffer;

export interface Account {
  adapter: string;
  slot: string;
  connectionId: string;
  sign(body: Body): Record<string, string>;
  bodyOf(reference: string, more?: object): string;
}

const bodies: Record<string, (reference: string, more: object) => object> = {
  paystack: (reference, more) => ({
    event: 'charge.success',
    data: { reference, status: 'success', amount: 100_000, ...more },
  }),
  flutterwave: (tx_ref, more) => ({
    event: 'charge.completed',
    data: { tx_ref, status: 'successful', amount: 1000, ...more },
  }),
  monnify: (paymentReference, more) => ({
    eventType: 'SUCCESSFUL_TRANSACTION',
    eventData: { paymentReference, paymentStatus: 'PAID', amountPaid: 1000, ...more },
  }),
};

const hmac = (body: Body, key = '') => createHmac('sha512', key).update(body).digest('hex');

type Strings = Record<string, string>;
const signers: Record<string, (body: Body, credentials: Strings) => Strings> = {
  paystack: (body, { secret_key }) => ({ 'x-paystack-signature': hmac(body, secret_key) }),
  flutterwave: (_body, { secret_hash = '' }) => ({ 'verif-hash': secret_hash }),
  monnify: (body, { secret_key }) => ({ 'monnify-signature': hmac(body, secret_key) }),
};

export async function accountsOf({ context }: Stack, tenantId: string) {
  const rows = await context.db.query<StoredConnection & { slot: string }>(
    `select * from connections where tenant_id = $1 and mode = 'test'`,
    [tenantId],
  );
  const accounts = rows.map((row): [string, Account] => {
    const { adapter, slot, id: connectionId } = row;
    const credentials = openCredentials(context.vault, row);
    const sign = (body: Body) => signers[adapter]!(body, credentials);
    const bodyOf = (reference: string, more = {}) =>
      JSON.stringify(bodies[adapter]!(reference, more));
    return [adapter, { adapter, slot, connectionId, sign, bodyOf }];
  });
  return Object.fromEntries(accounts);
}

export function post(stack: Stack, to: string, body: Body, headers: Record<string, string>) {
  return rawRequest(stack, { method: 'POST', path: `/notifications/${to}`, headers, body });
}

export function notify(stack: Stack, { connectionId, sign }: Account, body: Body): Promise<Answer> {
  return post(stack, connectionId, body, { 'content-type': 'application/json', ...sign(body) });
}

export function chunkedTo({ baseUrl }: Stack, to: string, headers: Record<string, string>) {
  const { hostname, port } = new URL(baseUrl);
  const request = httpRequest({
    ...{ hostname, port, method: 'POST', path: `/notifications/${to}`, agent: false },
    headers: { ...headers, 'transfer-encoding': 'chunked' },
  });
  const answered = once(request, 'response').then(async ([response]: IncomingMessage[]) => {
    const received = await text(response!);
    const sent = new Headers(response!.headers as Record<string, string>);
    return {
      status: response!.statusCode!,
      headers: sent,
      text: received,
      json: JSON.parse(received),
    };
  });
  return { request, answered: answered as Promise<Answer> };
}

export type Line = Record<string, any> & { message: string };

export async function logging(stack: Stack, action: () => Promise<unknown>): Promise<Line[]> {
  const log = stack.context.log as Logger & Record<string, unknown>;
  const lines: Line[] = [];
  const write = (message: string, line = {}) =>
    void (message === 'overdue rows enqueued' || lines.push({ message, ...line }));
  for (const level of ['debug', 'info', 'warn', 'error']) log[level] = write;
  try {
    await action();
    await until('the line of the request', async () =>
      lines.some(({ message }) => message === 'request'),
    );
  } finally {
    for (const level of ['debug', 'info', 'warn', 'error']) delete log[level];
  }
  return lines;
}

export function expectOneLine(
  lines: Line[],
  wanted: { outcome: string; connection: string | null },
  secrets: string[] = [],
): void {
  const said = lines.flatMap(({ message, outcome, connection_id: connection = null }) =>
    message.startsWith('job ') ? [] : [{ message, outcome, connection }],
  );
  expect(said).to.deep.equal([{ message: 'request', ...wanted }]);
  const all = JSON.stringify(lines);
  for (const secret of secrets)
    expect(all.includes(secret), `"${secret.slice(0, 30)}" in the log`).to.equal(false);
  expect(all).not.to.match(/node_modules|\.ts:\d|\bat \S+ \(/);
}
