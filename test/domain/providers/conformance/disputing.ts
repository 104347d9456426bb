import { expect } from 'chai';
import type { DisputeQuery } from '../../../../domain/providers/port/dispute.ts';
import type { PaidPayment } from '../../../../domain/providers/port/payment.ts';
import { errorOf } from '../calls.ts';
import { disputeResponse } from '../examples.ts';
import { type ConformanceFixture, options } from './fixture.ts';

export function describeDisputing(fixture: ConformanceFixture): void {
  const { paid } = fixture;
  const list = (query: DisputeQuery, provider = fixture.adapter.provider) =>
    provider.listDisputes(query, options);
  const disputed = async (): Promise<PaidPayment> => {
    const payment = await paid();
    await fixture.adapter.control.dispute(payment.reference);
    return payment;
  };

  describe('listing disputes', () => {
    if (fixture.capabilities.disputes === 'api') {
      it('returns a dispute under one id from its beginning to its end', async () => {
        const payment = await disputed();
        const [open] = await list({ payment });
        await fixture.adapter.control.dispute(payment.reference, 'lost');
        const [lost] = await list({ payment });
        expect(lost).to.deep.include({ providerDisputeId: open!.providerDisputeId, state: 'lost' });
        expect(lost!.raw).to.include(lost!.providerDisputeId);
        expect(lost!.status).not.to.equal(open!.status);
      });

      it('takes one answer to a dispute, and refuses another in plain words', async () => {
        for (const [kind, states] of [
          ['evidence', ['won', 'open']],
          ['acceptance', ['lost']],
        ] as const) {
          const payment = await disputed();
          const [open] = await list({ payment });
          const { providerDisputeId, awaitsResponse } = open!;
          const file = { type: 'png', bytes: Buffer.from('a picture') } as const;
          const response = { ...disputeResponse, providerDisputeId, kind, file };
          await fixture.adapter.provider.respondToDispute(response, options);
          const [answered] = await list({ payment });
          expect([awaitsResponse, answered!.awaitsResponse]).to.deep.equal([true, false]);
          expect(states).to.include(answered!.state);
          const again = errorOf(fixture.adapter.provider.respondToDispute(response, options));
          expect((await again).kind).to.equal('refused');
          expect((await again).message).to.match(/^[A-Z][^<{]+$/);
        }
      });
    }

    it('returns none of an undisputed payment or of other accounts', async () => {
      const [payment, free] = [await disputed(), await paid()];
      expect(await list({ payment: free })).to.deep.equal([]);
      expect(await list({ payment }, fixture.adapter.stranger)).to.deep.equal([]);
      expect(await list({ since: new Date(0) }, fixture.adapter.stranger)).to.deep.equal([]);
    });
  });
}
