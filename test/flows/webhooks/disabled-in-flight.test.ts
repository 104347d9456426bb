import { expect } from 'chai';
import { DAY, HOUR } from '../../support/clock.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { sendMissed, useListener } from './fixture.ts';

describe('An endpoint with a delivery in flight', () => {
  const stack = useStack();
  const listener = useListener(stack);

  const inFlight = async () => {
    const requests = listener.keepRequestsOpen();
    await listener.publishEvents();
    await until('the arrival', async () => requests.open === 1);
    return requests;
  };

  // What a try means that ends after its endpoint was disabled: test/domain/webhooks/delivery.
  it('records the try and is sent nothing more when it is deleted meanwhile', async () => {
    const requests = await inFlight();
    const [waiting] = await listener.publishEvents();
    await until('two open requests', async () => requests.open === 2);
    await (await listener.signedIn()).remove(`/webhook-endpoints/${listener.endpointId}`);
    requests.answer(500);
    await stack.settle();
    await stack.pass(2 * DAY);
    const deliveries = await listener.deliveries();
    expect(
      deliveries.map(({ status, tries }) => [status, tries.map((made: any) => made.status_code)]),
    ).to.deep.equal([
      ['cancelled', [500]],
      ['cancelled', [500]],
    ]);
    expect(listener.arrived().filter((id) => id === waiting)).to.have.length(1);
  });

  it('is not sent a retry when it is disabled and enabled meanwhile, but receives the event with what it missed', async () => {
    const requests = await inFlight();
    await listener.setStatus('disabled');
    await listener.setStatus('enabled');
    requests.answer(500);
    await until('the record', async () => (await listener.tried()).length > 0);
    await stack.pass(HOUR);
    expect(listener.arrived()).to.have.length(1);
    expect((await listener.delivery()).status).to.equal('cancelled');
    expect(await sendMissed(stack, listener)).to.equal(1);
    expect(listener.arrived()).to.have.length(1);
  });
});
