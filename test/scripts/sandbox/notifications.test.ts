import { createHmac } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { expect } from 'chai';
import { listen } from '../../../config/listen.ts';
import { openPoster } from '../../../scripts/sandbox/post.ts';
import { forEachTest } from '../../support/for-each-test.ts';
import { openFixture } from './fixture.ts';
import { openReceiver } from './receiver.ts';

const hmac = (key: string, raw: string) => createHmac('sha512', key).update(raw).digest('hex');

describe('sandbox: notifications', () => {
  const fixture = forEachTest(openFixture);

  it('are of a paid payment as verify shows it, signed over the exact bytes', async () => {
    const reference = await fixture.sale();
    const [{ headers, raw, body }, ...rest] = fixture.receiver.received as [any];
    expect(rest).to.deep.equal([]);
    const data = await fixture.shown(reference);
    expect(body).to.deep.equal({ event: 'charge.success', data });
    expect(headers['x-paystack-signature']).to.equal(hmac(fixture.keys.secret_key, raw));
  });

  it('are tried again after 1, 10 and 60 seconds, the same bytes, where the address then is', async () => {
    fixture.receiver.answerNext(500, 302, 201);
    await fixture.sale();
    const { received } = fixture.receiver;
    const counts = [received.length];
    for (const ms of [999, 1, 9_999, 1, 59_999]) {
      await fixture.pass(ms);
      counts.push(received.length);
    }
    expect(counts).to.deep.equal([1, 1, 2, 2, 3, 3]);
    await using moved = await openReceiver();
    moved.answerNext(404);
    const account = { provider: 'paystack', ...fixture.keys, notification_url: moved.url };
    await fixture.control('/accounts', account);
    for (const ms of [1, 3_600_000]) await fixture.pass(ms);
    expect(moved.received, 'the last try').to.have.length(1);
    const sent = [...received, ...moved.received].map(({ raw }) => raw);
    expect(new Set(sent).size).to.equal(1);
    expect(await fixture.stats()).to.include({ notifications: 4 });
  });

  it('are never lost when the sandbox ends in the middle of one', async () => {
    fixture.receiver.answerNext('never');
    const reference = await fixture.order();
    const arrival = fixture.receiver.next();
    await fixture.pay(reference);
    await arrival;
    await fixture.restart();
    await fixture.pass(1_000);
    expect(fixture.receiver.events()).to.deep.equal(['charge.success', 'charge.success']);
  });

  it('are sent many at once, each exactly once', async () => {
    const references = await Promise.all(Array.from({ length: 150 }, () => fixture.order()));
    await Promise.all(references.map((reference) => fixture.pay(reference)));
    const notified = (await fixture.notified()).map(({ data }) => data.reference);
    expect(notified).to.have.members(references);
    const listed = await fixture.get('/transaction?perPage=500');
    expect(listed, 'as many as Paystack lists at once').to.have.length(100);
  });
});

describe('sandbox: notifications of Flutterwave', () => {
  it('show a payment without what only verify shows', async () => {
    await using fixture = await openFixture({ provider: 'flutterwave' });
    await fixture.pay(await fixture.order({ meta: { order: '7' } }));
    const [body] = await fixture.notified();
    expect(body).to.deep.include({
      ...{ event: 'charge.completed', 'event.type': 'CARD_TRANSACTION' },
      meta_data: { order: '7' },
    });
    expect(body.data).not.to.have.any.keys('amount_settled', 'meta');
  });
});

describe('sandbox: notifications of Monnify', () => {
  const fixture = forEachTest(() => openFixture({ provider: 'monnify' }));

  it('show where a payment came from and went to where it was by transfer, signed over the exact bytes', async () => {
    const paymentReference = await fixture.sale(500_000, { channel: 'bank_transfer' });
    const { transactionReference } = await fixture.shown(paymentReference);
    await fixture.sale();
    const [{ headers, raw, body }, { body: byCard }] = fixture.receiver.received as [any, any];
    expect(headers['monnify-signature']).to.equal(hmac(fixture.keys.secret_key, raw));
    expect(body.eventType).to.equal('SUCCESSFUL_TRANSACTION');
    expect(body.eventData).to.deep.include({
      ...{ transactionReference, paymentReference, paidOn: '2026-03-02 10:00:00.000' },
      ...{ amountPaid: 5000, totalPayable: 5000, settlementAmount: '4925.00', currency: 'NGN' },
      ...{ paymentStatus: 'PAID', paymentMethod: 'ACCOUNT_TRANSFER' },
      customer: { email: 'ada@example.com', name: 'Ada Obi' },
    });
    expect(body.eventData.paymentSourceInformation[0]).to.include({ amountPaid: 5000 });
    const account = ['bankCode', 'bankName', 'accountNumber'];
    expect(body.eventData.destinationAccountInformation).to.have.all.keys(account);
    expect(byCard.eventData).to.deep.include({
      ...{ paymentSourceInformation: {}, destinationAccountInformation: {} },
      paymentMethod: 'CARD',
    });
  });

  it('tell of a wrong transfer that was sent back, and the payment can still be paid', async () => {
    const paymentReference = await fixture.order();
    const reject = { channel: 'bank_transfer', amount_kobo: 450_000, reject: true };
    expect(
      (await fixture.pay(paymentReference, { ...reject, amount_kobo: 500_000 })).status,
    ).to.equal(400);
    await fixture.pay(paymentReference, reject);
    const [{ eventType, eventData }] = await fixture.notified();
    expect(eventType).to.equal('REJECTED_PAYMENT');
    const { transactionReference, paymentStatus } = await fixture.shown(paymentReference);
    expect(eventData).to.include({
      ...{ transactionReference, paymentReference, amount: 5000, metaData: '{}' },
      created_on: '2026-03-02 10:00:00.000',
    });
    expect(eventData.paymentSourceInformation).to.include({ amountPaid: 4500 });
    const rejection = { rejectionReason: 'UNDER_PAYMENT', expectedAmount: 5000 };
    expect(eventData.paymentRejectionInformation).to.include(rejection);
    expect(paymentStatus).to.equal('PENDING');
    expect((await fixture.pay(paymentReference)).status).to.equal(200);
    await using keeper = await openFixture();
    expect((await keeper.pay(await keeper.order(), reject)).status).to.equal(400);
  });
});

describe('sandbox: posting a notification', () => {
  const outcomeOf = async (answer: RequestListener) => {
    const server = createServer(answer);
    await using listening = await listen(server, 0, '127.0.0.1');
    const poster = openPoster(1, 100);
    const url = `http://127.0.0.1:${listening.port}/notify?a=b`;
    const outcome = await poster.post(url, { 'x-a': 'b' }, '{}');
    await poster.destroy();
    server.closeAllConnections();
    return outcome;
  };

  it('sends path, headers and body, and returns the status', async () => {
    const outcome = await outcomeOf(async (request, response) => {
      const body = (await request.toArray()).join('');
      const isRight = request.url === '/notify?a=b' && request.headers['x-a'] === 'b';
      response.writeHead(isRight && body === '{}' ? 204 : 400).end();
    });
    expect(outcome).to.equal(204);
  });

  it('gives up an answer that begins or ends too late, and reads no more of it than it has to', async () => {
    const writing = (text: string) =>
      outcomeOf((_request, response) => void response.writeHead(200).write(text));
    expect(await outcomeOf(() => {})).to.match(/timeout/i);
    expect(await writing('a')).to.match(/timeout/i);
    expect(await writing('a'.repeat(100_000))).to.equal(200);
  });

  it('says why there is no answer', async () => {
    expect(await outcomeOf((request) => request.socket.destroy())).to.match(/closed/);
    expect(await openPoster(1).post('http://127.0.0.1:1/', {}, '{}')).to.match(/ECONNREFUSED/);
  });
});
