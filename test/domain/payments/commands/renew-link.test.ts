import { expect } from 'chai';
import type { AttemptFact } from '../../../../domain/payments/attempt/decide.ts';
import type { AttemptRow } from '../../../../domain/payments/attempt/row.ts';
import { renewLink } from '../../../../domain/payments/commands/renew-link.ts';
import { MINUTE } from '../../../support/clock.ts';
import { writingNothing } from '../../../support/row-counts.ts';
import { type Ledger, LIFETIME_MS, useLedger } from '../../ledger.ts';
import {
  accepted,
  chargeWithLostLink,
  declined,
  openCharge,
  paid,
  recordNotice,
  refused,
  send,
  unpaid,
  verification,
} from '../../notices.ts';

const ended = verification('ended');

describe('The next link of a charge', () => {
  const ledger = useLedger(['provider_a', 'provider_b']);

  const renew = (id: string) => ledger.tx((tx) => renewLink(tx, id));
  const attemptsOf = async (id: string) =>
    (await ledger.attempts(id)).map(({ slot, status }) => `${slot} ${status}`);
  const withLink = async (options?: Parameters<Ledger['newCharge']>[0]) => {
    const { id, attemptId } = await ledger.newCharge(options);
    await send(ledger, attemptId);
    await recordNotice(ledger, attemptId, {
      ...accepted,
      linkExpiresInMs: 40 * MINUTE,
    } as typeof accepted);
    return { id, attemptId, attempt: (await ledger.attempts(id))[0]! };
  };

  it('is opened at the same connection once the last one ended', async () => {
    const { id, attemptId } = await withLink();
    await recordNotice(ledger, attemptId, ended);
    expect(await ledger.charge(id), 'does not end with its link').to.include({ status: 'pending' });
    const jobs = await renew(id);
    expect(await attemptsOf(id)).to.deep.equal(['provider_a expired', 'provider_a queued']);
    const [old, next] = await ledger.attempts(id);
    expect(next!.reference).not.to.equal(old!.reference);
    expect(jobs.at(-1)).to.include({ queue: 'charge-create', id: next!.id });
  });

  it('is opened after a link ended, once a later verify was answered', async () => {
    const { id, attemptId } = await withLink();
    ledger.clock.advance(41 * MINUTE);
    expect(await writingNothing({ context: ledger }, () => renew(id))).to.deep.equal([]);
    await recordNotice(ledger, attemptId, unpaid);
    await renew(id);
    expect(await attemptsOf(id)).to.deep.equal(['provider_a expired', 'provider_a queued']);
  });

  it('is not opened where the last verify was answered a minute before its link ended', async () => {
    const { id, attemptId } = await withLink();
    ledger.clock.advance(39 * MINUTE);
    await recordNotice(ledger, attemptId, unpaid);
    ledger.clock.advance(2 * MINUTE);
    expect(await renew(id)).to.deep.equal([]);
    expect(await attemptsOf(id)).to.deep.equal(['provider_a open']);
  });

  it('is opened at the connection of the last one, though one before it in order may be used', async () => {
    const { id, attemptId } = await withLink();
    await ledger.rows(
      `update attempts set connection_id = $2, slot = 'provider_b' where id = $1`,
      attemptId,
      ledger.connections[1],
    );
    await recordNotice(ledger, attemptId, ended);
    await renew(id);
    expect(await attemptsOf(id)).to.deep.equal(['provider_b expired', 'provider_b queued']);
  });

  it('is opened once for many simultaneous requests', async () => {
    const { id, attemptId } = await withLink();
    await recordNotice(ledger, attemptId, ended);
    const jobs = await Promise.all(Array.from({ length: 10 }, () => renew(id)));
    expect(jobs.flat().filter(({ queue }) => queue === 'charge-create')).to.have.length(1);
    expect(await attemptsOf(id)).to.deep.equal(['provider_a expired', 'provider_a queued']);
  });

  it('is opened at the next connection when the last one is disabled, unless the charge names its slot', async () => {
    const any = await withLink();
    const named = await withLink({ provider: 'provider_a' });
    for (const { attemptId } of [any, named]) await recordNotice(ledger, attemptId, ended);
    await ledger.whileDisabled(0, async () => {
      await renew(any.id);
      expect(await renew(named.id)).to.deep.equal([]);
    });
    expect(await attemptsOf(any.id)).to.deep.equal(['provider_a expired', 'provider_b queued']);
    await renew(named.id);
    expect(await attemptsOf(named.id)).to.deep.equal(['provider_a expired', 'provider_a queued']);
  });

  it('is opened though a lost attempt is still checked', async () => {
    const { id, replacement } = await chargeWithLostLink(ledger);
    await send(ledger, replacement.id);
    await recordNotice(ledger, replacement.id, accepted);
    await recordNotice(ledger, replacement.id, ended);
    await renew(id);
    expect(await attemptsOf(id)).to.deep.equal([
      'provider_a lost',
      'provider_a expired',
      'provider_a queued',
    ]);
  });

  const told =
    (...notices: ((attempt: AttemptRow) => AttemptFact)[]) =>
    async () => {
      const { id, attempt } = await withLink();
      for (const notice of notices) await recordNotice(ledger, attempt.id, notice(attempt));
      return { id };
    };
  const none: Record<string, () => Promise<{ id: string }>> = {
    'while one is valid': () => withLink(),
    'while one that never ends is open': () => openCharge(ledger),
    'while one is being created': () => ledger.newCharge(),
    'when the charge is paid': told(paid),
    'when too little was paid: a person decides first': told((attempt) =>
      paid(attempt, { amountKobo: 100 }),
    ),
    'when the provider answered an unknown status: a person decides first': told(
      () => verification('unknown', { status: 'half-paid' }),
      () => ended,
    ),
    'when the payment was declined for good': told(() => declined),
    async 'when every connection refused'() {
      const { id, attemptId } = await ledger.newCharge();
      await recordNotice(ledger, attemptId, refused);
      await recordNotice(ledger, (await ledger.attempts(id))[1]!.id, refused);
      return { id };
    },
    async 'when the merchant cancels'() {
      const { id, attempt } = await withLink();
      await ledger.requestCancel(id);
      await ledger.rows(`update attempts set status = 'expired' where id = $1`, attempt.id);
      return { id };
    },
    async 'when the charge has ended'() {
      const charge = await told(() => ended)();
      ledger.clock.advance(LIFETIME_MS);
      return charge;
    },
  };
  for (const [when, given] of Object.entries(none))
    it(`is not opened ${when}`, async () => {
      const { id } = await given();
      expect(await writingNothing({ context: ledger }, () => renew(id))).to.deep.equal([]);
    });

  it('leaves the ended one checked though the next one was paid: a slow transfer may still arrive', async () => {
    const { id, attemptId } = await withLink();
    ledger.clock.advance(41 * MINUTE);
    await recordNotice(ledger, attemptId, ended);
    await renew(id);
    const next = (await ledger.attempts(id))[1]!;
    await send(ledger, next.id);
    await recordNotice(ledger, next.id, accepted);
    await recordNotice(ledger, next.id, paid(next));
    const [job] = await recordNotice(ledger, attemptId, ended);
    expect(job).to.include({ queue: 'charge-check', id: attemptId });
    ledger.clock.advance(LIFETIME_MS);
    const beyond = await recordNotice(ledger, attemptId, ended);
    expect(beyond, 'not beyond the end of the charge').to.deep.equal([]);
  });

  it('leaves the ended one to be checked at the end of the charge', async () => {
    const { id, attemptId, attempt } = await withLink();
    ledger.clock.advance(41 * MINUTE);
    await recordNotice(ledger, attemptId, unpaid);
    await renew(id);
    const [old] = await ledger.attempts(id);
    expect(old!.due_at).to.deep.equal((await ledger.charge(id)).expires_at);
    await recordNotice(ledger, attemptId, paid(attempt));
    expect(await ledger.charge(id)).to.include({ status: 'succeeded' });
  });
});
