import { expect } from 'chai';
import { openFlutterwave } from './fixture.ts';

function choose(url: string, choice: string): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams({ choice }), redirect: 'manual' });
}

const returnOf = async (url: string) =>
  /href="(https:\/\/shop[^"]*)"/
    .exec(await (await fetch(url)).text())?.[1]
    ?.replaceAll('&amp;', '&');

describe("sandbox: Flutterwave's pay page", () => {
  it('sends the payer back with the outcome, the reference and the number of the transaction', async () => {
    await using fixture = await openFlutterwave();
    const { url, reference } = await fixture.link({
      amount: 12_345.67,
      redirect_url: 'https://shop.example/done?cart=1',
    });
    const page = await fetch(url);
    expect(page.status).to.equal(200);
    expect(await page.text())
      .to.include('₦12,345.67')
      .and.include('Flutterwave sandbox');
    const reply = await choose(url, 'transfer');
    const { id, payment_type: paymentType } = await fixture.verified(reference);
    expect(paymentType).to.equal('bank_transfer');
    const back = `https://shop.example/done?cart=1&status=successful&tx_ref=${reference}&transaction_id=${id}`;
    expect([reply.status, reply.headers.get('location')]).to.deep.equal([303, back]);
    expect(await (await fetch(url)).text())
      .to.include('This payment has been made')
      .and.not.include('<button');
    expect(await returnOf(url)).to.equal(back);
  });

  it('keeps a declined payer on the page, to try again or to leave', async () => {
    await using fixture = await openFlutterwave();
    const { url, reference } = await fixture.link();
    expect(await returnOf(url)).to.equal(
      `https://shop.example/?status=cancelled&tx_ref=${reference}`,
    );
    const declined = await choose(url, 'decline');
    expect(new URL(declined.headers.get('location')!, url).href).to.equal(url);
    const { id } = await fixture.verified(reference);
    expect(await (await fetch(url)).text())
      .to.include('declined')
      .and.include('Pay successfully');
    expect(await returnOf(url)).to.equal(
      `https://shop.example/?status=failed&tx_ref=${reference}&transaction_id=${id}`,
    );
    expect((await choose(url, 'card')).headers.get('location')).to.include('status=successful');
  });

  it('takes no money once its time is over, and says so', async () => {
    await using fixture = await openFlutterwave();
    const { url, reference } = await fixture.link({ configurations: { session_duration: 1 } });
    await fixture.pass(60_000);
    expect(await (await fetch(url)).text())
      .to.include('The time to pay is over')
      .and.not.include('<button');
    const late = await choose(url, 'card');
    expect(new URL(late.headers.get('location')!, url).href).to.equal(url);
    expect(
      (await fixture.flutterwave('GET', `/transactions?tx_ref=${reference}`)).body.data,
    ).to.deep.equal([]);
  });
});
