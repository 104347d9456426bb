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
  seed: number;
  /** Aborted when nothing is waited for any more. */
  ended: AbortSignal;
}

export type CustomerOrder = { tenantId: string; email: string; reference?: string };

/** A refund that a merchant asked for, and whether its Owner approved it. */
export type RefundOrder = { tenantId: string; id: string; isApproved: boolean };

const AGAIN_MS = 500;
/** Such an answer says nothing about the request itself. */
const isPassing = (status: number) => status >= 500 || status === 429 || status === 408;

/** Calls the API as a merchant's server does: again with the same key until there is an answer. */
export function callApi<Body>(
  apiUrl: string,
  call: ApiCall,
  ended: AbortSignal,
): Promise<ApiAnswer<Body> | undefined> {
  return until({ everyMs: AGAIN_MS, ended }, async () => {
    const answer = await callOnce<Body>(`${apiUrl}/v1`, call).catch(() => undefined);
    return answer && !isPassing(answer.status) ? answer : undefined;
  });
}

/** Calls the API. An answer with another status than these is a refusal, and undefined. */
export async function ask<Body>(
  { stack, refusals, ended }: Market,
  call: ApiCall,
  ...expected: number[]
): Promise<ApiAnswer<Body> | undefined> {
  const answer = await callApi<Body>(stack.apiUrl, call, ended);
  if (!answer || expected.includes(answer.status)) return answer;
  const { method, path } = call;
  refusals.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
  return undefined;
}

const LOOKS_EVERY_MS = 500;
const PATIENCE_MS = 180_000;

/** Does something at the sandbox as soon as it can be done; returns the provider it was done at. */
export async function control(
  { stack, ended }: Market,
  path: 'pay' | 'reverse' | 'dispute',
  input: { reference: string; [field: string]: unknown },
): Promise<string | undefined> {
  const patience = { everyMs: LOOKS_EVERY_MS, withinMs: PATIENCE_MS, ended };
  const done = await until(patience, async () => {
    const answer = await controlSandbox(stack.sandboxUrl, path, input).catch(() => undefined);
    if (answer?.status === 409) return {};
    return answer?.status === 200 ? answer.json : undefined;
  });
  return done?.provider;
}

/** Waits until the merchant was told that the charge is paid. False: it was not until the end. */
export async function untilAnnounced({ merchants, ended }: Market, reference: string) {
  const isAnnounced = async () => merchants.paid.has(reference) || undefined;
  return (await until({ everyMs: LOOKS_EVERY_MS, ended }, isAnnounced)) ?? false;
}
