import { expect } from 'chai';
import type { Context } from '../../config/context.ts';
import { expireNext, newExpiryWalk } from '../../workers/expire-charges.ts';
import { runHousekeeping } from '../../workers/housekeeping.ts';
import { addCharges } from '../support/charge-rows.ts';
import { DAY, HOUR, MINUTE } from '../support/clock.ts';
import { useStack } from '../support/stack.ts';

/** More with STUCK=100000 npm test. */
const STUCK = Number(process.env.STUCK ?? 20_000);

const STUCK_CHARGES = `
  with charged as (
    insert into charges (id, tenant_id, mode, number, status, amount_kobo, currency, email, metadata,
      provider_wanted, slot, connection_id, created_by, created_at, occurred_at, expires_at)
    select 'txn_' || lpad(n::text, 26, '0'), $1, 'test', nextval('sv_numbers'), 'pending', 100000,
      'NGN', 'payer@example.com', '{}', 'auto', 'provider_a', 'con_revoked', 'secret', $2, $2, $3
    from generate_series(1, ${STUCK}) n returning id
  )
  insert into attempts (id, charge_id, connection_id, slot, reference, status, sent_at, accepted_at,
    due_at, created_at)
  select replace(id, 'txn', 'att'), id, 'con_revoked', 'provider_a', 'SV-' || id, 'open', $2, $2,
    $3::timestamptz + interval '6 hours', $2 from charged`;

describe(`${STUCK} charges of a tenant whose provider key was revoked`, () => {
  const stack = useStack({ workers: false });
  before(async () => {
    const { db, clock } = stack.context;
    const createdAt = new Date(clock().getTime() - 2 * DAY);
    const { tenant_id: other } = await stack.newTenant({ connected: false });
    const expiresAt = new Date(createdAt.getTime() + DAY);
    await db.query(STUCK_CHARGES, [other, createdAt, expiresAt]);
    await db.query('analyze charges, attempts');
  });

  const stuckRows = async () => `${await stack.count("charges where status = 'pending'")} pending`;

  const runCounted = async (walk = newExpiryWalk()) => {
    const { context } = stack;
    let lookedAt = 0;
    const query: Context['db']['query'] = async (text, values) => {
      const rows = await context.db.query<any>(text, values);
      if (/with ended as/.test(text)) lookedAt += rows[0].looked_at;
      return rows;
    };
    let transactions = 0;
    const inTx: Context['inTx'] = (work) => {
      transactions += 1;
      return context.inTx(work);
    };
    const run = await runHousekeeping({ ...context, inTx, db: { ...context.db, query } }, { walk });
    const { expired_charges: expired } = run.changed;
    return { expired, lookedAt, transactions, failed: run.failed };
  };

  it('are looked at once, and delay the end of no others, which come fifty in a transaction', async () => {
    const walk = newExpiryWalk();
    const addEnded = (count: number) => {
      const createdAt = new Date(stack.clock().getTime() - DAY - MINUTE);
      return addCharges(stack, Array(count).fill({ status: 'initiated', createdAt }));
    };
    await addEnded(300);
    const first = await runCounted(walk);
    expect(first).to.deep.equal({
      ...{ expired: 300, lookedAt: STUCK + 300, transactions: 6, failed: [] },
    });
    stack.clock.advance(MINUTE);
    await addEnded(10);
    expect(await runCounted(walk)).to.deep.equal({
      ...{ expired: 10, lookedAt: 10, transactions: 1, failed: [] },
    });
    expect(await stuckRows(), 'without an answer').to.equal(`${STUCK} pending`);
  });

  it('are looked at again now and then, for what a person decided meanwhile', async () => {
    const walk = newExpiryWalk();
    await runCounted(walk);
    await stack.sql`update attempts set verified_at = ${stack.clock()}
      where id = (select min(id) from attempts)`;
    expect(await runCounted(walk)).to.include({ expired: 0, lookedAt: 0 });
    stack.clock.advance(HOUR);
    expect(await runCounted(walk)).to.include({ expired: 1, lookedAt: STUCK });
  });
});

describe('A charge that cannot be expired', () => {
  const stack = useStack({ workers: false });

  it('keeps none from it that would have been expired together with it', async () => {
    const createdAt = new Date(stack.clock().getTime() - DAY - MINUTE);
    const ids = await addCharges(stack, Array(60).fill({ status: 'initiated', createdAt }));
    await stack.context.db.query(
      `alter table charges add constraint unwritable check (id <> '${ids[3]}' or status <> 'failed')`,
    );
    const { count } = await expireNext(stack.context, newExpiryWalk(), 'expires_at');
    expect(count).to.equal(59);
    const left = await stack.sql`select id from charges where status <> 'failed'`;
    expect(left).to.deep.equal([{ id: ids[3] }]);
    expect(await stack.count("events where type = 'charge.failed'")).to.equal(59);
  });
});
