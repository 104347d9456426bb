import { expect } from 'chai';
import {
  type DeliveryFacts,
  decideTry,
  type TryDecision,
} from '../../../../domain/webhooks/delivery/decide-try.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../support/clock.ts';

const at = new Date('2026-03-02T09:00:00Z');
const endedAt = new Date(at.getTime() + SECOND);
const ago = (ms: number) => new Date(endedAt.getTime() - ms);

interface Answered {
  status?: number | null;
  retryAfter?: string | null;
  random?: number;
}

function given(delivery: Partial<DeliveryFacts> = {}) {
  const known = { made: 0, first_at: null, failing_since: null, ...delivery };
  return {
    when: ({ status = 500, retryAfter = null, random = 0 }: Answered): TryDecision =>
      decideTry({ at, statusCode: status, retryAfter }, known, endedAt, random),
  };
}

const waitAfter = (answered: Answered, delivery: Partial<DeliveryFacts> = {}) => {
  const { dueAt } = given(delivery).when(answered);
  return dueAt && dueAt.getTime() - endedAt.getTime();
};

describe('A try of a delivery', () => {
  const tried = [
    ...[{}, { made: 3, first_at: ago(3 * HOUR) }, { made: 6, first_at: ago(23 * HOUR) }],
    { failing_since: ago(30 * DAY) },
  ];

  it('answered with a 2xx delivers, however often and for how long it failed before', () => {
    for (const status of [200, 201, 202, 204, 226, 299])
      for (const delivery of tried)
        expect(given(delivery).when({ status }), `${status}`).to.deep.equal({
          ...{ status: 'delivered', dueAt: null, succeeded: true, disable: null },
        });
  });

  it('answered with anything else, or with nothing, fails, is retried and disables no endpoint', () => {
    const redirects = [300, 301, 302, 304, 308];
    const refusals = [400, 401, 404, 409, 422, 429, 500, 503, 599];
    for (const status of [100, 199, ...redirects, ...refusals, null])
      expect(given().when({ status }), `${status}`).to.deep.equal({
        ...{ status: 'pending', dueAt: new Date(endedAt.getTime() + MINUTE) },
        ...{ succeeded: false, disable: null },
      });
  });

  it('answered with 410 is the last one, and the endpoint is disabled', () => {
    for (const delivery of tried)
      expect(given(delivery).when({ status: 410, retryAfter: '60' })).to.deep.equal({
        ...{ status: 'exhausted', dueAt: null, succeeded: false, disable: 'gone' },
      });
  });

  it('is retried after the wait of its count, whatever else happened to its endpoint', () => {
    const waits = [1, 5, 30, 120, 360, 720].map((minutes) => minutes * MINUTE);
    const firstAt = (made: number) => ({
      made,
      first_at: made ? ago(waits.slice(0, made).reduce((sum, wait) => sum + wait)) : null,
    });
    for (const [made, wait] of waits.entries())
      expect(waitAfter({}, firstAt(made)), `after ${made + 1}`).to.equal(wait);
  });

  it('is the last if it is the seventh, or if the next would come over a day after the first', () => {
    for (const delivery of [
      { made: 6, first_at: ago(21 * HOUR) },
      { made: 60, first_at: ago(HOUR) },
      { made: 0, first_at: ago(2 * DAY) },
      { made: 5, first_at: ago(12 * HOUR + 1) },
    ]) {
      expect(given(delivery).when({}), JSON.stringify(delivery)).to.include({
        status: 'exhausted',
        dueAt: null,
        disable: null,
      });
    }
    expect(given({ made: 5, first_at: ago(12 * HOUR) }).when({})).to.include({ status: 'pending' });
  });
});

describe('Retry-After', () => {
  it('lengthens the wait of a 429 and a 503, up to the next step, and never shortens it', () => {
    const cases: [status: number, retryAfter: string, wait: number][] = [
      [429, '90', 90 * SECOND],
      [503, '299', 299 * SECOND],
      [503, 'Mon, 02 Mar 2026 09:02:01 GMT', 2 * MINUTE],
      [429, '1', MINUTE],
      [429, '0', MINUTE],
      [429, 'Mon, 02 Mar 2020 09:00:00 GMT', MINUTE],
      [429, '86400', 5 * MINUTE],
      [429, '999999999', 5 * MINUTE],
      [429, 'Fri, 31 Dec 9999 23:59:59 GMT', 5 * MINUTE],
      [429, '9'.repeat(400), 5 * MINUTE],
      [500, '120', MINUTE],
      [302, '120', MINUTE],
      [429, 'soon', MINUTE],
      [429, '', MINUTE],
      [429, '-120', MINUTE],
    ];
    for (const [status, retryAfter, wait] of cases)
      expect(waitAfter({ status, retryAfter }), `${status} ${retryAfter}`).to.equal(wait);
  });

  it('does not delay a try beyond the day', () => {
    const delivery = { made: 4, first_at: ago(20 * HOUR) };
    expect(given(delivery).when({ status: 503 })).to.include({ status: 'exhausted' });
    expect(
      given({ ...delivery, first_at: ago(2 * HOUR) }).when({ status: 503, retryAfter: '43200' }),
    ).to.include({ status: 'pending' });
  });
});

describe('The wait before the next try', () => {
  const MOST = 1 - Number.EPSILON;

  it('is up to a tenth longer, never shorter, also above the next step', () => {
    for (const random of [0.2, 0.5, 0.9])
      expect(waitAfter({ random })).to.be.within(MINUTE, 1.1 * MINUTE);
    expect(waitAfter({ random: MOST })).to.equal(1.1 * MINUTE);
    const wanted = { status: 503, retryAfter: '86400', random: MOST };
    expect(waitAfter(wanted)).to.equal(1.1 * 5 * MINUTE);
  });

  it('is never longer than the last step', () => {
    const delivery = { made: 5, first_at: ago(9 * HOUR) };
    expect(waitAfter({ status: 503, retryAfter: '864000' }, delivery)).to.equal(12 * HOUR);
  });
});

describe('An endpoint', () => {
  it('is disabled after five days of nothing but failures, and not a moment earlier', () => {
    expect(given({ failing_since: ago(5 * DAY - 1) }).when({})).to.include({ disable: null });
    for (const status of [500, 404, 302, null]) {
      expect(given({ failing_since: ago(5 * DAY) }).when({ status })).to.include({
        disable: 'failing',
        status: 'pending',
      });
    }
  });

  it('is not disabled by its first failure, however late', () => {
    expect(given({ failing_since: null, made: 6, first_at: ago(30 * DAY) }).when({})).to.include({
      disable: null,
    });
  });
});
