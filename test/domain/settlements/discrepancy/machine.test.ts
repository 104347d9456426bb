import { expect } from 'chai';
import {
  discrepancyStatuses,
  statusesBefore,
  whyNotClosed,
} from '../../../../domain/settlements/discrepancy/machine.ts';

describe('The lifecycle of a discrepancy', () => {
  it('one that stands is resolved once it vanishes, be it open or closed', () => {
    expect(statusesBefore('vanished')).to.deep.equal(['open', 'closed']);
  });

  it('a person closes an open one, and hears why no other', () => {
    expect(statusesBefore('closed')).to.deep.equal(['open']);
    for (const status of discrepancyStatuses)
      expect(whyNotClosed(status) === undefined, status).to.equal(status === 'open');
  });
});
