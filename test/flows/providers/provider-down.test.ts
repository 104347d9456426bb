import { expect } from 'chai';
import { breakerRules } from '../../../domain/providers/guard/breaker.ts';
import { type Checkout, newCharge, openCharge, stored } from '../../support/charges.ts';
import { HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { answerNext, forgetAnswers, interceptCalls } from '../../support/intercept.ts';
import { withNewTenant } from '../../support/stack.ts';
import { describeForEachProvider, type ProviderFixture, providers } from './fixture.ts';

const createPaths = {
  paystack: '/paystack/transaction/initialize',
  flutterwave: '/flutterwave/payments',
  monnify: '/monnify/api/v1/merchant/transactions/init-transaction',
};

const refusals = {
  paystack: { status: false, message: 'Integration has been deactivated' },
  flutterwave: { status: 'error', message: 'Merchant is not enabled for NGN', data: null },
  monnify: {
    requestSuccessful: false,
    responseMessage: 'Could not find specified contract',
    responseCode: '99',
  },
};

async function putFirst({ stack, slot }: ProviderFixture): Promise<string[]> {
  const order = [slot, ...providers.map((each) => each.slot).filter((other) => other !== slot)];
  await stack.sql`update connections set position = array_position(${order}::text[], slot::text)`;
  return order;
}

const slotsOf = async ({ stack }: ProviderFixture, charge: { reference: string }) =>
  (await stored(stack, charge)).attempts.map(({ slot, status }) => `${slot} ${status}`);

describeForEachProvider('While a provider is down', (fixture) => {
  const { stack, name, pass, pay, history, faults, expectStored } = fixture;
  let first: string;
  let second: string;
  before(async () => {
    await fixture.open(); // it worked before, so Monnify's login token is cached
    [first, second] = (await putFirst(fixture)) as [string, string];
  });
  interceptCalls();

  const countingCreates = async () => {
    const creates = async () => {
      const stats = await stack.control.stats();
      return Object.values(stats).reduce((sum, each) => sum + each.creates, 0);
    };
    const before = await creates();
    return async () => (await creates()) - before;
  };
  const createsAt = (provider: typeof name, times?: number) =>
    answerNext('POST', `${stack.sandbox.url}${createPaths[provider]}`, times);
  const refuse = () => createsAt(name).with(400, refusals[name]);
  const create = async (provider = 'auto') => {
    const charge = await newCharge(stack, { provider });
    await stack.settle();
    return charge;
  };
  const expectAttempts = async (charge: Checkout, ...attempts: string[]) =>
    expect(await slotsOf(fixture, charge)).to.deep.equal(attempts);
  const expectPaid = async (charge: Checkout, provider: string) => {
    await pay(charge);
    await fixture.expectTransaction(charge, { status: 'succeeded', provider });
    fixture.expectWebhooks(charge, 'charge.succeeded');
  };

  it('a refused payment is created at the next provider at once', async () => {
    refuse();
    const charge = await create();
    await expectAttempts(charge, `${first} refused`, `${second} open`);
    expect(await history(charge)).to.deep.equal([
      ...['charge.initiated', 'attempt.refused', 'charge.pending'],
    ]);
    expect(await fixture.read(charge)).to.include({ status: 'open', provider: second });
  });

  it('a payment that cannot reach it is created at the next provider at once', async () => {
    const creates = await countingCreates();
    createsAt(name).withoutConnection();
    const charge = await create();
    await expectAttempts(charge, `${second} open`);
    expect(await history(charge)).to.deep.equal([
      ...['charge.initiated', 'attempt.passed_over', 'charge.pending'],
    ]);
    expect(await creates()).to.equal(1);
    await expectPaid(charge, second);
  });

  it('a payment that it may have accepted is verified first, and created nowhere else', async () => {
    const creates = await countingCreates();
    await faults({ error_rate: 1 });
    const charge = await create();
    await expectAttempts(charge, `${first} unconfirmed`);
    await expectStored(charge, { status: 'initiated' });
    await faults();
    await pass(10 * SECOND);
    // Where a reference may be sent twice, what shows no payment may still hold its link: another one is made.
    const lost = name === 'flutterwave' ? [`${first} lost`] : [];
    await expectAttempts(charge, ...lost, `${first} open`);
    expect(await creates()).to.equal(2);
    await expectPaid(charge, first);
  });

  it('a charge that names it uses no other provider: refused, it fails; otherwise it waits and is paid', async () => {
    refuse();
    const refused = await create(first);
    await expectAttempts(refused, `${first} refused`);
    const message = `No provider took the payment: ${wordsOf(refusals[name])}`;
    await expectStored(refused, { status: 'failed', failure_message: message });
    createsAt(name).withoutConnection();
    const charge = await create(first);
    await expectAttempts(charge, `${first} queued`);
    await pass(MINUTE);
    await expectAttempts(charge, `${first} open`);
    await expectPaid(charge, first);
  });

  it('no charge fails when all providers are down: it is paid once they are back', async () => {
    for (const provider of providers) createsAt(provider.name, 100).withoutConnection();
    const charge = await create();
    const named = await create(first);
    await pass(2 * HOUR);
    for (const each of [charge, named]) await expectStored(each, { status: 'initiated' });
    await expectAttempts(named, `${first} queued`);
    forgetAnswers();
    const creates = await countingCreates();
    await pass(5 * MINUTE);
    await expectPaid(named, first);
    const [attempt, ...others] = (await stored(stack, charge)).attempts;
    expect(others).to.deep.equal([]);
    await expectPaid(charge, attempt!.slot);
    expect(await creates()).to.equal(2);
  });
});

function wordsOf(refusal: { message: string } | { responseMessage: string }): string {
  return 'message' in refusal ? refusal.message : refusal.responseMessage;
}

const breaker = { ...breakerRules, minimumCalls: 3, openMs: HOUR, minimumTimeoutMs: 0 };

describeForEachProvider(
  'A provider that stays down',
  (fixture) => {
    const { stack, pass, faults } = fixture;

    it('is passed over after a minute without an answer: the payment is created at the next provider, and the first is watched', async () => {
      const fresh = await withNewTenant(stack); // whose connections work
      const [first, second] = await putFirst(fixture);
      const create = (provider: string) => openCharge(fresh, { provider });
      await create(first!);
      await faults({ error_rate: 1 });
      const charge = await create('auto');
      for (let round = 0; round < 2; round++) await pass(10 * SECOND);
      expect(await slotsOf(fixture, charge)).to.deep.equal([`${first} unconfirmed`]);
      await pass(2 * MINUTE);
      expect(await slotsOf(fixture, charge)).to.deep.equal([`${first} lost`, `${second} open`]);
      await fixture.pay(charge);
      await fixture.expectStored(charge, { status: 'succeeded', slot: second });
    });
  },
  { env: { breaker } },
);
