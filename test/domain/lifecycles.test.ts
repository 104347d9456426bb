import { expect } from 'chai';
import { queues } from '../../domain/jobs.ts';
import {
  attemptTransitions,
  creatingAttemptStatuses,
  knownAttemptStatuses,
  liveAttemptStatuses,
  sentLiveAttemptStatuses,
} from '../../domain/payments/attempt/transitions.ts';
import { chargeTransitions } from '../../domain/payments/charge/transitions.ts';
import { attemptStatuses } from '../../domain/payments/entities/attempt.ts';
import { linkStatusAt } from '../../domain/payments/payment-link/transitions.ts';
import {
  committedRefundStatuses,
  pendingRefundStatuses,
} from '../../domain/payments/refund/transitions.ts';
import type { ProviderSettlement } from '../../domain/providers/port/settlement.ts';
import { settlementSteps } from '../../domain/settlements/entities/settlement.ts';
import {
  type StepCause,
  stepAfterStatement,
  stepTransitions,
} from '../../domain/settlements/settlement/transitions.ts';
import { follow, step } from '../../domain/shared/transitions.ts';

// Every move is in domain/lifecycles.md, which `test/scripts/diagrams.test.ts` compares.

describe('A transition table', () => {
  it('gives the status of a listed pair; any other pair does not compile', () => {
    const to: 'succeeded' = step(chargeTransitions, 'failed', 'paid');
    expect(to).to.equal('succeeded');
    // @ts-expect-error: a refunded charge is not paid.
    expect(step(chargeTransitions, 'refunded', 'paid')).to.equal(undefined);
  });
});

describe('The lifecycle of an attempt', () => {
  it('records money in every status but captured', () => {
    for (const status of attemptStatuses)
      expect(follow(attemptTransitions, status, 'captured') ?? 'captured').to.equal('captured');
  });

  it('belongs to the create queue until it may have been sent, then to the check queue', () => {
    const statusesOf = (queue: 'charge-create' | 'charge-check') =>
      queues[queue].where.match(/(?<=')\w+(?=')/g);
    expect(statusesOf('charge-create')).to.have.members([...creatingAttemptStatuses]);
    expect(statusesOf('charge-check')).to.have.members([...knownAttemptStatuses]);
    expect(knownAttemptStatuses).to.not.include.oneOf(['queued', 'cancelled']); // never sent
  });

  it('counts as live while it may still take money, and keeps its charge from failing once it was sent', () => {
    const live = ['lost', 'open', 'sending', 'unconfirmed'];
    expect(liveAttemptStatuses).to.have.members([...live, 'queued']);
    expect(sentLiveAttemptStatuses).to.have.members(live);
  });
});

describe('The lifecycle of a refund', () => {
  it('reserves its amount until it has ended without money going back', () => {
    const committed = [
      ...['approved', 'needs_attention', 'processing', 'reappeared', 'sending', 'unconfirmed'],
      'unresolved',
    ];
    expect(committedRefundStatuses).to.have.members(committed);
    expect(pendingRefundStatuses).to.have.members([...committed, 'requested']);
  });
});

describe('The lifecycle of a payment link', () => {
  it('ends an active link at its time to the millisecond, and no other', () => {
    const expires_at = new Date('2026-03-09T09:00:00.000Z');
    const at = (status: 'active' | 'paid' | 'disabled', ms: number) =>
      linkStatusAt({ status, expires_at }, new Date(expires_at.getTime() + ms));
    expect([at('active', -1), at('active', 0)]).to.deep.equal(['active', 'expired']);
    expect([at('paid', 1), at('disabled', 1)]).to.deep.equal(['paid', 'disabled']);
  });
});

describe('The reconciliation of a settlement', () => {
  it('takes each statement as its cause, in every step', () => {
    const stated: Record<ProviderSettlement['state'], StepCause> = {
      ...{ landed: 'stated landed', failed: 'stated failed', pending: 'stated pending' },
      ...{ unknown: 'stated pending', unclear: 'stated unclear' },
    };
    for (const [state, cause] of Object.entries(stated))
      for (const step of settlementSteps)
        expect(stepAfterStatement(step, state as never), `${state} in ${step}`).to.equal(
          follow(stepTransitions, step, cause) ?? step,
        );
  });
});
