import { expect } from 'chai';
import { errorOf } from '../calls.ts';
import { type ConformanceFixture, expiresInMs, options } from './fixture.ts';

export function describeCreating(fixture: ConformanceFixture): void {
  describe('creating', () => {
    it('returns a pay page that the payer can open, and when it expires', async () => {
      const { payment } = await fixture.opened();
      const page = await fetch(payment.url);
      expect(page.status).to.equal(200);
      expect(await page.text()).to.include('5,000.00');
      if (!fixture.traits.linksEnd) expect(payment.linkExpiresInMs).to.equal(null);
      else expect(payment.linkExpiresInMs).to.be.within(60_000, expiresInMs);
    });

    it('is a duplicate under the same reference, or returns another page', async () => {
      const { reference } = await fixture.opened();
      const again = fixture.adapter.provider.create(fixture.orderOf(reference), options);
      if (fixture.capabilities.rejectsDuplicateReferences)
        expect((await errorOf(again)).kind).to.equal('duplicate');
      else expect(await again).to.have.property('url');
    });

    it('is refused in plain words where the provider does not accept it', async () => {
      const order = fixture.orderOf(fixture.adapter.newReference(), { email: 'nobody' });
      const error = await errorOf(fixture.adapter.provider.create(order, options));
      expect(error).to.include({ kind: 'refused', stage: 'create' });
      expect(error.message).to.match(/^[A-Za-z][^<{]+$/);
    });
  });

  describe('checking credentials', () => {
    it('accepts those of the account, and changes nothing at the provider', async () => {
      const before = await fixture.adapter.control.stats();
      await fixture.adapter.provider.checkCredentials(options);
      await fixture.adapter.stranger.checkCredentials(options);
      expect(await fixture.adapter.control.stats()).to.deep.equal(before);
    });

    it('refuses those that the provider does not know, in plain words', async () => {
      const error = await errorOf(fixture.adapter.impostor.checkCredentials(options));
      expect(error).to.include({ kind: 'refused', stage: 'check' });
      expect(error.message).to.match(/^[A-Z][^<{]+$/);
    });
  });
}
