import { actOnPayment, findPaymentsOf } from '../payments.ts';
import type { Channel } from '../records.ts';
import type { Answer, World } from '../world.ts';
import { summarise } from './payment-summary.ts';
import { type ControlRoute, koboField, ok, referenceField, refuse } from './route.ts';

interface Input {
  reference: string;
  outcome: 'success' | 'failed';
  channel?: Channel;
  amount_kobo?: number;
  notify?: boolean;
}

/** The customer pays, or is declined. `SV-<n>` means the newest attempt that is not paid yet; a declined one may still be paid. */
export const pay: ControlRoute = {
  method: 'post',
  path: '/pay',
  fields: {
    reference: referenceField,
    outcome: { enum: ['success', 'failed'] },
    channel: { enum: ['card', 'bank_transfer', 'ussd', 'qr', 'mobile_money', 'other'] },
    amount_kobo: { ...koboField, minimum: 1 },
    notify: { type: 'boolean' },
  },
  required: ['reference', 'outcome'],
  async handle(world: World, input: Input): Promise<Answer> {
    const { reference, outcome, channel = 'card', amount_kobo: amountKobo, notify } = input;
    const payments = await findPaymentsOf(world.sql, reference);
    if (payments.length === 0) return refuse(404, `no payment of reference ${reference}`);
    const payable = payments.find((payment) => payment.paidKobo === null);
    const payment = payable && (await actOnPayment(world, payable.id, { outcome, channel, amountKobo, notify }));
    return payment ? ok(await summarise(world, payment)) : refuse(409, `reference ${reference} is paid already`);
  },
};
