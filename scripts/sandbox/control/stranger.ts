import { listAccounts } from '../accounts.ts';
import type { Answer, SandboxContext } from '../context.ts';
import type { Channel } from '../records.ts';
import { takeUnrequestedPayment } from '../unrequested-payments.ts';
import { summarise } from './payment-summary.ts';
import {
  accountField,
  type ControlRoute,
  channelField,
  koboField,
  ok,
  providerField,
  referenceField,
  refuse,
  timeField,
} from './route.ts';

interface Input {
  provider: string;
  account_id?: number;
  reference: string;
  amount_kobo: number;
  channel?: Channel;
  at?: string;
  notify?: boolean;
}

/**
 * A payment that was never asked for through the API, paid at once. A notification is sent only
 * with `notify`.
 */
export const stranger: ControlRoute = {
  method: 'post',
  path: '/stranger',
  fields: {
    provider: providerField,
    account_id: accountField,
    reference: referenceField,
    amount_kobo: { ...koboField, minimum: 1 },
    channel: channelField,
    at: timeField,
    notify: { type: 'boolean' },
  },
  required: ['provider', 'reference', 'amount_kobo'],
  async handle(context: SandboxContext, input: Input): Promise<Answer> {
    const {
      provider,
      account_id: id,
      reference,
      amount_kobo: amountKobo,
      channel = 'card',
      at,
      notify = false,
    } = input;
    const accounts = (await listAccounts(context.sql, provider)).filter(
      (account) => id === undefined || account.id === id,
    );
    const [account, another] = accounts;
    if (!account)
      return refuse(
        404,
        id === undefined
          ? `provider ${provider} has no account`
          : `account_id ${id} is no account of ${provider}`,
      );
    if (another)
      return refuse(409, `account_id is required: ${provider} has ${accounts.length} accounts`);
    const paidAt = at === undefined ? context.now() : new Date(at);
    const payment = await takeUnrequestedPayment(
      context,
      account,
      { reference, amountKobo, channel, at: paidAt },
      notify,
    );
    return payment
      ? ok(summarise(context, account, payment))
      : refuse(409, `reference ${reference} is used already`);
  },
};
