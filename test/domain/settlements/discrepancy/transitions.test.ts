import { expect } from 'chai';
import {
  discrepancyTransitions,
  mayClose,
  statusesBefore,
} from '../../../../domain/settlements/discrepancy/transitions.ts';
import { discrepancyStatuses } from '../../../../domain/settlements/entities/discrepancy.ts';

describe('The transitions of a discrepancy', () => {
  it('resolve an open or closed one that vanished', () => {
    expect(statusesBefore('vanished')).to.deep.equal(['open', 'closed']);
  });

  it('take it to resolved once it vanished, and to closed by a person', () => {
    expect(discrepancyTransitions).to.deep.equal({
      open: { vanished: 'resolved', closed: 'closed' },
      resolved: {},
      closed: { vanished: 'resolved' },
    });
  });

  it('let a person close an open one and no other', () => {
    expect(discrepancyStatuses.filter(mayClose)).to.deep.equal(['open']);
  });
});
