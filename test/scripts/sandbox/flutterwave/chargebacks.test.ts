import { expect } from 'chai';
import { openFlutterwave } from './stage.ts';

describe('sandbox: Flutterwave chargebacks', () => {
  it('are found by looking, never told of: initiated, then won or lost', async () => {
    await using stage = await openFlutterwave();
    const reference = await stage.sale(500_050, { notify: false });
    const { id: transactionId, flw_ref: flwRef } = await stage.verified(reference);
    const { id } = (await stage.control('POST', '/dispute', { reference })).body;
    const list = async (query = '') =>
      (await stage.flutterwave('GET', `/chargebacks${query}`)).body;
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
    await stage.control('POST', '/dispute', { reference, outcome: 'won' });
    await stage.control('POST', '/dispute', { reference, outcome: 'lost' });
    expect((await list()).data.map(({ status }: { status: string }) => status)).to.deep.equal([
      'lost',
      'won',
    ]);
    expect((await list('?status=won')).data).to.have.length(1);
    expect((await list('?status=initiated')).data).to.have.length(0);
    expect((await list(`?id=${id}`)).data[0]).to.include({ id, status: 'won' });
    expect((await list('?from=2026-03-03')).data).to.have.length(0);
    expect((await stage.verified(reference)).status).to.equal('successful');
    await stage.sandbox.idle();
    expect(stage.receiver.received).to.deep.equal([]);
  });
});
