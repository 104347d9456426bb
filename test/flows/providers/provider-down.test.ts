import { expect } from 'chai';
import { breakerRules } from '../../../domain/providers/guard/breaker.ts';
import { type Checkout, newCharge, stored } from '../../support/charges.ts';
import { HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { answerNext, forgetAnswers, interceptCalls } from '../../support/intercept.ts';
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
  await stack.context.db.query(
    'update connections set position = array_position($1::text[], slot::text)',
    [order],
  );
  return order;
}

const slotsOf = async ({ stack }: ProviderFixture, charge: { reference: string }) =>
  (await stored(stack, charge)).attempts.map(({ slot, status }) => `${slot} ${status}`);

describeForEachProvider('While a provider is down', (fixture) => {
  let first: string;
  let second: string;
  before(async () => {
    await fixture.open(); // it worked before, so Monnify's login token is cached
    [first, second] = (await putFirst(fixture)) as [string, string];
  });
  interceptCalls();

  const creates = async () => {
    const stats = await fixture.stack.control.stats();
    return Object.values(stats).reduce((sum, each) => sum + each.creates, 0);
  };
  const createsAt = (name: typeof fixture.name, times?: number) =>
    answerNext('POST', `${fixture.stack.sandbox.url}${createPaths[name]}`, times);
  const refuse = () => createsAt(fixture.name).with(400, refusals[fixture.name]);
  const create = async (provider = 'auto') => {
    const charge = await newCharge(fixture.stack, { provider });
    await fixture.stack.settle();
    return charge;
  };
  const expectPaid = async (charge: Checkout, provider: string) => {
    await fixture.pay(charge);
    expect((await fixture.read(charge)).transaction).to.include({ status: 'succeeded', provider });
    expect(fixture.webhooksOf(charge)).to.deep.equal(['charge.succeeded succeeded']);
  };

  it('a refused payment is created at the next provider at once', async () => {
    refuse();
    const charge = await create();
    expect(await slotsOf(fixture, charge)).to.deep.equal([`${first} refused`, `${second} open`]);
    expect(await fixture.history(charge)).to.deep.equal([
      'charge.initiated',
      'attempt.refused',
      'charge.pending',
    ]);
    expect(await fixture.read(charge)).to.include({ status: 'open', provider: second });
  });

  it('a payment that cannot reach it is created at the next provider at once', async () => {
    const before = await creates();
    createsAt(fixture.name).withoutConnection();
    const charge = await create();
    expect(await slotsOf(fixture, charge)).to.deep.equal([`${second} open`]);
    expect(await fixture.history(charge)).to.deep.equal([
      'charge.initiated',
      'attempt.passed_over',
      'charge.pending',
    ]);
    expect((await creates()) - before).to.equal(1);
    await expectPaid(charge, second);
  });

  it('a payment that it may have accepted is verified first, and created nowhere else', async () => {
    const before = await creates();
    await fixture.faults({ error_rate: 1 });
    const charge = await create();
    expect(await slotsOf(fixture, charge)).to.deep.equal([`${first} unconfirmed`]);
    expect(await stored(fixture.stack, charge)).to.include({ status: 'initiated' });
    await fixture.faults();
    await fixture.pass(10 * SECOND);
    // Where a reference may be sent twice, what shows no payment may still hold its link: another one is made.
    const links =
      fixture.name === 'flutterwave' ? [`${first} lost`, `${first} open`] : [`${first} open`];
    expect(await slotsOf(fixture, charge)).to.deep.equal(links);
    expect((await creates()) - before).to.equal(2);
    await expectPaid(charge, first);
  });

  it('a charge that names it uses no other provider: refused, it fails; otherwise it waits and is paid', async () => {
    refuse();
    const refused = await create(first);
    expect(await slotsOf(fixture, refused)).to.deep.equal([`${first} refused`]);
    const { status, failure_message: message } = await stored(fixture.stack, refused);
    expect([status, message]).to.deep.equal([
      'failed',
      `No provider took the payment: ${wordsOf(refusals[fixture.name])}`,
    ]);
    createsAt(fixture.name).withoutConnection();
    const charge = await create(first);
    expect(await slotsOf(fixture, charge)).to.deep.equal([`${first} queued`]);
    await fixture.pass(MINUTE);
    expect(await slotsOf(fixture, charge)).to.deep.equal([`${first} open`]);
    await expectPaid(charge, first);
  });

  it('no charge fails when all providers are down: it is paid once they are back', async () => {
    for (const { name } of providers) createsAt(name, 100).withoutConnection();
    const charge = await create();
    const named = await create(first);
    await fixture.pass(2 * HOUR);
    for (const each of [charge, named])
      expect(await stored(fixture.stack, each)).to.include({ status: 'initiated' });
    expect(await slotsOf(fixture, named)).to.deep.equal([`${first} queued`]);
    forgetAnswers();
    const before = await creates();
    await fixture.pass(5 * MINUTE);
    await expectPaid(named, first);
    const [attempt, ...others] = (await stored(fixture.stack, charge)).attempts;
    expect(others).to.deep.equal([]);
    await expectPaid(charge, attempt!.slot);
    expect((await creates()) - before).to.equal(2);
  });
});

function wordsOf(refusal: object): string {
  return 'message' in refusal
    ? String(refusal.message)
    : String((refusal as { responseMessage: string }).responseMessage);
}

const breaker = { ...breakerRules, minimumCalls: 3, openMs: HOUR, minimumTimeoutMs: 0 };

describeForEachProvider(
  'A provider that stays down',
  (fixture) => {
    it('is passed over after a minute without an answer: the payment is created at the next provider, and the first is watched', async () => {
      const { secret_key_test: key } = await fixture.stack.newTenant(); // its connections work
      const [first, second] = await putFirst(fixture);
      const create = async (provider: string) => {
        const { json } = await fixture.stack.api.post<Checkout>(
          '/charges',
          { amount_kobo: 100_000, email: 'ada@example.com', provider },
          { key },
        );
        await fixture.stack.settle();
        return json;
      };
      await create(first!);
      await fixture.faults({ error_rate: 1 });
      const charge = await create('auto');
      for (let round = 0; round < 2; round++) await fixture.pass(10 * SECOND);
      expect(await slotsOf(fixture, charge)).to.deep.equal([`${first} unconfirmed`]);
      await fixture.pass(2 * MINUTE);
      expect(await slotsOf(fixture, charge)).to.deep.equal([`${first} lost`, `${second} open`]);
      await fixture.pay(charge);
      expect(await stored(fixture.stack, charge)).to.include({ status: 'succeeded', slot: second });
    });
  },
  { env: { breaker } },
);
