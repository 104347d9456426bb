import { expect } from 'chai';
import {
  ProviderError,
  type ProviderErrorKind,
} from '../../domain/providers/port/provider-error.ts';
import { type Ledger, openLedger } from '../domain/ledger.ts';
import {
  noAnswer,
  openRefundFixture,
  type RefundFixture,
} from '../domain/payments/refund-fixture.ts';
import { SECOND } from '../support/clock.ts';

describe('A refund whose provider', () => {
  let ledger: Ledger;
  let fixture: RefundFixture;
  let id: string;
  before(async () => {
    ledger = await openLedger();
  });
  after(() => ledger[Symbol.asyncDispose]());
  beforeEach(async () => {
    fixture = await openRefundFixture(ledger);
    await fixture.pay(500_000);
    id = await fixture.requestRefund();
  });

  const stored = async () => (await fixture.refunds())[0]!;
  const answering =
    (kind: ProviderErrorKind, retryAfterMs: number | null = null) =>
    async () => {
      throw new ProviderError(kind, 'refunds', 'HTTP 503', { retryAfterMs });
    };
  const fail = async (times: number, kind: ProviderErrorKind) => {
    fixture.list = answering(kind);
    for (let time = 0; time < times; time++) await fixture.runJob(id);
  };

  it('takes no calls ten times, and then fails to list its refunds five times, asks nobody to look', async () => {
    await fail(10, 'limited');
    await fail(5, 'unknown');
    expect(await stored()).to.include({ status: 'approved', attention: null, tries: 15 });
  });

  it('fails to list its refunds six times asks a person to look', async () => {
    await fail(6, 'unknown');
    expect((await stored()).attention).to.include('HTTP 503');
  });

  it('was sent it, and takes no calls for 40 s, is asked after them, and as if for the first time', async () => {
    fixture.answer = noAnswer;
    await fixture.runJob(id);
    const before = await stored();
    fixture.list = answering('limited', 40 * SECOND);
    await fixture.runJob(id);
    const after = await stored();
    expect(after.due_at!.getTime() - ledger.clock().getTime()).to.be.within(39_000, 40_000);
    expect(after).to.include({
      ...{ status: before.status, tries: before.tries + 1, snoozes: before.snoozes + 1 },
    });
  });
});
