import pg from 'pg';
import { blankCharge, type ChargeRow } from '../../domain/payments/charge/row.ts';
import { numberOf } from '../../domain/shared/ids.ts';
import { type Guarantee, guarantees, type Stages } from './guarantees.ts';
import type { FloorAccount } from './life-floor-calls.ts';
import type { Payment } from './life-floor-wire.ts';
import { insert, named, type Statement } from './prepared.ts';

// References of the service begin elsewhere: one sandbox knows both.
const TABLE = `
create table floor_charges (
  number bigint generated always as identity (start 1000000001) primary key,
  id text not null, tenant_id text not null, mode text not null, status text not null,
  merchant_reference text, amount_kobo bigint not null, fee_kobo bigint not null default 0,
  refunded_kobo bigint not null default 0, currency text not null, email text not null, name text,
  phone text, description text, metadata json not null, provider_wanted text not null,
  slot text not null, connection_id text not null, channel text, provider_reference text,
  occurred_at timestamptz not null, recovered boolean not null default false,
  created_at timestamptz not null, expires_at timestamptz not null)`;

const PAY = `
update floor_charges set status = 'succeeded', provider_reference = $4, fee_kobo = $5,
  channel = $6, occurred_at = $7
where number = $1 and connection_id = $2 and amount_kobo = $3 and status = 'initiated'
returning *`;

export type FloorRows = Awaited<ReturnType<typeof openRows>>;

/** The floor's rows: one of a charge, and those of the guarantees that are kept. */
export async function openRows(connectionString: string, max: number) {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({ connectionString, max, types });
  for (const tables of [TABLE, ...guarantees.map((each) => each.tables)]) await pool.query(tables);
  let kept: readonly Guarantee[] = [];

  function addedTo<Stage extends keyof Stages>(stage: Stage, known: Stages[Stage]): Statement[] {
    return kept.flatMap(({ writes }) => writes[stage]?.(known) ?? []);
  }

  /** One statement is a transaction by itself. `moreOf` is given the first one's rows. */
  async function write<Row extends pg.QueryResultRow>(
    first: Statement,
    hasMore: boolean,
    moreOf: (rows: Row[]) => Statement[],
  ): Promise<void> {
    if (!hasMore) return void moreOf((await pool.query<Row>(first)).rows);
    const client = await pool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query<Row>(first);
      for (const statement of moreOf(rows)) await client.query(statement);
      await client.query('commit');
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  return {
    /** From now on it keeps the first so many guarantees. */
    keep(count: number) {
      kept = guarantees.slice(0, count);
    },
    /** Returns the charge's number. */
    async create(charge: object, known: Stages['created']): Promise<number> {
      const more = addedTo('created', known);
      const first = insert('floor_charges', { ...charge }, ' returning number');
      let number!: number;
      await write<{ number: number }>(first, more.length > 0, ([row]) => {
        number = row!.number;
        return more;
      });
      return number;
    },
    /** Writes what the guarantees need on the way. */
    async note<Stage extends keyof Stages>(stage: Stage, known: Stages[Stage]): Promise<void> {
      const [first, ...more] = addedTo(stage, known);
      if (first) await write(first, more.length > 0, () => more);
    },
    /** Undefined: it is paid already, or this is no payment of it. */
    async pay(
      { reference, amountKobo, id, feeKobo, channel }: Payment,
      account: FloorAccount,
      now: Date,
      knownOf: (charge: ChargeRow) => Stages['paid'],
    ): Promise<Stages['paid'] | undefined> {
      const given = [numberOf(reference), account.id, amountKobo, id, feeKobo, channel, now];
      let known: Stages['paid'] | undefined;
      const hasMore = kept.some(({ writes }) => writes.paid);
      await write(named(PAY, given), hasMore, ([row]: ChargeRow[]) => {
        known = row && knownOf({ ...blankCharge, ...row });
        return known ? addedTo('paid', known) : [];
      });
      return known;
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
