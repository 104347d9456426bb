import { expect } from 'chai';
import { routes } from '../../../api/routes.ts';
import { newId } from '../../../domain/shared/ids.ts';
import type { CallOptions } from '../../support/api.ts';
import { openCharge } from '../../support/charges.ts';
import { expectError } from '../../support/contract.ts';
import { addDelivery, addEndpoint } from '../../support/deliveries.ts';
import { memberOf } from '../../support/members.ts';
import { callSandboxAsPaystack, openAccount } from '../../support/paystack-account.ts';
import { nameOf } from '../../support/route-calls.ts';
import { rowCounts, writingNothing } from '../../support/row-counts.ts';
import { runTwice } from '../../support/run-twice.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';

/** Something to create: a sound body, another one, and one that is refused. `subject` is what the path names. */
interface Order {
  subject?: string;
  body: object;
  other: object;
  refused: object;
}

async function paidReference(stack: Stack): Promise<string> {
  const { reference } = await openCharge(stack);
  await stack.control.pay(reference);
  await stack.settle();
  return reference;
}

const newEmail = ({ clock }: Stack) => `${newId('mem', clock())}@new.example`;

const orders: Record<string, (stack: Stack) => Promise<Order>> = {
  'POST /charges': async () => {
    const body = { amount_kobo: 10_000, email: 'ada@example.com' };
    return { body, other: { ...body, amount_kobo: 20_000 }, refused: { ...body, amount_kobo: 1 } };
  },
  'POST /refunds': async (stack) => {
    const body = {
      reference: await paidReference(stack),
      amount_kobo: 1_000,
      reason: 'It did not fit.',
    };
    return {
      body,
      other: { ...body, amount_kobo: 2_000 },
      refused: { ...body, amount_kobo: 100_001 },
    };
  },
  'POST /payment-links': async () => {
    const body = { amount_kobo: 10_000, description: 'Two tickets' };
    return {
      body,
      other: { ...body, description: 'Three tickets' },
      refused: { ...body, expires_in_days: 91 },
    };
  },
  'POST /api-keys': async () => ({
    body: { kind: 'secret' },
    other: { kind: 'public' },
    refused: { kind: 'master' },
  }),
  'POST /connections': async (stack) => {
    await stack.context.db.query('delete from connections'); // one tenant has one connection of a kind
    const secret_key = await openAccount(stack);
    const body = { provider: 'provider_a', credentials: { secret_key } };
    return { body, other: { ...body, position: 2 }, refused: { ...body, provider: 'provider_c' } };
  },
  'POST /webhook-endpoints': async () => {
    const body = { url: 'https://shop.example/webhooks' };
    return {
      body,
      other: { url: 'https://other.example/webhooks' },
      refused: { url: 'https://10.0.0.1/' },
    };
  },
  'POST /webhook-endpoints/:id/rotate-secret': async (stack) => ({
    subject: await addEndpoint(stack),
    body: {},
    other: { more: 1 },
    refused: { more: 1 },
  }),
  'POST /webhook-endpoints/:id/resend': async (stack) => ({
    subject: await addEndpoint(stack),
    body: { since: stack.clock().toISOString() },
    other: { since: new Date(stack.clock().getTime() - 1_000).toISOString() },
    refused: { since: 'yesterday' },
  }),
  'POST /deliveries/:id/resend': async (stack) => ({
    subject: await addDelivery(stack),
    body: {},
    other: { more: 1 },
    refused: { more: 1 },
  }),
  'POST /members': async (stack) => {
    const body = { email: newEmail(stack), role: 'viewer' };
    return {
      body,
      other: { ...body, email: newEmail(stack) },
      refused: { ...body, email: 'nobody' },
    };
  },
  'POST /members/:id/set-password-link': async (stack) => {
    const { memberId } = await memberOf(stack, stack.tenant, 'viewer');
    return { subject: memberId, body: {}, other: { more: 1 }, refused: { more: 1 } };
  },
};

/** What every create may write beside the thing itself and its remembered answer. */
const bookkeeping = ['audit_entries', 'idempotency_keys', 'timeline_entries', 'attempts'];

describe('Every POST that creates', () => {
  it('is known here', () => {
    expect(Object.keys(orders).sort()).to.deep.equal(
      routes
        .filter(({ idempotent }) => idempotent)
        .map(nameOf)
        .sort(),
    );
  });
});

for (const [name, order] of Object.entries(orders)) {
  describe(`${name} with an Idempotency-Key`, () => {
    let stack: Stack;
    let given: Order;
    let key: string;
    before(async () => {
      stack = await startStack();
      callSandboxAsPaystack(stack);
      const { token } = await memberOf(stack, stack.tenant, 'owner');
      const needsMember = [
        'api-keys',
        'connections',
        'members',
        'webhook-endpoints',
        'deliveries',
      ].some((collection) => name.includes(collection));
      key = needsMember ? token : stack.tenant.secret_key_test;
    });
    after(() => stack[Symbol.asyncDispose]());
    beforeEach(async () => {
      given = await order(stack);
      await stack.settle();
    });
    afterEach(async () => {
      await stack.settle();
      await expectNoLeaks(stack);
    });

    const create = (body: object, options: CallOptions) =>
      stack.api.post(name.replace('POST ', '').replace(':id', given.subject ?? ''), body, {
        key,
        ...options,
      });

    it('creates once and answers the same twice, byte for byte', async () => {
      const idempotencyKey = 'once and only once';
      const [first, second] = await runTwice(stack, async () => {
        const answer = await create(given.body, { idempotencyKey });
        await stack.settle();
        return answer;
      });
      expect(first.status).to.be.within(201, 202);
      expect(first.headers.get('idempotent-replayed')).to.equal(null);
      expect(second.headers.get('idempotent-replayed')).to.equal('true');
    });

    it('refuses another body under the same key, and writes nothing', async () => {
      const idempotencyKey = 'one key, two bodies';
      expect((await create(given.body, { idempotencyKey })).status).to.be.within(201, 202);
      await stack.settle();
      const refused = await writingNothing(stack, () => create(given.other, { idempotencyKey }));
      if (Object.keys(given.body).length > 0) expectError(refused, 409, 'idempotency_conflict');
      else expectError(refused, 422, 'validation_failed', ['more']); // a body that is always empty has no other
    });

    it('keeps the key of what was refused', async () => {
      const idempotencyKey = 'refused at first';
      const refused = await writingNothing(stack, () => create(given.refused, { idempotencyKey }));
      expect(refused.status, refused.text).to.equal(422);
      const created = await create(given.body, { idempotencyKey });
      expect(created.status, created.text).to.be.within(201, 202);
      expect(created.headers.get('idempotent-replayed')).to.equal(null);
    });

    it('creates once when asked eight times at once', async () => {
      const before = await rowCounts(stack);
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => create(given.body, { idempotencyKey: 'all at once' })),
      );
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
      expect(
        answers.filter(({ headers }) => headers.get('idempotent-replayed') === null),
      ).to.have.length(1);
      await stack.settle();
      const after = await rowCounts(stack);
      const grown = Object.keys(after).filter(
        (table) => after[table] !== before[table] && !bookkeeping.includes(table),
      );
      expect(grown.map((table) => after[table]! - before[table]!)).to.deep.equal(
        grown.map(() => 1),
      );
      expect(after.idempotency_keys! - before.idempotency_keys!).to.equal(1);
    });
  });
}
