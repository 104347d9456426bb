import { createServer, type RequestListener } from 'node:http';
import { expect } from 'chai';
import { type Listening, listen } from '../../config/listen.ts';
import { newCharge } from '../support/charges.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../support/clock.ts';
import { describeOnEachQueue } from '../support/each-queue.ts';
import { resetStack } from '../support/reset-stack.ts';
import { withShortTimeouts } from '../support/short-timeouts.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

describeOnEachQueue('A webhook', (queues) => {
  let stack: Stack;
  let merchant: Listening;
  let answer: RequestListener;
  let arrivals: { at: Date; headers: Record<string, unknown> }[];

  before(async () => {
    stack = await startStack({ queues });
    const server = createServer((request, response) => {
      arrivals.push({ at: stack.clock(), headers: request.headers });
      request.resume().on('end', () => answer(request, response));
    });
    merchant = await listen(server, 0, '127.0.0.1');
  });
  after(async () => {
    await stack[Symbol.asyncDispose]();
    await merchant[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    arrivals = [];
    await stack.context.db.query(
      `update webhook_endpoints set url = $1, status = 'enabled', failing_since = null`,
      [`http://127.0.0.1:${merchant.port}/hook`],
    );
  });
  afterEach(async () => {
    await expectNoLeaks(stack);
    await resetStack(stack);
  });

  const answering = (status: number, headers: Record<string, string> = {}) => {
    answer = (_request, response) => void response.writeHead(status, headers).end('noted');
  };
  const paidCharge = async () => {
    const charge = await newCharge(stack);
    await stack.settle();
    await stack.control.pay(charge.reference);
    await stack.settle();
  };
  const delivery = async () => {
    const [row] = await stack.context.db.query<Record<string, any>>('select * from deliveries');
    const tries = await stack.context.db.query<Record<string, any>>(
      'select * from delivery_tries order by try',
    );
    return { ...row!, tries } as Record<string, any>;
  };

  it('is retried after a minute with a new signature when it fails, and every try is recorded', async () => {
    answering(500);
    await paidCharge();
    expect(arrivals).to.have.length(1);
    stack.clock.advance(50 * SECOND);
    await stack.settle();
    expect(arrivals, 'not before its wait').to.have.length(1);
    answering(204);
    stack.clock.advance(17 * SECOND);
    await stack.settle();

    const { status, due_at, tries } = await delivery();
    expect({ status, due_at }).to.deep.equal({ status: 'delivered', due_at: null });
    expect(tries.map((row: any) => [row.try, row.status_code, row.answer])).to.deep.equal([
      [1, 500, 'noted'],
      [2, 204, ''],
    ]);
    const [first, second] = arrivals.map(({ headers }) => headers);
    expect(first!['webhook-id']).to.equal(second!['webhook-id']);
    expect(first!['service-signature']).not.to.equal(second!['service-signature']);
  });

  it('loses no try to workers that are killed before they send', async () => {
    answering(500);
    await stack.context.db.query('alter table deliveries alter column tries set default 6');
    await paidCharge();
    await stack.context.db.query('alter table deliveries alter column tries set default 0');
    expect(await delivery()).to.include({ status: 'pending' });
    expect((await delivery()).tries).to.have.length(1);
    stack.clock.advance(67 * SECOND);
    await stack.settle();
    expect(arrivals).to.have.length(2);
  });

  it('uses up no try while its secret cannot be decrypted, and is sent once the key is back', async () => {
    answering(200);
    const [endpoint] = await stack.context.db.query<{ secret: string }>(
      'select secret from webhook_endpoints',
    );
    await stack.context.db.query(`update webhook_endpoints set secret = 'lost.' || secret`);
    await paidCharge();
    expect(await delivery())
      .to.include({ status: 'pending' })
      .and.have.property('tries')
      .that.has.length(0);
    await stack.context.db.query('update webhook_endpoints set secret = $1', [endpoint!.secret]);
    stack.clock.advance(MINUTE);
    await stack.settle();
    expect(await delivery())
      .to.include({ status: 'delivered' })
      .and.have.property('tries')
      .that.has.length(1);
  });

  it('is tried seven times within a day and is then exhausted when every try fails', async () => {
    answering(503);
    await paidCharge();
    for (const wait of [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR]) {
      stack.clock.advance(wait * 1.11);
      await stack.settle();
    }
    stack.clock.advance(DAY);
    await stack.settle();
    expect(arrivals).to.have.length(7);
    expect(await delivery()).to.deep.include({
      status: 'exhausted',
      due_at: null,
      tries: (await delivery()).tries,
    });
    expect(arrivals.at(-1)!.at.getTime() - arrivals[0]!.at.getTime()).to.be.at.most(DAY);
  });

  it('fails when the answer is a redirect, which is not followed', async () => {
    answering(302, { location: `http://127.0.0.1:${merchant.port}/elsewhere` });
    await paidCharge();
    expect(arrivals).to.have.length(1);
    expect((await delivery()).status).to.equal('pending');
  });

  it('fails with that error when no answer arrives in time', async () => {
    answer = () => {};
    await withShortTimeouts(stack, ['deliveryMs'], paidCharge);
    const { status, tries } = await delivery();
    expect(status).to.equal('pending');
    expect(tries[0]).to.include({ status_code: null, error: 'no answer within 0.3 s' });
  });

  it('is cancelled, not sent, when its endpoint is disabled', async () => {
    answering(500);
    await paidCharge();
    await stack.context.db.query("update webhook_endpoints set status = 'disabled'");
    stack.clock.advance(2 * MINUTE);
    await stack.settle();
    expect(arrivals).to.have.length(1);
    expect((await delivery()).status).to.equal('cancelled');
  });
});
