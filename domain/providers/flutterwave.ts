import { errorOf, isGood, recordOf } from './flutterwave/answers.ts';
import { lineOf } from './flutterwave/call.ts';
import { listDisputes } from './flutterwave/disputes.ts';
import { hashHolds, readEvent } from './flutterwave/notification.ts';
import { flutterwavePayouts } from './flutterwave/payouts.ts';
import { createRefund, findRefund, listRefunds } from './flutterwave/refunds.ts';
import { verify } from './flutterwave/verify.ts';
import { type Account, type PaymentOrder, type Provider, ProviderError } from './provider.ts';
import { nairaOf } from './read.ts';

/** Opens a Flutterwave account, spoken to in version 3. `credentials.secret_key` is its `FLWSECK…` key, `secret_hash` signs what it sends us. */
export function flutterwave(account: Account): Provider {
  const { credentials, clock } = account;
  return {
    // A `tx_ref` that comes again is not surely refused: it may get a second link.
    rejectsDuplicates: false,
    // Nothing in a refund is taken for a key of ours.
    refundsOnce: false,

    async create(order, options) {
      const minutes = minutesOf(order.livesMs);
      const answer = await lineOf(account, options).post(
        '/payments',
        bodyOf(order, minutes),
        'create',
      );
      const { link } = recordOf(answer, 'create');
      if (typeof link === 'string' && /^https?:/i.test(link) && URL.canParse(link))
        return { url: link, linkLivesMs: minutes * 60_000 };
      throw new ProviderError('unknown', 'create', 'the answer holds no address of a pay page');
    },

    verify: (reference, options) => verify(lineOf(account, options), reference),
    refund: (order, options) => createRefund(lineOf(account, options), order),
    findRefund: (wanted, options) => findRefund(lineOf(account, options), wanted, clock()),
    listRefunds: (payment, options) => listRefunds(lineOf(account, options), payment, clock()),
    listDisputes: (query, options) => listDisputes(lineOf(account, options), query, clock()),

    async checkCredentials(options) {
      const answer = await lineOf(account, options).get('/balances/NGN', 'check');
      // About the address, whoever says it, and not about the key.
      if (answer.status === 404)
        throw new ProviderError('unknown', 'check', 'there is no balance at this address');
      if (!isGood(answer)) throw errorOf(answer, 'check');
    },

    ...flutterwavePayouts(account),

    readNotification(headers, body) {
      return hashHolds(headers['verif-hash'], credentials.secret_hash ?? '')
        ? readEvent(body)
        : undefined;
    },
  };
}

/** Longer than a day Flutterwave keeps no session. */
const MOST_MINUTES = 1440;

/** Whole minutes, never more than the charge can still be paid, though at least one. */
function minutesOf(livesMs: number): number {
  return Math.min(MOST_MINUTES, Math.max(1, Math.floor(livesMs / 60_000)));
}

/** Amounts are naira here. What we do not know is left out: a `null` may be refused. */
function bodyOf(order: PaymentOrder, minutes: number): object {
  return {
    tx_ref: order.reference,
    amount: nairaOf(order.amountKobo),
    currency: order.currency,
    redirect_url: order.callbackUrl,
    customer: {
      email: order.email,
      name: order.name ?? undefined,
      phonenumber: order.phone ?? undefined,
    },
    customizations: { description: order.description ?? undefined },
    meta: { reference: order.reference },
    configurations: { session_duration: minutes },
  };
}
