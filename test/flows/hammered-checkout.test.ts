import { expect } from 'chai';
import { rateLimits } from '../../config/limits/rate-limits.ts';
import { newCharge } from '../support/charges.ts';
import { SECOND } from '../support/clock.ts';
import { openAtProvider } from '../support/open-at-provider.ts';
import { rawRequest } from '../support/raw-http.ts';
import { generousLimits, type Stack, startStack } from '../support/stack.ts';

const networks = Array.from({ length: 10 }, (_, n) => `203.0.113.${n + 1}`);
const { payVisit, payQuestion } = rateLimits;

describe('Checkouts that strangers load from ten networks', () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await startStack({
      workers: false,
      env: {
        budgets: { sandbox: { test: { perMinute: 100 } } },
        rateLimits: { ...generousLimits, payVisit, payQuestion },
        trustProxy: 'loopback',
      },
    });
  });
  afterEach(() => stack[Symbol.asyncDispose]());

  const verifies = async () => (await stack.control.stats()).paystack!.verifies;
  const open = async () => {
    const charge = await newCharge(stack);
    await openAtProvider(stack, charge.reference);
    return charge;
  };
  /** Every network loads it, as a payer who returned, each time a second later. */
  const hammer = async ({ id }: { id: string }) => {
    for (const network of networks) {
      stack.clock.advance(SECOND);
      const headers = { 'x-forwarded-for': network };
      const path = `/pay/${id}?returned=1`;
      expect((await rawRequest(stack, { path, headers })).status).to.equal(200);
    }
  };

  it('spend ten calls a minute for one of them', async () => {
    const charge = await open();
    const before = await verifies();
    for (let round = 0; round < 3; round++) await hammer(charge);
    expect((await verifies()) - before).to.equal(payQuestion.points);
  });
});
