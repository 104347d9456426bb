import { expect } from 'chai';
import type { PaymentOrder } from '../../../../domain/providers/port/payment.ts';
import { expectErrors, type Reply } from '../calls.ts';
import { accountAt, bad, good, listed, options, order, reference, row } from './examples.ts';

const span = { from: new Date('2026-03-02T00:00:00Z'), to: new Date('2026-03-02T23:59:59Z') };

describe('Creating a payment at Flutterwave', () => {
  const link = 'https://checkout.flutterwave.com/v3/hosted/pay/flwlnk-01hynrt7cd1fpm6gtef6khn93g';
  const hosted = good({ link }, 'Hosted Link');
  const create = async (overrides: Partial<PaymentOrder>, reply: Reply = [200, hosted]) => {
    const { account, requests, bodies } = accountAt(reply);
    const payment = await account.create({ ...order, ...overrides }, options);
    return { payment, requests, sent: bodies[0]! };
  };

  it('sends the order once, in naira with all their digits', async () => {
    const { requests, sent } = await create({});
    expect(requests).to.deep.equal(['POST /payments']);
    expect(JSON.parse(sent)).to.deep.equal({
      ...{ tx_ref: reference, amount: 5000.5, currency: 'NGN' },
      redirect_url: 'https://pay.example/pay/ct_1?returned=1',
      customer: { email: 'ada@example.com', name: 'Ada', phonenumber: '+2348012345678' },
      customizations: { description: 'Two tickets' },
      meta: { reference },
      configurations: { session_duration: 1440 },
    });
    const amounts: [amountKobo: number, digits: string][] = [
      [500_050, '5000.50'],
      [10_000, '100.00'],
      [1, '0.01'],
      [9_007_199_254_740_991, '90071992547409.91'],
    ];
    for (const [amountKobo, digits] of amounts)
      expect((await create({ amountKobo })).sent).to.include(`"amount":${digits},`);
  });

  it('omits what is not known', async () => {
    const { sent } = await create({ name: null, phone: null, description: null });
    const { customer, customizations } = JSON.parse(sent);
    expect(customer).to.deep.equal({ email: 'ada@example.com' });
    expect(customizations).to.deep.equal({});
  });

  it('limits the link to whole minutes, at least one and at most a day', async () => {
    const durations: [expiresInMs: number, minutes: number][] = [
      [119_999, 1],
      [5_000, 1],
      [-5_000, 1],
      [24 * 3_600_000, 1440],
      [30 * 24 * 3_600_000, 1440],
    ];
    for (const [expiresInMs, minutes] of durations) {
      const { payment, sent } = await create({ expiresInMs });
      expect(payment).to.deep.equal({ url: link, linkExpiresInMs: minutes * 60_000 });
      expect(JSON.parse(sent).configurations.session_duration).to.equal(minutes);
    }
  });

  it('fails as duplicate, refused or unknown', async () => {
    const replies: [reply: Reply, kind: string][] = [
      [[400, bad('Transaction reference has been used before')], 'duplicate'],
      [[400, bad('Invalid currency')], 'refused'],
      [[500, hosted], 'unknown'],
      [[200, JSON.stringify(hosted).slice(0, -20)], 'unknown'],
      ...[null, {}, { link: 'javascript:alert(1)' }, { link: 'https://' }].map(
        (data): [Reply, string] => [[200, good(data)], 'unknown'],
      ),
    ];
    await expectErrors('create', replies, (reply) => create({}, reply));
  });
});

describe('Listing the payments of Flutterwave', () => {
  it('returns captured payments', async () => {
    const statuses = ['successful', 'failed', 'pending', 'cancelled', 'SUCCESSFUL'];
    const rows = statuses.map((status, index) => row({ id: index + 1, status }));
    const { account, requests } = accountAt([200, listed(rows, 3)]);
    const page = await account.listPayments({ ...span, cursor: null }, options);
    expect(page.rows.map(({ providerPaymentId }) => providerPaymentId)).to.deep.equal(['1', '5']);
    expect(page.next).to.equal('2:1');
    expect(requests).to.deep.equal(['GET /transactions?from=2026-03-01&to=2026-03-03&page=1']);
  });

  it('asks for successful ones alone', async () => {
    const { account, requests } = accountAt([200, listed([])]);
    await account.listPayments({ ...span, cursor: null, paidOnly: true }, options);
    const query = 'from=2026-03-01&to=2026-03-03&status=successful';
    expect(requests).to.deep.equal([`GET /transactions?${query}&page=1`]);
  });

  it('ends where the newest payment of a page is older than the period', async () => {
    const page = async (...times: string[]) => {
      const rows = times.map((created_at, index) => row({ id: index + 1, created_at }));
      const { account } = accountAt([200, listed(rows, 3)]);
      return (await account.listPayments({ ...span, cursor: null }, options)).next;
    };
    const [before, longBefore] = ['2026-03-01T23:59:00Z', '2026-03-01T12:00:00Z'];
    expect(await page(before, longBefore)).to.equal(null);
    expect(await page('2026-03-02T00:00:00Z', before), 'one in the period').to.equal('2:1');
    expect(await page(longBefore, before), 'oldest first').to.equal('2:1');
  });
});
