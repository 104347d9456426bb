import { controlSandbox } from '../bench/sandbox.ts';
import { type ApiAnswer, type ApiCall, callOnce } from '../local/api-call.ts';
import { until } from '../local/until.ts';
import type { Merchants } from './merchants.ts';
import type { ChaosStack } from './stack.ts';

export interface Market {
  stack: ChaosStack;
  merchants: Merchants;
  orders: CustomerOrder[];
  refunds: RefundOrder[];
  refusals: string[];
  /** Every answer to `POST /v1/charges`. */
  answers: ChargeAnswer[];
  seed: number;
  /** Aborted when nothing is waited for any more. */
  ended: AbortSignal;
}

export type CustomerOrder = { tenantId: string; email: string; reference?: string };

/** A refund that a merchant asked for, and whether its Owner approved it. */
export type RefundOrder = { tenantId: string; id: string; isApproved: boolean };

export interface ChargeAnswer {
  idempotencyKey: string;
  askedAtMs: number;
  ms: number;
  /** The status and, of a refusal, the error code; or why there was no answer. */
  outcome: string;
}

/** A customer who sees nothing come looks more and more rarely, and so does a merchant's server. */
export const PATIENCE = { everyMs: 500, atMostMs: 30_000 };
/** Such an answer says nothing about the request itself. */
const isPassing = (status: number) => status >= 500 || status === 429 || status === 408;

/** Calls the API as a merchant's server does: again with the same key until there is an answer. */
export function callApi<Body>(
  apiUrl: string,
  call: ApiCall,
  ended: AbortSignal,
  answers?: ChargeAnswer[],
): Promise<ApiAnswer<Body> | undefined> {
  return until({ ...PATIENCE, ended }, async () => {
    const askedAtMs = Date.now();
    const answer = await callOnce<Body>(`${apiUrl}/v1`, call).catch((error: Error) => error);
    const { idempotencyKey = '' } = call;
    const ms = Date.now() - askedAtMs;
    answers?.push({ idempotencyKey, askedAtMs, ms, outcome: outcomeOf(answer) });
    return answer instanceof Error || isPassing(answer.status) ? undefined : answer;
  });
}

function outcomeOf(answer: ApiAnswer<unknown> | Error): string {
  if (answer instanceof Error) return answer.name === 'TimeoutError' ? 'timed out' : 'cut off';
  const { error } = answer.json as { error?: { code: string } };
  return error ? `${answer.status} ${error.code}` : String(answer.status);
}

/** Calls the API. An answer with another status than these is a refusal, and undefined. */
export async function ask<Body>(
  { stack, refusals, answers, ended }: Market,
  call: ApiCall,
  ...expected: number[]
): Promise<ApiAnswer<Body> | undefined> {
  const kept = call.path === '/charges' ? answers : undefined;
  const answer = await callApi<Body>(stack.apiUrl, call, ended, kept);
  if (!answer || expected.includes(answer.status)) return answer;
  const { method, path } = call;
  refusals.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
  return undefined;
}

const LOOKS_EVERY_MS = 500;
const LEAVES_AFTER_MS = 180_000;

/** Does something at the sandbox as soon as it can be done; undefined: the customer left before. */
export async function control(
  { stack, ended }: Market,
  path: 'pay' | 'reverse' | 'dispute',
  input: { reference: string; [field: string]: unknown },
): Promise<{ provider?: string } | undefined> {
  const patience = { ...PATIENCE, withinMs: LEAVES_AFTER_MS, ended };
  return until(patience, async () => {
    const answer = await controlSandbox(stack.sandboxUrl, path, input).catch(() => undefined);
    if (answer?.status === 409) return {};
    return answer?.status === 200 ? answer.json : undefined;
  });
}

/** Waits until the merchant was told that the charge is paid. False: it was not until the end. */
export async function untilAnnounced({ merchants, ended }: Market, reference: string) {
  const isAnnounced = async () => merchants.paid.has(reference) || undefined;
  return (await until({ everyMs: LOOKS_EVERY_MS, ended }, isAnnounced)) ?? false;
}
