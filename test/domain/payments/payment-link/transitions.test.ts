import { expect } from 'chai';
import { linkStatuses } from '../../../../domain/payments/entities/payment-link.ts';
import {
  type LinkCause,
  linkStatusAt,
  linkTransitions,
} from '../../../../domain/payments/payment-link/transitions.ts';
import { follow, statusesBefore } from '../../../../domain/shared/transitions.ts';

const causes: LinkCause[] = ['paid', 'time over', 'disabled by the merchant'];

describe('The lifecycle of a payment link', () => {
  it('has the contract’s transitions, late money, and no others', () => {
    const moves = linkStatuses.flatMap((from) =>
      causes.map((cause) => [from, cause, follow(linkTransitions, from, cause)] as const),
    );
    expect(moves.filter(([, , to]) => to !== undefined)).to.deep.equal([
      ['active', 'paid', 'paid'],
      ['active', 'time over', 'expired'],
      ['active', 'disabled by the merchant', 'disabled'],
      ['expired', 'paid', 'paid'],
      ['disabled', 'paid', 'paid'],
    ]);
  });

  it('has a row for every status, and leads to statuses only', () => {
    expect(Object.keys(linkTransitions).sort()).to.deep.equal([...linkStatuses].sort());
    for (const moves of Object.values(linkTransitions))
      expect(linkStatuses).to.include.members(Object.values(moves));
  });

  it('lists the statuses a cause changes', () => {
    expect(statusesBefore(linkTransitions, 'paid')).to.deep.equal([
      'active',
      'expired',
      'disabled',
    ]);
    expect(statusesBefore(linkTransitions, 'disabled by the merchant')).to.deep.equal(['active']);
  });

  it('ends an active link at its time to the millisecond, and no other', () => {
    const expires_at = new Date('2026-03-09T09:00:00.000Z');
    const at = (ms: number) => new Date(expires_at.getTime() + ms);
    expect(linkStatusAt({ status: 'active', expires_at }, at(-1))).to.equal('active');
    expect(linkStatusAt({ status: 'active', expires_at }, at(0))).to.equal('expired');
    for (const status of ['paid', 'expired', 'disabled'] as const) {
      for (const ms of [-1, 0, 1])
        expect(linkStatusAt({ status, expires_at }, at(ms))).to.equal(status);
    }
  });
});
