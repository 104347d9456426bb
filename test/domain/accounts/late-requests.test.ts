import { expect } from 'chai';
import { generateSync } from 'otplib';
import { issueLink, openLink, setPassword } from '../../../domain/accounts/member/member-links.ts';
import { lockMember } from '../../../domain/accounts/member/members.ts';
import {
  acceptCode,
  confirmTotp,
  type Holder,
  prepareTotp,
  removeTotp,
} from '../../../domain/accounts/second-factor/second-factor.ts';
import { beginSession } from '../../../domain/accounts/session/begin-session.ts';
import {
  activateSession,
  credentialOf,
  findSession,
} from '../../../domain/accounts/session/session.ts';
import { signIn } from '../../../domain/accounts/session/sign-in.ts';
import { findCredential } from '../../../domain/accounts/token/find-credential.ts';
import { signOut } from '../../../domain/accounts/token/refresh.ts';
import { beginFamily, issuePair } from '../../../domain/accounts/token/tokens.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import type { Sql } from '../../../domain/shared/sql.ts';
import type { Tx } from '../../../domain/shared/tx.ts';
import { DAY, MINUTE } from '../../support/clock.ts';
import { whileHeld } from '../../support/contention.ts';
import { useLedgerForEach } from '../ledger.ts';

describe('Of two requests of one member', () => {
  const ledger = useLedgerForEach();
  let holder: Holder;
  beforeEach(async () => {
    const [member] = await ledger.rows('select id, tenant_id from members');
    holder = { tenantId: member.tenant_id, memberId: member.id };
  });

  const outcomeOf = (work: (tx: Tx) => Promise<unknown>): Promise<string | number> =>
    ledger.inTx(work).then(
      () => 'ok',
      (error: unknown) => {
        if (error instanceof Problem) return error.status;
        throw error;
      },
    );
  const twiceAtOnce = (hold: (sql: Sql) => Promise<unknown>, work: (tx: Tx) => Promise<unknown>) =>
    whileHeld({ context: ledger }, hold, () => [outcomeOf(work), outcomeOf(work)]);
  const holdMember = (sql: Sql) =>
    sql.query('select from members where id = $1 for update', [holder.memberId]);
  const codeOf = (secret: string) =>
    generateSync({ secret, epoch: Math.floor(ledger.clock().getTime() / 1_000) });
  const enrol = async () => {
    const secret = await ledger.inTx((tx) => prepareTotp(tx, holder));
    const recoveryCodes = await ledger.inTx((tx) => confirmTotp(tx, holder, codeOf(secret)));
    ledger.clock.advance(MINUTE);
    return { secret, recoveryCodes };
  };
  const client = { userAgent: 'test', network: 'test' };
  const password = () => ({ ...holder, passwordHash: 'right' });
  const signedIn = () =>
    ledger.inTx(async (tx) => issuePair(tx, await beginFamily(tx, holder.memberId), 'test'));
  const member = async () =>
    (await ledger.rows('select * from members where id = $1', holder.memberId))[0]!;

  it('with one code at once, the second is refused', async () => {
    const code = codeOf((await enrol()).secret);
    const outcomes = await twiceAtOnce(holdMember, (tx) => acceptCode(tx, holder, code));
    expect(outcomes).to.have.members(['ok', 422]);
  });

  it('with one recovery code at once, the second is refused', async () => {
    const [code] = (await enrol()).recoveryCodes;
    const outcomes = await twiceAtOnce(holdMember, (tx) => acceptCode(tx, holder, code!));
    expect(outcomes).to.have.members(['ok', 422]);
  });

  it('that remove the authenticator while the business begins to demand one, the late one holds the sign-ins up', async () => {
    await enrol();
    await signedIn();
    await whileHeld(
      { context: ledger },
      (sql) => sql.query('update tenants set requires_second_factor = true'),
      () => [ledger.inTx((tx) => removeTotp(tx, holder, holder.memberId))],
    );
    const families = await ledger.rows('select revoked_at is not null as over from token_families');
    expect(families).to.deep.equal([{ over: true }]);
  });

  const changes: Record<string, [change: string, app: string | number, dashboard: string]> = {
    'the member is disabled': ['update members set disabled_at = now()', 'refused', 'refused'],
    'the business begins to demand an authenticator': [
      'update tenants set requires_second_factor = true',
      409,
      'awaiting_enrolment',
    ],
  };
  for (const [what, [change, app, dashboard]] of Object.entries(changes))
    it(`that sign in at the moment when ${what}, in an app and in the dashboard, both find that`, async () => {
      await ledger.rows(`update members set password_hash = 'right'`);
      const found = await whileHeld<string | number>(
        { context: ledger },
        (sql) => sql.query(change),
        () => [
          ledger
            .inTx((tx) => signIn(tx, password(), { mode: 'test' }))
            .then(
              (pair) => (pair ? 'signed in' : 'refused'),
              ({ status }: Problem) => status,
            ),
          ledger.inTx(
            async (tx) => (await beginSession(tx, password(), client))?.status ?? 'refused',
          ),
        ],
      );
      expect(found).to.deep.equal([app, dashboard]);
    });

  it('that complete one sign-in, the later one has the session, and the other one nothing', async () => {
    await enrol();
    await ledger.rows(`update members set password_hash = 'right'`);
    const begun = await ledger.inTx((tx) => beginSession(tx, password(), client));
    const session = (token: string) => findSession(ledger.db, token, ledger.clock());
    const stale = (await session(begun!.token))!;
    const complete = () => ledger.inTx((tx) => activateSession(tx, stale, tx.now));
    const first = await complete();
    const { signedInAt } = (await session(first))!;
    ledger.clock.advance(MINUTE);
    const late = await complete();
    expect(await session(late)).to.deep.include({ status: 'active', signedInAt });
    expect(await session(first)).to.equal(undefined);
    const credential = (token: string) =>
      findCredential(ledger.db, credentialOf(token, 'live'), ledger.clock());
    expect(await credential(late)).to.include({ member_id: holder.memberId });
    expect(await credential(first)).to.equal(undefined);
  });

  it('that sign out at once, one is recorded', async () => {
    const { refreshToken } = await signedIn();
    const hold = (sql: Sql) => sql.query('select from token_families for update');
    expect(await twiceAtOnce(hold, (tx) => signOut(tx, refreshToken))).to.deep.equal(['ok', 'ok']);
    const recorded = await ledger.rows(
      `select 1 from audit_entries where action = 'member.signed_out'`,
    );
    expect(recorded).to.have.length(1);
  });

  const meanwhile: Record<string, () => unknown> = {
    'the link has expired': () => ledger.clock.advance(2 * DAY),
    'the member was disabled': () => ledger.rows('update members set disabled_at = now()'),
  };
  for (const [what, happens] of Object.entries(meanwhile))
    it(`that set a password, one is refused where ${what} since it opened the link`, async () => {
      const token = await ledger.inTx(async (tx) =>
        issueLink(tx, await lockMember(tx, holder.tenantId, holder.memberId)),
      );
      const link = await openLink(ledger.db, token, ledger.clock());
      await happens();
      expect(await outcomeOf((tx) => setPassword(tx, token, link, 'late'))).to.equal(410);
      expect((await member()).password_hash).not.to.equal('late');
    });
});
