import type { Answer, SandboxContext } from '../context.ts';
import { payOrDecline } from '../pay-or-decline.ts';
import { payableOf } from '../pay-pages.ts';
import { isPaid } from '../payments.ts';
import type { Channel, PayPage } from '../records.ts';
import { rejectTransfer } from '../reject-transfer.ts';
import { summarise } from './payment-summary.ts';
import { type ControlRoute, channelField, koboField, ok, referenceField, refuse } from './route.ts';

interface Input {
  reference: string;
  outcome: 'success' | 'failed';
  channel?: Channel;
  amount_kobo?: number;
  payer_fee_kobo?: number;
  notify?: boolean;
  again?: boolean;
  reject?: boolean;
}

/**
 * The customer pays, or is declined. `SV-<n>` means the newest attempt that is not paid yet; a
 * declined one may still be paid. `payer_fee_kobo` is a fee that the customer bears on top of the
 * amount. `again` pays under a reference that is paid, where the provider
 * lets that happen; `reject` has it send a transfer of the wrong amount back.
 */
export const pay: ControlRoute = {
  method: 'post',
  path: '/pay',
  fields: {
    reference: referenceField,
    outcome: { enum: ['success', 'failed'] },
    channel: channelField,
    amount_kobo: { ...koboField, minimum: 1 },
    payer_fee_kobo: { ...koboField, minimum: 1 },
    notify: { type: 'boolean' },
    again: { type: 'boolean' },
    reject: { type: 'boolean' },
  },
  required: ['reference', 'outcome'],
  async handle(context: SandboxContext, input: Input): Promise<Answer> {
    const {
      reference,
      outcome,
      channel = 'card',
      amount_kobo: amountKobo,
      payer_fee_kobo: payerFeeKobo,
      notify,
      again = false,
    } = input;
    const meant = await context.batched.findMeantBy(reference);
    if (meant.length === 0) return refuse(404, `no payment of reference ${reference}`);
    const page = payableOf(meant, context.now(), again);
    if (page && input.reject) return reject(context, page, input);
    const action = { outcome, channel, amountKobo, payerFeeKobo, notify, again };
    const payment = page && (await payOrDecline(context, page, action));
    if (payment) return ok(summarise(context, page.account, payment));
    const paid = page || meant.some(isPaid);
    return refuse(
      409,
      `reference ${reference} ${paid ? 'is paid already' : 'takes no money any more: its link has ended'}`,
    );
  },
};

async function reject(
  context: SandboxContext,
  page: PayPage,
  { amount_kobo: amountKobo, notify = true }: Input,
): Promise<Answer> {
  if (amountKobo === undefined || amountKobo === page.requestedKobo)
    return refuse(400, 'amount_kobo must be a wrong amount to reject');
  if (await rejectTransfer(context, page, amountKobo, notify))
    return ok(summarise(context, page.account, page));
  return refuse(400, 'reject is not for this provider: it keeps what a customer pays');
}
