import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { PaidPayment, PaymentOrder } from '../../../../domain/providers/port/payment.ts';
import type { Provider } from '../../../../domain/providers/port/provider.ts';
import type {
  ProviderRefund,
  RefundOrder,
  WantedRefund,
} from '../../../../domain/providers/port/refund.ts';
import { providers } from '../../../../domain/providers/registry.ts';
import type { Credentials } from '../../../../domain/shared/credentials.ts';
import { newId } from '../../../../domain/shared/ids.ts';
import { newKeys, openFixture } from '../../../scripts/sandbox/fixture.ts';
import { sandboxControl } from '../../../support/sandbox-control.ts';
import { order as exampleOrder } from '../examples.ts';
import type { Traits } from './traits.ts';

export const options = { timeoutMs: 2_000 };

export const expiresInMs = 24 * 3_600_000;

export type ConformanceFixture = ReturnType<typeof useFixture>;

export function useFixture(traits: Traits) {
  let adapter: Awaited<ReturnType<typeof openAdapter>>;
  before(async () => {
    adapter = await openAdapter(traits);
  });
  after(() => adapter[Symbol.asyncDispose]());
  afterEach(() => adapter.control.faults());

  const orderOf = (reference: string, overrides: Partial<PaymentOrder> = {}): PaymentOrder => ({
    ...{ ...exampleOrder, reference, amountKobo: 500_000, expiresInMs },
    ...overrides,
  });
  const opened = async (overrides?: Partial<PaymentOrder>) => {
    const reference = adapter.newReference();
    const payment = await adapter.provider.create(orderOf(reference, overrides), options);
    return { reference, payment };
  };
  const verify = (reference: string) => adapter.provider.verify(reference, options);
  const captureOf = async (reference: string) => {
    const { state, captures } = await verify(reference);
    expect({ state, captures: captures.length }).to.deep.equal({ state: 'paid', captures: 1 });
    return captures[0]!;
  };
  return {
    traits,
    capabilities: providers[traits.adapter]!.capabilities,
    ...{ orderOf, opened, verify, captureOf },
    /** Open while tests run, not while they are described. */
    get adapter() {
      return adapter;
    },
    async paid(overrides?: Partial<PaymentOrder>): Promise<PaidPayment> {
      const { reference } = await opened(overrides);
      await adapter.control.pay(reference, { channel: traits.refunds.channels[0]! });
      const { providerPaymentId, capturedAt } = await captureOf(reference);
      return { providerPaymentId, reference, capturedAt: capturedAt! };
    },
    refundOf: (payment: PaidPayment, amountKobo: number): RefundOrder => ({
      ...{ ...payment, refundId: newId('ref', adapter.now()), amountKobo },
      reason: 'They cannot come.',
    }),
    async ending(order: RefundOrder): Promise<ProviderRefund> {
      await adapter.pass(2_000);
      const wanted = { refundId: order.refundId, providerRefundId: null, payment: order };
      const refund = await findRefund(adapter.provider, wanted);
      return refund ?? expect.fail(`no refund ${order.refundId}`);
    },
  };
}

let made = 0;

/** An account at the sandbox, as the service opens it. */
async function openAdapter({ adapter }: Traits) {
  const { open } = providers[adapter]!;
  const fixture = await openFixture({ provider: adapter, random: () => 0 });
  const { sandbox, now, pass, accountId, keys } = fixture;
  const baseUrl = `${sandbox.url}/${adapter}`;
  const opened = (credentials: Credentials) =>
    open({ credentials, baseUrl, clock: now, mode: 'live' });
  return {
    ...{ now, pass, accountId, provider: opened(keys) },
    /** Another account at the same provider, known to the sandbox too. */
    stranger: opened((await fixture.stranger()).keys),
    /** The account with credentials the provider does not know. */
    impostor: opened(newKeys(adapter)),
    control: sandboxControl(sandbox.url),
    newReference: () => `SV-${100_001 + made++}-${randomBytes(4).toString('hex')}`,
    [Symbol.asyncDispose]: fixture[Symbol.asyncDispose],
  };
}

/** The refunds of a payment, also where the provider lists only those of the whole account. */
export async function refundsOf(provider: Provider, payment: PaidPayment) {
  if (provider.listRefunds) return provider.listRefunds(payment, options);
  const refunds: ProviderRefund[] = [];
  for (let page = 1, hasMore = true; hasMore; page++) {
    const read = await provider.listAccountRefunds!({ from: payment.capturedAt, page }, options);
    for (const { providerRefundId, providerPaymentId, refundId } of read.rows) {
      if (providerPaymentId !== payment.providerPaymentId) continue;
      const wanted = { refundId: refundId ?? '', providerRefundId, payment };
      refunds.push((await provider.findRefund(wanted, options))!);
    }
    hasMore = read.hasMore ?? read.rows.length > 0;
  }
  return refunds;
}

/** A refund by the provider's id or, where that is not known, by ours. */
export async function findRefund(provider: Provider, wanted: WantedRefund) {
  if (provider.listRefunds || wanted.providerRefundId !== null)
    return provider.findRefund(wanted, options);
  const refunds = await refundsOf(provider, wanted.payment);
  return refunds.find(({ refundId }) => refundId === wanted.refundId);
}
