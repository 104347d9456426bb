import { listAccounts } from '../accounts.ts';
import type { Channel } from '../records.ts';
import { payAsStranger } from '../strangers.ts';
import type { Answer, World } from '../world.ts';
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

/** A payment that was never asked for through the API, paid at once; the account is told of it only with `notify`. */
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
  async handle(world: World, input: Input): Promise<Answer> {
    const {
      provider,
      account_id: id,
      reference,
      amount_kobo: amountKobo,
      channel = 'card',
      at,
      notify = false,
    } = input;
    const accounts = (await listAccounts(world.sql, provider)).filter(
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
    const paidAt = at === undefined ? world.now() : new Date(at);
    const payment = await payAsStranger(
      world,
      account,
      { reference, amountKobo, channel, at: paidAt },
      notify,
    );
    return payment
      ? ok(await summarise(world, payment))
      : refuse(409, `reference ${reference} is used already`);
  },
};
