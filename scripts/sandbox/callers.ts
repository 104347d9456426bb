import type { SandboxContext } from './context.ts';
import type { Arrival, Caller, ProviderName } from './records.ts';
import { first } from './rows.ts';

/** What a call shows to say whose it is: `value` is the secret key or a token handed out for it. */
export interface Credential {
  provider: ProviderName;
  part: 'secret key' | 'token';
  value: string;
}

/**
 * Finds the account that calls and counts the call, in one statement. A call with an expired token
 * is not counted.
 */
export function findCaller(
  { sql, now }: SandboxContext,
  { provider, part, value }: Credential,
  arrival: Arrival | undefined,
): Promise<Caller | undefined> {
  if (!arrival) return first<Caller>(sql, statements[part].uncounted, [provider, value]);
  const { kind, reference } = arrival;
  return first<Caller>(sql, statements[part].counted, [
    provider,
    value,
    kind,
    reference?.replaceAll('\0', '') ?? null,
    now(),
  ]);
}

const statements: Record<Credential['part'], { uncounted: string; counted: string }> = {
  'secret key': statementsFor(`
    select *, null::timestamptz as token_expires_at
      from sandbox.account where provider = $1 and secret_key = $2`),
  token: statementsFor(`
    select a.*, t.expires_at as token_expires_at
      from sandbox.access_token t join sandbox.account a on a.id = t.account_id
     where a.provider = $1 and t.token = $2`),
};

/** The reference was accepted before if there is a payment of it. See `ofReference`. */
function statementsFor(caller: string) {
  return {
    uncounted: `select *, null::bigint as arrival_id from (${caller}) caller`,
    counted: `
      with caller as materialized (${caller}),
      arrived as (
        insert into sandbox.arrival (provider, account_id, kind, reference, arrived_at, resent)
        select $1, caller.id, $3::text, $4::text, $5::timestamptz, $3 = 'create' and exists (
                 select 1 from sandbox.payment where account_id + 0 = caller.id and reference = $4)
          from caller where token_expires_at is null or token_expires_at > $5
        returning id)
      select caller.*, arrived.id as arrival_id from caller left join arrived on true`,
  };
}
