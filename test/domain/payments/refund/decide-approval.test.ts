import { expect } from 'chai';
import {
  type Approval,
  decideApproval,
  firstApproverOf,
  refusalOf,
} from '../../../../domain/payments/refund/decide-approval.ts';

interface Given {
  secondPerson?: boolean;
  /** In kobo, of a refund of 500. */
  above?: number | null;
  earlier?: number;
  /** By default Ada, Bola and Chi. */
  owners?: string[];
  requestedBy?: string | null;
  first?: string | null;
}

const key = 'key_secret';
const two = { above: 499 };
const both = { ...two, secondPerson: true };
const nobody = { secondPerson: true, requestedBy: null };

/** What Ada's approval comes to. */
const rows: [what: string, given: Given, approval: Approval][] = [
  ['approves, where nothing is demanded', {}, 'approved'],
  ['approves her own request, where nothing is demanded', { requestedBy: 'ada' }, 'approved'],
  ['is refused of her own request', { secondPerson: true, requestedBy: 'ada' }, 'own request'],
  ['approves another’s request', { secondPerson: true, requestedBy: 'bola' }, 'approved'],
  ['approves what a key asked for', { secondPerson: true, requestedBy: key }, 'approved'],
  ['is the first of two above the amount', two, 'first of two'],
  ['is the only one at the amount', { above: 500 }, 'approved'],
  ['is the only one at the amount, with earlier ones', { above: 700, earlier: 200 }, 'approved'],
  ['is the first of two above it, with earlier ones', { above: 699, earlier: 200 }, 'first of two'],
  ['is the first of two of any amount above 0', { above: 0 }, 'first of two'],
  ['is the second after another Owner’s', { ...two, first: 'bola' }, 'approved'],
  ['counts once', { ...two, first: 'ada' }, 'approved before'],
  ['is the first of two of her own request', { ...two, requestedBy: 'ada' }, 'first of two'],
  ['may be both, where two are demanded no more', { above: null, first: 'ada' }, 'approved'],
  ['is the first anew, where the amount was raised', { above: 500, first: 'ada' }, 'approved'],
  ['is the first, where the first is no Owner now', { ...two, first: 'gone' }, 'first of two'],
  [
    'sends back alone what nobody asked for, where nothing is demanded',
    { requestedBy: null },
    'approved',
  ],
  ['is the first of two of what nobody asked for', { ...nobody, above: null }, 'first of two'],
  ['is the second of what nobody asked for', { ...nobody, first: 'bola' }, 'approved'],
  ['counts once of what nobody asked for', { ...nobody, first: 'ada' }, 'approved before'],
  [
    'is refused where two Owners are demanded, and is none',
    { ...two, owners: ['bola', 'chi'] },
    'by Owners only',
  ],
  [
    'is the first, where the first asked for it, and may not now',
    { ...both, requestedBy: 'bola', first: 'bola' },
    'first of two',
  ],
  [
    'is refused of her own request after another Owner’s',
    { ...both, requestedBy: 'ada', first: 'bola' },
    'own request',
  ],
];

function caseOf({
  secondPerson = false,
  above = null,
  earlier = 0,
  owners = ['ada', 'bola', 'chi'],
  requestedBy = key,
  first = null,
}: Given) {
  const rules = { requiresSecondPerson: secondPerson, twoOwnersAboveKobo: above, owners };
  const request = {
    amount_kobo: 500,
    requested_by: requestedBy,
    first_approved_by: first,
    earlier_kobo: earlier,
  };
  return [rules, request] as const;
}

describe('An Owner’s approval of a refund', () => {
  for (const [what, given, approval] of rows)
    it(what, () => {
      const [rules, request] = caseOf(given);
      expect(decideApproval(rules, request, 'ada')).to.equal(approval);
      const isRefused = !['approved', 'first of two'].includes(approval);
      expect(refusalOf(approval, rules, request) !== undefined).to.equal(isRefused);
    });

  it('is named as the first of two while it counts', () => {
    const firstOf = (given: Given) => firstApproverOf(...caseOf(given));
    expect(firstOf({ ...two, first: 'bola' })).to.equal('bola');
    for (const given of [
      two,
      { above: 500, first: 'bola' },
      { ...two, first: 'gone' },
      { ...both, first: 'bola', requestedBy: 'bola' },
    ])
      expect(firstOf(given)).to.equal(null);
  });

  it('says, refused, where too few Owners may approve', () => {
    const lacks = (approval: Approval, given: Given) =>
      refusalOf(approval, ...caseOf(given))!.message.includes('Too few Owners');
    const own = { secondPerson: true, requestedBy: 'ada' };
    expect(lacks('own request', { ...own, owners: ['ada'] })).to.equal(true);
    expect(lacks('own request', { ...own, owners: ['ada', 'bola'] })).to.equal(false);
    const before = { ...two, first: 'ada' };
    expect(lacks('approved before', { ...before, owners: ['ada'] })).to.equal(true);
    expect(lacks('approved before', { ...before, owners: ['ada', 'bola'] })).to.equal(false);
    const nobodys = { ...nobody, first: 'ada' };
    expect(lacks('approved before', { ...nobodys, owners: ['ada'] })).to.equal(true);
    expect(lacks('approved before', { ...nobodys, owners: ['ada', 'bola'] })).to.equal(false);
    const bolas = { ...both, first: 'ada', requestedBy: 'bola', owners: ['ada', 'bola'] };
    expect(lacks('approved before', bolas)).to.equal(true);
  });
});
