import type { IncomingMessage } from 'node:http';
import type { SandboxContext } from '../context.ts';
import { type Api, createRouter, readJson, sendJson } from '../http.ts';
import { advanceRefunds } from '../refunds.ts';
import { Refusal } from '../wire.ts';
import { registerAccounts } from './accounts.ts';
import { expireTokens, faults, stats } from './faults.ts';
import { type Operation, refuse } from './operation.ts';
import { forget, pay, payments, stranger } from './payments.ts';
import { dispute, refund, reverse } from './returns.ts';
import { settle, settlement } from './settle.ts';

const LIMIT_BYTES = 100 * 1024;

const operations: Operation[] = [
  ...[registerAccounts, pay, payments, stranger, forget, refund, dispute, reverse],
  ...[settle, settlement, faults, expireTokens, stats],
];
const find = createRouter(operations);

/** The control side, without credentials: the sandbox listens on loopback only. */
export function controlApi(context: SandboxContext): Api {
  return async (request, response, address) => {
    try {
      const { status, body } = await answer(context, request, address);
      context.sendDue();
      await context.store.saved();
      sendJson(response, status, body);
    } catch (error) {
      if (error instanceof Refusal)
        return sendJson(response, error.answer.status, error.answer.body);
      context.log('control failed', { path: request.url, error: String(error) });
      sendJson(response, 500, { error: 'the sandbox failed; its log says why' });
    }
  };
}

/** Any body is read as JSON: one left unread would pass for empty, and empty means "no faults". */
async function answer(context: SandboxContext, request: IncomingMessage, address: string) {
  const body = await readJson(request, LIMIT_BYTES);
  if (typeof body === 'string')
    return refuse(body === 'too large' ? 413 : 400, 'body is not readable JSON');
  const found = find(request, address);
  if (typeof found !== 'object') return refuse(404, `there is no ${request.method} ${request.url}`);
  const { route, query } = found;
  const input = route.method === 'get' ? { ...query } : (body.value ?? {});
  const problem = route.check(input);
  if (problem) return refuse(400, problem);
  advanceRefunds(context);
  return route.handle(context, input as never);
}
