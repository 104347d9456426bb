import { expect } from 'chai';
import { openFlutterwave } from './fixture.ts';

describe('sandbox: Flutterwave chargebacks', () => {
  it('are listed and not notified: initiated, then won or lost', async () => {
    await using fixture = await openFlutterwave();
    const reference = await fixture.sale(500_050, { notify: false });
    const { id: transactionId, flw_ref: flwRef } = await fixture.verified(reference);
    const { id } = (await fixture.control('POST', '/dispute', { reference })).body;
    const list = async (query = '') =>
      (await fixture.flutterwave('GET', `/chargebacks${query}`)).body;
    const { data, meta } = await list();
    expect(meta.page_info).to.include({ total: 1, current_page: 1, total_pages: 1 });
    expect(data[0]).to.include({
      id,
      amount: 5000.5,
      status: 'initiated',
      stage: 'new',
      tx_ref: reference,
    });
    expect(data[0]).to.include({
      transaction_id: transactionId,
      flw_ref: flwRef,
      created_at: '2026-03-02T09:00:00.000Z',
    });
    await fixture.control('POST', '/dispute', { reference, outcome: 'won' });
    await fixture.control('POST', '/dispute', { reference, outcome: 'lost' });
    expect((await list()).data.map(({ status }: { status: string }) => status)).to.deep.equal([
      'lost',
      'won',
    ]);
    expect((await list('?status=won')).data).to.have.length(1);
    expect((await list('?status=initiated')).data).to.have.length(0);
    expect((await list(`?id=${id}`)).data[0]).to.include({ id, status: 'won' });
    expect((await list('?from=2026-03-03')).data).to.have.length(0);
    expect((await fixture.verified(reference)).status).to.equal('successful');
    await fixture.sandbox.idle();
    expect(fixture.receiver.received).to.deep.equal([]);
  });
});
