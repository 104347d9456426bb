import type { Sql } from '../../domain/shared/sql.ts';
import type { Account, Arrival, Caller, Payment, ProviderName } from './records.ts';
import { askedRows, columnsOf, toRecord } from './rows.ts';

/** What a call shows to say whose it is: `value` is the secret key or a token handed out for it. */
export interface Credential {
  provider: ProviderName;
  part: 'secret key' | 'token';
  value: string;
}

export interface CallerQuery extends Credential {
  /** Undefined: the call is not counted. */
  arrival: Arrival | undefined;
}

interface Row {
  n: number;
  account: object;
  token_expires_at: Date | null;
  arrival_id: number | null;
  payment: object | null;
}

/**
 * Finds the accounts that call and counts the calls, in one statement, which also reads what
 * verifies ask for. A call with an expired token is not counted.
 */
export async function findCallers(
  sql: Sql,
  now: Date,
  queries: readonly CallerQuery[],
): Promise<(Caller | undefined)[]> {
  const rows = await sql.query<Row>(statement, [
    now,
    ...columnsOf(queries, ({ provider, part, value, arrival }) => [
      provider,
      part,
      value,
      arrival?.kind,
      arrival?.reference?.replaceAll('\0', ''),
    ]),
  ]);
  const callers = new Map(rows.map((row) => [row.n, toCaller(row)]));
  return queries.map((_, n) => callers.get(n + 1));
}

function toCaller(row: Row): Caller {
  return {
    ...toRecord<Account>(row.account),
    tokenExpiresAt: row.token_expires_at,
    arrivalId: row.arrival_id,
    verified: row.payment ? toRecord<Payment>(row.payment) : undefined,
  };
}

const columns = {
  provider: 'text',
  part: 'text',
  value: 'text',
  kind: 'text',
  reference: 'text',
};

/**
 * $1 is now. The reference was accepted before if there is a payment of it. See `ofReference` for
 * the sums.
 */
const statement = `
  with asked as materialized (
    select * from ${askedRows(columns, 2)}),
  known as (
    select asked.n, a as account, null::timestamptz as token_expires_at
      from asked
      join sandbox.account a on a.provider = asked.provider and a.secret_key = asked.value
     where asked.part = 'secret key'
    union all
    select asked.n, a, t.expires_at
      from asked
      join sandbox.access_token t on t.token = asked.value
      join sandbox.account a on a.id = t.account_id and a.provider = asked.provider
     where asked.part = 'token'),
  caller as materialized (
    select known.*, asked.kind, asked.reference, (known.account).id as account_id,
           case when asked.kind is not null and (token_expires_at is null or token_expires_at > $1)
                then nextval('sandbox.arrival_id_seq') end as arrival_id
      from known join asked using (n)),
  arrived as (
    insert into sandbox.arrival (id, provider, account_id, kind, reference, arrived_at, resent)
    overriding system value
    select arrival_id, (account).provider, account_id, kind, reference, $1,
           kind = 'create' and (
             select count(*) from sandbox.payment p
              where p.account_id + 0 = caller.account_id and p.reference = caller.reference) > 0
      from caller where arrival_id is not null)
  select n, to_json(account) as account, token_expires_at, arrival_id, to_json(verified) as payment
    from caller left join lateral (
           select * from sandbox.payment_state p
            where caller.kind = 'verify' and p.account_id + 0 = caller.account_id
              and p.reference = caller.reference and p.kind <> 'link'
            order by p.id desc limit 1) verified on true`;
