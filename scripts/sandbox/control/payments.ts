import Type from 'typebox';
import { accountOf, listAccounts } from '../accounts.ts';
import type { Answer, SandboxContext } from '../context.ts';
import { notify, notifyOf } from '../notifications.ts';
import {
  findMeant,
  findPayable,
  isPaid,
  payOrDecline,
  takeUnrequestedPayment,
} from '../payments.ts';
import type { Payment } from '../records.ts';
import { forgetPayment } from '../settlements.ts';
import {
  account,
  channel,
  flag,
  kobo,
  ok,
  operation,
  paymentOperation,
  provider,
  reference,
  refuse,
  snakeCase,
  time,
} from './operation.ts';

const payFields = {
  reference,
  outcome: Type.Enum(['success', 'failed']),
  channel,
  amount_kobo: Type.Optional(kobo(1)),
  payer_fee_kobo: Type.Optional(kobo(1)),
  notify: flag,
  again: flag,
  reject: flag,
};

/** The customer pays or is declined: `SV-<n>` means the newest attempt that is not paid yet. */
export const pay = operation('post', '/pay', payFields, (context, input) => {
  const { reference, outcome, channel = 'card', again, amount_kobo: amountKobo } = input;
  const meant = context.store.payment.find(`reference ${reference}`);
  if (meant.length === 0) return refuse(404, `no payment of reference ${reference}`);
  const page = findPayable(context, reference, again);
  if (page && input.reject) return reject(context, page, amountKobo, input.notify);
  const action = { outcome, channel, again, amountKobo, payerFeeKobo: input.payer_fee_kobo };
  const why = meant.some(isPaid) ? 'is paid already' : ENDED;
  const payment =
    (page && payOrDecline(context, page, action)) ?? refuse(409, `reference ${reference} ${why}`);
  if (input.notify !== false) notifyOf(context, { payment });
  return ok(summarise(context, payment));
});

const ENDED = 'takes no money any more: its link has ended';

function reject(
  context: SandboxContext,
  page: Payment,
  amountKobo: number | undefined,
  isNotified = true,
): Answer {
  if (amountKobo === undefined || amountKobo === page.requestedKobo)
    return refuse(400, 'amount_kobo must be a wrong amount to reject');
  const merchant = accountOf(context.store, page);
  const { rejection } = context.providers[merchant.provider].notifications;
  if (!rejection)
    return refuse(400, 'reject is not for this provider: it keeps what a customer pays');
  if (isNotified) notify(context, merchant, rejection(merchant, page, amountKobo), page.id);
  return ok(summarise(context, page));
}

export const payments = operation('get', '/payments', { reference }, (context, input) => {
  const found = findMeant(context.store, input.reference);
  return ok({ data: found.map((payment) => summarise(context, payment)) });
});

const strangerFields = {
  provider,
  account_id: account,
  reference,
  amount_kobo: kobo(1),
  channel,
  at: time,
  notify: flag,
};

/** A payment that the API never asked for, paid at once; notified only with `notify`. */
export const stranger = operation('post', '/stranger', strangerFields, (context, input) => {
  const { provider: name, account_id: id, reference, channel = 'card', at } = input;
  const all = listAccounts(context.store, name);
  const [merchant, another] = id === undefined ? all : all.filter((known) => known.id === id);
  if (!merchant && id === undefined) return refuse(404, `provider ${name} has no account`);
  if (!merchant) return refuse(404, `account_id ${id} is no account of ${name}`);
  if (another) return refuse(409, `account_id is required: ${name} has ${all.length} accounts`);
  const payment = takeUnrequestedPayment(context, merchant, {
    ...{ reference, amountKobo: input.amount_kobo, channel },
    at: at === undefined ? context.now() : new Date(at),
  });
  if (!payment) return refuse(409, `reference ${reference} is used already`);
  if (input.notify) notifyOf(context, { payment });
  return ok(summarise(context, payment));
});

/** The provider loses a payment: nothing it answers from now on knows the reference. */
export const forget = paymentOperation('/forget', {}, (context, payment) => {
  const { provider: name, id } = accountOf(context.store, payment);
  const forgotten = forgetPayment(context, payment);
  return ok({ provider: name, account_id: id, reference: payment.reference, forgotten });
});

function summarise({ store, providers, url }: SandboxContext, payment: Payment): object {
  const { provider: name } = accountOf(store, payment);
  return {
    provider: name,
    provider_payment_id: providers[name].paymentName?.(payment) ?? String(payment.id),
    ...snakeCase(payment, 'accountId', 'id', 'reference', 'status', 'requestedKobo', 'paidKobo'),
    ...snakeCase(payment, 'feeKobo', 'reversedKobo', 'channel', 'settlementId', 'createdAt'),
    ...snakeCase(payment, 'paidAt', 'linkExpiresAt'),
    checkout_url: `${url}/${name}/checkout/${payment.accessCode}`,
  };
}
