import { expect } from 'chai';
import { createFactRecorder } from '../../../config/database/fact-recorder.ts';
import type { AttemptFact } from '../../../domain/payments/attempt/decide.ts';
import type { AttemptRow } from '../../../domain/payments/attempt/row.ts';
import type { RecordFact } from '../../../domain/payments/facts/record-together.ts';
import { useLedgerForEach } from '../../domain/ledger.ts';
import { declined, openCharge, paid } from '../../domain/notices.ts';

interface OpenCharge {
  id: string;
  attempt: AttemptRow;
}

describe('Facts that are recorded together', () => {
  const ledger = useLedgerForEach();
  let record: RecordFact;
  let transactions: number;
  let charges: OpenCharge[];

  beforeEach(async () => {
    transactions = 0;
    record = createFactRecorder((work) => {
      transactions += 1;
      return ledger.inTx(work);
    });
    charges = [];
    while (charges.length < 4) charges.push(await openCharge(ledger));
  });

  const fact = (one: AttemptFact) =>
    one.type === 'verified' ? { ...one, askedAt: ledger.clock() } : one;
  const recordPaid = ({ attempt }: OpenCharge) =>
    record({ attemptId: attempt.id, fact: fact(paid(attempt)) });
  const statuses = async () =>
    Promise.all(charges.map(async ({ id }) => (await ledger.charge(id)).status));
  const written = () =>
    ledger.rows(
      `select c.id, c.capture_id is not null as captured,
         (select count(*)::int from captures k where k.charge_id = c.id) as captures,
         (select count(*)::int from timeline_entries t where t.charge_id = c.id) as entries,
         (select count(*)::int from evidence v where v.charge_id = c.id) as evidence,
         (select count(*)::int from events e where e.subject_id = c.id) as events,
         (select count(*)::int from deliveries d join events e on e.id = d.event_id
          where e.subject_id = c.id) as deliveries,
         (select body::jsonb #>> '{data,id}' from events e where e.subject_id = c.id) as about
       from charges c order by c.id`,
    );

  it('share one transaction, and each writes what it writes by itself', async () => {
    const [first, ...others] = charges;
    await recordPaid(first!);
    expect(transactions).to.equal(1);
    await Promise.all(others.map(recordPaid));
    expect(transactions).to.equal(2);

    const [byItself, ...together] = await written();
    expect(byItself).to.include({ captures: 1, evidence: 1, events: 1, deliveries: 1 });
    expect(together).to.deep.equal(others.map(({ id }) => ({ ...byItself, id, about: id })));
    const [figures] = await ledger.rows(
      'select sum(succeeded)::int as n, sum(collected_kobo)::int as kobo from figure_changes',
    );
    expect(figures).to.deep.equal({ n: 4, kobo: 4 * 500_000 });
  });

  it('wait for no charge that somebody else has locked', async () => {
    const [locked, ...others] = charges;
    let waiting: Promise<unknown> | undefined;
    await ledger.tx(async ({ sql }) => {
      await sql.query('select 1 from charges where id = $1 for update', [locked!.id]);
      waiting = recordPaid(locked!);
      await Promise.all([...others.map(recordPaid), recordPaid(others[0]!)]);
      expect(await statuses()).to.deep.equal(['pending', 'succeeded', 'succeeded', 'succeeded']);
    });
    await waiting;
    expect(await statuses()).to.deep.equal(Array(4).fill('succeeded'));
  });

  it('fail each alone', async () => {
    const [failing, ...others] = charges;
    const endings = await Promise.allSettled([
      record({
        attemptId: failing!.attempt.id,
        fact: fact(paid(failing!.attempt)),
        alsoWrite: async () => {
          throw new Error('It cannot be written.');
        },
      }),
      record({ attemptId: 'att_unknown', fact: fact(declined) }),
      ...others.map(recordPaid),
    ]);
    expect(
      endings.map((ending) => (ending as PromiseRejectedResult).reason?.message),
    ).to.deep.equal([
      'It cannot be written.',
      'No attempt att_unknown.',
      undefined,
      undefined,
      undefined,
    ]);
    expect(await statuses()).to.deep.equal(['pending', 'succeeded', 'succeeded', 'succeeded']);
    const [first, ...rest] = await written();
    expect(first).to.include({ captures: 0, events: 0 });
    expect(
      rest.map(({ captures, events, deliveries }) => [captures, events, deliveries]),
    ).to.deep.equal(Array(3).fill([1, 1, 1]));
  });

  it('about one charge are recorded one after the other', async () => {
    const [charge] = charges;
    const second = { providerPaymentId: 'pay-second' };
    await Promise.all([
      recordPaid(charge!),
      record({ attemptId: charge!.attempt.id, fact: fact(paid(charge!.attempt, second)) }),
    ]);
    const captures = await ledger.rows(
      `select status from captures where charge_id = $1 order by status`,
      charge!.id,
    );
    expect(captures.map(({ status }) => status)).to.deep.equal(['applied', 'duplicate']);
  });

  it('about one payment of two charges leave it to the first, and a person looks at the second', async () => {
    const [first, second] = charges;
    const of = { providerPaymentId: 'pay-of-both' };
    await Promise.all(
      [first!, second!].map(({ attempt }) =>
        record({ attemptId: attempt.id, fact: fact(paid(attempt, of)) }),
      ),
    );
    expect(transactions).to.equal(2);
    expect((await ledger.charge(first!.id)).status).to.equal('succeeded');
    const { status, review } = await ledger.charge(second!.id);
    expect({ status, review }).to.deep.equal({ status: 'pending', review: ['capture_mismatch'] });
  });
});
