import { expect } from 'chai';
import { readCapture } from '../../../domain/payments/capture/store.ts';
import type { ChargeFact } from '../../../domain/payments/charge/facts.ts';
import { advanceCharge } from '../../../domain/payments/facts/advance-charge.ts';
import { newId } from '../../../domain/shared/ids.ts';
import type { Answer } from '../../support/api.ts';
import { openCharge, stored } from '../../support/charges.ts';
import { type SignedIn, useMember } from '../../support/members.ts';
import { type Stack, useStack } from '../../support/stack.ts';

export interface Charge {
  reference: string;
}

export type Review = Record<string, any> & { id: string };

export interface ReviewFixture {
  readonly stack: Stack;
  readonly owner: SignedIn;
  /** Decides as the Owner, and lets the workers run what follows. */
  post(verb: 'accept' | 'return', review: { id: string }, body?: object): Promise<Answer>;
  reviewsOf(charge: Charge): Promise<Review[]>;
  /** The only one there is. */
  reviewOf(charge: Charge): Promise<Review>;
  record(charge: Charge, fact: ChargeFact): Promise<void>;
  paymentOf(charge: Charge): Promise<Extract<ChargeFact, { type: 'captured' }>>;
  refundsOf(charge: Charge): Promise<Record<string, any>[]>;
  underpaid(): Promise<Charge>;
}

export function reviewFixture(): ReviewFixture {
  const stack = useStack();
  const owner = useMember(stack, 'owner');
  const fixture: ReviewFixture = {
    ...{ stack, owner },
    async post(verb, { id }, body = {}) {
      const answer = await owner.api.post(`/reviews/${id}/${verb}`, body);
      await stack.settle();
      return answer;
    },
    async reviewsOf({ reference }) {
      const { json } = await stack.api.get<{ data: Review[] }>('/reviews?limit=100');
      return json.data.filter((review) => review.reference === reference);
    },
    async reviewOf(charge) {
      const [review, ...more] = await fixture.reviewsOf(charge);
      expect(more).to.deep.equal([]);
      return review!;
    },
    async record(charge, fact) {
      const { id } = await stored(stack, charge);
      await stack.context.inTx((tx) => advanceCharge(tx, id, fact));
    },
    async paymentOf(charge) {
      const { captures } = await stored(stack, charge);
      const capture = await stack.context.inTx((tx) => readCapture(tx, captures[0]!.id));
      return { type: 'captured', ...capture, captureId: newId('cap', stack.clock()) };
    },
    async refundsOf(charge) {
      const { id } = await stored(stack, charge);
      return stack.context.db.query('select * from refunds where charge_id = $1 order by id', [id]);
    },
    async underpaid() {
      const charge = await openCharge(stack);
      await stack.control.pay(charge.reference, { amount_kobo: 60_000 });
      await stack.settle();
      expect(await stored(stack, charge)).to.deep.include({
        status: 'pending',
        review: ['underpaid'],
      });
      return charge;
    },
  };
  return fixture;
}
