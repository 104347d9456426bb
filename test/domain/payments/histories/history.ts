import fc from 'fast-check';
import winston from 'winston';
import type { Context } from '../../../../config/context.ts';
import type { Actor } from '../../../../domain/accounts/audit-log/record-change.ts';
import type { Job } from '../../../../domain/jobs.ts';
import { timeouts } from '../../../../domain/jobs.ts';
import { acceptOrReturnReview } from '../../../../domain/payments/accept-or-return-review.ts';
import { advanceCharge } from '../../../../domain/payments/apply.ts';
import { approveRefund } from '../../../../domain/payments/approve-or-reject-refund.ts';
import { askAboutAttempt } from '../../../../domain/payments/ask-about-attempt.ts';
import { askDisputes } from '../../../../domain/payments/ask-about-disputes.ts';
import type { AttemptRow } from '../../../../domain/payments/attempt/row.ts';
import { openAttempt } from '../../../../domain/payments/attempt/store.ts';
import { requestCancel } from '../../../../domain/payments/cancel-charge.ts';
import { expireWhenAnswered } from '../../../../domain/payments/expire-charge.ts';
import { recordAttempt } from '../../../../domain/payments/record-attempt.ts';
import { requestRefund } from '../../../../domain/payments/request-refund.ts';
import type { Verification } from '../../../../domain/providers/provider.ts';
import { Problem } from '../../../../domain/shared/problems.ts';
import { type Tx, txOf } from '../../../../domain/shared/tx.ts';
import { runJob } from '../../../../workers/pool.ts';
import { checkRefund } from '../../../../workers/refund-check.ts';
import { executeRefund } from '../../../../workers/refund-execute.ts';
import { createClock, DAY, HOUR, MINUTE } from '../../../support/clock.ts';
import type { Ledger } from '../../ledger.ts';
import { accepted } from '../../notices.ts';
import { type Bank, type Fate, fates, openBank } from './bank.ts';

/**
 * Everything that can happen to a charge, as far as its money goes; what a provider says repeats,
 * comes late, in any order, or never.
 */
const happenings = [
  ...[
    'pay',
    'pay',
    'ask',
    'ask',
    'say something old',
    'decline',
    'open another',
    'settle',
    'expire',
    'cancel',
    'wait',
  ],
  ...[
    'request a refund',
    'request a refund',
    'choose the next fate',
    'choose the next fate',
    'work',
    'work',
    'work',
    'refund elsewhere',
  ],
  ...['accept', 'return'],
  ...['open a dispute', 'win a dispute', 'lose a dispute', 'ask about disputes'],
] as const;

export interface Happening {
  what: (typeof happenings)[number];
  /** Which attempt or payment. */
  which: number;
  /** How much, in percent of what is usual; or how long. */
  part: number;
  fate: Fate;
}

/** Half of them begin with a payment: what comes after one is where most can go wrong. */
const beginnings: Happening[][] = [
  [],
  [
    { what: 'pay', which: 0, part: 100, fate: 'taken' },
    { what: 'ask', which: 0, part: 100, fate: 'taken' },
  ],
];

const happened: fc.Arbitrary<Happening[]> = fc.array(
  fc.record({
    what: fc.constantFrom(...happenings),
    which: fc.nat(3),
    part: fc.oneof(
      { weight: 3, arbitrary: fc.constant(100) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 140 }) },
    ),
    fate: fc.constantFrom(...fates),
  }),
  { minLength: 4, maxLength: 24 },
);

export const histories = fc
  .tuple(fc.constantFrom(...beginnings), happened)
  .map(([beginning, rest]) => [...beginning, ...rest]);

const AMOUNT_KOBO = 500_000;
const log = winston.createLogger({ silent: true });

/**
 * One charge with everything that happens to it, on the real rules and a real database; only the
 * providers are lists in memory.
 */
export async function live(ledger: Ledger, history: readonly Happening[]) {
  const clock = createClock(ledger.clock());
  const natures = [
    { name: 'once', takesTwice: false, refundsOnce: true },
    { name: 'twice', takesTwice: true, refundsOnce: false },
  ];
  if (history.length % 2 === 1) natures.reverse();
  const charge = await ledger.newCharge();
  const banks = new Map(
    ledger.connections.map((id, n) => [
      id,
      openBank({ ...natures[n]!, name: `${charge.id}-${natures[n]!.name}` }, clock),
    ]),
  );
  const all = [...banks.values()];
  const tx = (work: (tx: Tx) => Promise<Job[]>) =>
    ledger.db.transaction((session) => work(txOf(session, ledger.vault, clock())));
  const inTx = async (work: (tx: Tx) => Promise<Job[]>) => void (await tx(work));
  const context = {
    ...{ db: ledger.db, clock, log, inTx, timeouts, dispatcher: { enqueue() {} } },
    providerOf: ({ id }: { id: string }) => banks.get(id)!,
  } as unknown as Context;
  const [row] = await ledger.rows(
    'select tenant_id, number, expires_at from charges where id = $1',
    charge.id,
  );
  const actor: Actor = {
    tenantId: row.tenant_id,
    mode: 'test',
    subjectId: 'key_history',
    memberId: null,
  };
  const said: { attemptId: string; verification: Verification; askedAt: Date }[] = [];

  const attempts = () => ledger.attempts(charge.id);
  const attemptAt = async (which: number): Promise<AttemptRow> => {
    const known = await attempts();
    return known[which % known.length]!;
  };
  const bankOf = (attempt: AttemptRow) => banks.get(attempt.connection_id)!;
  const paidAt = (which: number) => {
    const paid = all.flatMap((bank) => bank.payments.map((payment) => ({ bank, payment })));
    return paid.length === 0 ? undefined : paid[which % paid.length]!;
  };
  const dispute = (which: number, state: 'open' | 'won' | 'lost') => {
    const paid = paidAt(which);
    paid?.bank.dispute(paid.payment.id, state);
  };
  const accept = async (attemptId: string) => {
    await ledger.rows(
      `update attempts set sent_at = coalesce(sent_at, $2),
         status = case status when 'queued' then 'sending' else status end where id = $1`,
      attemptId,
      clock(),
    );
    await tx((its) => recordAttempt(its, attemptId, accepted));
  };
  const ask = async (attempt: AttemptRow, withRefunds = false) => {
    const provider = bankOf(attempt);
    said.push({
      attemptId: attempt.id,
      verification: await provider.verify(attempt.reference, { timeoutMs: 1 }),
      askedAt: clock(),
    });
    await askAboutAttempt({ inTx, provider, clock }, attempt, 1, { withRefunds });
  };
  const askAboutDisputes = async () => {
    for (const [connectionId, bank] of banks) {
      for (const { id, reference, at } of bank.payments) {
        await askDisputes(
          { inTx, provider: bank, connectionId },
          { providerPaymentId: id, reference, capturedAt: at },
          1,
        );
      }
    }
  };
  /** Does what is due of the refunds, as the pools would. */
  const work = async () => {
    const due = await ledger.rows(
      'select id, tries, status from refunds where charge_id = $1 and due_at <= $2',
      charge.id,
      clock(),
    );
    for (const { id, tries, status } of due)
      await runJob(context, (status === 'approved' ? executeRefund : checkRefund) as never, {
        id,
        tries,
      });
  };
  const refund = async (part: number) => {
    const wanted = {
      chargeNumber: row.number,
      amountKobo: Math.floor((AMOUNT_KOBO * part) / 100),
      reason: 'Wrong size',
    };
    await tx(
      async (its) =>
        (await approveRefund(its, actor, (await requestRefund(its, actor, wanted)).id)).jobs,
    ).catch(onlyProblem);
  };
  const decide = async (which: number, decision: 'accepted' | 'returned') => {
    const open = await ledger.rows(
      `select id from reviews where charge_id = $1 and status = 'open' order by id`,
      charge.id,
    );
    if (open.length === 0) return;
    const decided = { id: open[which % open.length]!.id, decision, note: null };
    await tx(async (its) => (await acceptOrReturnReview(its, actor, decided)).jobs).catch(
      onlyProblem,
    );
  };
  const expire = async () => {
    clock.advance(25 * HOUR);
    for (const attempt of await attempts()) await ask(attempt);
    await tx((its) => expireWhenAnswered(its, charge.id));
  };
  const settled = () => ({
    type: 'settled' as const,
    settledAt: clock(),
    settlementId: 'stl_1',
    feeKobo: 5_000,
  });

  const happen = async ({ what, which, part, fate }: Happening): Promise<unknown> => {
    switch (what) {
      case 'pay': {
        const attempt = await attemptAt(which);
        return bankOf(attempt).pay(attempt.reference, Math.floor((AMOUNT_KOBO * part) / 100));
      }
      case 'ask':
        return ask(await attemptAt(which), part > 100);
      case 'say something old': {
        const old = said[which % said.length];
        return old && tx((its) => recordAttempt(its, old.attemptId, { type: 'verified', ...old }));
      }
      case 'decline': {
        const attempt = await attemptAt(which);
        return bankOf(attempt).decline(attempt.reference);
      }
      case 'open another': {
        const connectionId = ledger.connections[which % 2]!;
        const at = { connectionId, slot: which % 2 ? 'provider_b' : 'provider_a', dueAt: clock() };
        if ((await attempts()).length >= 4) return undefined;
        await tx(async (its) => [
          await openAttempt(its, { id: charge.id, number: row.number }, at),
        ]);
        return accept((await attempts()).at(-1)!.id);
      }
      case 'settle':
        return tx((its) => advanceCharge(its, charge.id, settled()));
      case 'expire':
        return expire();
      case 'cancel':
        return tx((its) => requestCancel(its, actor, charge.id)).catch(onlyProblem);
      case 'wait':
        return clock.advance(part * MINUTE);
      case 'request a refund':
        return refund(part);
      case 'choose the next fate':
        for (const bank of all) bank.fate = fate;
        return undefined;
      case 'work':
        clock.advance(part * 5_000);
        return work();
      case 'refund elsewhere': {
        const paid = paidAt(which);
        return paid?.bank.refundElsewhere(paid.payment.id, Math.floor((AMOUNT_KOBO * part) / 100));
      }
      case 'accept':
        return decide(which, 'accepted');
      case 'return':
        return decide(which, 'returned');
      case 'open a dispute':
        return dispute(which, 'open');
      case 'win a dispute':
        return dispute(which, 'won');
      case 'lose a dispute':
        return dispute(which, 'lost');
      case 'ask about disputes':
        return askAboutDisputes();
    }
  };

  /** The providers are well again, everything is asked once more, and all that is due is done. */
  const comeToRest = async () => {
    for (let day = 0; day < 4; day++) {
      for (const bank of all) [bank.fate] = ['taken'];
      for (const bank of all) bank.finish();
      for (const attempt of await attempts()) await ask(attempt, true);
      await askAboutDisputes();
      await work();
      clock.advance(DAY);
      await work();
    }
  };

  await accept(charge.attemptId);
  for (const happening of history) await happen(happening);
  await comeToRest();
  return { chargeId: charge.id, banks: [...banks] as [connectionId: string, bank: Bank][], said };
}

function onlyProblem(error: unknown): void {
  if (!(error instanceof Problem)) throw error;
}
