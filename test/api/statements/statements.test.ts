import { expect } from 'chai';
import { sha256Of } from '../../../domain/shared/sha256.ts';
import { paidCharge } from '../../support/charges.ts';
import { expectRefused } from '../../support/contract.ts';
import { dashboardMember } from '../../support/dashboard.ts';
import { readded } from '../../support/re-added.ts';
import { useStack } from '../../support/stack.ts';

describe('A statement', () => {
  const stack = useStack();
  const month = () => stack.clock().toISOString().slice(0, 7);

  it('has the SHA-256 of its CSV file, which adds up in a spreadsheet', async () => {
    await paidCharge(stack, { amount_kobo: 250_000 });
    const { json } = await stack.api.get(`/statements/${month()}?provider=provider_a`);
    const viewer = await dashboardMember(stack, stack.tenant, 'viewer');
    const address = `?month=${month()}&provider=provider_a`;
    const file = await viewer.get(`/statements.csv${address}`);
    expect(sha256Of(file.html)).to.equal(json.sha256);
    expect(file.headers.get('content-disposition')).to.include(
      `"statement-${month()}-provider_a-test-`,
    );
    expect(file.html, 'accounts by the names that people know').to.include(
      'On the way to the bank',
    );
    expect(readded(file.html).collected).to.deep.equal({ opening: 0, closing: -250_000 });
    const page = await viewer.get(`/statements${address}`);
    expect(page.html)
      .to.include(json.sha256)
      .and.include(`/dashboard/statements.pdf${address.replace('&', '&amp;')}`);
  });

  it('is of one provider where one is named', async () => {
    await paidCharge(stack, { provider: 'provider_b' });
    const collected = async (query: string) => {
      const { json } = await stack.api.get(`/statements/${month()}${query}`);
      return json.accounts.find((one: any) => one.account === 'collected').credited_kobo;
    };
    const [all, ...each] = await Promise.all(
      ['', '?provider=provider_a', '?provider=provider_b'].map(collected),
    );
    expect(each.every((kobo) => kobo > 0)).to.equal(true);
    expect(each[0] + each[1]).to.equal(all);
  });
});

describe('GET /statements/{month}', () => {
  const stack = useStack({ workers: false, books: false });
  const fieldsOf = async (address: string) => {
    const answer = await stack.api.get(`/statements/${address}`);
    expectRefused(answer, 'validation_failed');
    return answer.json.error.fields;
  };

  it('names what is wrong with a month, and with a provider', async () => {
    for (const month of ['2026-13', '2026-1', '2026-11-01', '0000-01', 'now', '1'.repeat(500)])
      expect(await fieldsOf(month)).to.deep.equal({ month: 'must be a month like 2026-11' });
    expect(await fieldsOf('9999-12')).to.deep.equal({ month: 'must not lie ahead' });
    const before = { month: 'must not be before the business was created' };
    expect(await fieldsOf('1000-01')).to.deep.equal(before);
    const month = stack.clock().toISOString().slice(0, 7);
    expect(await fieldsOf(`${month}?provider=paystack`)).to.have.keys(['provider']);
  });
});
