import type { IncomingMessage } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import type { Answer, SandboxContext } from '../context.ts';
import { type Api, readJson, sendJson } from '../http.ts';
import { createRouter, type FindRoute, splitAddress } from '../routing.ts';
import { registerAccounts } from './accounts.ts';
import { dispute } from './dispute.ts';
import { expireAccessTokens } from './expire-tokens.ts';
import { faults } from './faults.ts';
import { forget } from './forget.ts';
import { pay } from './pay.ts';
import { payments } from './payments.ts';
import { refund } from './refund.ts';
import { reverse } from './reverse.ts';
import { type ControlRoute, inputCheck, refuse } from './route.ts';
import { settle } from './settle.ts';
import { settlement } from './settlement.ts';
import { stats } from './stats.ts';
import { stranger } from './stranger.ts';

const limitBytes = 100 * 1024;

const routes: ControlRoute[] = [
  registerAccounts,
  pay,
  stranger,
  forget,
  refund,
  dispute,
  reverse,
  settle,
  settlement,
  faults,
  expireAccessTokens,
  stats,
  payments,
];
const checked = routes.map((route) => ({ ...route, check: inputCheck(route) }));

/**
 * The control side: what customers, banks and bad luck do, over HTTP. It needs no credential, which
 * is why the sandbox listens on loopback only.
 */
export function controlApi(context: SandboxContext): Api {
  const find = createRouter(checked);
  return async (request, response, address) => {
    try {
      const { status, body } = await answer(context, find, request, address);
      sendJson(response, status, body);
    } catch (error) {
      context.log('control failed', { path: request.url, error: String(error) });
      sendJson(response, 500, { error: 'the sandbox failed; its log says why' });
    }
  };
}

/**
 * Whatever its content type says, a body is read as JSON: one left unread would pass for empty, and
 * empty means "no faults".
 */
async function answer(
  context: SandboxContext,
  find: FindRoute<(typeof checked)[number]>,
  request: IncomingMessage,
  address: string,
): Promise<Answer> {
  const body = await readJson(request, limitBytes);
  if (typeof body === 'string')
    return refuse(body === 'too large' ? 413 : 400, 'body is not readable JSON');
  const { path, query } = splitAddress(address);
  const found = find(request, path);
  if (typeof found !== 'object') return refuse(404, `there is no ${request.method} ${request.url}`);
  const { route } = found;
  const input = route.method === 'get' ? { ...parseQuery(query) } : (body.value ?? {});
  const problem = route.check(input);
  return problem ? refuse(400, problem) : route.handle(context, input as never);
}
