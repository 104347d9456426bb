import { expect } from 'chai';
import { forEachTest } from '../../support/for-each-test.ts';
import { newReference, openFixture } from './fixture.ts';

const order = { email: 'ada@example.com', amount: 500_000 };

describe('sandbox: statistics', () => {
  const fixture = forEachTest(openFixture);
  const counts = async (): Promise<Record<string, number>> =>
    (await fixture.control('GET', '/stats')).body.paystack;

  it('counts requests and their results, across a restart', async () => {
    const reference = await fixture.sale();
    await fixture.paystack('POST', '/transaction/initialize', { ...order, reference });
    await fixture.paystack('POST', '/transaction/initialize', {});
    await fixture.paystack('GET', `/transaction/verify/${reference}`);
    await fixture.paystack('POST', '/refund', { transaction: reference });
    await fixture.pass(1_000);
    await fixture.restart();
    expect(await counts()).to.deep.equal({
      ...{ creates: 3, distinct_references: 1, resent_after_accept: 1 },
      ...{ verifies: 1, captures: 1, refunds: 1, notifications: 4 },
    });
  });

  it('counts a create as resent when its reference was accepted before, even if a fault lost either answer', async () => {
    const send = (reference: string) =>
      fixture.paystack('POST', '/transaction/initialize', { ...order, reference });
    const neverAccepted = newReference();
    await fixture.control('POST', '/faults', { error_rate: 1 });
    await send(neverAccepted);
    await send(neverAccepted);
    await fixture.control('POST', '/faults');
    const accepted = await fixture.order();
    await fixture.control('POST', '/faults', { error_rate: 1 });
    await send(accepted);
    const creates = { creates: 4, distinct_references: 2, resent_after_accept: 1 };
    expect(await counts()).to.include(creates);
  });

  it('counts every try of a notification', async () => {
    fixture.receiver.answerNext(500);
    await fixture.sale();
    await fixture.pass(1_000);
    expect(await counts()).to.include({ notifications: 2 });
  });
});
