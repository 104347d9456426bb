import { expect } from 'chai';
import { errorOf } from '../wire.ts';
import { type Bench, expiresInMs, options } from './bench.ts';

export function describeCreating(bench: Bench): void {
  describe('creating', () => {
    it('answers with a pay page the payer can open, and says when it ends', async () => {
      const { payment } = await bench.opened();
      const page = await fetch(payment.url);
      expect(page.status).to.equal(200);
      expect(await page.text()).to.include('5,000.00');
      if (bench.nature.ended === null) expect(payment.linkExpiresInMs).to.equal(null);
      else expect(payment.linkExpiresInMs).to.be.within(60_000, expiresInMs);
    });

    it('needs neither name, phone nor description', async () => {
      await bench.opened({ name: null, phone: null, description: null });
    });

    it('again under one reference is told from the first time, or gives another page', async () => {
      const { reference } = await bench.opened();
      const again = bench.fixture.provider.create(bench.orderOf(reference), options);
      if (bench.says.rejectsDuplicateReferences)
        expect((await errorOf(again)).kind).to.equal('duplicate');
      else expect(await again).to.have.property('url');
    });

    it('is refused in plain words when the provider will not have it', async () => {
      const order = bench.orderOf(bench.fixture.newReference(), { email: 'nobody' });
      const error = await errorOf(bench.fixture.provider.create(order, options));
      expect(error).to.include({ kind: 'refused', stage: 'create' });
      expect(error.message).to.match(/^[A-Za-z][^<{]+$/);
    });
  });

  describe('checking credentials', () => {
    it('accepts the account’s own, and leaves no mark at the provider', async () => {
      const before = await bench.fixture.control.stats();
      await bench.fixture.provider.checkCredentials(options);
      await bench.fixture.stranger.checkCredentials(options);
      expect(await bench.fixture.control.stats()).to.deep.equal(before);
    });

    it('refuses what the provider does not know, in plain words', async () => {
      const error = await errorOf(bench.fixture.impostor.checkCredentials(options));
      expect(error).to.include({ kind: 'refused', stage: 'check' });
      expect(error.message).to.match(/^[A-Z][^<{]+$/);
    });
  });
}
