import { expect } from 'chai';
import { recordDispute } from '../../../../domain/payments/facts/record-dispute.ts';
import { recordListedRefunds } from '../../../../domain/payments/facts/record-listed-refunds.ts';
import type { AccountBalance } from '../../../../domain/settlements/books/balances.ts';
import { type BooksContext, checkBooks } from '../../../../domain/settlements/books/check.ts';
import { newId } from '../../../../domain/shared/ids.ts';
import { listedRefund } from '../../payments/refund-fixture.ts';
import { changesSince, noChanges, rowsOf } from '../settlement/table-rows.ts';
import { close, withSettlementFixture } from '../settlement/with-fixture.ts';

describe('The check of the books', () => {
  const { ledger, fixture, passDays } = withSettlementFixture();
  const ids: Record<string, string> = {};

  /** A payment of ₦5,000 with a fee of ₦175, of which ₦1,000 went back, and another, disputed. */
  beforeEach(async () => {
    const [refunded, disputed] = [await fixture.pay(), await fixture.pay()];
    passDays(1);
    const connectionId = refunded.attempt.connection_id;
    const of = ({ capture: { providerPaymentId } }: typeof refunded) => providerPaymentId;
    await ledger.inTx((tx) =>
      recordListedRefunds(tx, { connectionId, providerPaymentId: of(refunded) }, [
        listedRefund({ providerRefundId: 'made-there', amountKobo: 100_000 }),
      ]),
    );
    passDays(1);
    await ledger.inTx((tx) =>
      recordDispute(tx, connectionId, {
        ...{ providerDisputeId: 'dispute', providerPaymentId: of(disputed), amountKobo: null },
        ...{ state: 'open', status: 'open', raw: '""' },
      }),
    );
    fixture.payOut([refunded], { deductionsKobo: 100_000 });
    await fixture.reconcile();
    passDays(1);
    ids.newest = newId('btx', ledger.clock());
    ids.middle = await idOf("select min(id) from postings where type = 'refund'");
    for (const id of [ids.middle, ids.newest])
      await ledger.rows(
        `insert into balance_snapshots (connection_id, before_id, type, debit, credit, amount_kobo, count)
         select connection_id, $1, type, debit, credit, sum(amount_kobo), count(*) from postings
         where id < $1 group by connection_id, type, debit, credit`,
        id,
      );
    ids.refunded = await idOf(
      `select id from captures where provider_payment_id = '${of(refunded)}'`,
    );
    ids.refund = await idOf('select id from refunds');
    ids.dispute = await idOf('select id from disputes');
    ids.payout = await idOf("select id from settlements where status = 'landed'");
    ids.stranger = newId('cap', ledger.clock());
    ids.late = newId('btx', ledger.clock());
  });
  const idOf = async (query: string): Promise<string> =>
    Object.values((await ledger.rows(query))[0])[0] as string;

  const check = (more: Partial<BooksContext> = {}) => {
    const { db, inTx, account } = fixture.context;
    return checkBooks({ db, inTx, account, hasTime: () => true, ...more });
  };
  const found = async () =>
    Object.fromEntries(
      (await fixture.discrepancies()).map(({ subject, amount_kobo: kobo }) => [
        Object.keys(ids).find((name) => ids[name] === subject),
        kobo,
      ]),
    );
  /** Changes what cannot be changed. */
  const tamper = (query: string) =>
    ledger.inTx(async ({ sql }) => {
      await sql.query("select set_config('session_replication_role', 'replica', true)");
      await sql.query(
        query.replaceAll(/:(\w+)/g, (whole, name) => (ids[name] ? `'${ids[name]}'` : whole)),
      );
    });
  const remembered = async () => {
    const rows = await ledger.rows('select to_json(p) as row from postings p');
    const json = JSON.stringify(rows.map(({ row }) => row)).replaceAll("'", "''");
    return async () => {
      await tamper('delete from postings');
      await tamper(
        `insert into postings select * from json_populate_recordset(null::postings, '${json}')`,
      );
    };
  };
  const again = (fields: string, where: string) => `
    insert into postings (id, tenant_id, mode, connection_id, debit, credit, amount_kobo, type, source, sequence, occurred_at, created_at)
    select ${fields} from postings where ${where}`;
  const copyOf = (id: string, source = 'source') =>
    `${id}, tenant_id, mode, connection_id, debit, credit, amount_kobo, type, ${source}, sequence + 1, occurred_at, created_at`;

  it('finds nothing where none differs', async () => {
    const before = await rowsOf(ledger);
    expect(await check()).to.equal(null);
    expect(await changesSince(before, ledger)).to.deep.equal(noChanges);
  });

  const wrongs: Record<string, [change: string, found: Record<string, number>]> = {
    'a posting of a payment that is missing': [
      "delete from postings where source = :refunded and type = 'fee'",
      { refunded: 17_500, middle: 17_500 },
    ],
    'all postings of a payment that are missing': [
      'delete from postings where source = :refunded',
      { refunded: 500_000, middle: 500_000 },
    ],
    'a posting of a refund that is there twice': [
      again(copyOf(':late'), 'source = :refund'),
      { refund: 100_000 },
    ],
    'a dispute that is posted to another account': [
      "update postings set debit = 'disputes_lost' where source = :dispute",
      { dispute: 500_000, newest: 500_000 },
    ],
    'a payout that is posted with another amount': [
      "update postings set amount_kobo = amount_kobo + 1 where source = :payout and type = 'payout'",
      { payout: 1, newest: 1 },
    ],
    'a posting of a refund for a payment': [
      'update postings set source = :refunded where source = :refund',
      { refunded: 100_000, refund: 100_000 },
    ],
    'a posting of no record': [
      again(copyOf(':late', ':stranger'), 'source = :refund'),
      { stranger: 100_000 },
    ],
    'a posting of a time that a snapshot has added up': [
      again(copyOf(':middle || 0', ':stranger'), 'source = :refund'),
      { stranger: 100_000, newest: 100_000 },
    ],
    'a snapshot that is wrong, and the one that begins with it': [
      "update balance_snapshots set amount_kobo = amount_kobo - 5 where before_id = :middle and type = 'fee'",
      { middle: 5, newest: 5 },
    ],
  };
  for (const [what, [change, expected]] of Object.entries(wrongs))
    it(`finds ${what}, once, until it is mended`, async () => {
      const mend = await remembered();
      await tamper(change);
      await check();
      expect(await found()).to.deep.equal(expected);
      const before = await rowsOf(ledger);
      await check();
      expect(await changesSince(before, ledger)).to.deep.equal(noChanges);
      await mend();
      if (change.includes('balance_snapshots')) await tamper('delete from balance_snapshots');
      await check();
      expect(await found()).to.deep.equal({});
      expect(await fixture.discrepancies('resolved')).to.have.length(Object.keys(expected).length);
    });

  it('names the accounts, with what both say', async () => {
    await tamper('update postings set amount_kobo = amount_kobo + 1 where source = :refund');
    await tamper('delete from balance_snapshots');
    await check();
    const [one] = await fixture.discrepancies();
    const { charge_id: chargeId } = (await ledger.rows('select * from refunds'))[0];
    expect(one).to.include({ kind: 'books', charge_id: chargeId, difference_kobo: 0 });
    expect(one!.reference).to.match(/^SV-/);
    expect(one!.detail).to.equal(
      `The journal does not agree with ${ids.refund}: ` +
        'at_provider is −₦1,000.01 where the records say −₦1,000.00, ' +
        'refunds is ₦1,000.01 where the records say ₦1,000.00. ' +
        'This is a fault of this service, whose operators are told.',
    );
  });

  it('leaves what a person closed, until it changes', async () => {
    await tamper('delete from balance_snapshots');
    await tamper('update postings set amount_kobo = amount_kobo + 1 where source = :refund');
    await check();
    const [first] = await fixture.discrepancies();
    await close(ledger, first!);
    await check();
    expect(await found()).to.deep.equal({});
    await tamper('update postings set amount_kobo = amount_kobo + 1 where source = :refund');
    await check();
    expect(await found()).to.deep.equal({ refund: 2 });
  });

  it('opens no more than a thousand: they have one fault', async () => {
    await ledger.rows(
      `insert into discrepancies (id, tenant_id, mode, connection_id, slot, kind, subject,
         amount_kobo, difference_kobo, detail, status, day, opened_at)
       select 'dsc_' || n, tenant_id, mode, id, slot, 'books', n, 1, 0, '', 'open', now(), now()
       from connections, generate_series(1, 999) n`,
    );
    const opened = async () => (await fixture.discrepancies()).length - 999;
    await tamper('delete from postings where source = :refund');
    await checkBooks({ ...fixture.context }, { part: 'payments', after: '' });
    expect(await opened()).to.equal(1);
    await tamper('delete from postings where source = :dispute');
    await checkBooks({ ...fixture.context }, { part: 'payments', after: '' });
    expect(await opened()).to.equal(1);
  });

  it('goes on where it was cut short, and says what each account holds', async () => {
    const balances = new Map<string, [records: number, journal: number]>();
    const onBalances = (added: readonly AccountBalance[]) => {
      for (const { account, records, journal } of added) {
        const [before, after] = balances.get(account) ?? [0, 0];
        balances.set(account, [before + records, after + journal]);
      }
    };
    await tamper(again(copyOf(':late', ':stranger'), 'source = :refund'));
    const { db, inTx, account } = fixture.context;
    let [position, steps]: [Awaited<ReturnType<typeof check>>, number] = [null, 0];
    do {
      let left = 1;
      const hasTime = () => left-- > 0;
      position = await checkBooks({ db, inTx, account, hasTime, onBalances }, position);
      steps++;
    } while (position !== null);
    expect(steps).to.be.greaterThan(5);
    expect(Object.fromEntries(balances)).to.deep.equal({
      at_provider: [-17_500, -117_500],
      bank: [382_500, 382_500],
      collected: [-1_000_000, -1_000_000],
      differences: [0, 0],
      fees: [35_000, 35_000],
      held_by_dispute: [500_000, 500_000],
      other_business: [0, 0],
      payers: [0, 0],
      refunds: [100_000, 200_000],
      written_off: [0, 0],
    });
    expect(await found()).to.deep.equal({ stranger: 100_000 });
  });
});
