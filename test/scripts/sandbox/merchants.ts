import { type Fixture, openFixture } from './fixture.ts';
import { openFlutterwave } from './flutterwave/fixture.ts';
import type { Json } from './json.ts';
import { openMonnify } from './monnify/monnify-fixture.ts';

export interface Amounts {
  amountKobo: number;
  feeKobo: number;
}

/** A payout as its provider shows it, in kobo. */
export interface ShownPayout {
  id: string;
  status: string;
  amountKobo: number;
}

/** A merchant at one of the providers, asked the same things whichever it is. */
export interface Merchant extends AsyncDisposable {
  fixture: Fixture;
  /** Opens a payment, has it paid and returns its reference. */
  sale(amountKobo?: number, action?: object): Promise<string>;
  /** Opens a payment of ₦12,345.67: its pay page and its reference. */
  page(email: string, returnTo: string): Promise<{ url: string; reference: string }>;
  /** What verify says of a reference; undefined: it is not found. */
  verified(reference: string): Promise<Amounts | undefined>;
  /** References of the list of payments of these days. */
  listed(from: string, to: string): Promise<string[]>;
  /** Newest first; at Monnify those it notified. */
  payouts(): Promise<ShownPayout[]>;
  /** Lines by their reference. */
  lines(payoutId: string): Promise<Record<string, Amounts>>;
}

const kobo = (naira: Json) => Math.round(Number(naira) * 100);
const byReference = (
  rows: Json[],
  name: string,
  amounts: (row: Json) => Amounts,
): Record<string, Amounts> => Object.fromEntries(rows.map((row) => [row[name], amounts(row)]));

async function atPaystack(): Promise<Merchant> {
  const fixture = await openFixture();
  const get = async (path: string) => (await fixture.paystack('GET', path)).body;
  const amounts = ({ amount, fees }: Json) => ({ amountKobo: amount, feeKobo: fees });
  return {
    fixture,
    sale: fixture.sale,
    async page(email, callback_url) {
      const order = { email, amount: 1_234_567, callback_url };
      const { data } = (await fixture.paystack('POST', '/transaction/initialize', order)).body;
      return { url: data.authorization_url, reference: data.reference };
    },
    async verified(reference) {
      const { data } = await get(`/transaction/verify/${reference}`);
      return data && amounts(data);
    },
    listed: async (from, to) =>
      (await get(`/transaction?from=${from}&to=${to}`)).data.map((row: Json) => row.reference),
    payouts: async () =>
      (await get('/settlement')).data.map((row: Json) => ({
        id: String(row.id),
        status: row.status,
        amountKobo: row.effective_amount,
      })),
    lines: async (id) =>
      byReference((await get(`/settlement/${id}/transactions`)).data, 'reference', amounts),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

async function atFlutterwave(): Promise<Merchant> {
  const fixture = await openFlutterwave();
  const get = async (path: string) => (await fixture.flutterwave('GET', path)).body;
  return {
    fixture,
    sale: fixture.sale,
    page: (email, redirect_url) =>
      fixture.link({ amount: 12_345.67, customer: { email }, redirect_url }),
    async verified(reference) {
      const found = await fixture.verified(reference);
      if (!found) return undefined;
      return {
        amountKobo: kobo(found.charged_amount),
        feeKobo: kobo(found.charged_amount) - kobo(found.amount_settled),
      };
    },
    listed: async (from, to) =>
      (await get(`/transactions?from=${from}&to=${to}`)).data.map((row: Json) => row.tx_ref),
    payouts: async () =>
      (await get('/settlements')).data.map((row: Json) => ({
        id: String(row.id),
        status: row.status,
        amountKobo: kobo(row.net_amount),
      })),
    lines: async (id) =>
      byReference((await get(`/settlements/${id}`)).data.transactions, 'tx_ref', (row) => ({
        amountKobo: kobo(row.charged_amount),
        feeKobo: kobo(row.app_fee) + kobo(row.merchant_fee) + kobo(row.stampduty_charge),
      })),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

async function atMonnify(): Promise<Merchant> {
  const fixture = await openMonnify();
  const get = async (path: string) => (await fixture.monnify('GET', path)).body.responseBody;
  const amounts = (row: Json) => ({
    amountKobo: kobo(row.amountPaid),
    feeKobo: kobo(row.amountPaid) - kobo(row.settlementAmount),
  });
  return {
    fixture,
    sale: async (amountKobo = 500_000, action = {}) =>
      (await fixture.pay(amountKobo / 100, action)).paymentReference,
    async page(customerEmail, redirectUrl) {
      const opened = await fixture.init({ amount: 12_345.67, customerEmail, redirectUrl });
      return { url: opened.checkoutUrl, reference: opened.paymentReference };
    },
    async verified(reference) {
      const found = await fixture.query(reference);
      return found && amounts(found);
    },
    async listed(from, to) {
      const [start, end] = [Date.parse(from), Date.parse(to) + 24 * 3_600_000 - 1];
      const { content } = await get(`/api/v1/transactions/search?from=${start}&to=${end}&size=100`);
      return content.map((row: Json) => row.paymentReference);
    },
    async payouts() {
      await fixture.sandbox.idle();
      return fixture.receiver.received
        .map(({ body }) => body as Json)
        .filter(({ eventType }) => eventType === 'SETTLEMENT')
        .map(({ eventData }) => ({
          id: eventData.settlementReference,
          status: 'notified',
          amountKobo: kobo(eventData.amount),
        }))
        .reverse();
    },
    async lines(id) {
      const page = await get(
        `/api/v1/transactions/find-by-settlement-reference?reference=${id}&size=100`,
      );
      return byReference(page.content, 'paymentReference', amounts);
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

export const merchants = { paystack: atPaystack, flutterwave: atFlutterwave, monnify: atMonnify };

/**
 * The status of a payout at each provider; undefined: the provider does not show one in that state.
 */
export const payoutStatuses: Record<
  keyof typeof merchants,
  { landed: string; pending?: string; failed?: string }
> = {
  paystack: { landed: 'success', pending: 'pending', failed: 'failed' },
  flutterwave: { landed: 'completed', pending: 'pending', failed: 'failed' },
  monnify: { landed: 'notified' },
};
