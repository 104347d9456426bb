import { expect } from 'chai';
import { newReference, openFixture } from './fixture.ts';

const order = { email: 'ada@example.com', amount: 500_000 };

describe('sandbox: faults', () => {
  it('answers 500 to the share of calls it is told to, without doing their work', async () => {
    let chance = 0.2;
    await using fixture = await openFixture({ random: () => chance });
    await fixture.control('POST', '/faults', { provider: 'paystack', error_rate: 0.25 });
    const reference = newReference();
    const { status, body } = await fixture.paystack('POST', '/transaction/initialize', {
      ...order,
      reference,
    });
    expect(status).to.equal(500);
    expect(body.status).to.equal(false);
    chance = 0.3;
    expect((await fixture.paystack('GET', `/transaction/verify/${reference}`)).body.code).to.equal(
      'transaction_not_found',
    );
  });

  it('answers 429 as Paystack words it', async () => {
    await using fixture = await openFixture();
    await fixture.control('POST', '/faults', { provider: 'provider_a', rate_limit_rate: 1 });
    const { status, headers, body } = await fixture.paystack('GET', '/transaction');
    expect(status).to.equal(429);
    expect(headers.get('retry-after')).to.equal('1');
    expect(body).to.include({
      message: 'Rate limit exceeded!',
      type: 'api_error',
      code: 'rate_limited',
    });
  });

  it('accepts a payment and never says so, until the client gives up', async () => {
    await using fixture = await openFixture();
    await fixture.control('POST', '/faults', { timeout_after_accept_rate: 1 });
    const reference = newReference();
    const client = new AbortController();
    const headers = {
      authorization: `Bearer ${fixture.secretKey}`,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ ...order, reference });
    const call = fetch(`${fixture.sandbox.url}/paystack/transaction/initialize`, {
      method: 'POST',
      headers,
      body,
      signal: client.signal,
    });
    await until(
      async () =>
        (await fixture.control('GET', `/payments?reference=${reference}`)).body.data.length === 1,
    );
    expect(await isPending(call)).to.equal(true);
    client.abort();
    expect(await call.catch((error: Error) => error.name)).to.equal('AbortError');
    expect(
      (await fixture.paystack('POST', '/transaction/initialize', { ...order, reference })).body
        .code,
    ).to.equal('duplicate_reference');
  });

  it('does the same to refunds, and lets go of the held when it closes', async () => {
    await using fixture = await openFixture();
    const reference = await fixture.sale();
    await fixture.control('POST', '/faults', { timeout_after_accept_rate: 1 });
    const call = fixture.paystack('POST', '/refund', { transaction: reference }).then(
      () => 'answered',
      () => 'broken off',
    );
    await until(async () => (await fixture.paystack('GET', '/refund')).body.data.length === 1);
    await fixture.sandbox.close();
    expect(await call).to.equal('broken off');
  });

  it('never loses the answer to a call that was refused', async () => {
    await using fixture = await openFixture();
    await fixture.control('POST', '/faults', { timeout_after_accept_rate: 1 });
    expect((await fixture.paystack('POST', '/transaction/initialize', {})).status).to.equal(400);
  });

  it('answers late, and closes at once all the same', async () => {
    await using fixture = await openFixture();
    await fixture.control('POST', '/faults', { latency_ms: 600_000 });
    const call = fixture.paystack('GET', '/transaction').catch(() => 'broken off');
    expect(await isPending(call)).to.equal(true);
    await fixture.sandbox.close();
    expect(await call).to.equal('broken off');
  });

  it('drops notifications for good', async () => {
    await using fixture = await openFixture();
    await fixture.control('POST', '/faults', { drop_notifications: true });
    await fixture.sale();
    await fixture.control('POST', '/faults');
    await fixture.pass(120_000);
    expect(fixture.receiver.received).to.deep.equal([]);
  });

  it('sends notifications twice', async () => {
    await using fixture = await openFixture();
    await fixture.control('POST', '/faults', { duplicate_notifications: true });
    await fixture.sale();
    expect(fixture.receiver.events()).to.deep.equal(['charge.success', 'charge.success']);
  });

  it('heals with an empty body, or with none', async () => {
    await using fixture = await openFixture();
    for (const cure of [{}, undefined]) {
      await fixture.control('POST', '/faults', { error_rate: 1 });
      expect((await fixture.paystack('GET', '/transaction')).status).to.equal(500);
      await fixture.control('POST', '/faults', cure);
      expect((await fixture.paystack('GET', '/transaction')).status).to.equal(200);
    }
  });
});

/** Asks until it is so; the mocha time-out is the limit. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo()));
}

function isPending(promise: Promise<unknown>): Promise<boolean> {
  const turn = new Promise<boolean>((resolve) => setImmediate(resolve, true));
  return Promise.race([promise.then(() => false), turn]);
}
