import { expect } from 'chai';
import { trackCredentials } from '../../../../domain/providers/guard/refused-credentials.ts';
import { createClock, MINUTE } from '../../../support/clock.ts';

describe('Credentials that a provider refuses', () => {
  function tracked(wereRefused = false) {
    const clock = createClock(new Date(0));
    clock.stopAt(new Date(0));
    const changes: boolean[] = [];
    const onChange = (areRefused: boolean) => changes.push(areRefused);
    return { clock, changes, credentials: trackCredentials(clock, { wereRefused, onChange }) };
  }

  it('are used for reading again after 1, 5, 30 and 60 minutes, then every hour', () => {
    const { clock, credentials } = tracked();
    const waits = [1, 2, 3, 4, 5].map(() => {
      credentials.refused();
      const waitMs = credentials.waitMs()!;
      clock.advance(waitMs - 1);
      expect(credentials.waitMs()).to.equal(1);
      clock.advance(1);
      expect(credentials.waitMs()).to.equal(null);
      expect(credentials.waitMs(), 'while that call is under way').to.equal(MINUTE);
      return waitMs / MINUTE;
    });
    expect(waits).to.deep.equal([1, 5, 30, 60, 60]);
  });

  it('count once where many calls are refused at once', () => {
    const { clock, changes, credentials } = tracked();
    for (let call = 0; call < 100; call++) credentials.refused();
    expect(credentials.waitMs()).to.equal(MINUTE);
    clock.advance(MINUTE);
    expect(credentials.waitMs()).to.equal(null);
    expect(changes).to.deep.equal([true]);
  });

  it('are no longer refused after one answer', () => {
    const { changes, credentials } = tracked();
    credentials.refused();
    credentials.accepted();
    credentials.accepted();
    expect(credentials.waitMs()).to.equal(null);
    expect(changes).to.deep.equal([true, false]);
  });

  it('that were refused before this process started are no longer after one answer', () => {
    const { changes, credentials } = tracked(true);
    credentials.accepted();
    expect(changes).to.deep.equal([false]);
  });
});
