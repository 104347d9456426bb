import { expect } from 'chai';
import { routes } from '../../../api/routes.ts';
import { newId } from '../../../domain/shared/ids.ts';
import { newCharge, paidCharge, stored } from '../../support/charges.ts';
import { expectRefused } from '../../support/contract.ts';
import { addDelivery, addEndpoint } from '../../support/deliveries.ts';
import { addDispute } from '../../support/disputes.ts';
import { liveShop } from '../../support/live-shop.ts';
import { mailSettings, useMailbox } from '../../support/mailbox.ts';
import { memberOf } from '../../support/members.ts';
import { newLink } from '../../support/payment-links.ts';
import { callSandboxAsPaystack, openAccount } from '../../support/paystack-account.ts';
import { nameOf } from '../../support/route-calls.ts';
import { rowCounts, writingNothing } from '../../support/row-counts.ts';
import { runTwice } from '../../support/run-twice.ts';
import { type Stack, useStack } from '../../support/stack.ts';
import { apiKey } from '../access-table.ts';

/**
 * What a route creates: a valid body, another one, and a refused one. `subject`: what the path
 * names; `key`: the credential, where it is not the Owner's in test mode.
 */
interface Order {
  subject?: string;
  key?: string;
  body: object;
  other: object;
  refused: object;
}

const nothing = { body: {}, other: { more: 1 }, refused: { more: 1 } };

const disputed = async (stack: Stack) =>
  addDispute(stack, (await stored(stack, await paidCharge(stack))).capture_id);

const newEmail = ({ clock }: Stack) => `${newId('mem', clock())}@new.example`;

const orders: Record<string, (stack: Stack) => Promise<Order>> = {
  'POST /charges': async () => {
    const body = { amount_kobo: 10_000, email: 'ada@example.com' };
    return { body, other: { ...body, amount_kobo: 20_000 }, refused: { ...body, amount_kobo: 1 } };
  },
  'POST /charges/:reference/mail': async (stack) => {
    const { reference } = await newCharge(await liveShop(stack));
    return { subject: reference, key: stack.tenant.secret_key_live, ...nothing };
  },
  'POST /payment-links/:id/mail': async (stack) => {
    const { id } = await newLink(await liveShop(stack), { customer: { email: 'ada@example.com' } });
    return { subject: id, key: stack.tenant.secret_key_live, ...nothing };
  },
  'POST /refunds': async (stack) => {
    const { reference } = await paidCharge(stack);
    const body = { reference, amount_kobo: 1_000, reason: 'It did not fit.' };
    const [other, refused] = [2_000, 100_001].map((amount_kobo) => ({ ...body, amount_kobo }));
    return { body, other: other!, refused: refused! };
  },
  'POST /payment-links': async () => {
    const body = { amount_kobo: 10_000, description: 'Two tickets' };
    const other = { ...body, description: 'Three tickets' };
    return { body, other, refused: { ...body, expires_in_days: 91 } };
  },
  'POST /api-keys': async () => ({
    body: { kind: 'secret' },
    other: { kind: 'public' },
    refused: { kind: 'master' },
  }),
  'POST /api-keys/:id/rotate': async (stack) => ({
    subject: await apiKey(stack),
    body: { overlap_hours: 2 },
    other: { overlap_hours: 1 },
    refused: { overlap_hours: 169 },
  }),
  'POST /connections': async (stack) => {
    await stack.sql`delete from connections`; // one tenant has one connection of a kind
    const secret_key = await openAccount(stack);
    const body = { provider: 'provider_a', credentials: { secret_key } };
    return { body, other: { ...body, position: 2 }, refused: { ...body, provider: 'provider_c' } };
  },
  'POST /webhook-endpoints': async () => ({
    body: { url: 'https://shop.example/webhooks' },
    other: { url: 'https://other.example/webhooks' },
    refused: { url: 'https://10.0.0.1/' },
  }),
  'POST /webhook-endpoints/:id/rotate-secret': async (stack) => ({
    subject: await addEndpoint(stack),
    ...nothing,
  }),
  'POST /webhook-endpoints/:id/resend': async (stack) => ({
    subject: await addEndpoint(stack),
    body: { since: stack.clock().toISOString() },
    other: { since: new Date(stack.clock().getTime() - 1_000).toISOString() },
    refused: { since: 'yesterday' },
  }),
  'POST /deliveries/:id/resend': async (stack) => ({
    subject: await addDelivery(stack),
    ...nothing,
  }),
  'POST /members': async (stack) => {
    const body = { email: newEmail(stack), role: 'viewer' };
    const other = { ...body, email: newEmail(stack) };
    return { body, other, refused: { ...body, email: 'nobody' } };
  },
  'POST /members/:id/set-password-link': async (stack) => {
    const { memberId } = await memberOf(stack, stack.tenant, 'viewer');
    return { subject: memberId, ...nothing };
  },
  'POST /disputes/:id/evidence': async (stack) => ({
    subject: await disputed(stack),
    body: { details: 'Two tickets.' },
    other: { details: 'Three tickets.' },
    refused: { details: ' ' },
  }),
  'POST /disputes/:id/accept': async (stack) => ({
    subject: await disputed(stack),
    body: { note: 'The parcel was lost.' },
    other: { note: 'It did not fit.' },
    refused: { note: ' ' },
  }),
};

/** Their answers show a secret once, so the remembered answer is sealed. */
const showsSecret = [
  'POST /api-keys',
  'POST /api-keys/:id/rotate',
  'POST /webhook-endpoints',
  'POST /webhook-endpoints/:id/rotate-secret',
  'POST /members',
  'POST /members/:id/set-password-link',
];

const bookkeeping = ['audit_entries', 'idempotency_keys', 'timeline_entries', 'attempts'];

describe('An Idempotency-Key', () => {
  const stack = useStack({ env: { mail: mailSettings } });
  useMailbox(stack);
  let owner: string;
  before(async () => {
    callSandboxAsPaystack(stack);
    owner = (await memberOf(stack, stack.tenant, 'owner')).token;
  });
  afterEach(() => stack.settle());

  it('is tested for every route that takes one', () => {
    const idempotent = routes.filter((route) => route.idempotent);
    expect(Object.keys(orders).sort()).to.deep.equal(idempotent.map(nameOf).sort());
  });

  for (const [name, order] of Object.entries(orders)) {
    const path = name.replace('POST ', '');

    async function given() {
      const made = await order(stack);
      await stack.settle();
      const create = (body: object, idempotencyKey: string) =>
        stack.api.post(path.replace(/:\w+/, made.subject ?? ''), body, {
          key: made.key ?? owner,
          idempotencyKey,
        });
      return { ...made, create };
    }

    it(`makes ${name} replay its first answer, refuse another body, and write once`, async () => {
      const { body, other, refused, create } = await given();
      const refusal = await writingNothing(stack, () => create(refused, name));
      expect(refusal.status, refusal.text).to.equal(422);
      const [first, second] = await runTwice(stack, async () => {
        const answer = await create(body, name);
        await stack.settle();
        return answer;
      });
      expect(first.status, first.text).to.be.within(201, 202);
      expect(first.headers.get('idempotent-replayed')).to.equal(null);
      expect(second.headers.get('idempotent-replayed')).to.equal('true');
      const conflict = await writingNothing(stack, () => create(other, name));
      if (Object.keys(body).length > 0) expectRefused(conflict, 'idempotency_conflict');
      else expectRefused(conflict, 'validation_failed', ['more']); // takes no other body
      const [remembered] = await stack.sql<{ sealed: boolean }>`select sealed
        from idempotency_keys where key = ${name}`;
      expect(remembered!.sealed, 'sealed').to.equal(showsSecret.includes(name));
    });

    it(`makes eight simultaneous requests of ${name} one`, async () => {
      const { body, create } = await given();
      const before = await rowCounts(stack);
      const answers = await Promise.all(Array.from({ length: 8 }, () => create(body, 'at once')));
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
      const replayed = answers.map(({ headers }) => headers.get('idempotent-replayed'));
      expect(replayed.filter((replay) => replay === null)).to.have.length(1);
      await stack.settle();
      const after = await rowCounts(stack);
      const grown = Object.keys(after)
        .filter((table) => !bookkeeping.includes(table))
        .map((table) => after[table]! - before[table]!);
      expect(grown.filter((rows) => rows > 0)).to.satisfy((rows: number[]) =>
        rows.every((more) => more === 1),
      );
      expect(after.idempotency_keys! - before.idempotency_keys!).to.equal(1);
    });
  }
});
