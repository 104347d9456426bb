import { accountOf } from '../accounts.ts';
import type { Answer, SandboxContext } from '../context.ts';
import type { SettlementStatus } from '../records.ts';
import { changeSettlement } from '../settle-account.ts';
import { type ControlRoute, koboField, ok, refuse, statusField, timeField } from './route.ts';
import { summariseSettlement } from './settlement-summary.ts';

interface Input {
  id: number | string;
  status?: SettlementStatus;
  landed_kobo?: number;
  at?: string;
  notify?: boolean;
}

/**
 * What becomes of a payout later: one that was pending lands, one that landed bounces, a short one
 * is topped up.
 */
export const settlement: ControlRoute = {
  method: 'post',
  path: '/settlement',
  fields: {
    id: {
      type: ['integer', 'string'],
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      pattern: '^(STL)?\\d{1,15}$',
    },
    status: statusField,
    landed_kobo: koboField,
    at: timeField,
    notify: { type: 'boolean' },
  },
  required: ['id'],
  async handle(
    context: SandboxContext,
    { id, status, landed_kobo: landedKobo, at, notify = true }: Input,
  ): Promise<Answer> {
    if (status === undefined && landedKobo === undefined)
      return refuse(400, 'status or landed_kobo is required');
    const number = Number(String(id).replace('STL', ''));
    const change = {
      id: number,
      status,
      landedKobo,
      notify,
      at: at === undefined ? context.now() : new Date(at),
    };
    const changed = await changeSettlement(context, change);
    if (!changed) return refuse(404, `no settlement of id ${id}`);
    return ok(summariseSettlement(context, await accountOf(context.sql, changed), changed));
  },
};
